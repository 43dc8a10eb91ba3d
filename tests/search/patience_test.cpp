// Limited patience: long waits time out only when nothing else can happen. The remaining schedules are explored
// completely: checked against brute force, at every bound.
#include <gtest/gtest.h>

#include "tests/search/explore.h"
#include "tests/search/restricted_search.h"

namespace raddle::testing {
namespace {

// In random programs, waits and sleeps last from 1 to 20.
MachineOptions patience_of(std::uint64_t seed) {
    return {.independence = seed % 3 == 0 ? Independence::plain : Independence::fine, .patience = 1 + seed % 12};
}

constexpr Restriction restriction = {5'000'000, patience_of, [](const RandomProgram& program) {
                                         return to_text(program).find(" for ") != std::string::npos;
                                     }};

class EveryPatientStrategy : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryPatientStrategy, MissesNoGraphAndNoVerdict) {
    nobody_complains(GetParam(), about_completeness, number_of_programs(300, 20'000), restriction);
}

TEST_P(EveryPatientStrategy, FindsTheSameWithSeveralPlansOut) {
    nobody_complains(GetParam(), about_disorder, number_of_programs(100, 5'000), restriction);
}

TEST_P(EveryPatientStrategy, FindsTheSameSavedAndLoaded) {
    nobody_complains(GetParam(), about_restarts, number_of_programs(100, 5'000), restriction);
}

INSTANTIATE_TEST_SUITE_P(Oracle, EveryPatientStrategy, ::testing::Values("portfolio", "bounded", "dfs", "cb-dfs"),
                         [](const auto& param_info) { return test_name_of(param_info.param); });

Coverage coverage_of(const RandomProgram& program, const MachineOptions& machine, std::optional<std::uint32_t> bound) {
    StrategyOptions options;
    options.machine = machine;
    options.max_bound = bound;
    ModelProgram target(code_of(program), options_of(program, machine));
    const auto strategy = make_strategy("bounded", options);
    explore(*strategy, target);
    return strategy->coverage();
}

TEST(Patience, MakesNoDifferenceWhereNoWaitIsSoLong) {
    std::uint64_t seed = 7'000'000, with_short_waits = 0;
    for (std::uint64_t left = number_of_programs(200, 5'000); left > 0; ++seed) {
        const RandomProgram program = random_program(seed);
        if (!make_case(program, {})) continue;
        --left;
        with_short_waits += to_text(program).find(" for ") != std::string::npos ? 1 : 0;
        for (const std::optional<std::uint32_t> bound : {std::optional<std::uint32_t>(1), {}}) {
            const Coverage without = coverage_of(program, {}, bound);
            const Coverage with = coverage_of(program, {.patience = 1000}, bound);
            ASSERT_EQ(with.executions, without.executions) << "seed " << seed;
            ASSERT_EQ(with.graphs, without.graphs) << "seed " << seed;
            ASSERT_EQ(with.complete_to, without.complete_to) << "seed " << seed;
            ASSERT_EQ(with.exhausted, without.exhausted) << "seed " << seed;
        }
    }
    EXPECT_GT(with_short_waits, 0u);
}

}  // namespace
}  // namespace raddle::testing
