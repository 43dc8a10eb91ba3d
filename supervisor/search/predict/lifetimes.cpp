// Uses of what is gone, or not there yet: freed memory, destroyed and uninitialised objects, ended threads. And
// wake-ups that come too early.
#include "supervisor/search/predict/predictors.h"

namespace raddle {

namespace {

// The uses of each object of the recording, in order.
template <typename Act>
void each_object(const Recording& recording, Act&& act) {
    for (ObjectSlot object = 0; object < recording.machine().object_count(); ++object)
        act(recording.machine().object(object).kind, recording.track().uses_of(object));
}

// Reverses each pair of uses by two threads, of which act(earlier, later) says so.
template <typename Wanted>
void reverse_pairs(const Recording& recording, Goals& goals, const std::vector<Track::UsedAt>& uses, Wanted&& wanted) {
    constexpr std::size_t most_read = 50'000;
    RecentUses recent(recording);
    std::size_t read = 0;
    for (const Track::UsedAt& use : uses) {
        if (use.at >= recording.size() || ++read > most_read) return;
        recent.each_foreign(recording.event(use.at).thread, [&](Position earlier) {
            if (wanted(recording.event(earlier).action, recording.event(use.at).action)) goals.reverse(earlier, use.at);
        });
        recent.add(use.at);
    }
}

bool decides_about_thread(const Action& action) {
    switch (action.operation) {
        case Operation::thread_exit:
        case Operation::thread_join:
        case Operation::thread_tryjoin:
        case Operation::thread_detach:
        case Operation::thread_cancel:
        case Operation::thread_kill: return true;
        default: return false;
    }
}

}  // namespace

void predictors::uses_after_free(const Recording& recording, Goals& goals) {
    each_object(recording, [&](Kind kind, const std::vector<Track::UsedAt>& uses) {
        if (kind != Kind::memory) return;
        reverse_pairs(recording, goals, uses, [](const Action&, const Action& later) { return is_freeing(later); });
    });
}

void predictors::misuses(const Recording& recording, Goals& goals) {
    each_object(recording, [&](Kind kind, const std::vector<Track::UsedAt>& uses) {
        if (kind == Kind::memory || kind == Kind::process) return;
        reverse_pairs(recording, goals, uses, [&](const Action& earlier, const Action& later) {
            if (traits(later.operation).lifetime == Lifetime::ends) return true;
            if (traits(earlier.operation).lifetime == Lifetime::begins) return true;
            return decides_about_thread(earlier) && decides_about_thread(later);
        });
    });
}

void predictors::lost_wakeups(const Recording& recording, Goals& goals) {
    const auto sleeps = [](const Action& action) {
        return action.operation == Operation::cond_wait || action.operation == Operation::futex_enter ||
               action.operation == Operation::futex_wait;
    };
    each_object(recording, [&](Kind kind, const std::vector<Track::UsedAt>& uses) {
        if (kind != Kind::condition && kind != Kind::futex) return;
        reverse_pairs(recording, goals, uses, [&](const Action& earlier, const Action& later) {
            return sleeps(earlier) && traits(later.operation).ends == Wait::wake_up;
        });
    });
}

}  // namespace raddle
