// Sampling: the same seed draws the same executions, in whatever order they return; sampling claims nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "supervisor/search/strategy.h"
#include "supervisor/trace/replay_machine.h"
#include "tests/model_program.h"
#include "tests/programs.h"

namespace raddle {
#define RADDLE_SAMPLING_TAIL(name, number, comment) \
    std::unique_ptr<Strategy> make_##name(const StrategyOptions& options);
#include "supervisor/model/tail.def"

namespace {

using namespace raddle::testing;

class EverySampling : public ::testing::TestWithParam<StrategyRow> {};
std::vector<StrategyRow> samplers() {
    std::vector<StrategyRow> rows = strategy_rows();
    std::erase_if(rows, [](const StrategyRow& row) { return !row.is_sampler(); });
    return rows;
}
INSTANTIATE_TEST_SUITE_P(Strategies, EverySampling, ::testing::ValuesIn(samplers()),
                         [](const auto& tested) { return tested.param.name; });

StrategyOptions options_with(std::uint64_t samples, std::uint64_t seed = 1) {
    StrategyOptions options;
    options.samples = samples;
    options.seed = seed;
    return options;
}

using Samples = std::map<std::uint64_t, std::string>;  // schedules by sample

Samples draw(Strategy& strategy, Target& target) {
    Samples samples;
    while (const auto plan = strategy.next()) {
        const Execution execution = target.run(*plan);
        samples[plan->id] = text_of(execution.schedule());
        strategy.learn(*plan, execution);
    }
    return samples;
}

TEST_P(EverySampling, DrawsTheSameAgainFromTheSameSeed) {
    ModelProgram program(locks(3, 3));
    const Samples once = draw(*GetParam().make(options_with(50)), program);
    EXPECT_EQ(once.size(), 50u);
    EXPECT_EQ(draw(*GetParam().make(options_with(50)), program), once);
    EXPECT_NE(draw(*GetParam().make(options_with(50, 2)), program), once);
}

TEST_P(EverySampling, DrawsDifferentExecutions) {
    ModelProgram program(locks(3, 3));
    std::set<std::string> unlike;
    for (const auto& [sample, schedule] : draw(*GetParam().make(options_with(50)), program)) unlike.insert(schedule);
    EXPECT_GT(unlike.size(), 25u);
}

TEST_P(EverySampling, DrawsTheSameIfPlansAreLostOrReordered) {
    ModelProgram program(locks(3, 3));
    const Samples expected = draw(*GetParam().make(options_with(60)), program);
    for (unsigned seed = 0; seed < 10; ++seed) {
        std::mt19937 random(seed);
        auto strategy = GetParam().make(options_with(60));
        Samples samples;
        std::vector<Plan> out;
        while (!strategy->finished()) {
            while (out.size() < 5) {
                auto plan = strategy->next();
                if (!plan) break;
                out.push_back(std::move(*plan));
            }
            ASSERT_FALSE(out.empty());
            std::swap(out[random() % out.size()], out.back());
            const Plan plan = std::move(out.back());
            out.pop_back();
            switch (random() % 8) {
                case 0: strategy->give_back(plan); break;
                case 1: {
                    Writer writer;
                    strategy->save(writer);
                    strategy = GetParam().make(options_with(60));
                    Reader reader(writer.bytes());
                    strategy->load(reader);
                    reader.expect_end();
                    out.clear();
                    break;
                }
                default: {
                    const Execution execution = program.run(plan);
                    samples[plan.id] = text_of(execution.schedule());
                    strategy->learn(plan, execution);
                }
            }
        }
        EXPECT_EQ(samples, expected) << seed;
        EXPECT_EQ(strategy->coverage().executions, 60u);
    }
}

TEST_P(EverySampling, ContinuesWithMoreSamples) {
    ModelProgram program(locks(3, 3));
    const auto few = GetParam().make(options_with(20));
    Samples samples = draw(*few, program);
    Writer writer;
    few->save(writer);
    const auto more = GetParam().make(options_with(45));
    Reader reader(writer.bytes());
    more->load(reader);
    samples.merge(draw(*more, program));
    EXPECT_EQ(samples, draw(*GetParam().make(options_with(45)), program));
}

TEST_P(EverySampling, RefusesToContinueWithAnotherSeed) {
    ModelProgram program(locks(2, 1));
    const auto strategy = GetParam().make(options_with(5));
    draw(*strategy, program);
    Writer writer;
    strategy->save(writer);
    Reader reader(writer.bytes());
    EXPECT_THROW(GetParam().make(options_with(5, 2))->load(reader), BadInput);
}

TEST_P(EverySampling, CountsDistinctGraphs) {
    ModelProgram program(locks(2, 2));
    std::set<Hash128> graphs;
    ReplayMachine replay({});
    const auto strategy = GetParam().make(options_with(400));
    while (const auto plan = strategy->next()) {
        const Execution execution = program.run(*plan);
        replay.begin(execution);
        replay.feed_all();
        ASSERT_FALSE(replay.mismatch()) << replay.mismatch()->text;
        graphs.insert(replay.graph());
        strategy->learn(*plan, execution);
    }
    EXPECT_EQ(strategy->coverage().graphs, graphs.size());
    EXPECT_LE(graphs.size(), 6u);
    EXPECT_GE(graphs.size(), 4u);
}

TEST_P(EverySampling, NeverClaimsToBeComplete) {
    ModelProgram program([](Thread& t) -> Body { co_await t.write(Variable{0}, 1); });
    const auto strategy = GetParam().make(options_with(3));
    EXPECT_EQ(strategy->coverage().frontier, 3u);
    draw(*strategy, program);
    const Coverage coverage = strategy->coverage();
    EXPECT_TRUE(strategy->finished());
    EXPECT_EQ(coverage.executions, 3u);
    EXPECT_EQ(coverage.graphs, 1u);
    EXPECT_FALSE(coverage.exhausted);
    EXPECT_FALSE(coverage.complete_to);
    EXPECT_FALSE(coverage.incomplete_because.empty());
}

TEST_P(EverySampling, FindsADeadlockAndItsSchedule) {
    ModelProgram program(philosophers(2, Forks::left_first));
    const auto strategy = GetParam().make(options_with(500));
    draw(*strategy, program);
    const std::vector<Finding> findings = strategy->take_findings();
    ASSERT_FALSE(findings.empty());
    for (const Finding& finding : findings) {
        Plan plan;
        plan.prefix = finding.schedule;
        EXPECT_EQ(program.run(plan).verdict, Verdict::deadlock);
        EXPECT_GE(finding.preemptions, 1u);
    }
}

// ---- pct

// T1: 10 actions, then x = 1, x = 0. T2: 5 actions, then it fails if x is 1. The read must fall between the two writes:
// a bug of depth 2.
Code a_bug_of_depth_2() {
    return [](Thread& main) -> Body {
        const Handle first = co_await main.spawn([](Thread& t) -> Body {
            for (int i = 0; i < 10; ++i) co_await t.write(Variable{1}, i);
            co_await t.write(Variable{0}, 1);
            co_await t.write(Variable{0}, 0);
        });
        const Handle second = co_await main.spawn([](Thread& t) -> Body {
            for (int i = 0; i < 5; ++i) co_await t.write(Variable{2}, i);
            if (co_await t.read(Variable{0}) == 1) co_await t.fail();
        });
        co_await main.join(first);
        co_await main.join(second);
    };
}

struct Rate {
    double hits = 0;
    double samples = 0;
    std::size_t longest = 0;
};

Rate rate_of(std::uint32_t depth, std::uint64_t samples, std::uint64_t seed) {
    ModelProgram program(a_bug_of_depth_2());
    StrategyOptions options = options_with(samples, seed);
    options.depth = depth;
    const auto strategy = make_pct(options);
    Rate rate;
    while (const auto plan = strategy->next()) {
        const Execution execution = program.run(*plan);
        rate.longest = std::max(rate.longest, execution.events.size());
        rate.samples += 1;
        rate.hits += execution.verdict == Verdict::assertion ? 1 : 0;
        strategy->learn(*plan, execution);
    }
    return rate;
}

TEST(Pct, MeetsItsLowerBoundOnABugOfDepth2) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Rate rate = rate_of(2, 4000, seed);
        // n threads, k steps, depth d: at least 1 / (n k^(d-1)); here n = 3 with main, d = 2.
        const double bound = 1.0 / (3.0 * static_cast<double>(rate.longest));
        const double error = 3 * std::sqrt(rate.samples * bound * (1 - bound));  // three standard deviations
        EXPECT_GE(rate.hits, rate.samples * bound - error) << "seed " << seed << ", k = " << rate.longest;
    }
}

TEST(Pct, WithoutAChangeOfPriorityFindsNoBugOfDepth2) { EXPECT_EQ(rate_of(1, 500, 1).hits, 0); }

TEST(Pct, TakesTheLengthOfExecutionsFromEarlierRounds) {
    ModelProgram program(a_bug_of_depth_2());
    const auto strategy = make_pct(options_with(8));
    const auto first = strategy->next();
    ASSERT_TRUE(first);
    EXPECT_FALSE(strategy->next());  // the length is still unknown
    const Execution execution = program.run(*first);
    strategy->learn(*first, execution);
    const auto second = strategy->next(), third = strategy->next();
    ASSERT_TRUE(second && third);
    EXPECT_EQ(second->tail.length, execution.events.size());
    EXPECT_EQ(third->tail.length, execution.events.size());
    EXPECT_FALSE(strategy->next());  // a round of two
}

}  // namespace
}  // namespace raddle
