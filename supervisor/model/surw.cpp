// The tail surw: a selectively uniform random walk (Zhao et al., ASPLOS 2025). One thread at a time may take an event
// of interest; it is drawn in proportion to the events of interest that are left to it and to the threads it has yet to
// create. So all orders of these events are about equally likely. The other events follow in any order, without weight.
//
// All draws are functions of the seed and of the steps so far. Slots play no part.
#include "supervisor/model/tail.h"

namespace raddle {

bool Chooser::is_of_interest(ThreadSlot thread) const {
    if (plan_.tail.interest.region == Tail::everything) return true;
    const Action& pending = machine_.thread(thread).pending;
    return pending.object == plan_.tail.interest || pending.second == plan_.tail.interest;
}

// Events before the first creation of a thread do not count: a target may take them without asking.
void Chooser::count_interest(ThreadSlot thread) {
    const bool counts = is_interesting_ && has_company_;
    is_interesting_ = false;
    if (!counts) return;
    ++interesting_;
    intended_ = no_slot;
    for (std::uint32_t row = 0; row < plan_.weight_count; ++row) {
        if (!(plan_.weights[row].thread == machine_.thread(thread).id)) continue;
        while (done_.size() <= row) {
            std::uint32_t* fresh = done_.push();
            if (fresh == nullptr) return;
            *fresh = 0;
        }
        ++done_[row];
        return;
    }
}

// The thread of the row, or the nearest of its creators that exists; no_slot if none of them can act.
ThreadSlot Chooser::actor_of(std::uint32_t row) const {
    for (std::uint32_t hops = 0; row < plan_.weight_count && hops <= plan_.weight_count; ++hops) {
        const ThreadSlot slot = machine_.find_thread(plan_.weights[row].thread);
        if (slot != no_slot && machine_.thread(slot).life == Life::announced) return slot;
        if (slot != no_slot && machine_.thread(slot).life != Life::unborn) return no_slot;
        row = plan_.weights[row].creator;
    }
    return no_slot;
}

std::uint64_t Chooser::weight_of(std::uint32_t row, bool ready_only) const {
    const ThreadSlot actor = actor_of(row);
    if (actor == no_slot || (ready_only && !machine_.is_ready(actor))) return 0;
    const std::uint32_t done = row < done_.size() ? done_[row] : 0;
    const std::uint32_t events = plan_.weights[row].events;
    return events > done ? events - done : ready_only ? 1 : 0;
}

ThreadSlot Chooser::draw_intended(bool ready_only) const {
    std::uint64_t total = 0;
    for (std::uint32_t row = 0; row < plan_.weight_count; ++row) total += weight_of(row, ready_only);
    if (total > 0) {
        const std::uint64_t count = interesting_ * 2 + (ready_only ? steps_ * 4 + 1 : 0);
        std::uint64_t at = mix64(plan_.tail.seed ^ mix64(count + 0x9e3779b97f4a7c15ULL)) % total;
        for (std::uint32_t row = 0; row < plan_.weight_count; ++row) {
            const std::uint64_t weight = weight_of(row, ready_only);
            if (at < weight) return actor_of(row);
            at -= weight;
        }
    }
    // No count is known for the threads that can go on: all are equally likely.
    ThreadSlot best = no_slot;
    std::uint64_t highest = 0;
    for (ThreadSlot slot = 0; slot < machine_.thread_count(); ++slot) {
        if (ready_only ? !machine_.is_ready(slot) : machine_.thread(slot).life != Life::announced) continue;
        const std::uint64_t random = random_of(slot, steps_ * 2);
        if (best != no_slot && random <= highest) continue;
        best = slot;
        highest = random;
    }
    return best;
}

// Draws the intended thread, if there is none, or if it cannot go on and all others wait for it.
void Chooser::intend() {
    for (ThreadSlot slot = 0; slot < machine_.thread_count() && !has_company_; ++slot)
        has_company_ = !(machine_.thread(slot).id == main_thread) && machine_.thread(slot).life == Life::announced;
    if (intended_ == no_slot) intended_ = draw_intended(false);
    if (allowed_thread() == no_slot) intended_ = draw_intended(true);
}

// One of the threads that are ready and not before an event of interest, or the intended one.
ThreadSlot Chooser::allowed_thread() const {
    ThreadSlot best = no_slot;
    std::uint64_t highest = 0;
    for (ThreadSlot slot = 0; slot < machine_.thread_count(); ++slot) {
        if (!machine_.is_ready(slot) || (slot != intended_ && is_of_interest(slot))) continue;
        const std::uint64_t random = random_of(slot, steps_ * 2 + 1);
        if (best != no_slot && random <= highest) continue;
        best = slot;
        highest = random;
    }
    return best;
}

Choice Chooser::by_weight() {
    const ThreadSlot thread = allowed_thread();
    if (thread == no_slot) return run_on();
    const std::uint32_t ways = machine_.alternatives(thread).count;
    return {Decision::go, thread, ways > 1 ? static_cast<std::uint32_t>(random_of(thread, ~steps_) % ways) : 0};
}

}  // namespace raddle
