// The cartesian search in memory.
//
// Idea: cartesian partial-order reduction (Gueta, Flanagan, Yahav, Sagiv, SPIN 2007). A cartesian vector of a state
// holds a prefix for each thread: steps that it takes alone from there. Only the last steps of two prefixes may depend
// on each other. The search computes such a vector (CalcCV, Figure 6), goes to the end of each prefix, and does the
// same there, once for each state (Figure 7). Rules beyond the paper:
//   * A thread that cannot go on takes a step that changes nothing, as the paper models it. That step uses what
//     the waiting action would use, so the step of another thread that ends the wait depends on it.
//   * A thread that has ended or waits for ever, and depends on nobody, has an infinite prefix: the search need not go
//   there.
//     If all prefixes are infinite, they commute, and one after the other they lead to the only end: a finished graph.
//   * An action with alternatives is the last step of a prefix, or its only step; each alternative leads to a state.
//   * The creation of a thread commutes with all that others do, as nobody can name the thread before: it is taken at
//   once.
//   * What commutes only in some states (operation.def, `guarded`) depends on each other here: all prefixes start at
//   one
//     state, but not all of them together keep to the guard.
// A state has the name of the node (trace/track.h): its happens-before graph, or by value what each thread has seen and
// the contents of memory. Either name grows with each event, so a program that comes back to an earlier state is only
// recognised where the wait of a spinning thread is (docs/memory.md); otherwise the limit of steps ends it.
// Invariants: every local state of a thread is met (Theorem 1). If a schedule leads to a finished graph, then one of
// the prefixes that it completes first can be moved to its beginning: so every finished graph, and every deadlock, is
// met, too.
#pragma once

#include <vector>

#include "supervisor/search/explicit/explicit_search.h"
#include "supervisor/search/hash_index.h"

namespace raddle {

class CartesianSearch final : public ExplicitSearch {
public:
    using ExplicitSearch::ExplicitSearch;

    void begin() override;
    Stop advance() override;
    void give_up() override;

    std::size_t states() const { return covered_.size(); }      // for which a vector was computed
    std::uint64_t transitions() const { return transitions_; }  // steps in these vectors

private:
    struct Taking {
        ThreadSlot thread = no_slot;
        std::uint32_t value = 0;
    };
    // A state that was reached: the steps from an earlier one. The first is the beginning.
    struct Reached {
        std::uint32_t from = 0;
        std::vector<Taking> steps;
    };
    // A step of a prefix, or the action that a thread waits with.
    struct Move {
        Taking step;
        std::uint8_t count = 0;
        ObjectUse uses[most_uses]{};
        std::vector<ThreadSlot> changed;  // other threads whose next action at the state can do more or less after it
    };
    enum class End : std::uint8_t {
        open,       // more moves can be computed
        unknown,    // if the program is run
        final,      // the thread has ended, or waits
        branching,  // its next action has alternatives, or cannot be taken together with others
    };
    struct Prefix {
        std::vector<Move> moves;  // known steps from the state
        std::size_t length = 0;   // so many of them are in the vector
        End end = End::open;      // after the known moves
        bool waits = false;       // the last move is the action that the thread waits with: no step
        std::uint32_t ways = 1;   // of its only step
        bool is_extendable = false;
        bool is_last_dependent = false;
        bool is_finished = false;  // no move follows those in the vector
    };

    bool go_to(std::uint32_t state);
    bool take(const Taking& step);
    bool create_threads();
    bool calculate_vector();
    void first_moves();
    void extend(ThreadSlot thread);
    bool look_further(ThreadSlot thread);
    bool add_step(Prefix& prefix, ThreadSlot thread, std::uint32_t value);
    void add_waiting(Prefix& prefix, ThreadSlot thread);
    static bool depend(const Move& a, ThreadSlot a_thread, bool a_is_first, const Move& b, ThreadSlot b_thread,
                       bool b_is_first);
    bool depend(ThreadSlot a, std::size_t a_move, ThreadSlot b, std::size_t b_move) const;
    void add_to_vector(ThreadSlot thread);
    bool add_ends_to_work();
    void want(std::vector<Taking> steps);
    void finish_all();
    bool minds_time();

    std::vector<Reached> reached_;
    std::vector<std::uint32_t> work_;
    HashIndex covered_;
    HashIndex given_up_;
    std::uint64_t transitions_ = 0;

    bool has_state_ = false;  // a vector is being computed for this state:
    std::uint32_t state_ = 0;
    bool is_new_ = false;  // it was not looked up among the covered ones yet
    bool at_unknown_ = false;
    bool gives_up_ = false;
    Position base_ = 0;                       // the walk's size at the state
    std::vector<Alternatives> alternatives_;  // of each thread at the state
    std::vector<Prefix> prefixes_;
};

}  // namespace raddle
