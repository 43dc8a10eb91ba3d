// The size of a saved campaign, and the continuation of the search after loading it.
#include <gtest/gtest.h>

#include "tests/programs.h"
#include "tests/search/explore.h"

namespace raddle::testing {
namespace {

StrategyOptions plain() {
    StrategyOptions options;
    options.machine.independence = Independence::plain;
    return options;
}

// The search after the given number of executions.
std::unique_ptr<Strategy> explored(const Code& code, std::size_t executions) {
    ModelProgram program(code);
    std::unique_ptr<Strategy> strategy = make_strategy("bounded", plain());
    for (std::size_t i = 0; i < executions; ++i) {
        const std::optional<Plan> plan = strategy->next();
        if (!plan) break;
        strategy->learn(*plan, program.run(*plan));
    }
    return strategy;
}

TEST(SavedBoundedSearch, TakesLessThan200BytesAnExecution) {
    for (const Code& code : {locks(4, 2), lastzero(11), wsq(4)}) {
        const std::unique_ptr<Strategy> strategy = explored(code, 2'000);
        const std::uint64_t executions = strategy->coverage().executions;
        ASSERT_GT(executions, 300u);
        EXPECT_LT(save_strategy("bounded", plain(), *strategy).size(), 200 * executions) << executions << " executions";
    }
}

TEST(SavedBoundedSearch, GivesOutTheSamePlansAsTheSearchItself) {
    for (const std::size_t executions : {1u, 10u, 100u, 700u, 1'500u}) {
        const std::unique_ptr<Strategy> strategy = explored(locks(4, 2), executions);
        const std::unique_ptr<Strategy> loaded =
            load_strategy("bounded", plain(), save_strategy("bounded", plain(), *strategy));
        const std::optional<Plan> next = strategy->next(), next_loaded = loaded->next();
        ASSERT_TRUE(next && next_loaded);
        EXPECT_EQ(text_of(next_loaded->prefix), text_of(next->prefix)) << "after " << executions << " executions";
    }
}

TEST(BoundedSearchJoined, ClaimsNoBoundBeforeItsGraphsAreFound) {
    const std::vector<std::uint64_t> graphs_to{6, 42, 192, 552, 1'062};  // locks(3,3), with at most 0, 1, … preemptions
    const Code code = locks(3, 3);
    ModelProgram program(code);
    for (const std::size_t executions : {3u, 20u, 100u}) {
        const std::unique_ptr<Strategy> one = explored(code, executions), other = explored(code, 400);
        ASSERT_TRUE(one->merge(*other));
        for (;;) {
            const std::optional<std::uint32_t> complete = one->coverage().complete_to;
            if (complete && *complete < graphs_to.size()) {
                EXPECT_GE(one->coverage().graphs, graphs_to[*complete]) << "complete to " << *complete;
            }
            const std::optional<Plan> plan = one->next();
            if (!plan) break;
            one->learn(*plan, program.run(*plan));
        }
        EXPECT_EQ(one->coverage().graphs, 1'680u);
        EXPECT_TRUE(one->coverage().exhausted);
    }
}

}  // namespace
}  // namespace raddle::testing
