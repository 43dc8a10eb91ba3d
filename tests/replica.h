// A program's path through a machine of its own, that can be extended and taken back, for any target: what a thread
// does next is learned once for each history of results it saw, by running the target. Names the graph of its path by
// what each event met, independently of the strategies, and can say everything about the state it leads to.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "supervisor/base/hash.h"
#include "supervisor/search/target.h"

namespace raddle::testing {

using GraphKey = Hash128;

struct Taken {
    ThreadSlot thread = no_slot;
    std::uint32_t value = 0;
    std::uint32_t number = 0;      // it is its thread's n-th event
    std::int64_t learnt = 0;       // what its code learns by it: the result, or the word of a futex_enter
    Action action{};
    Outcome outcome{};
    Hash128 met{};                 // what it did and what it met: objects with their versions, enabler
    Hash128 felt{};                // … and what its thread can tell of it: result, misuse, time

    // What taking it back needs.
    Machine::Mark mark = 0;
    Hash128 key_before{}, chain_before{};
    std::uint32_t history_before = 0;
    std::array<std::uint32_t, 4> shared_before{};
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
    Hash128 state_hash() const;
    std::vector<std::string> state_text() const;
    std::string path_text() const;
    // Not empty: the target did something that is not a function of what its threads saw.
    const std::string& disagreement() const { return disagreement_; }

private:
    // The results a thread saw, one after the other, and what it does next.
    struct History {
        Action next{};
        bool known = false;
        std::vector<std::pair<std::uint64_t, std::uint32_t>> longer;  // by result
    };
    struct Versions {
        std::uint32_t exclusive = 0, shared_since = 0;
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
    std::uint64_t hash_of_looks(const ThreadRecord& thread) const;
    std::vector<Fact> facts_of_thread(ThreadSlot thread) const;
    std::vector<Fact> facts_of_object(ObjectSlot object) const;
    template <typename Use>
    void each_fact(Use&& use) const;

    Target& target_;
    Machine machine_;
    std::vector<Taken> path_;
    std::vector<ThreadState> threads_;   // by slot
    std::vector<Versions> versions_;     // by object slot
    std::vector<History> histories_;     // the first is the empty one, of main; each thread has a first one of its own
    std::vector<std::pair<ThreadId, std::uint32_t>> first_histories_;
    GraphKey key_{};
    std::string disagreement_;
};

// "T1.2": the same names as in programs' texts where main creates the threads.
std::string short_name(ThreadId thread);

}  // namespace raddle::testing
