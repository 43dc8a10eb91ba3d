#include "supervisor/model/tail.h"

namespace raddle {

bool leaves_focus(const Machine& machine, ThreadSlot last, ThreadSlot thread, std::uint32_t value) {
    if (!machine.options().has_focus) return false;
    const ThreadSlot by_itself = run_on_thread(machine, last, [](ThreadSlot) { return true; });
    if (by_itself == no_slot || (machine.thread(by_itself).pending.flags & flag::inside) != 0) return false;
    return thread != by_itself || value != 0;
}

void Chooser::begin(const PlanView& plan) {
    plan_ = plan;
    threads_.truncate(0);
    last_ = no_slot;
    steps_ = 0;
    planned_ = 0;
    preemptions_ = 0;
    spent_ = cost_ = 0;
    random_ = plan.tail.seed;
    sleeping_.truncate(0);
    done_.truncate(0);
    interesting_ = 0;
    intended_ = no_slot;
    is_interesting_ = has_company_ = false;
}

void Chooser::go_on_with(const PlanView& plan) {
    plan_ = plan;
    planned_ = steps_ < plan.prefix_length ? static_cast<std::uint32_t>(steps_) : plan.prefix_length;
    sleeping_.truncate(0);
}

Chooser::PerThread& Chooser::of(ThreadSlot slot) {
    static PerThread nowhere;
    while (threads_.size() <= slot) {
        PerThread* fresh = threads_.push();
        if (fresh == nullptr) return nowhere = {};
        *fresh = {};
    }
    return threads_[slot];
}

// ---- sleeping steps

void Chooser::put_to_sleep() {
    sleeping_.truncate(0);
    for (std::uint32_t i = 0; i < plan_.sleeping_count; ++i) {
        const Sleeper& planned = plan_.sleeping[i];
        const ThreadSlot slot = machine_.find_thread(planned.thread);
        Sleeping* sleeping = slot == no_slot ? nullptr : sleeping_.push();
        if (sleeping == nullptr) continue;
        sleeping->thread = slot;
        sleeping->value = planned.value;
        sleeping->use_count = planned.use_count;
        for (std::uint32_t t = 0; t < 4; ++t)
            sleeping->uses[t] = planned.use_count <= 4 && t < planned.use_count
                                    ? ObjectUse{machine_.object_slot(planned.uses[t].object), planned.uses[t].mode}
                                    : ObjectUse{};
    }
}

void Chooser::wake(ThreadSlot thread, const ActionOutcome& outcome) {
    for (std::uint32_t i = sleeping_.size(); i-- > 0;) {
        const Sleeping& sleeping = sleeping_[i];
        bool wakes = sleeping.thread == thread;
        if (sleeping.use_count > 4)
            wakes = wakes || races(sleeping.thread, outcome);
        else
            wakes = wakes || races(sleeping.uses, sleeping.use_count, outcome);
        if (!wakes) continue;
        sleeping_[i] = sleeping_[sleeping_.size() - 1];
        sleeping_.truncate(sleeping_.size() - 1);
    }
}

// The first alternative of the thread that does not sleep; any_value if all do.
std::uint32_t Chooser::first_value_awake(ThreadSlot slot) const {
    const std::uint32_t ways = machine_.alternatives(slot).count;
    for (std::uint32_t value = 0; value < ways; ++value) {
        bool awake = true;
        for (std::uint32_t i = 0; i < sleeping_.size(); ++i)
            awake = awake && !(sleeping_[i].thread == slot &&
                               (sleeping_[i].value == value || sleeping_[i].value == Sleeper::any_value));
        if (awake) return value;
    }
    return Sleeper::any_value;
}

bool Chooser::may_go(ThreadSlot slot) const {
    return sleeping_.size() == 0 || first_value_awake(slot) != Sleeper::any_value;
}

Choice Chooser::next() {
    if (plan_.max_steps != 0 && steps_ >= plan_.max_steps) {
        for (ThreadSlot slot = 0; slot < machine_.thread_count(); ++slot)
            if (machine_.can_run(slot)) return {Decision::limit, no_slot, 0};
        return {Decision::end, no_slot, 0};
    }
    // The intended thread is drawn in the prefix, too, as if this tail had chosen it.
    if (plan_.tail.kind == TailKind::surw) intend();
    const Choice choice = choose();
    if (choice.decision != Decision::go) return choice;
    if (machine_.exceeds_threads(choice.thread)) return {Decision::threads, choice.thread, 0};
    if (plan_.tail.most_preemptions != Tail::any_number) cost_ = machine_.cost(last_, choice.thread, choice.value);
    if (plan_.tail.kind == TailKind::surw) is_interesting_ = is_of_interest(choice.thread);
    return choice;
}

Choice Chooser::choose() {
    for (; planned_ < plan_.prefix_length; ++planned_) {
        const PlannedStep& step = plan_.prefix[planned_];
        const ThreadSlot slot = machine_.find_thread(step.thread);
        if (slot != no_slot && step.value < machine_.alternatives(slot).count) return {Decision::go, slot, step.value};
        if (!plan_.tail.leaves_out_impossible) return {Decision::diverged, slot, step.value};
    }
    if (steps_ == plan_.prefix_length && plan_.sleeping_count > 0) put_to_sleep();
    switch (plan_.tail.kind) {
        case TailKind::run_on: return run_on();
        case TailKind::random: return within_bound(within_focus(draw_any()));
        case TailKind::pct:
        case TailKind::pos: return within_bound(within_focus(by_priority()));
        case TailKind::surw: return within_bound(within_focus(by_weight()));
        case TailKind::ask: return {Decision::ask, no_slot, 0};
        case TailKind::stop: return {Decision::stop, no_slot, 0};
    }
    return {Decision::stop, no_slot, 0};
}

Choice Chooser::within_focus(const Choice& choice) {
    const bool leaves = choice.decision == Decision::go && leaves_focus(machine_, last_, choice.thread, choice.value);
    return leaves ? run_on() : choice;
}

// Running on costs nothing, so it replaces a step that would cost too much.
Choice Chooser::within_bound(const Choice& choice) {
    if (plan_.tail.most_preemptions == Tail::any_number || choice.decision != Decision::go) return choice;
    const std::uint64_t spent = std::uint64_t{spent_} + machine_.cost(last_, choice.thread, choice.value);
    return spent > plan_.tail.most_preemptions ? run_on() : choice;
}

Choice Chooser::run_on() {
    const ThreadSlot thread = run_on_thread(machine_, last_, [this](ThreadSlot slot) { return may_go(slot); });
    if (thread != no_slot) return {Decision::go, thread, sleeping_.size() == 0 ? 0 : first_value_awake(thread)};
    for (ThreadSlot slot = 0; slot < machine_.thread_count(); ++slot)
        if (machine_.can_run(slot)) return {Decision::abandoned, no_slot, 0};
    return {Decision::end, no_slot, 0};
}

bool Chooser::may_be_drawn(ThreadSlot slot, const Alternatives& ways) const {
    return ways.readiness == Readiness::ready ||
           (ways.readiness == Readiness::timeout_only && !machine_.exceeds_patience(slot));
}

// A number for this step: each step that happens moves it on, also those of the prefix.
std::uint64_t Chooser::draw() { return mix64(random_); }

// Steps are equally likely, but an early time-out has a sixteenth of the weight: it is rare in reality. First the kind
// of step is drawn, then the step with the highest number, so neither slots nor earlier draws play a part.
Choice Chooser::draw_any() {
    constexpr std::uint64_t ready_weight = 16;
    std::uint64_t ready = 0, early = 0;
    for (ThreadSlot slot = 0; slot < machine_.thread_count(); ++slot) {
        const Alternatives ways = machine_.alternatives(slot);
        if (may_be_drawn(slot, ways)) (ways.readiness == Readiness::ready ? ready : early) += ways.count;
    }
    if (ready + early == 0) return {Decision::end, no_slot, 0};
    const std::uint64_t at = draw() % (ready * ready_weight + early);
    const bool is_early = at >= ready * ready_weight;
    Choice best;
    std::uint64_t highest = 0;
    for (ThreadSlot slot = 0; slot < machine_.thread_count(); ++slot) {
        const Alternatives ways = machine_.alternatives(slot);
        if (!may_be_drawn(slot, ways) || (ways.readiness != Readiness::ready) != is_early) continue;
        for (std::uint32_t value = 0; value < ways.count; ++value) {
            const std::uint64_t random = random_of(slot, mix64(steps_) + value);
            if (best.thread != no_slot && random <= highest) continue;
            best = {Decision::go, slot, value};
            highest = random;
        }
    }
    return best;
}

// A number below 2^64 for this thread and this count.
std::uint64_t Chooser::random_of(ThreadSlot slot, std::uint64_t number) const {
    return mix64(plan_.tail.seed * 0x9e3779b97f4a7c15ULL ^
                 mix64(hash_of(machine_.thread(slot).id) + number * 0xd6e8feb86659fd93ULL));
}

std::uint64_t Chooser::priority_of(ThreadSlot slot) {
    const PerThread& thread = of(slot);
    if (plan_.tail.kind == TailKind::pos) return random_of(slot, thread.draws);
    return thread.lowered != 0 ? thread.lowered : random_of(slot, 0) | 1ULL << 32;
}

Choice Chooser::by_priority() {
    ThreadSlot best = no_slot;
    std::uint64_t highest = 0;
    for (ThreadSlot slot = 0; slot < machine_.thread_count(); ++slot) {
        if (!machine_.is_ready(slot)) continue;
        const std::uint64_t priority = priority_of(slot);
        if (best != no_slot && priority <= highest) continue;
        best = slot;
        highest = priority;
    }
    if (best == no_slot) return run_on();
    const std::uint32_t ways = machine_.alternatives(best).count;
    return {Decision::go, best, ways > 1 ? static_cast<std::uint32_t>(random_of(best, ~steps_) % ways) : 0};
}

// The seed gives depth - 1 change points among the steps. There the thread that ran gets a priority below all random
// ones.
void Chooser::lower_at_change_point(ThreadSlot thread) {
    for (std::uint32_t point = 1; point < plan_.tail.depth; ++point) {
        const std::uint64_t length = plan_.tail.length != 0 ? plan_.tail.length : 1;
        const std::uint64_t at = 1 + mix64(plan_.tail.seed ^ mix64(0x9e37u + point)) % length;
        if (at == steps_) of(thread).lowered = plan_.tail.depth - point;
    }
}

bool Chooser::races(const ObjectUse* uses, std::uint32_t count, const ActionOutcome& outcome) {
    for (std::uint32_t i = 0; i < count; ++i)
        for (std::uint8_t j = 0; j < outcome.use_count; ++j)
            if (disturbs(outcome.uses[j], uses[i])) return true;
    return false;
}

bool Chooser::races(ThreadSlot pending, const ActionOutcome& outcome) const {
    ObjectUse uses[most_uses];
    const std::uint8_t count = machine_.pending_uses(pending, uses);
    return races(uses, count, outcome);
}

void Chooser::draw_again_after(ThreadSlot thread, const ActionOutcome& outcome) {
    ++of(thread).draws;
    for (ThreadSlot slot = 0; slot < machine_.thread_count(); ++slot)
        if (slot != thread && machine_.thread(slot).life == Life::announced && races(slot, outcome)) ++of(slot).draws;
}

void Chooser::happened(ThreadSlot thread, const ActionOutcome& outcome) {
    last_ = thread;
    ++steps_;
    if (planned_ < plan_.prefix_length) ++planned_;
    spent_ += cost_;
    cost_ = 0;
    switch (plan_.tail.kind) {
        case TailKind::random: random_ += 0x9e3779b97f4a7c15ULL; break;
        case TailKind::pos: draw_again_after(thread, outcome); break;
        case TailKind::pct: lower_at_change_point(thread); break;
        case TailKind::surw: count_interest(thread); break;
        default: break;
    }
    if (sleeping_.size() > 0) wake(thread, outcome);
}

}  // namespace raddle
