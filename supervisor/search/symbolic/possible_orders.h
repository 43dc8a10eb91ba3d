// The executions that recorded ones make possible: orders of the events of their stories, asked of a solver.
//
// Rules:
//   * The solver knows necessary conditions (constraints.h). The machine takes each answer; where an event has another
//     result or is blocked, that part of the order is forbidden, and the solver is asked again. So every schedule that
//     comes out is possible, and none is left out.
//   * Where an event can take effect in several ways, the machine tries all: one order may be several schedules.
//   * An event depends on the earlier events that touch the same objects, and on its thread. So what is forbidden is
//     the order of these, not of all.
#pragma once

#include <deque>

#include "supervisor/search/symbolic/constraints.h"
#include "supervisor/trace/execution.h"

namespace raddle {

// How the peephole reduction is told to the solver (Wang et al., TACAS 2008). All allow the same schedules.
enum class Peephole : std::uint8_t {
    off,
    pairs,      // section 3.2: a condition for each two events that commute
    merged,     // section 4: one for an event that commutes with a whole thread
    dependent,  // section 4: one for all events of two threads that commute with the whole other thread
};

class PossibleOrders {
public:
    struct Options {
        Peephole peephole = Peephole::off;  // with a length only
        // The orders of so many events; 0: of any number.
        std::uint32_t length = 0;
    };
    // An order that ends where a goal is reached.
    struct Question {
        std::vector<EventNumber> with, without;
        std::optional<ThreadId> goes_on;  // this thread can take a step then
    };
    struct Counts {
        std::uint64_t answers = 0;
        std::uint64_t impossible = 0;  // answers that the machine refused
        std::uint64_t redundant = 0;   // that the peephole reduction refused, though the solver did not know it
    };

    // The stories are finished; the track is where they begin, and is there again after each call.
    PossibleOrders(const Stories& stories, Track& begin, OrderSolver& solver, const Options& options);

    // Schedules begin where the stories do. Nothing: there is none, or the effort is used up.
    // Each schedule of the length once.
    std::optional<Schedule> next(std::uint64_t most_effort);
    // Without a length.
    std::optional<Schedule> find(const Question& question, std::uint64_t most_effort);

    // The last one.
    bool gave_up() const { return gave_up_; }
    const Counts& counts() const { return counts_; }
    // Of the machine.
    std::uint64_t steps() const { return steps_; }

private:
    using Literal = OrderSolver::Literal;
    using Clause = OrderConstraints::Clause;

    void solve(const Clause& literals, std::uint64_t most_effort);
    std::optional<Schedule> take_found();
    void give_places();
    void forbid_neighbours();
    void forbid_pair(EventNumber early, EventNumber late);
    void forbid_after_thread(std::uint32_t early, EventNumber late);
    void forbid_loosely_coupled(std::uint32_t small, std::uint32_t large);
    const std::vector<Literal>& runs(std::uint32_t thread);
    std::vector<Literal> is_one_of(const std::vector<EventNumber>& events);
    bool commute(EventNumber a, EventNumber b) const;
    bool may_enable(EventNumber a, EventNumber b) const;
    bool commutes_with_thread(EventNumber event, std::uint32_t thread) const;

    void read_order();
    void replay(std::size_t at);
    void replay_way(std::size_t at, ThreadSlot slot, std::uint32_t way, bool& is_possible);
    bool sees_its_write(EventNumber event) const;
    void end_replay();
    void explain(std::size_t at, EventNumber event, ThreadSlot slot);
    std::vector<bool> touched(EventNumber event, ThreadSlot slot) const;
    void forbid_this_order();

    const Stories& stories_;
    Track& track_;
    OrderSolver& solver_;
    const Options options_;
    std::optional<ThreadId> goes_on_;
    Literal is_asked_ = OrderSolver::always;  // what holds for this question only
    OrderConstraints constraints_;
    std::vector<std::vector<EventNumber>> by_thread_;
    std::vector<std::vector<Literal>> runs_;  // by thread and place
    std::deque<Schedule> found_;
    bool gave_up_ = false;
    bool is_done_ = false;
    Counts counts_;
    std::uint64_t steps_ = 0;

    // The answer that the machine takes.
    std::vector<EventNumber> order_;
    std::vector<EventNumber> last_write_;  // by object
    Schedule schedule_;
    Clause refusal_;
    bool is_redundant_ = false;
    std::uint64_t steps_left_ = 0;
};

}  // namespace raddle
