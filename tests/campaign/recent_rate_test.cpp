// The rate of executions, of which every display shows the same number.
#include "supervisor/campaign/recent_rate.h"

#include <gtest/gtest.h>

#include "supervisor/campaign/campaign_result.h"

namespace raddle {
namespace {

TEST(RecentRate, CountsFromTheFirstCount) {
    RecentRate rate;
    EXPECT_EQ(rate.update(1, 1'000'000), 0);
    EXPECT_DOUBLE_EQ(rate.update(3, 1'000'100), 50);
}

TEST(RecentRate, ForgetsWhatIsMoreThanFiveSecondsAgo) {
    RecentRate rate;
    rate.update(0, 1);
    rate.update(1, 1'000);
    rate.update(2, 1'000);
    EXPECT_DOUBLE_EQ(rate.update(7, 1'010), 2);
}

TEST(RecentRate, IsNeverNegative) {
    RecentRate rate;
    rate.update(1, 1'396);
    EXPECT_EQ(rate.update(2, 432), 0);
    EXPECT_DOUBLE_EQ(rate.update(3, 482), 50);
    EXPECT_EQ(rate.update(4, 0), 0);
    EXPECT_GE(rate.update(5, 1), 0);
}

TEST(CampaignResult, HasARateOfThisRunOnly) {
    CampaignResult result;
    EXPECT_EQ(result.executions_per_second(), 0);
    result.coverage.executions = 1'000'000;  // most of them of earlier runs
    result.executed = 50;
    result.seconds = 2;
    EXPECT_DOUBLE_EQ(result.executions_per_second(), 25);
}

TEST(CampaignResult, NamesVoidExecutionsWhereThereAreSome) {
    Coverage coverage;
    coverage.executions = 7;
    coverage.graphs = 7;
    EXPECT_EQ(counts_of(coverage), "7 graphs, 7 executions");
    coverage.void_executions = 1;
    EXPECT_EQ(counts_of(coverage), "7 graphs, 7 executions and 1 void one");
    EXPECT_EQ(coverage.executions_in_all(), 8u);
}

}  // namespace
}  // namespace raddle
