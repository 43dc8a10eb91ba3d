// The portfolio: its schedules do not depend on the number of workers, it executes no graph twice, its parts share what
// they learn, and a finding names its part. oracle_test.cpp compares its claims with brute force.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "supervisor/search/portfolio/turns.h"
#include "supervisor/search/sampling/event_counts.h"
#include "supervisor/trace/replay_machine.h"
#include "tests/programs.h"
#include "tests/random_program.h"
#include "tests/search/explore.h"

namespace raddle::testing {
namespace {

std::multiset<std::string> schedules_with(const Code& code, std::size_t workers, std::uint64_t seed,
                                          const StrategyOptions& options, std::uint64_t most = 400) {
    ModelProgram program(code, {.machine = options.machine});
    const std::unique_ptr<Strategy> strategy = make_strategy("portfolio", options);
    std::multiset<std::string> schedules;
    std::mt19937_64 random(seed);
    std::vector<Plan> out;
    while (schedules.size() < most) {
        while (out.size() < workers) {
            std::optional<Plan> plan = strategy->next();
            if (!plan) break;
            out.push_back(std::move(*plan));
        }
        if (out.empty()) break;
        std::swap(out[random() % out.size()], out.back());
        const Execution execution = program.run(out.back());
        schedules.insert(text_of(execution.schedule()));
        strategy->learn(out.back(), execution);
        out.pop_back();
    }
    return schedules;
}

TEST(Portfolio, ExecutesTheSameSchedulesWithAnyNumberOfWorkers) {
    for (const Code& code : {locks(3, 3), cond_queue(4), wsq(4), philosophers(4, Forks::left_first)}) {
        StrategyOptions options;
        for (const std::uint64_t seed : {1u, 2u}) {
            options.seed = seed;
            const auto one = schedules_with(code, 1, 1, options, 1'000'000);
            for (const std::size_t workers : {2u, 5u, 40u})
                EXPECT_EQ(schedules_with(code, workers, workers, options, 1'000'000), one) << workers << " workers";
        }
    }
}

// The portfolio draws in memory and lets the target go on: the target must then choose as the memory would have.
TEST(Portfolio, ATailGoesOnBehindItsOwnPrefixAsWithoutIt) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const RandomProgram random = random_program(seed);
        ModelProgram program(code_of(random), options_of(random, {})), another(code_of(random), options_of(random, {}));
        EventCounts counts;
        ReplayMachine replay{{}};
        for (const TailKind kind : {TailKind::random, TailKind::pos, TailKind::pct, TailKind::surw}) {
            Plan plan;
            plan.max_steps = 10'000;
            plan.tail.kind = kind;
            plan.tail.seed = seed * 77;
            plan.tail.depth = 4;
            plan.tail.length = 20;
            plan.weights = counts.weights(plan.tail.interest);
            const Execution whole = program.run(plan);
            const Schedule schedule = whole.schedule();
            for (std::size_t length = 0; length <= schedule.size(); length += 1 + length / 3) {
                plan.prefix.assign(schedule.begin(), schedule.begin() + static_cast<std::ptrdiff_t>(length));
                // Other executions between give the machine other slots.
                another.run({});
                ASSERT_EQ(text_of(another.run(plan).schedule()), text_of(schedule))
                    << "seed " << seed << ", prefix of " << length;
            }
            replay.begin(whole);
            replay.feed_all();
            counts.learn(replay.track());
        }
    }
}

TEST(Portfolio, TakesOtherSchedulesWithAnotherSeed) {
    StrategyOptions one, other;
    other.seed = 2;
    EXPECT_NE(schedules_with(locks(4, 3), 1, 1, one, 60), schedules_with(locks(4, 3), 1, 1, other, 60));
}

TEST(Portfolio, ExecutesAtMostAsManyAsThereAreGraphs) {
    for (const Code& code : {locks(4, 2), wsq(4), indexer(12)}) {
        ModelProgram program(code);
        const std::unique_ptr<Strategy> strategy = make_strategy("portfolio", {});
        explore(*strategy, program);
        const Coverage coverage = strategy->coverage();
        EXPECT_TRUE(coverage.exhausted);
        EXPECT_LE(coverage.executions, coverage.graphs);
    }
}

TEST(Portfolio, ClaimsTheBoundsThatBoundedClaims) {
    for (const Code& code : {locks(3, 3), wsq(4), cond_queue(3), philosophers(4, Forks::left_first), lastzero(4)}) {
        ModelProgram program(code);
        std::map<std::string, Coverage> covered;
        for (const char* name : {"portfolio", "bounded"}) {
            const std::unique_ptr<Strategy> strategy = make_strategy(name, {});
            explore(*strategy, program);
            covered[name] = strategy->coverage();
        }
        EXPECT_EQ(covered["portfolio"].graphs, covered["bounded"].graphs);
        EXPECT_EQ(covered["portfolio"].complete_to, covered["bounded"].complete_to);
        EXPECT_EQ(covered["portfolio"].exhausted, covered["bounded"].exhausted);
    }
}

// Bound 0 alone has 8! orders of the writers.
TEST(Portfolio, PreemptsBeforeTheBoundWithoutPreemptionsIsComplete) {
    ModelProgram program(writers(8));
    const std::unique_ptr<Strategy> strategy = make_strategy("portfolio", {});
    std::set<std::string> parts;
    for (int i = 0; i < 100; ++i) {
        const std::optional<Plan> plan = strategy->next();
        ASSERT_TRUE(plan);
        parts.insert(std::to_string(static_cast<int>(plan->tail.kind)));
        strategy->learn(*plan, program.run(*plan));
    }
    EXPECT_FALSE(strategy->coverage().complete_to);
    EXPECT_EQ(parts.size(), 5u) << "run_on, random, pct, pos and surw";
}

TEST(Portfolio, NamesThePartThatFoundTheBug) {
    std::set<std::string> parts;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        ModelProgram program(philosophers(5, Forks::left_first));
        StrategyOptions options;
        options.seed = seed;
        const std::unique_ptr<Strategy> strategy = make_strategy("portfolio", options);
        while (const std::optional<Plan> plan = strategy->next()) {
            strategy->learn(*plan, program.run(*plan));
            const std::vector<Finding> findings = strategy->take_findings();
            if (findings.empty()) continue;
            parts.insert(findings.front().found_by);
            break;
        }
    }
    for (const std::string& part : parts)
        EXPECT_TRUE((std::set<std::string>{"bounded", "random", "directed", "pos", "pct", "surw"}).contains(part))
            << part;
    EXPECT_GT(parts.size(), 1u);
}

TEST(Portfolio, KeepsToTheBoundThatWasAskedFor) {
    for (const std::uint32_t bound : {0u, 1u, 2u}) {
        ModelProgram program(locks(4, 2));
        StrategyOptions options;
        options.max_bound = bound;
        options.machine.independence = Independence::plain;
        const std::unique_ptr<Strategy> strategy = make_strategy("portfolio", options);
        explore(*strategy, program);
        EXPECT_EQ(strategy->coverage().graphs, (std::vector<std::uint64_t>{24, 168, 672}[bound]));
        EXPECT_LE(strategy->coverage().executions, strategy->coverage().graphs);
        EXPECT_EQ(strategy->coverage().complete_to, bound);
    }
}

TEST(Portfolio, RefusesAStateThatWasMadeWithAnotherSeed) {
    StrategyOptions one, other;
    other.seed = 9;
    const std::string saved = save_strategy("portfolio", one, *make_strategy("portfolio", one));
    EXPECT_THROW(load_strategy("portfolio", other, saved), BadInput);
}

// ---- turns

std::map<std::uint32_t, std::uint64_t> turns_of(std::uint64_t from, std::uint64_t count) {
    Turns turns(member_rows());
    std::map<std::uint32_t, std::uint64_t> taken;
    for (std::uint64_t i = from; i < from + count; ++i) {
        turns.begin_round(i);
        const std::optional<std::uint32_t> part = turns.next();
        if (!part) break;
        turns.took(*part);
        ++taken[*part];
    }
    return taken;
}

TEST(Turns, GiveTheBoundsHalfOfTheExecutions) {
    auto taken = turns_of(1000, 10'000);
    EXPECT_NEAR(static_cast<double>(taken[0]), 2500, 5);
    EXPECT_NEAR(static_cast<double>(taken[1]), 1250, 5);
    EXPECT_NEAR(static_cast<double>(taken[2]), 1250, 5);
}

TEST(Turns, GiveTheMembersMostOfTheFirstExecutions) {
    auto taken = turns_of(0, Turns::early);
    EXPECT_NEAR(static_cast<double>(taken[0] + taken[1] + taken[2]), Turns::early / 4.0, 2);
}

TEST(Turns, GiveTheVeryFirstExecutionsToRandomAndThenToDirected) {
    Turns turns(member_rows());
    std::string order;
    for (std::uint64_t executions = 1; executions <= 6; ++executions) {
        turns.begin_round(executions);
        const std::uint32_t part = turns.next().value();
        turns.took(part);
        order += std::string(member_rows()[part - Turns::bounds].name) + " ";
    }
    EXPECT_EQ(order, "random random directed directed directed directed ");
    turns.begin_round(2);
    turns.passed(turns.next().value());
    EXPECT_NE(turns.next().value(), Turns::bounds) << "a part without anything new leaves its turn to others";
}

TEST(Turns, AskAPartOnceInARoundAndAMemberLessAndLessOften) {
    Turns turns(member_rows());
    const std::uint32_t member = Turns::bounds;
    std::uint64_t asked = 0;
    for (std::uint64_t executions = 100; executions < 1'100; ++executions) {
        turns.begin_round(executions);
        std::set<std::uint32_t> seen;
        while (const std::optional<std::uint32_t> part = turns.next()) {
            EXPECT_TRUE(seen.insert(*part).second);
            asked += *part == member;
            turns.passed(*part);
        }
    }
    EXPECT_GE(asked, 9u);
    EXPECT_LE(asked, 12u);
}

}  // namespace
}  // namespace raddle::testing
