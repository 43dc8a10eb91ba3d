// Every strategy against brute force, on random programs over all operations.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <string_view>

#include "tests/search/complaints.h"

namespace raddle::testing {
namespace {

std::uint64_t wanted_programs() { return number_of_programs(1'000, 20'000); }
constexpr std::size_t most_failures_told = 3;

// RADDLE_STYLE=spins selects one style; the default is all styles.
bool is_wanted(const RandomProgram& program) {
    static const char* const style = std::getenv("RADDLE_STYLE");
    return style == nullptr || program.style == std::string_view(style);
}

// Programs small enough for the oracle, made on demand and kept; alternately for the plain and the fine relation.
class Cases {
public:
    const Case& operator[](std::size_t i) {
        while (cases_.size() <= i) {
            const Independence relation = seed_ % 2 == 0 ? Independence::plain : Independence::fine;
            const RandomProgram program = random_program(seed_++);
            if (!is_wanted(program)) continue;
            if (std::optional<Case> made = make_case(program, {.independence = relation}))
                cases_.push_back(std::move(*made));
        }
        return cases_[i];
    }
    std::uint64_t seeds_tried() const { return seed_; }

private:
    std::deque<Case> cases_;
    std::uint64_t seed_ = 0;
};

Cases& cases() {
    static Cases all;
    return all;
}

class EveryCompleteStrategy : public ::testing::TestWithParam<Claim> {
protected:
    void nobody_complains(Complaint complaint, std::uint64_t programs) {
        std::size_t failures = 0;
        for (std::uint64_t i = 0; i < programs; ++i) {
            const Case& known = cases()[i];
            if (complaint(GetParam(), known).empty()) continue;
            if (++failures <= most_failures_told) ADD_FAILURE() << shrunk(complaint, GetParam(), known);
        }
        EXPECT_EQ(failures, 0u) << "of " << programs << " programs, seeds 0 to " << cases().seeds_tried() - 1;
    }
};

TEST_P(EveryCompleteStrategy, MissesNoGraphAndNoVerdict) { nobody_complains(about_completeness, wanted_programs()); }

TEST_P(EveryCompleteStrategy, FindsTheSameWithSeveralPlansOut) {
    nobody_complains(about_disorder, wanted_programs() / 4);
}

TEST_P(EveryCompleteStrategy, FindsTheSameSavedAndLoaded) { nobody_complains(about_restarts, wanted_programs() / 4); }

INSTANTIATE_TEST_SUITE_P(Oracle, EveryCompleteStrategy, ::testing::ValuesIn(claims()),
                         [](const auto& param_info) { return test_name_of(param_info.param.strategy); });

TEST(Oracle, LeavesOutFewProgramsAsTooLarge) {
    cases()[999];
    EXPECT_LE(cases().seeds_tried(), 1'150u);
}

TEST(Oracle, IsSmallEnoughForExhaustiveStrategiesInMostPrograms) {
    std::size_t small = 0;
    for (std::size_t i = 0; i < 1'000; ++i) small += cases()[i].truth.schedules <= 2'000;
    EXPECT_GE(small, 300u);
}

}  // namespace
}  // namespace raddle::testing
