#include "supervisor/search/walk.h"

namespace raddle {

Schedule schedule_of(const Track& track) {
    Schedule schedule(track.size());
    for (Position i = 0; i < track.size(); ++i)
        schedule[i] = {track.machine().thread(track[i].thread).id, track[i].value};
    return schedule;
}

bool Walk::take(const Schedule& schedule) {
    if (!begin()) return false;
    track_.pop_to(0);
    for (const Step& one : schedule) {
        const ThreadSlot slot = machine().find_thread(one.thread);
        if (slot == no_slot || one.value >= machine().alternatives(slot).count) return false;
        step(slot, one.value);
    }
    return true;
}

bool Walk::follow(const Execution& execution, std::size_t most_threads) {
    follows_ = follower_.begin_here(execution) && follower_.threads() <= most_threads;
    return follows_;
}

// Takes the step along the execution. False if the execution has ended, disagrees, or takes another step.
bool Walk::go_along(ThreadSlot thread, std::uint32_t value) {
    const Position before = track_.size();
    if (follower_.more() && follower_.next_is(thread, value)) follower_.feed_allowed(thread);
    const bool taken = track_.size() > before;
    if (!taken || !follower_.more()) learn_the_rest();
    return taken;
}

void Walk::learn_the_rest() {
    if (!follows_) return;
    follows_ = false;
    const Position here = track_.size();
    while (follower_.more() && follower_.feed()) continue;
    follower_.learn_all();
    followed_graph_ = track_.graph();
    track_.pop_to(here);
}

}  // namespace raddle
