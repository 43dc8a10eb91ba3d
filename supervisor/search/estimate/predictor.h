// Predicts the next action of a thread. For a known past it is the action that was seen there; for an unknown one it is
// an action that followed the most similar history. It serves estimates only: no search claims anything because of it.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "supervisor/search/follower.h"
#include "supervisor/trace/execution.h"
#include "supervisor/trace/track.h"

namespace raddle {

// A path of known and predicted events: a Track whose threads announce their actions by themselves.
class PredictedPath;

class Predictor {
public:
    // Hashes of a thread's own events and results: of all, and of the last one, two and three.
    struct History {
        std::uint64_t all, one, two, three;
    };

    explicit Predictor(MachineOptions options) : track_(options) {}

    void learn(const Execution& execution);
    // The main thread's first action; null before the first learn().
    const Action* first() const { return started_ ? &first_ : nullptr; }
    // The action that the thread announces after this event; null if no history is similar. One past always has one
    // answer.
    const Action* after(const TrackEvent& event, ThreadId thread, const History& history) const;
    static History history_after(const History* before, ThreadId thread, const TrackEvent& event);

    // True if several threads competed for the object, or if it was never seen.
    bool is_contested(const ObjectId& object) const;

    // The average number of events in the latest executions, and the largest number in any.
    double length() const { return length_; }
    std::size_t longest() const { return longest_; }

private:
    struct Seen {
        std::uint32_t action;
        std::uint32_t times;
    };
    struct Keys {
        std::uint64_t key[6];
    };
    static Keys keys(const TrackEvent& event, ThreadId thread, const History& history);
    std::uint32_t number_of(const Action& action);
    void note_use(const Machine& machine, const TrackEvent& event);

    struct Use {
        ThreadId first;
        bool exclusive = false;
        bool contested = false;
    };
    std::unordered_map<std::uint64_t, Use> uses_;  // by hash of the object
    Track track_;
    Follower follower_{track_};
    std::vector<History> histories_;  // by event of the current execution
    std::vector<Action> actions_;
    std::unordered_multimap<std::uint64_t, std::uint32_t> numbers_;
    std::unordered_map<std::uint64_t, std::vector<Seen>> seen_;
    Action first_{};
    bool started_ = false;
    double length_ = 0;
    std::size_t longest_ = 0;
};

class PredictedPath {
public:
    PredictedPath(MachineOptions options, const Predictor& predictor) : track_(options), predictor_(predictor) {}

    // False before the first learn().
    bool begin();
    // Takes the step. False if the thread's next action cannot be predicted; the event stays on the path.
    bool push(ThreadSlot thread, std::uint32_t value);
    void pop_to(Position size) {
        track_.pop_to(size);
        if (loud_.size() > size) loud_.resize(size);
    }
    // The thread's next action uses no contested object: its time makes no difference to the graph.
    bool is_quiet(ThreadSlot thread) const;
    // The number of events on the path that were not quiet.
    std::uint32_t loud() const { return loud_.empty() ? 0 : loud_.back(); }
    const Track& track() const { return track_; }
    const Machine& machine() const { return track_.machine(); }

private:
    Track track_;
    const Predictor& predictor_;
    std::vector<Predictor::History> histories_;  // by event
    std::vector<std::uint32_t> loud_;            // by event: the number up to here, itself included
};

}  // namespace raddle
