// On small random programs, the races reported over all graphs are exactly the pairs of adjacent accesses in some
// schedule: brute force checks every schedule, without vector clocks.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "supervisor/campaign/race_watch.h"
#include "supervisor/trace/replay_machine.h"
#include "tests/random_program.h"

namespace raddle::testing {
namespace {

// Numbers the plain accesses: the n-th action of a thread.
class WithPlaces final : public Target {
public:
    explicit WithPlaces(const RandomProgram& program) : program_(code_of(program), options_of(program, {})) {}

    Execution run(const Plan& plan) override {
        Execution execution = program_.run(plan);
        std::map<ThreadId, std::uint64_t> numbers;
        for (Event& event : execution.events) {
            const std::uint64_t number = ++numbers[event.thread];
            if (event.action.operation == Operation::memory_read || event.action.operation == Operation::memory_write)
                event.action.site = std::uint64_t{1} << 48 | event.thread.code << 8 | number;
        }
        return execution;
    }

private:
    ModelProgram program_;
};

bool is_plain(const Event& event) {
    return event.action.operation == Operation::memory_read || event.action.operation == Operation::memory_write;
}
bool is_atomic(const Event& event) {
    return event.action.operation == Operation::memory_update || event.action.operation == Operation::memory_exchange;
}

struct Truth {
    std::set<std::string> races;
    bool too_large = false;
};

Truth brute_force(const RandomProgram& program) {
    constexpr int most_schedules = 3000;
    WithPlaces target(program);
    const auto every_schedule = make_strategy("dfs", {});
    std::map<std::string, ObjectId> pairs;
    std::set<ObjectId> atomics;
    for (int tried = 0; const auto plan = every_schedule->next(); ++tried) {
        if (tried == most_schedules) return {{}, true};
        const Execution execution = target.run(*plan);
        every_schedule->learn(*plan, execution);
        for (const Event& event : execution.events)
            if (is_atomic(event)) atomics.insert(event.action.object);
        for (std::size_t i = 0; i + 1 < execution.events.size(); ++i) {
            const Event &one = execution.events[i], &other = execution.events[i + 1];
            const bool conflict =
                is_plain(one) && is_plain(other) && one.action.object == other.action.object &&
                !(one.thread == other.thread) &&
                (one.action.operation == Operation::memory_write || other.action.operation == Operation::memory_write);
            if (conflict) pairs[text_of(execution, DataRace{i, i + 1})] = one.action.object;
        }
    }
    Truth truth;
    for (const auto& [text, object] : pairs)
        if (!atomics.contains(object)) truth.races.insert(text);
    return truth;
}

std::set<std::string> reported(const RandomProgram& program) {
    WithPlaces target(program);
    RaceWatch watch(options_of(program, {}).machine);
    const auto search = make_strategy("optimal", {});
    std::vector<Finding> findings;
    while (const auto plan = search->next()) {
        const Execution execution = target.run(*plan);
        for (Finding& finding : watch.find_new_races(*plan, execution, &target)) findings.push_back(std::move(finding));
        search->learn(*plan, execution);
    }
    std::set<std::string> texts;
    for (const Finding& finding : findings)
        if (!watch.is_withdrawn(finding)) texts.insert(finding.key);
    return texts;
}

// Two threads share two variables, a mutex, a semaphore and a reader-writer lock; main joins both, or one.
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

TEST(RandomPrograms, HaveExactlyTheRacesThatSomeScheduleShowsBackToBack) {
    const std::uint64_t seeds = std::getenv("RADDLE_NIGHTLY") != nullptr ? 20000 : 100;
    std::size_t with_races = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const RandomProgram program = sharing_program(seed);
        ASSERT_TRUE(is_valid(program)) << to_text(program);
        const Truth truth = brute_force(program);
        if (truth.too_large) continue;
        with_races += truth.races.empty() ? 0 : 1;
        ASSERT_EQ(reported(program), truth.races) << "seed " << seed << "\n" << to_text(program);
    }
    EXPECT_GT(with_races, seeds / 20) << "too few of the programs have races for this to say anything";
}

// A reused analysis finds the same races in each execution as a fresh one, after any earlier executions.
TEST(RandomPrograms, HaveTheSameRacesAfterAnyEarlierExecution) {
    const std::uint64_t seeds = std::getenv("RADDLE_NIGHTLY") != nullptr ? 2000 : 50;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const RandomProgram program = sharing_program(seed);
        const MachineOptions machine = options_of(program, {}).machine;
        WithPlaces target(program);
        DataRaces along(machine);
        ReplayMachine replay(machine);
        for (const char* strategy : {"dfs", "random"}) {
            const auto search = make_strategy(strategy, {});
            Execution execution;
            for (int tried = 0; tried < 200; ++tried) {
                const auto plan = search->next();
                if (!plan) break;
                ReplayMachine anew(machine);
                Plan cut = *plan;
                cut.max_steps = 3 + seed % 7;
                for (const Plan& one : {cut, *plan}) {
                    execution = target.run(one);
                    for (ReplayMachine* each : {&replay, &anew}) {
                        each == &anew ? each->begin(execution) : each->begin_after_common_prefix(execution);
                        each->feed_all();
                    }
                    ASSERT_EQ(replay.position(), execution.events.size());
                    ASSERT_EQ(replay.graph(), anew.graph()) << "seed " << seed << ", execution " << tried;
                    ASSERT_EQ(replay.preemptions(), anew.preemptions()) << "seed " << seed << ", execution " << tried;
                }
                search->learn(*plan, execution);
                DataRaces fresh(machine);
                fresh.add_atomics({along.atomics().begin(), along.atomics().end()});
                const std::vector<DataRace> races = fresh.find(execution);
                ASSERT_EQ(along.find(execution), races) << "seed " << seed << ", execution " << tried << "\n"
                                                        << to_text(program);
                for (const DataRace& race : races)
                    ASSERT_EQ(along.back_to_back(race), fresh.back_to_back(race)) << "seed " << seed;
            }
        }
    }
}

}  // namespace
}  // namespace raddle::testing
