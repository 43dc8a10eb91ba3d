// Carries out a plan: before every step the Chooser decides which thread goes on, by the plan's prefix and then by its
// tail. The shim and the targets in memory run this same code, so a plan means the same in both. Freestanding.
#pragma once

#include "supervisor/model/machine.h"

namespace raddle {

enum class TailKind : std::uint8_t {
#define RADDLE_TAIL(name, number, comment) name = number,
#include "supervisor/model/tail.def"
};

struct Tail {
    static constexpr std::uint32_t any_number = 0xffffffffu;

    TailKind kind = TailKind::run_on;
    // The prefix is a prediction: a step that cannot be taken is left out, and the execution does not diverge.
    bool leaves_out_impossible = false;
    std::uint32_t depth = 0;
    std::uint64_t seed = 0;
    std::uint64_t length = 0;
    // The execution has at most so many preemptions, those of the prefix counted; beyond them, threads run on.
    std::uint32_t most_preemptions = any_number;
    // surw: the events of interest are those on this object; those on any object if the region is `everything`.
    ObjectId interest{everything, 0};

    static constexpr std::uint64_t everything = 0;
};

// The seed of one of many draws of a campaign: they differ by the campaign's seed, the kind and the number.
constexpr std::uint64_t seed_of_draw(std::uint64_t seed, TailKind kind, std::uint64_t number) {
    return mix64(mix64(seed + static_cast<std::uint64_t>(kind) * 0x51ed270b35a2fULL) + number * 0x9e3779b97f4a7c15ULL);
}

// surw: a thread with events of interest, and how many it has in a usual execution. The rows of a plan are in the order
// of creation: a row names the row of the thread that creates its thread, and that one comes first.
struct ThreadWeight {
    static constexpr std::uint32_t none = 0xffffffffu;

    ThreadId thread{};
    std::uint32_t events = 0;
    std::uint32_t creator = none;
};

struct PlannedStep {
    ThreadId thread{};
    std::uint32_t value = 0;
};

// A step that sleeps: the execution does not take it after the prefix until a step depends on it, because another
// execution explores what follows. Without a value it is every alternative of the thread. Without a footprint it wakes
// on every object that the thread may use.
struct Sleeper {
    static constexpr std::uint32_t any_value = 0xffffffffu;
    static constexpr std::uint32_t no_footprint = 0xffffffffu;
    struct NamedUse {
        ObjectId object{};
        Mode mode = Mode::none;
    };

    ThreadId thread{};
    std::uint32_t value = any_value;
    std::uint32_t use_count = no_footprint;
    NamedUse uses[4]{};

    constexpr Sleeper() = default;
    constexpr Sleeper(ThreadId who) : thread(who) {}
};

// A plan as plain memory. The owner of the arrays keeps them until the execution ends.
struct PlanView {
    const PlannedStep* prefix = nullptr;
    std::uint32_t prefix_length = 0;
    const Sleeper* sleeping = nullptr;
    std::uint32_t sleeping_count = 0;
    const ThreadWeight* weights = nullptr;
    std::uint32_t weight_count = 0;
    Tail tail{};
    std::uint64_t max_steps = 0;  // 0: no limit
};

// Whether the plan's choices depend on nothing but its steps: another plan may take over where the prefixes agree.
constexpr bool depends_on_steps_alone(const Tail& tail) {
    return tail.most_preemptions == Tail::any_number && !tail.leaves_out_impossible &&
           (tail.kind == TailKind::run_on || tail.kind == TailKind::ask || tail.kind == TailKind::stop);
}

enum class Decision : std::uint8_t {
    go,         // `thread` takes alternative `value`
    end,        // no thread can go on
    stop,       // the plan says to stop here
    ask,        // the supervisor has to choose
    diverged,   // the prefix names a thread or a value that cannot go here
    abandoned,  // every thread that could go on sleeps
    limit,      // more steps than allowed
    threads,    // more threads than allowed
};

struct Choice {
    Decision decision = Decision::end;
    ThreadSlot thread = no_slot;
    std::uint32_t value = 0;
};

// The thread that goes on without a plan: the last one while it is ready; else the first ready one by name; else the
// one that times out first. no_slot if none of those that may go can.
template <typename MayGo>
ThreadSlot run_on_thread(const Machine& machine, ThreadSlot last, MayGo&& may_go) {
    if (last != no_slot && may_go(last) && machine.is_ready(last)) return last;
    ThreadSlot ready = no_slot, timing_out = no_slot;
    for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot) {
        const Readiness readiness = machine.alternatives(slot).readiness;
        if (readiness == Readiness::blocked || !may_go(slot)) continue;
        if (readiness == Readiness::ready) {
            if (ready == no_slot || machine.thread(slot).id < machine.thread(ready).id) ready = slot;
        } else if (timing_out == no_slot || machine.times_out_before(slot, timing_out)) {
            timing_out = slot;
        }
    }
    return ready != no_slot ? ready : timing_out;
}

// True if the focus does not allow this step: the thread that would go on by itself is outside of it, and so it goes
// on, with its first alternative. Always false without a focus.
bool leaves_focus(const Machine& machine, ThreadSlot last, ThreadSlot thread, std::uint32_t value);

class Chooser {
public:
    Chooser(Machine& machine, Grow grow) : machine_(machine), threads_(grow), sleeping_(grow), done_(grow) {}

    void begin(const PlanView& plan);
    // The execution goes on by another plan, whose prefix has all steps that were taken. Only for plans that depend on
    // nothing else of the past (depends_on_steps_alone).
    void go_on_with(const PlanView& plan);
    Choice next();
    // The chosen step was applied, with this outcome. Call it after every apply.
    void happened(ThreadSlot thread, const ActionOutcome& outcome);

    ThreadSlot last() const { return last_; }
    std::uint64_t steps() const { return steps_; }
    // The number of steps of the prefix that were taken or left out.
    std::uint32_t planned() const { return planned_; }
    std::uint64_t preemptions() const { return preemptions_; }
    void add_cost(std::uint32_t cost) { preemptions_ += cost; }

private:
    // Priorities are functions of the seed, the thread and these counts, not of the order in which threads ask. So two
    // machines with other slots draw alike, and a walk in memory takes the steps of the target.
    struct PerThread {
        std::uint64_t draws;    // pos: how often its priority was drawn
        std::uint64_t lowered;  // pct: its priority below all random ones; 0: none
    };
    struct Sleeping {
        ThreadSlot thread;
        std::uint32_t value;
        std::uint32_t use_count;
        ObjectUse uses[4];
    };

    PerThread& of(ThreadSlot slot);
    std::uint64_t priority_of(ThreadSlot slot);
    void put_to_sleep();
    void wake(ThreadSlot thread, const ActionOutcome& outcome);
    std::uint32_t first_value_awake(ThreadSlot slot) const;
    bool may_go(ThreadSlot slot) const;
    Choice choose();
    Choice within_bound(const Choice& choice);
    Choice within_focus(const Choice& choice);
    Choice run_on();
    std::uint64_t draw();
    Choice draw_any();
    bool may_be_drawn(ThreadSlot slot, const Alternatives& ways) const;
    Choice by_priority();
    void lower_at_change_point(ThreadSlot thread);
    void draw_again_after(ThreadSlot thread, const ActionOutcome& outcome);
    // surw (surw.cpp)
    void intend();
    ThreadSlot allowed_thread() const;
    Choice by_weight();
    bool is_of_interest(ThreadSlot thread) const;
    void count_interest(ThreadSlot thread);
    std::uint64_t weight_of(std::uint32_t row, bool ready_only) const;
    ThreadSlot actor_of(std::uint32_t row) const;
    ThreadSlot draw_intended(bool ready_only) const;
    std::uint64_t random_of(ThreadSlot slot, std::uint64_t number) const;
    bool races(ThreadSlot pending, const ActionOutcome& outcome) const;
    static bool races(const ObjectUse* uses, std::uint32_t count, const ActionOutcome& outcome);

    Machine& machine_;
    PlanView plan_{};
    Sequence<PerThread> threads_;
    Sequence<Sleeping> sleeping_;
    ThreadSlot last_ = no_slot;
    std::uint64_t steps_ = 0;
    std::uint32_t planned_ = 0;
    std::uint64_t preemptions_ = 0;
    std::uint32_t spent_ = 0;  // preemptions, counted only if the tail limits them
    std::uint32_t cost_ = 0;   // of the step that was chosen last
    std::uint64_t random_ = 0;
    Sequence<std::uint32_t> done_;   // surw: by row of the plan's weights, its events of interest so far
    std::uint64_t interesting_ = 0;  // surw: the events of interest so far
    ThreadSlot intended_ = no_slot;  // surw: only this thread takes its event of interest; no_slot: to be drawn
    bool is_interesting_ = false;    // surw: the step that was chosen last is an event of interest
    bool has_company_ = false;       // surw: there is more than one thread
};

}  // namespace raddle
