// Estimates against the known numbers, with wide tolerances; docs/performance.md has the measured errors.
#include <gtest/gtest.h>

#include "supervisor/search/estimate/estimate.h"
#include "tests/programs.h"
#include "tests/search/explore.h"

namespace raddle::testing {
namespace {

constexpr MachineOptions plainly{Independence::plain, false};

// The estimated total after some random executions.
Estimate in_all(const Code& code, SearchUnit unit, std::uint32_t bound, int executions, std::uint64_t steps = 100'000) {
    ModelProgram program(code, {.machine = plainly});
    Estimator estimator(unit, plainly);
    for (int i = 0; i < executions; ++i) {
        Plan plan;
        if (i > 0) plan.tail = {.kind = TailKind::random, .seed = static_cast<std::uint64_t>(i)};
        estimator.learn(program.run(plan));
    }
    estimator.draw(bound, steps);
    return estimator.remaining({}, {}).value_or(Estimate{-1, -1, -1});
}

// Checks that the estimate is within this factor of the truth.
void expect_about(double truth, const Estimate& estimate, double factor, const std::string& what) {
    EXPECT_GE(estimate.likely, truth / factor) << what;
    EXPECT_LE(estimate.likely, truth * factor) << what;
    EXPECT_LE(estimate.low, estimate.likely) << what;
    EXPECT_GE(estimate.high, estimate.likely) << what;
}

TEST(Estimator, CountsAllGraphs) {
    expect_about(2520, in_all(locks(4, 2), SearchUnit::graphs, 0, 5), 1.3, "locks(4,2)");
    expect_about(1680, in_all(locks(3, 3), SearchUnit::graphs, 0, 5), 1.3, "locks(3,3)");
    expect_about(30, in_all(philosophers(5, Forks::ordered), SearchUnit::graphs, 0, 20), 3, "philosophers(5)");
    expect_about(36, in_all(sem_queue(2, 2), SearchUnit::graphs, 0, 20), 1.3, "sem_queue(2,2)");
    expect_about(32, in_all(filesystem(18), SearchUnit::graphs, 0, 30, 300'000), 3, "filesystem(18)");
    expect_about(720, in_all(writers(6), SearchUnit::graphs, 0, 10), 1.3, "writers(6)");
}

TEST(Estimator, CountsGraphsWithinABound) {
    const std::size_t within[] = {6, 42, 192, 552};
    for (std::uint32_t k = 0; k < std::size(within); ++k)
        expect_about(static_cast<double>(within[k]), in_all(locks(3, 3), SearchUnit::graphs_by_bound, k, 10, 300'000),
                     k < 2 ? 1.3 : 3, "locks(3,3), at most " + std::to_string(k));
    expect_about(256, in_all(readers(8), SearchUnit::graphs_by_bound, 0, 30, 300'000), 2,
                 "readers(8), without preemption");
    expect_about(77, in_all(wsq(3), SearchUnit::graphs_by_bound, 2, 400, 300'000), 3, "wsq(3), at most 2");
}

std::uint64_t executions_of(const std::string& strategy, const Code& code, std::optional<std::uint32_t> bound = {}) {
    StrategyOptions options;
    options.machine.independence = Independence::plain;
    options.max_bound = bound;
    ModelProgram program(code, {.machine = plainly});
    const std::unique_ptr<Strategy> search = make_strategy(strategy, options);
    explore(*search, program);
    return search->coverage().executions;
}

TEST(Estimator, CountsSchedules) {
    const auto all = static_cast<double>(executions_of("dfs", writers(3)));
    expect_about(all, in_all(writers(3), SearchUnit::schedules, 0, 10), 1.3, "writers(3)");
    const auto within = static_cast<double>(executions_of("cb-dfs", locks(2, 2), 1));
    expect_about(within, in_all(locks(2, 2), SearchUnit::schedules_by_bound, 1, 10), 1.3, "locks(2,2), at most 1");
}

TEST(Estimator, EstimatesNothingWithoutExecutions) {
    Estimator estimator(SearchUnit::graphs, plainly);
    estimator.draw(0, 1000);
    EXPECT_FALSE(estimator.remaining({}, {}));
}

TEST(Estimator, IsTheSameEachTime) {
    const Estimate one = in_all(wsq(3), SearchUnit::graphs_by_bound, 2, 20),
                   again = in_all(wsq(3), SearchUnit::graphs_by_bound, 2, 20);
    EXPECT_EQ(one.likely, again.likely);
    EXPECT_EQ(one.high, again.high);
}

TEST(Estimator, ReachesZeroAtTheEndOfTheBound) {
    StrategyOptions options;
    options.machine.independence = Independence::plain;
    options.max_bound = 2;
    ModelProgram program(locks(3, 3), {.machine = plainly});
    const std::unique_ptr<Strategy> search = make_strategy("bounded", options);
    Estimator estimator(SearchUnit::graphs_by_bound, plainly);
    explore(*search, program, {.on_execution = [&](const Execution& execution) { estimator.learn(execution); }});
    estimator.draw(2, 100'000);
    const auto has_seen = [&](const Hash128& graph) { return search->has_seen(graph); };
    const auto left = estimator.remaining(search->coverage(), has_seen);
    ASSERT_TRUE(left);
    EXPECT_EQ(left->likely, 0);
    EXPECT_LT(left->high, 40);  // of 192
}

}  // namespace
}  // namespace raddle::testing
