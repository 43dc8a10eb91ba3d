// Follows a program's path on its own machine, step by step forward and back, for any target. It learns the next action
// of a thread once for each history of results, by running the target. It names the graph of its path by the objects
// each event met, independently of the strategies, and can describe the whole state at the end of the path.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "supervisor/base/hash.h"
#include "supervisor/search/target.h"

namespace raddle::testing {

using GraphKey = Hash128;

// How often an object's uses came to a kind that does not commute with those before; the present kind, and its uses so
// far.
struct Versions {
    std::uint32_t turns = 0, since = 0;
    Mode mode = Mode::none;
};

struct Taken {
    ThreadSlot thread = no_slot;
    std::uint32_t value = 0;
    std::uint32_t number = 0;  // the thread's n-th event
    std::int64_t learnt = 0;   // the value its code learns: the result, or the word of a futex_enter
    Action action{};
    ActionOutcome outcome{};
    Hash128 met{};   // the action and its context: objects with their versions, enabler
    Hash128 felt{};  // … and the part visible to its thread: result, misuse, time

    // Needed to take the step back.
    Machine::Mark mark = 0;
    Hash128 key_before{}, chain_before{};
    std::uint32_t history_before = 0;
    std::array<Versions, 4> versions_before{};
};

class Replica {
public:
    Replica(Target& target, MachineOptions options);

    const Taken& step(ThreadSlot thread, std::uint32_t value);
    void back();

    const Machine& machine() const { return machine_; }
    const std::vector<Taken>& path() const { return path_; }
    Schedule schedule() const;
    GraphKey key() const { return key_; }
    // A hash of the thread and everything it met.
    Hash128 story_of(ThreadSlot thread) const;
    Hash128 state_hash() const;
    std::vector<std::string> state_text() const;
    std::string path_text() const;
    // If not empty: the target's behaviour does not depend only on the results its threads saw.
    const std::string& disagreement() const { return disagreement_; }

private:
    // The results a thread has seen so far, and its next action.
    struct History {
        Action next{};
        bool known = false;
        std::vector<std::pair<std::uint64_t, std::uint32_t>> longer;  // by result
    };
    struct Fact {
        const char* label;
        std::uint64_t value;
    };
    struct ThreadState {
        Hash128 chain{};
        std::uint32_t history = 0;
    };

    ThreadState& of(ThreadSlot thread);
    Versions& versions_of(ObjectSlot object);
    std::int64_t learnt_by(const Taken& taken) const;
    std::uint32_t longer_history(std::uint32_t history, const Taken& taken);
    void learn(ThreadSlot thread);
    void name(Taken& taken);
    std::uint64_t hash_of_last_reads(ThreadSlot thread) const;
    std::vector<Fact> facts_of_thread(ThreadSlot thread) const;
    std::vector<Fact> facts_of_object(ObjectSlot object) const;
    template <typename Use>
    void each_fact(Use&& use) const;

    Target& target_;
    Machine machine_;
    std::vector<Taken> path_;
    std::vector<ThreadState> threads_;  // by slot
    std::vector<Versions> versions_;    // by object slot
    std::vector<History> histories_;    // the first is main's empty one; each other thread has its own first one
    std::vector<std::pair<ThreadId, std::uint32_t>> first_histories_;
    GraphKey key_{};
    std::string disagreement_;
};

// "T1.2": the names used in the programs' texts, if main creates the threads.
std::string short_name(ThreadId thread);

}  // namespace raddle::testing
