// Each row of search/scores.def earns its place: without it the directed search finds the bug of the row's
// program later.
#include <gtest/gtest.h>

#include "tests/bug_programs.h"

namespace raddle {
namespace {

using namespace raddle::testing;

class EveryRow : public ::testing::TestWithParam<BugPattern> {};
INSTANTIATE_TEST_SUITE_P(Patterns, EveryRow, ::testing::ValuesIn([] {
                             std::vector<BugPattern> all;
                             for (std::size_t i = 0; i < bug_pattern_count; ++i)
                                 all.push_back(static_cast<BugPattern>(i));
                             return all;
                         }()),
                         [](const auto& tested) { return row_of(tested.param).name; });

TEST_P(EveryRow, FindsItsBugWithinTheFirstExecutions) {
    EXPECT_LE(first_bug(bug_program(GetParam()), 5, 200).greatest, 16u);
}

TEST_P(EveryRow, FindsItsBugEarlierThanTheOtherRowsDo) {
    const Code program = bug_program(GetParam());
    const FirstBug with = first_bug(program, 5, 200), without = first_bug_without(program, GetParam(), 5, 200);
    EXPECT_LT(with.median, without.median);
    EXPECT_LT(with.sum, without.sum);
    RecordProperty("with", static_cast<int>(with.median));
    RecordProperty("without", static_cast<int>(without.median));
    std::cout << row_of(GetParam()).name << ": " << with.least << ", " << with.median << ", " << with.greatest
              << "; without the row " << without.least << ", " << without.median << ", " << without.greatest << "\n";
}

}  // namespace
}  // namespace raddle
