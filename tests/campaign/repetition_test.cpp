// Campaigns repeat executions to check that the program is deterministic: how often, and the effect of a difference.
#include "supervisor/campaign/repetition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/campaign/targets.h"

namespace raddle {
namespace {

using namespace raddle::testing;
using ::testing::HasSubstr;

TEST(Repetition, IsOftenAtFirstAndRareLater) {
    RepetitionRhythm rhythm;
    const std::chrono::steady_clock::time_point now{};
    std::vector<int> repeated;
    for (int i = 1; i <= 3000; ++i)
        if (rhythm.after_execution(now) != Repeat::no) repeated.push_back(i);
    EXPECT_THAT(repeated, ::testing::ElementsAre(1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 512, 1512, 2512));
}

TEST(Repetition, IsNeverMoreThanATwentiethOfASlowCampaign) {
    RepetitionRhythm rhythm;
    std::chrono::steady_clock::time_point now{};
    int repeated = 0;
    for (int i = 1; i <= 2000; ++i, now += std::chrono::seconds(5))
        repeated += rhythm.after_execution(now) != Repeat::no;
    EXPECT_GE(repeated, 90);
    EXPECT_LE(repeated, 110);
}

TEST(Repetition, FindsNothingInASoundProgramAndIsCountedSeparately) {
    Campaign campaign(in_memory(locks(3, 2)), make_strategy("optimal", {}), {});
    const CampaignResult result = campaign.run({});
    EXPECT_EQ(result.coverage.executions, 90u);
    EXPECT_EQ(result.checks, 8u);  // after 1, 2, 3, 4, 8 … 64
    EXPECT_TRUE(result.complete);
}

// Its first action shows the branch it took, and the branch depends on the number of runs.
Code fickle(int& asked, int turn) {
    return [&asked, turn](Thread& t) -> Body {
        const Variable one{++asked == turn ? 1u : 2u};
        co_await t.write(one, 1);
        co_await t.choose(2);
    };
}

TEST(Repetition, NoticesDifferencesThatTheSearchMisses) {
    // There are two executions, one for each choice; the search compares only their common prefix. Its own two runs
    // agree, but the repetitions differ.
    for (const char* strategy : {"optimal", "bounded", "dfs", "random"}) {
        int asked = 0;
        Campaign campaign(in_memory(fickle(asked, 2)), make_strategy(strategy, {}), {});
        const CampaignResult result = campaign.run({});
        ASSERT_FALSE(result.disagreements.empty()) << strategy;
        EXPECT_THAT(result.disagreements[0].found.message,
                    HasSubstr("executed again went another way at step 1: first "));
        EXPECT_EQ(exit_code_of(verdict_of(result)), 4) << strategy;
        EXPECT_FALSE(result.complete);
    }
}

// More of the program is visible from its second run on.
class Growing : public Target {
public:
    explicit Growing(int& runs) : runs_(runs) {}
    Execution run(const Plan& plan) override {
        const bool more = ++runs_ > 1;
        ModelProgram program([more](Thread& t) -> Body {
            co_await t.write(Variable{1}, 1);
            if (more) co_await t.write(Variable{2}, 1);
        });
        Execution execution = program.run(plan);
        execution.is_void = more && plan.epoch != 1;
        return execution;
    }

private:
    int& runs_;
};

TEST(Repetition, IsSkippedAfterTheVisibleSetHasGrown) {
    int runs = 0;
    Campaign campaign([&] { return std::make_unique<Growing>(runs); }, make_strategy("bounded", {}), {});
    const CampaignResult result = campaign.run({});
    EXPECT_GT(runs, 1);
    EXPECT_EQ(result.checks, 0u);
    EXPECT_TRUE(result.disagreements.empty());
}

TEST(Repetition, ComparesAFreshlyStartedTarget) {
    // Each target agrees with itself, but no two targets agree.
    int targets = 0;
    Campaign campaign(
        [&] {
            const Variable own{static_cast<std::uint32_t>(++targets)};
            return std::make_unique<ModelProgram>([own](Thread& t) -> Body { co_await t.write(own, 1); });
        },
        make_strategy("bounded", {}), {});
    EXPECT_EQ(exit_code_of(verdict_of(campaign.run({}))), 4);
    EXPECT_EQ(targets, 2);
}

}  // namespace
}  // namespace raddle
