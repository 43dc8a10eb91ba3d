// Targets that fail are replaced; repeated failures, and failures that a new target would repeat, end the campaign.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "tests/campaign/targets.h"

namespace raddle {
namespace {

using namespace raddle::testing;
using ::testing::Contains;
using ::testing::ElementsAre;

TEST(FailingTargets, ReplacesATargetThatFails) {
    for (const unsigned jobs : {1u, 3u}) {
        std::atomic<int> targets{0}, runs{0};
        Campaign campaign(
            [&] {
                ++targets;
                return std::make_unique<Scripted>(locks(3, 2), [&] {
                    if (++runs % 10 == 0) throw std::runtime_error("gone");
                });
            },
            make_strategy("optimal", {}), {.jobs = jobs, .repeat = false});
        const CampaignResult result = campaign.run({});
        EXPECT_EQ(result.coverage.graphs, 90u);
        EXPECT_EQ(result.coverage.executions, 90u);  // no graph twice
        EXPECT_TRUE(result.complete);
        EXPECT_EQ(result.replaced, 9u);  // at the 10th, 20th … 90th of 99 runs
        EXPECT_LE(targets, static_cast<int>(jobs) + 9);
    }
}

TEST(FailingTargets, GivesUpATargetThatAlwaysFails) {
    for (const unsigned jobs : {1u, 4u}) {
        Campaign campaign([]() -> std::unique_ptr<Target> { throw std::runtime_error("never there"); },
                          make_strategy("optimal", {}), {.jobs = jobs});
        const CampaignResult result = campaign.run({});
        EXPECT_EQ(result.end, CampaignEnd::failed);
        EXPECT_THAT(result.incomplete_because(), Contains("the target failed again and again: never there"));
        EXPECT_EQ(verdict_of(result), CampaignVerdict::incomplete);
    }
}

TEST(FailingTargets, GivesUpAPlanThatNoTargetSurvives) {
    // Other plans succeed meanwhile: failures are counted for each plan, not only in a row.
    class Poisoned : public Target {
    public:
        explicit Poisoned(std::string& poison) : poison_(poison) {}
        Execution run(const Plan& plan) override {
            const std::string prefix = text_of(plan.prefix);
            if (poison_.empty() && plan.prefix.size() > 8) poison_ = prefix;
            if (!poison_.empty() && prefix == poison_) throw std::runtime_error("poison");
            return program_.run(plan);
        }

    private:
        std::string& poison_;
        ModelProgram program_{locks(2, 2)};
    };
    std::string poison;
    Campaign campaign([&] { return std::make_unique<Poisoned>(poison); }, make_strategy("dfs", {}), {.repeat = false});
    const CampaignResult result = campaign.run({});
    EXPECT_EQ(result.end, CampaignEnd::failed);
    EXPECT_EQ(result.replaced, 3u);
    EXPECT_FALSE(result.complete);
}

TEST(FailingTargets, DoesNotRetryMistakesOfTheUser) {
    int tries = 0;
    Campaign campaign(
        [&]() -> std::unique_ptr<Target> {
            ++tries;
            throw BadInput("no such program");
        },
        make_strategy("bounded", {}), {});
    const CampaignResult result = campaign.run({});
    EXPECT_EQ(tries, 1);
    EXPECT_EQ(result.lost, 0u);
    EXPECT_THAT(result.incomplete_because(), ElementsAre("no such program"));
    EXPECT_EQ(exit_code_of(verdict_of(result)), 5);
}

TEST(FailingTargets, KeepsResultsFromBeforeAFailure) {
    int runs = 0;
    Campaign campaign(
        [&] {
            return std::make_unique<Scripted>(philosophers(3, Forks::left_first), [&] {
                if (++runs > 6) throw BadInput("the disk is gone");
            });
        },
        make_strategy("optimal", {}), {.keep_going = true, .repeat = false});
    const CampaignResult result = campaign.run({});
    EXPECT_EQ(result.end, CampaignEnd::failed);
    EXPECT_EQ(result.coverage.executions, 6u);
    EXPECT_NE(verdict_of(result), CampaignVerdict::uncontrollable);
    EXPECT_FALSE(result.complete);
}

TEST(FailingTargets, PassesOnInternalErrors) {
    Campaign campaign([]() -> std::unique_ptr<Target> { throw BrokenInvariant("1 > 2"); }, make_strategy("bounded", {}),
                      {});
    const CampaignResult result = campaign.run({});
    ASSERT_TRUE(result.failure);
    EXPECT_THROW(std::rethrow_exception(result.failure), BrokenInvariant);
}

}  // namespace
}  // namespace raddle
