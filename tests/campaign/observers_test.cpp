// The events that observers receive, and their order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>

#include "tests/campaign/targets.h"

namespace raddle {
namespace {

using namespace raddle::testing;
using ::testing::Contains;

struct Listener : Observer {
    std::vector<std::string> heard;
    std::uint64_t executions = 0, ticks = 0;
    std::atomic<int> inside{0};
    bool alone = true;

    struct Call {
        explicit Call(Listener& listener) : of(listener) { of.alone = of.alone && ++of.inside == 1; }
        ~Call() { --of.inside; }
        Listener& of;
    };
    void started() override { heard.emplace_back("started"); }
    void executed(const Plan&, const Execution&, Strategy& strategy) override {
        const Call call(*this);
        EXPECT_EQ(strategy.coverage().executions, ++executions);
    }
    void finding(const Finding& finding) override { heard.emplace_back(name_of(finding.verdict)); }
    void bound_complete(std::uint32_t bound, const Coverage&) override {
        heard.push_back("bound " + std::to_string(bound));
    }
    void tick(const CampaignProgress&) override {
        const Call call(*this);
        ++ticks;
    }
    void ended(const CampaignResult&, Strategy* strategy) override {
        EXPECT_TRUE(strategy != nullptr);
        heard.emplace_back("ended");
    }
};

TEST(Observers, HearAllInOrderAndOneAtATime) {
    Listener listener;
    // philosophers(3), left fork first: the deadlock takes 1 preemption.
    Campaign campaign(in_memory(philosophers(3, Forks::left_first)), make_strategy("bounded", {}),
                      {.jobs = 3, .keep_going = true});
    const CampaignResult result = campaign.run({&listener});
    ASSERT_GE(listener.heard.size(), 4u);
    EXPECT_EQ(listener.heard.front(), "started");
    EXPECT_EQ(listener.heard.back(), "ended");
    EXPECT_THAT(listener.heard, Contains("bound 0"));
    EXPECT_THAT(listener.heard, Contains("deadlock"));
    EXPECT_EQ(listener.executions, result.coverage.executions);
    EXPECT_GT(listener.ticks, 0u);
    EXPECT_TRUE(listener.alone);
}

TEST(Observers, EndTheCampaignByFailing) {
    struct FullDisk : Observer {
        void executed(const Plan&, const Execution&, Strategy&) override { throw BadInput("the disk is full"); }
    } disk;
    Campaign campaign(in_memory(locks(2, 2)), make_strategy("bounded", {}), {.jobs = 2});
    const CampaignResult result = campaign.run({&disk});
    EXPECT_EQ(result.end, CampaignEnd::failed);
    EXPECT_THAT(result.incomplete_because(), Contains("the disk is full"));
    EXPECT_EQ(verdict_of(result), CampaignVerdict::incomplete);
}

TEST(Observers, GetTheTimeWhileTheSearchWaits) {
    struct Clock : Observer {
        std::latch enough{3};
        int ticks = 0;
        void tick(const CampaignProgress&) override {
            if (ticks++ < 3) enough.count_down();
        }
    } clock;
    Campaign campaign([&] { return std::make_unique<Scripted>(locks(1, 1), [&] { clock.enough.wait(); }); },
                      make_strategy("optimal", {}), {});
    EXPECT_TRUE(campaign.run({&clock}).complete);
}

}  // namespace
}  // namespace raddle
