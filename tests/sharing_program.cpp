#include "tests/sharing_program.h"

#include <map>
#include <random>

namespace raddle::testing {

Execution WithSites::run(const Plan& plan) {
    Execution execution = program_.run(plan);
    std::map<ThreadId, std::uint64_t> numbers;
    for (std::size_t i = 0; i < execution.events.size(); ++i) {
        Event& event = execution.events.change(i);
        const std::uint64_t number = ++numbers[event.thread];
        if (event.action.operation == Operation::memory_read || event.action.operation == Operation::memory_write)
            event.action.site = std::uint64_t{1} << 48 | event.thread.code << 8 | number;
    }
    return execution;
}

RandomProgram sharing_program(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(random() % n); };
    const auto op = [](Operation operation, std::uint32_t object, std::int64_t argument = 0) {
        Op made;
        made.operation = operation;
        made.object = object;
        made.argument = argument;
        return made;
    };
    const auto access = [&] {
        return op(below(3) == 0 ? Operation::memory_read : Operation::memory_write, below(2), 1);
    };
    const auto add_some = [&](std::vector<Op>& ops) {
        switch (below(7)) {
            case 0:
                ops.insert(ops.end(), {op(Operation::mutex_lock, 0), access(), op(Operation::mutex_unlock, 0)});
                return;
            case 1:
                ops.insert(ops.end(), {op(Operation::rwlock_rdlock, 0), access(), op(Operation::rwlock_rdunlock, 0)});
                return;
            case 2: ops.push_back(op(Operation::sem_post, 0)); return;
            case 3: ops.push_back(op(below(2) == 0 ? Operation::sem_trywait : Operation::sem_wait, 0)); return;
            case 4: ops.push_back(op(Operation::memory_update, 1, 1)); return;
            case 5: ops.insert(ops.end(), {op(Operation::mutex_trylock, 0), access()}); return;
            default: ops.push_back(access());
        }
    };
    RandomProgram program;
    program.seed = seed;
    program.threads.resize(3);
    program.mutex_attributes = {0};
    program.rwlock_attributes = {0};
    for (const std::uint32_t thread : {1u, 2u}) {
        program.threads[0].ops.push_back(op(Operation::thread_create, thread));
        while (program.threads[thread].ops.size() < 3) add_some(program.threads[thread].ops);
    }
    program.threads[0].ops.push_back(op(Operation::thread_join, 1));
    if (below(2) == 0) program.threads[0].ops.push_back(access());
    program.threads[0].ops.push_back(op(Operation::thread_join, 2));
    return program;
}

}  // namespace raddle::testing
