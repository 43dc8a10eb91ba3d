// Strategies by name, and their saved states: complete at any point, and refused with a reason if they do not fit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "supervisor/search/strategy.h"
#include "tests/model_program.h"
#include "tests/programs.h"

namespace raddle {
namespace {

using namespace raddle::testing;
using ::testing::HasSubstr;
using ::testing::Not;

std::string refusal_of(const std::string& name, const StrategyOptions& options, const std::string& bytes) {
    try {
        load_strategy(name, options, bytes);
    } catch (const BadInput& error) {
        return error.what();
    }
    return "accepted";
}

std::string state_after(const std::string& name, const StrategyOptions& options, int executions) {
    ModelProgram program(locks(2, 2));
    const auto strategy = make_strategy(name, options);
    for (int i = 0; i < executions; ++i)
        if (const auto plan = strategy->next()) strategy->learn(*plan, program.run(*plan));
    return save_strategy(name, options, *strategy);
}

TEST(Registry, HasEachStrategyOnce) {
    std::set<std::string> names;
    for (const StrategyRow& row : strategy_rows()) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_STRNE(row.text, "");
        EXPECT_NE(make_strategy(row.name, {}), nullptr) << row.name;
    }
    EXPECT_STREQ(strategy_rows().front().name, "portfolio");
}

TEST(Registry, NamesTheKnownOnesWhenAskedForAnother) {
    try {
        make_strategy("fastest", {});
        FAIL() << "accepted";
    } catch (const BadInput& error) {
        const std::string message = error.what();
        EXPECT_THAT(message, HasSubstr("'fastest'"));
        for (const StrategyRow& row : strategy_rows()) EXPECT_THAT(message, HasSubstr(row.name));
        EXPECT_THAT(message, Not(HasSubstr("\n")));
    }
}

// ---- saved states

class EveryStrategy : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(
    Registry, EveryStrategy,
    [] {
        std::vector<std::string> names;
        for (const StrategyRow& row : strategy_rows()) names.emplace_back(row.name);
        return ::testing::ValuesIn(names);
    }(),
    [](const auto& tested) {
        std::string name = tested.param;
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });

StrategyOptions small() {
    StrategyOptions options;
    options.samples = 40;
    return options;
}

Coverage finish(std::unique_ptr<Strategy> strategy, Target& target) {
    while (const auto plan = strategy->next()) strategy->learn(*plan, target.run(*plan));
    EXPECT_TRUE(strategy->finished());
    return strategy->coverage();
}

TEST_P(EveryStrategy, ContinuesFromAnySavedState) {
    ModelProgram program(locks(2, 2));
    const Coverage whole = finish(make_strategy(GetParam(), small()), program);
    for (unsigned seed = 0; seed < 5; ++seed) {
        std::mt19937 random(seed);
        auto strategy = make_strategy(GetParam(), small());
        for (int step = 0; step < 60 && !strategy->finished(); ++step) {
            const auto plan = strategy->next();
            if (!plan) break;
            if (random() % 4 == 0) {  // the plan is lost; the strategy gives it out again
                strategy = load_strategy(GetParam(), small(), save_strategy(GetParam(), small(), *strategy));
                EXPECT_EQ(strategy->coverage().in_flight, 0u);
            } else {
                strategy->learn(*plan, program.run(*plan));
            }
        }
        const Coverage resumed = finish(std::move(strategy), program);
        EXPECT_EQ(resumed.graphs, whole.graphs) << seed;
        EXPECT_EQ(resumed.exhausted, whole.exhausted) << seed;
        EXPECT_EQ(resumed.complete_to, whole.complete_to) << seed;
    }
}

TEST_P(EveryStrategy, KeepsItsFindings) {
    ModelProgram program(philosophers(2, Forks::left_first));
    auto strategy = make_strategy(GetParam(), small());
    while (const auto plan = strategy->next()) strategy->learn(*plan, program.run(*plan));
    const auto loaded = load_strategy(GetParam(), small(), save_strategy(GetParam(), small(), *strategy));
    const auto expected = strategy->take_findings(), found = loaded->take_findings();
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].verdict, expected[i].verdict);
        EXPECT_EQ(found[i].preemptions, expected[i].preemptions);
        EXPECT_EQ(found[i].schedule, expected[i].schedule);
        EXPECT_EQ(found[i].message, expected[i].message);
    }
}

TEST_P(EveryStrategy, RefusesATruncatedState) {
    const std::string bytes = state_after(GetParam(), small(), 5);
    EXPECT_EQ(refusal_of(GetParam(), small(), bytes), "accepted");
    for (std::size_t size = 0; size < bytes.size(); ++size)
        ASSERT_THAT(refusal_of(GetParam(), small(), bytes.substr(0, size)), HasSubstr("ends too early")) << size;
    EXPECT_THAT(refusal_of(GetParam(), small(), bytes + "x"), HasSubstr("damaged"));
}

TEST_P(EveryStrategy, RefusesAStateWithAnyFlippedBit) {
    const std::string bytes = state_after(GetParam(), small(), 5);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        std::string damaged = bytes;
        damaged[i] = static_cast<char>(damaged[i] ^ (1 << i % 8));
        ASSERT_THAT(refusal_of(GetParam(), small(), damaged), HasSubstr("saved search state: ")) << i;
    }
}

TEST_P(EveryStrategy, RefusesTheStateOfAnotherStrategy) {
    const std::string other = GetParam() == "dfs" ? "dpor" : "dfs";
    EXPECT_EQ(refusal_of(GetParam(), small(), state_after(other, small(), 2)),
              "saved search state: it is of the strategy '" + other + "', not '" + GetParam() + "'");
}

TEST(SavedState, IsRefusedForOtherBytes) {
    EXPECT_EQ(refusal_of("dfs", {}, "SQLite format 3"), "saved search state: this is none");
    EXPECT_EQ(refusal_of("dfs", {}, std::string(100, '\0')), "saved search state: this is none");
}

TEST(SavedState, IsRefusedInAnotherFormat) {
    std::string bytes = state_after("dfs", {}, 1);
    ++bytes[std::string("raddle-search").size()];
    EXPECT_EQ(refusal_of("dfs", {}, bytes), "saved search state: it is of format 5, this program reads format 4");
}

TEST(SavedState, IsRefusedWithOtherOptions) {
    const std::string bytes = state_after("dfs", {}, 3);
    StrategyOptions plain, spurious, shorter;
    plain.machine.independence = Independence::plain;
    spurious.machine.spurious_wakeups = true;
    shorter.max_steps = 5;
    EXPECT_EQ(refusal_of("dfs", plain, bytes),
              "saved search state: it was made with the fine independence relation, not the plain one");
    EXPECT_EQ(refusal_of("dfs", spurious, bytes), "saved search state: it was made without spurious wakeups");
    EXPECT_EQ(refusal_of("dfs", shorter, bytes),
              "saved search state: it was made with at most 400000 steps an execution, not 5");
}

TEST(SavedState, IsRefusedWithAnotherSeedOrDepthOfSampling) {
    StrategyOptions other = small();
    other.seed = 9;
    EXPECT_EQ(refusal_of("pos", other, state_after("pos", small(), 3)),
              "saved search state: its samples were drawn with the seed 1, not 9");
    other = small();
    other.depth = 5;
    EXPECT_EQ(refusal_of("pct", other, state_after("pct", small(), 3)),
              "saved search state: its samples were drawn with the depth 3, not 5");
}

TEST(SavedState, ContinuesWithOtherLimits) {
    StrategyOptions other = small();
    other.max_bound = 1;
    other.samples = 50;
    other.memory_limit = 1 << 20;
    EXPECT_EQ(refusal_of("cb-dfs", other, state_after("cb-dfs", small(), 3)), "accepted");
    EXPECT_EQ(refusal_of("random", other, state_after("random", small(), 3)), "accepted");
}

}  // namespace
}  // namespace raddle
