// Limits of steps that rise: every complete strategy explores and claims the same as without them, and an endless
// schedule waits until everything else is done.
#include "supervisor/search/around/rising_steps.h"

#include <gtest/gtest.h>

#include "supervisor/trace/postponed.h"
#include "tests/search/complaints.h"
#include "tests/search/explore.h"

namespace raddle::testing {
namespace {

class WithRisingSteps : public ::testing::TestWithParam<Claim> {
protected:
    // Random programs take about 10 to 60 steps.
    void nobody_complains(Complaint complaint, std::uint64_t programs) {
        std::size_t failures = 0;
        std::uint64_t seed = 6'000'000;
        for (std::uint64_t left = programs; left > 0 && failures < 3; ++seed) {
            std::optional<Case> known = make_case(random_program(seed), {});
            if (!known) continue;
            --left;
            known->first_max_steps = 1 + seed % 16;
            if (complaint(GetParam(), *known).empty()) continue;
            ++failures;
            ADD_FAILURE() << shrunk(complaint, GetParam(), *known) << "first limit " << known->first_max_steps;
        }
    }
};

TEST_P(WithRisingSteps, MissesNoGraphAndNoVerdict) {
    nobody_complains(about_completeness, number_of_programs(60, 2'000));
}

TEST_P(WithRisingSteps, FindsTheSameWithSeveralPlansOut) {
    nobody_complains(about_disorder, number_of_programs(40, 1'000));
}

TEST_P(WithRisingSteps, FindsTheSameSavedAndLoaded) { nobody_complains(about_restarts, number_of_programs(40, 1'000)); }

INSTANTIATE_TEST_SUITE_P(Oracle, WithRisingSteps, ::testing::ValuesIn(claims()),
                         [](const auto& param_info) { return test_name_of(param_info.param.strategy); });

// Two threads set x to 1 and 2. A reader that finds 2 works for long; once x is 3 there is no end.
Code with_long_schedules(bool is_endless) {
    static constexpr Variable x{0}, y{1};
    return [is_endless](Thread& t) -> Body {
        const Handle one = co_await t.spawn([](Thread& u) -> Body { co_await u.write(x, 1); });
        const Handle two = co_await t.spawn([](Thread& u) -> Body { co_await u.write(x, 2); });
        const Handle reader = co_await t.spawn([is_endless](Thread& u) -> Body {
            if (co_await u.read(x) != 2) co_return;
            for (int i = 0; is_endless || i < 500; ++i) co_await u.write(y, i);
        });
        co_await t.join(one);
        co_await t.join(two);
        co_await t.join(reader);
    };
}

struct Explored {
    std::vector<std::uint64_t> limits;  // of the executions
    std::size_t cut = 0;
    Coverage coverage;
};

Explored explored(const std::string& strategy_name, bool is_endless, std::uint64_t first, std::uint64_t last) {
    StrategyOptions options;
    options.first_max_steps = first;
    options.max_steps = last;
    ModelProgram target(with_long_schedules(is_endless));
    const auto strategy = make_strategy(strategy_name, options);
    Explored explored;
    while (const std::optional<Plan> plan = strategy->next()) {
        explored.limits.push_back(plan->max_steps);
        const Execution execution = target.run(*plan);
        EXPECT_LE(execution.events.size(), plan->max_steps);
        explored.cut += is_postponed(*plan, execution) ? 1 : 0;
        strategy->learn(*plan, execution);
    }
    EXPECT_TRUE(strategy->finished());
    explored.coverage = strategy->coverage();
    return explored;
}

TEST(RisingSteps, LongSchedulesWaitUntilTheOthersAreDone) {
    for (const char* strategy : {"portfolio", "bounded", "optimal", "source"}) {
        const Explored all = explored(strategy, false, 100, 100'000), at_once = explored(strategy, false, 1, 1);
        EXPECT_GT(all.cut, 0u) << strategy;
        EXPECT_TRUE(std::is_sorted(all.limits.begin(), all.limits.end())) << strategy;
        EXPECT_EQ(all.limits.front(), 100u);
        EXPECT_EQ(all.limits.back(), 1'600u) << strategy;
        EXPECT_TRUE(all.coverage.exhausted) << strategy;
        EXPECT_TRUE(all.coverage.incomplete_because.empty()) << strategy;
        EXPECT_EQ(all.coverage.postponed, 0u);
        EXPECT_FALSE(at_once.coverage.exhausted) << "the last limit is the last";
    }
}

// The reader that finds 2 works for long in nearly every second schedule: that holds nobody up.
TEST(RisingSteps, APortfolioGoesOnWithoutLongSchedules) {
    StrategyOptions options;
    options.first_max_steps = 100;
    ModelProgram target([](Thread& t) -> Body {
        static constexpr Variable x{0}, y{1}, z{2};
        const Handle reader = co_await t.spawn([](Thread& u) -> Body {
            if (co_await u.read(x) != 0)
                for (int i = 0; i < 200; ++i) co_await u.write(y, i);
        });
        const Handle writer = co_await t.spawn([](Thread& u) -> Body {
            co_await u.write(x, 1);
            for (int i = 0; i < 4; ++i) co_await u.write(z, i);
        });
        for (int i = 0; i < 4; ++i) co_await t.write(z, 10 + i);
        co_await t.join(reader);
        co_await t.join(writer);
    });
    const auto strategy = make_strategy("portfolio", options);
    std::uint64_t executions = 0, cut = 0, graphs_at_rise = 0;
    while (const std::optional<Plan> plan = strategy->next()) {
        if (plan->max_steps > 100 && graphs_at_rise == 0) graphs_at_rise = strategy->coverage().graphs;
        const Execution execution = target.run(*plan);
        cut += is_postponed(*plan, execution) ? 1 : 0;
        ++executions;
        strategy->learn(*plan, execution);
    }
    const Coverage coverage = strategy->coverage();
    EXPECT_TRUE(coverage.exhausted);
    EXPECT_EQ(coverage.executions, executions);
    EXPECT_EQ(coverage.graphs, executions - cut) << "no graph twice";
    // In 70 graphs the reader comes before the writer. A few of them need more preemptions than the bounds at work
    // have.
    EXPECT_GE(graphs_at_rise, 60u) << "of " << coverage.graphs;
}

TEST(RisingSteps, AnEndlessScheduleIsCutByTheLastLimitAndSaid) {
    const Explored all = explored("bounded", true, 100, 2'000);
    EXPECT_EQ(all.limits.back(), 2'000u);
    EXPECT_FALSE(all.coverage.exhausted);
    ASSERT_EQ(all.coverage.incomplete_because.size(), 1u);
    EXPECT_EQ(all.coverage.incomplete_because[0], text_of(Verdict::step_limit));
}

TEST(RisingSteps, AreCountedWhileTheyWait) {
    StrategyOptions options;
    options.first_max_steps = 100;
    ModelProgram target(with_long_schedules(true));
    const auto strategy = make_strategy("random", options);
    std::uint64_t executions = 0;
    while (strategy->coverage().postponed == 0) {
        const std::optional<Plan> plan = strategy->next();
        ASSERT_TRUE(plan);
        strategy->learn(*plan, target.run(*plan));
        ++executions;
    }
    EXPECT_EQ(strategy->coverage().executions, executions);
}

TEST(RisingSteps, OnlyALimitOfStepsPostpones) {
    Plan plan;
    plan.max_steps = 2;
    plan.comes_again = true;
    Execution execution;
    execution.verdict = Verdict::step_limit;
    execution.events.resize(2);
    EXPECT_TRUE(is_postponed(plan, execution));
    execution.events.resize(1);
    EXPECT_FALSE(is_postponed(plan, execution)) << "something else cut it";
    execution.events.resize(2);
    plan.comes_again = false;
    EXPECT_FALSE(is_postponed(plan, execution)) << "this was the last limit";
}

}  // namespace
}  // namespace raddle::testing
