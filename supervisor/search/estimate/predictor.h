// What a program will probably do: where it was, what was seen; elsewhere what its threads did in the most similar
// circumstances. For estimates only: nothing is claimed on its word.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "supervisor/search/follower.h"
#include "supervisor/trace/execution.h"
#include "supervisor/trace/track.h"

namespace raddle {

// A path of guessed and known events; as Track, but its threads go on by themselves.
class PredictedPath;

class Predictor {
public:
    // What a thread itself did and saw: all of it, and the last one, two and three events.
    struct History {
        std::uint64_t all, one, two, three;
    };

    explicit Predictor(MachineOptions options) : track_(options) {}

    void learn(const Execution& execution);
    // Null until anything was learned.
    const Action* first() const { return started_ ? &first_ : nullptr; }
    // What the thread of this event announces after it; null if there is nothing to go by. The same past always gives the same answer.
    const Action* after(const TrackEvent& event, ThreadId thread, const History& history) const;
    static History history_after(const History* before, ThreadId thread, const TrackEvent& event);

    // Whether threads were seen to compete for the object, or it was never seen.
    bool is_contested(const ObjectId& object) const;

    // Of the latest executions, on the average: events, and events on contested objects.
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
    std::vector<History> histories_;  // of the execution being learned, by event
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

    // False as long as nothing is known.
    bool begin();
    // False if nobody can guess how the thread goes on; the event is there all the same.
    bool push(ThreadSlot thread, std::uint32_t value);
    void pop_to(Position size) {
        track_.pop_to(size);
        if (loud_.size() > size) loud_.resize(size);
    }
    // What the thread is about to do concerns nobody else: when it does so makes no difference.
    bool is_quiet(ThreadSlot thread) const;
    // How many events on the path were not quiet.
    std::uint32_t loud() const { return loud_.empty() ? 0 : loud_.back(); }
    const Track& track() const { return track_; }
    const Machine& machine() const { return track_.machine(); }

private:
    Track track_;
    const Predictor& predictor_;
    std::vector<Predictor::History> histories_;  // by event
    std::vector<std::uint32_t> loud_;       // up to and with each event
};

}  // namespace raddle
