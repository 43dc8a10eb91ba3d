#include "tests/replica.h"

#include <algorithm>

#include "tests/model_program.h"

namespace raddle::testing {

namespace {

// The action as the program announced it, before the machine split it into parts.
Action as_announced(Action action) {
    if (action.operation == Operation::rwlock_request) action.operation = Operation::rwlock_wrlock;
    if (action.operation == Operation::owner_died) {
        action.operation = Operation::thread_exit;
        action.object = {};
    }
    return action;
}

std::uint64_t number_of(Operation operation) { return static_cast<std::uint64_t>(operation); }

std::uint64_t hash_of_action(const Action& action) {
    return Hasher()
        .add(number_of(action.operation) << 24 | std::uint64_t{action.flags} << 16 |
             std::uint64_t{action.attributes} << 8 | static_cast<std::uint64_t>(action.update))
        .add(hash_of(action.object))
        .add(hash_of(action.second))
        .add(static_cast<std::uint64_t>(action.words[0]))
        .add(static_cast<std::uint64_t>(action.words[1]))
        .add(action.limit_or_initial)
        .add(action.spin_values[0].from)
        .add(action.spin_values[0].to)
        .add(action.spin_values[1].from)
        .add(action.spin_values[1].to)
        .finish()
        .low;
}

std::string text_of_object(const ObjectId& id) {
    if (id.space() == Space::program) {
        for (const auto& [kind, letter] : {std::pair{Kind::mutex, "m"},
                                           {Kind::memory, "x"},
                                           {Kind::condition, "c"},
                                           {Kind::semaphore, "s"},
                                           {Kind::rwlock, "rw"},
                                           {Kind::barrier, "b"},
                                           {Kind::spin, "spin"},
                                           {Kind::once, "once"},
                                           {Kind::descriptor, "d"},
                                           {Kind::futex, "f"}})
            if (id.owner() == static_cast<std::uint64_t>(kind)) return letter + std::to_string(id.offset);
    }
    if (id.space() == Space::thread) return short_name({id.owner()});
    if (id.space() == Space::cancel) return "cancellation of " + short_name({id.owner()});
    if (id.space() == Space::process) return "process";
    if (id.space() == Space::descriptors) return "descriptor table";
    return "object " + std::to_string(id.region >> 56) + ":" + std::to_string(id.owner()) + ":" +
           std::to_string(id.offset);
}

const char* text_of_effect(Effect effect) {
    switch (effect) {
        case Effect::done: return "done";
        case Effect::failed: return "failed";
        case Effect::timed_out: return "lapsed";
        case Effect::cancelled: return "cancelled";
    }
    return "?";
}

}  // namespace

std::string short_name(ThreadId thread) {
    std::string digits;
    for (std::uint64_t rest = thread.code; rest != 0; rest >>= 4)
        digits = std::to_string(rest & 7) + ((rest & 8) == 0 && !digits.empty() ? "." : "") + digits;
    return "T" + (digits.empty() ? "0" : digits);
}

Replica::Replica(Target& target, MachineOptions options) : target_(target), machine_(grow_on_heap, options) {
    histories_.emplace_back();
    machine_.keep_journal(true);
    learn(machine_.slot_of(main_thread));
}

Replica::ThreadState& Replica::of(ThreadSlot thread) {
    while (threads_.size() <= thread) {
        // The first history of a thread identifies it; main's is the empty one.
        if (!threads_.empty()) histories_.emplace_back();
        threads_.push_back({.history = static_cast<std::uint32_t>(histories_.size() - 1)});
    }
    return threads_[thread];
}

Versions& Replica::versions_of(ObjectSlot object) {
    if (versions_.size() <= object) versions_.resize(object + 1);
    return versions_[object];
}

// The value that the thread's code learns: for futex_enter, the value of the word.
std::int64_t Replica::learnt_by(const Taken& taken) const {
    if (taken.action.operation != Operation::futex_enter || taken.outcome.effect != Effect::done)
        return taken.outcome.result;
    const ObjectSlot word = machine_.find_object(taken.action.second);
    return word == no_slot ? 0 : machine_.object(word).value;
}

std::uint32_t Replica::longer_history(std::uint32_t history, const Taken& taken) {
    const ActionOutcome& outcome = taken.outcome;
    const std::uint64_t seen = Hasher()
                                   .add(static_cast<std::uint64_t>(taken.learnt))
                                   .add(static_cast<std::uint64_t>(outcome.effect) << 1 | (outcome.cancels ? 1 : 0))
                                   .finish()
                                   .low;
    for (const auto& [result, next] : histories_[history].longer)
        if (result == seen) return next;
    const auto fresh = static_cast<std::uint32_t>(histories_.size());
    histories_.emplace_back();
    histories_[history].longer.emplace_back(seen, fresh);
    return fresh;
}

// Runs the target along the path: its pending action of this thread is the next action after the history.
void Replica::learn(ThreadSlot thread) {
    History* history = &histories_[of(thread).history];
    if (!history->known) {
        Plan plan;
        plan.prefix = schedule();
        plan.tail.kind = TailKind::stop;
        const Execution execution = target_.run(plan);
        history = &histories_[of(thread).history];
        for (const Pending& pending : execution.pending) {
            const ThreadSlot slot = machine_.find_thread(pending.thread);
            if (slot == thread) {
                history->next = as_announced(pending.action);
                history->known = true;
            } else if (slot == no_slot || machine_.thread(slot).pending != pending.action) {
                disagreement_ = short_name(pending.thread) + " is about to " + name_of(pending.action.operation) +
                                " in the target but not in the machine\n" + path_text();
            }
        }
        if (!history->known || execution.events.size() != path_.size())
            disagreement_ = "the target does not follow the path\n" + path_text();
    }
    machine_.announce(thread, history->next);
}

const Taken& Replica::step(ThreadSlot thread, std::uint32_t value) {
    Taken& taken = path_.emplace_back();
    taken.thread = thread;
    taken.value = value;
    taken.mark = machine_.mark();
    taken.key_before = key_;
    taken.chain_before = of(thread).chain;
    taken.history_before = of(thread).history;
    taken.action = machine_.thread(thread).pending;
    taken.outcome = machine_.apply(thread, value);
    taken.number = machine_.thread(thread).events;
    taken.learnt = learnt_by(taken);
    name(taken);
    if (!taken.outcome.continues && !taken.outcome.ends_thread) {
        const std::uint32_t longer = longer_history(of(thread).history, taken);
        of(thread).history = longer;
        learn(thread);
    }
    return path_.back();
}

void Replica::back() {
    const Taken& taken = path_.back();
    for (std::uint8_t i = taken.outcome.use_count; i-- > 0;) {
        versions_of(taken.outcome.uses[i].object) = taken.versions_before[i];
    }
    key_ = taken.key_before;
    of(taken.thread).chain = taken.chain_before;
    of(taken.thread).history = taken.history_before;
    machine_.rewind(taken.mark);
    path_.pop_back();
}

void Replica::name(Taken& taken) {
    const ActionOutcome& outcome = taken.outcome;
    Hasher met;
    met.add(number_of(taken.action.operation)).add(taken.value).add(static_cast<std::uint64_t>(outcome.effect));
    for (std::uint8_t i = 0; i < outcome.use_count; ++i) {
        const ObjectSlot object = outcome.uses[i].object;
        const Mode mode = outcome.uses[i].mode;
        Versions& versions = versions_of(object);
        taken.versions_before[i] = versions;
        if (mode == Mode::exclusive || versions.mode != mode) versions = {versions.turns + 1, 0, mode};
        met.add(hash_of(machine_.object(object).id)).add(static_cast<std::uint64_t>(mode)).add(versions.turns);
        ++versions.since;
    }
    if (outcome.enabler.number != 0)
        met.add(machine_.thread(outcome.enabler.thread).id.code).add(outcome.enabler.number);
    taken.met = met.finish();
    taken.felt = met.add(static_cast<std::uint64_t>(outcome.result))
                     .add(static_cast<std::uint64_t>(taken.learnt))
                     .add(static_cast<std::uint64_t>(outcome.misuse))
                     .add((outcome.continues ? 1 : 0) | (outcome.ends_thread ? 2 : 0) | (outcome.cancels ? 4 : 0))
                     .add(machine_.thread(taken.thread).time)
                     .finish();

    // The key is the sum over all threads of a hash of the thread and everything it met.
    ThreadState& thread = of(taken.thread);
    if (taken.number > 1) {
        const Hash128 old = story_of(taken.thread);
        key_.low -= old.low;
        key_.high -= old.high;
    }
    thread.chain = Hasher().add(thread.chain).add(taken.met).finish();
    key_ += story_of(taken.thread);
}

Hash128 Replica::story_of(ThreadSlot thread) const {
    return Hasher().add(machine_.thread(thread).id.code).add(threads_[thread].chain).finish();
}

Schedule Replica::schedule() const {
    Schedule schedule;
    for (const Taken& taken : path_) schedule.push_back({machine_.thread(taken.thread).id, taken.value});
    return schedule;
}

// ---- the state

std::uint64_t Replica::hash_of_last_reads(ThreadSlot thread) const {
    Hasher hasher;
    VariableRead reads[max_last_reads];
    const std::uint32_t count = machine_.last_variables(thread, max_last_reads, reads);
    for (std::uint32_t i = 0; i < count; ++i)
        hasher.add(hash_of(machine_.object(reads[i].object).id)).add(reads[i].bytes).add(reads[i].value);
    return hasher.finish().low;
}

std::vector<Replica::Fact> Replica::facts_of_thread(ThreadSlot slot) const {
    const ThreadRecord& thread = machine_.thread(slot);
    const bool announced = thread.life == Life::announced;
    const Alternatives ways = machine_.alternatives(slot);
    const bool waits = thread.waits_on != no_slot;
    return {{"life", static_cast<std::uint64_t>(thread.life)},
            {"operation", announced ? number_of(thread.pending.operation) : 0},
            {"action", announced ? hash_of_action(thread.pending) : 0},
            {"readiness", static_cast<std::uint64_t>(ways.readiness)},
            {"ways", ways.count},
            {"waits on", waits ? hash_of(machine_.object(thread.waits_on).id) : 0},
            {"ticket", waits ? thread.ticket : 0},
            {"events", thread.events},
            {"children", thread.children},
            {"robust held", thread.robust_held},
            {"enabler", thread.enabler.number != 0 ? machine_.thread(thread.enabler.thread).id.code + 1 : 0},
            {"enabler's number", thread.enabler.number},
            {"releaser", thread.releaser.number != 0 ? machine_.thread(thread.releaser.thread).id.code + 1 : 0},
            {"releaser's number", thread.releaser.number},
            {"time", thread.time},
            {"woken at", thread.woken_at},
            {"released at", thread.released_at},
            {"deadline", announced && can_time_out(thread.pending) ? thread.deadline : 0},
            {"signalled", thread.signalled},
            {"released", thread.released},
            {"cancelled", thread.cancelled},
            {"misuse", static_cast<std::uint64_t>(thread.misuse)},
            {"last reads", hash_of_last_reads(slot)},
            {"history", thread.events > 0 ? threads_[slot].history : 0}};
}

std::vector<Replica::Fact> Replica::facts_of_object(ObjectSlot slot) const {
    const ObjectRecord& object = machine_.object(slot);
    return {{"kind", static_cast<std::uint64_t>(object.kind)},
            {"state", static_cast<std::uint64_t>(object.state)},
            {"attributes", object.attributes},
            {"flag", object.flag},
            {"owner", object.owner != no_slot ? machine_.thread(object.owner).id.code + 1 : 0},
            {"count", object.count},
            {"waiters", object.waiters},
            {"tickets", object.tickets},
            {"limit", object.limit},
            {"bound", object.bound != no_slot ? hash_of(machine_.object(object.bound).id) : 0},
            {"value", static_cast<std::uint64_t>(object.value)},
            {"exclusive time", object.exclusive_time},
            {"shared time", object.shared_time},
            {"time of counting", object.counts_time},
            {"any time", object.any_time}};
}

template <typename Use>
void Replica::each_fact(Use&& use) const {
    for (ThreadSlot slot = 0; slot < machine_.thread_count(); ++slot)
        if (machine_.thread(slot).life != Life::unborn)
            use(thread_object(machine_.thread(slot).id), true, facts_of_thread(slot));
    for (ObjectSlot slot = 0; slot < machine_.object_count(); ++slot)
        if (machine_.object(slot).kind != Kind::none || machine_.object(slot).any_time != 0 ||
            machine_.object(slot).flag)
            use(machine_.object(slot).id, false, facts_of_object(slot));
}

Hash128 Replica::state_hash() const {
    Hash128 sum;
    each_fact([&](const ObjectId& id, bool is_thread, const std::vector<Fact>& facts) {
        Hasher hasher;
        hasher.add(hash_of(id)).add(is_thread ? 1 : 0);
        for (const Fact& fact : facts) hasher.add(fact.value);
        sum += hasher.finish();
    });
    return sum;
}

std::vector<std::string> Replica::state_text() const {
    std::vector<std::string> lines;
    each_fact([&](const ObjectId& id, bool is_thread, const std::vector<Fact>& facts) {
        for (const Fact& fact : facts)
            lines.push_back((is_thread ? "thread " : "object ") + text_of_object(id) + ": " + fact.label + " " +
                            (std::string_view(fact.label) == "operation" ? name_of(static_cast<Operation>(fact.value))
                                                                         : std::to_string(fact.value)));
    });
    std::ranges::sort(lines);
    return lines;
}

std::string Replica::path_text() const {
    std::string text;
    for (const Taken& taken : path_) {
        text += "    " + short_name(machine_.thread(taken.thread).id) + " " + name_of(taken.action.operation);
        if (names_object(taken.action.operation)) text += " " + text_of_object(taken.action.object);
        if (taken.value != 0) text += " =" + std::to_string(taken.value);
        text += std::string(" -> ") + text_of_effect(taken.outcome.effect) + " " + std::to_string(taken.outcome.result);
        if (taken.outcome.misuse != Misuse::none) text += std::string(" (") + text_of(taken.outcome.misuse) + ")";
        text += " touching";
        for (std::uint8_t i = 0; i < taken.outcome.use_count; ++i)
            text += std::string(taken.outcome.uses[i].mode == Mode::exclusive ? " "
                                : taken.outcome.uses[i].mode == Mode::shared  ? " shared "
                                                                              : " counting ") +
                    text_of_object(machine_.object(taken.outcome.uses[i].object).id);
        text += "\n";
    }
    return text;
}

}  // namespace raddle::testing
