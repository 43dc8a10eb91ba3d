// The peephole search in memory.
//
// Idea: peephole partial-order reduction (Wang, Yang, Kahlon, Gupta, TACAS 2008, section 3.2), as an explicit search.
// It takes every schedule, with one exception: where two steps of two threads follow each other, could also have come
// in the other order, and commute in that state (operation.def, `guarded`), the thread with the smaller name goes
// first. Rules beyond the paper:
//   * A step that its neighbour enabled could not have come first. All others are either possible before it with the
//     same outcome, or do not commute with it.
//   * The alternatives of an action are steps of their own.
// Invariants: sorting the neighbours of any schedule by name ends at a schedule that the search takes, so it misses no
// graph. With two threads exactly one schedule of each graph is sorted, so it takes each graph once. With more threads
// it takes some graphs several times: two steps may commute with a third one between them that commutes with neither.
// Risk: the number of schedules is exponential in the number of threads.
#pragma once

#include <vector>

#include "supervisor/search/explicit/explicit_search.h"

namespace raddle {

class PeepholeSearch final : public ExplicitSearch {
public:
    using ExplicitSearch::ExplicitSearch;

    void begin() override;
    Stop advance() override;
    void give_up() override { gives_up_ = true; }

    std::uint64_t schedules() const { return schedules_; }  // the leaves so far

private:
    struct Candidate {
        ThreadSlot thread;
        std::uint32_t value;
    };
    // The steps that are left at each node of the path, the next one last.
    struct Node {
        std::vector<Candidate> left;
    };

    Stop enter();

    std::vector<Node> path_;
    bool at_unknown_ = false;
    bool gives_up_ = false;
    std::uint64_t schedules_ = 0;
};

}  // namespace raddle
