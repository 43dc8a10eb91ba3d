#include "supervisor/trace/step_log.h"

namespace raddle {

void StepLog::record(const Track& track) {
    steps_.resize(track.size());
    for (Position i = 0; i < track.size(); ++i) {
        const TrackEvent& event = track[i];
        Step& step = steps_[i];
        step.thread = event.thread;
        step.value = event.value;
        step.announces = false;
        if (event.previous != nowhere && !track[event.previous].outcome.continues) {
            steps_[event.previous].announces = true;
            steps_[event.previous].next = event.action;
        }
    }
    for (ThreadSlot thread = 0; thread < track.machine().thread_count(); ++thread) {
        const ThreadRecord& record = track.machine().thread(thread);
        const Position last = track.last_of(thread);
        if (record.life != Life::announced || last == nowhere || track[last].outcome.continues) continue;
        steps_[last].announces = true;
        steps_[last].next = record.pending;
    }
}

}  // namespace raddle
