// One small program for each row of search/scores.def: a bug of the row's class beside harmless conflicts of
// other classes. The directed search finds the bug later without the row.
#pragma once

#include "supervisor/search/directed/candidate.h"
#include "tests/model_program.h"

namespace raddle::testing {

Code bug_program(BugPattern pattern);
// Takes the locks in this order, and gives them back.
Code lock_both(Mutex first, Mutex second);

// The number of executions up to the first bug, over the seeds 1 to `seeds`; each search ends after `most`.
struct FirstBug {
    std::uint64_t least = 0, median = 0, greatest = 0, sum = 0;
};
FirstBug first_bug(const Code& program, std::uint64_t seeds, std::uint64_t most);
FirstBug first_bug_without(const Code& program, BugPattern row, std::uint64_t seeds, std::uint64_t most);

}  // namespace raddle::testing
