// Runs and shrinks random programs. random_generator.cpp makes them, and random_text.cpp prints them.
#include "tests/random_program.h"

#include <algorithm>
#include <memory>

#include "supervisor/model/interruption.h"

namespace raddle::testing {

bool is_about_thread(Operation operation) {
    const OperationTraits& what = traits(operation);
    return what.kind == Kind::thread && names_object(operation) && what.ends != Wait::creation;
}

namespace {

constexpr std::size_t nobody = static_cast<std::size_t>(-1);

// The creator of each thread, and its number among the creator's children; `nobody` unless it is created exactly once.
struct Births {
    std::vector<std::size_t> creator, position;
    std::vector<ThreadId> id;
    bool valid = true;

    explicit Births(const RandomProgram& program)
        : creator(program.threads.size(), nobody), position(program.threads.size()), id(program.threads.size()) {
        for (std::size_t t = 0; t < program.threads.size(); ++t) note(program.threads[t].ops, t);
        for (std::size_t t = 1; t < creator.size(); ++t) valid = valid && creator[t] != nobody && depth_of(t) > 0;
        if (valid)
            for (std::size_t t = 1; t < creator.size(); ++t) id[t] = name(program, t);
    }

private:
    void note(const std::vector<Op>& ops, std::size_t by) {
        std::size_t skipped_to = 0;  // a skip can leave out operations before this one
        for (std::size_t i = 0; i < ops.size(); ++i) {
            if (ops[i].operation == Operation::thread_create) {
                const std::uint32_t child = ops[i].object;
                if (child == 0 || child >= creator.size() || creator[child] != nobody || i < skipped_to) {
                    valid = false;
                    continue;
                }
                creator[child] = by;
                position[child] = i;
            }
            if (ops[i].skip.when != Skip::When::never) skipped_to = std::max(skipped_to, i + 1 + ops[i].skip.count);
        }
    }
    // Number of creations from main to the thread; 0 if there is no path.
    std::size_t depth_of(std::size_t t) const {
        std::size_t depth = 0;
        for (; t != 0; t = creator[t])
            if (t == nobody || ++depth > creator.size()) return 0;
        return depth;
    }
    ThreadId name(const RandomProgram& program, std::size_t t) const {
        if (t == 0) return main_thread;
        const std::vector<Op>& ops = program.threads[creator[t]].ops;
        std::uint32_t child = 1;
        for (std::size_t i = 0; i < position[t]; ++i) child += ops[i].operation == Operation::thread_create;
        return child_of(name(program, creator[t]), child);
    }
};

bool knows(const Births& births, std::size_t actor, std::size_t at, std::size_t other) {
    if (other == actor || other == 0) return true;
    if (births.creator[other] == actor) return births.position[other] < at;
    for (std::size_t t = actor; t != 0; t = births.creator[t]) {
        if (births.creator[t] == other) return true;
        if (births.creator[other] == births.creator[t]) return births.position[other] < births.position[t];
    }
    return false;
}

// ---- running

struct Interpreter {
    RandomProgram program;
    Births births;

    explicit Interpreter(RandomProgram p) : program(std::move(p)), births(program) {}

    ObjectId object_of(const Op& op, Kind kind) const {
        if (is_about_thread(op.operation)) return thread_object(births.id[op.object]);
        if (op.operation == Operation::process_exit) return process_object();
        if (op.operation == Operation::descriptor_wait) return descriptor_table();
        return program_object(kind, op.object);
    }
    static ObjectId program_object(Kind kind, std::uint32_t number) {
        return object_in(Space::program, static_cast<std::uint64_t>(kind), number);
    }

    // `seen`: the result of the thread's last descriptor_wait.
    Action action_of(const Op& op, std::int64_t seen) const {
        Action action;
        action.operation = op.operation;
        action.flags = op.flags;
        action.update = op.update;
        action.words[0] = op.argument;
        action.words[1] = op.argument2;
        action.limit_or_initial = op.timeout;
        std::copy(std::begin(op.spin_values), std::end(op.spin_values), action.spin_values);
        const OperationTraits& what = traits(op.operation);
        if (names_object(op.operation)) action.object = object_of(op, what.kind);
        if (what.kind == Kind::mutex) action.attributes = program.mutex_attributes[op.object];
        if (what.kind == Kind::rwlock) action.attributes = program.rwlock_attributes[op.object];
        switch (what.second_kind) {
            case Kind::none:
            case Kind::thread: break;
            case Kind::process: action.second = process_object(); break;
            case Kind::descriptor:
                if (op.operation != Operation::descriptor_wait) action.second = descriptor_table();
                break;
            default: action.second = program_object(what.second_kind, op.second); break;
        }
        if (what.second_kind == Kind::mutex) action.attributes = program.mutex_attributes[op.second];
        if (op.operation == Operation::thread_cancel)
            action.attributes = op.argument != 0 ? attribute::cancel::signal : std::uint8_t{0};
        if (what.argument == Argument::version && op.argument == seen_last) action.set_version(seen);
        return action;
    }
};

// The interpreter outlives all threads: the code of main owns it.
Body interpret(Thread& t, const Interpreter& self, const std::vector<Op>& ops);

Body interpret_thread(Thread& t, const Interpreter& self, std::size_t index) {
    const ThreadCode& code = self.program.threads[index];
    if (!code.cleanup.empty())
        t.on_cancel([&self, &code](Thread& same) { return interpret(same, self, code.cleanup); });
    return interpret(t, self, code.ops);
}

Body interpret(Thread& t, const Interpreter& self, const std::vector<Op>& ops) {
    std::int64_t seen = -1;
    for (std::size_t i = 0; i < ops.size(); ++i) {
        const Op& op = ops[i];
        if (op.operation == Operation::thread_create) {
            const std::size_t child = op.object;
            co_await t.spawn([&self, child](Thread& c) { return interpret_thread(c, self, child); }, op.argument != 0);
            continue;
        }
        const ActionOutcome& outcome = co_await t.perform(self.action_of(op, seen));
        if (op.operation == Operation::descriptor_wait && outcome.effect == Effect::done) seen = outcome.result;
        const std::int64_t result = op.operation == Operation::futex_enter ? t.word({op.second}) : outcome.result;
        if (op.skip.applies_to(result)) i += op.skip.count;
    }
}

// ---- shrinking

}  // namespace

std::vector<Op> without(const std::vector<Op>& ops, std::size_t at) {
    std::vector<Op> fewer;
    for (std::size_t i = 0; i < ops.size(); ++i) {
        if (i == at) continue;
        Op op = ops[i];
        if (i < at && op.skip.when != Skip::When::never && i + op.skip.count >= at && --op.skip.count == 0)
            op.skip = {};
        fewer.push_back(op);
    }
    return fewer;
}

namespace {

RandomProgram without_thread(RandomProgram program, std::uint32_t gone) {
    program.threads.erase(program.threads.begin() + gone);
    for (ThreadCode& code : program.threads) {
        for (std::vector<Op>* ops : {&code.ops, &code.cleanup}) {
            for (std::size_t i = ops->size(); i-- > 0;) {
                Op& op = (*ops)[i];
                if (op.operation != Operation::thread_create && !is_about_thread(op.operation)) continue;
                if (op.object == gone)
                    *ops = without(*ops, i);
                else if (op.object > gone)
                    --op.object;
            }
        }
    }
    return program;
}

std::vector<Op> simpler(const Op& op) {
    std::vector<Op> candidates;
    const auto add = [&](auto change) {
        Op other = op;
        change(other);
        candidates.push_back(other);
    };
    if (op.skip.when != Skip::When::never) add([](Op& o) { o.skip = {}; });
    if (op.skip.count > 1) add([](Op& o) { --o.skip.count; });
    for (const Flags f :
         {flag::timed, flag::cancellable, flag::interruptible, flag::uncancellable, flag::nonblocking, flag::spins})
        if ((op.flags & f) != 0) add([f](Op& o) { o.flags &= static_cast<Flags>(~f); });
    if (op.timeout > 1) add([](Op& o) { o.timeout = 1; });
    if (op.object > 0 && !is_about_thread(op.operation) && op.operation != Operation::thread_create)
        add([](Op& o) { o.object = 0; });
    return candidates;
}

// Leaves out one thing such that the program still fails; false if there is none.
bool shrink_once(RandomProgram& program, const std::function<bool(const RandomProgram&)>& fails) {
    const auto accept = [&](RandomProgram smaller) {
        if (!is_valid(smaller) || !fails(smaller)) return false;
        program = std::move(smaller);
        return true;
    };
    for (std::uint32_t t = static_cast<std::uint32_t>(program.threads.size()); t-- > 1;)
        if (accept(without_thread(program, t))) return true;
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
        for (auto part : {&ThreadCode::ops, &ThreadCode::cleanup}) {
            for (std::size_t i = (program.threads[t].*part).size(); i-- > 0;) {
                RandomProgram smaller = program;
                smaller.threads[t].*part = without(program.threads[t].*part, i);
                if (accept(std::move(smaller))) return true;
                for (const Op& op : simpler((program.threads[t].*part)[i])) {
                    RandomProgram plainer = program;
                    (plainer.threads[t].*part)[i] = op;
                    if (accept(std::move(plainer))) return true;
                }
            }
        }
    }
    for (auto attributes : {&RandomProgram::mutex_attributes, &RandomProgram::rwlock_attributes}) {
        for (std::size_t i = 0; i < (program.*attributes).size(); ++i) {
            if ((program.*attributes)[i] == 0) continue;
            RandomProgram plainer = program;
            (plainer.*attributes)[i] = 0;
            if (accept(std::move(plainer))) return true;
        }
    }
    return false;
}

}  // namespace

bool continues_before(const std::vector<Op>& ops, std::size_t at) {
    if (at == 0 || at >= ops.size() || ops[at].operation != Operation::futex_wait) return false;
    const Op& before = ops[at - 1];
    const bool enters = before.operation == Operation::futex_enter || before.operation == Operation::state_enter;
    return enters && ops[at].object == before.object;
}

namespace {

bool waits_are_whole(const std::vector<Op>& ops) {
    for (std::size_t i = 0; i < ops.size(); ++i) {
        if (ops[i].operation == Operation::futex_wait && !continues_before(ops, i)) return false;
        if (ops[i].skip.when != Skip::When::never && continues_before(ops, i + 1 + ops[i].skip.count)) return false;
    }
    return true;
}

}  // namespace

bool is_valid(const RandomProgram& program) {
    const Births births(program);
    if (!births.valid) return false;
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
        const ThreadCode& code = program.threads[t];
        if (!waits_are_whole(code.ops) || !waits_are_whole(code.cleanup)) return false;
        for (std::size_t i = 0; i < code.ops.size(); ++i)
            if (is_about_thread(code.ops[i].operation) &&
                (code.ops[i].object >= program.threads.size() || !knows(births, t, i, code.ops[i].object)))
                return false;
        for (const Op& op : code.cleanup)  // it may run before the thread has acted
            if (op.operation == Operation::thread_create || is_about_thread(op.operation)) return false;
    }
    return true;
}

bool can_know(const RandomProgram& program, std::size_t thread, std::size_t at, std::size_t other) {
    const Births births(program);
    return births.valid && other < program.threads.size() && knows(births, thread, at, other);
}

std::size_t size_of(const RandomProgram& program) {
    std::size_t size = 0;
    for (const ThreadCode& code : program.threads) size += code.ops.size() + code.cleanup.size();
    return size;
}

RandomProgram shrink(RandomProgram program, const std::function<bool(const RandomProgram&)>& fails) {
    while (shrink_once(program, fails)) {}
    return program;
}

Code code_of(RandomProgram program) {
    const auto interpreter = std::make_shared<const Interpreter>(std::move(program));
    return [interpreter](Thread& t) { return interpret_thread(t, *interpreter, 0); };
}

ModelOptions options_of(const RandomProgram& program, const MachineOptions& machine) {
    return {.machine = machine, .main_only_ends_itself = program.main_only_ends_itself};
}

}  // namespace raddle::testing
