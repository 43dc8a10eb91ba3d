// Merging two campaigns of one program gives a campaign that continues as if it had done the work of both.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/merge.h"
#include "tests/programs.h"
#include "tests/store/campaigns.h"

namespace raddle::testing {
namespace {

using ::testing::HasSubstr;

Merged merged(const TemporaryDirectory& place, const Subject& subject) {
    CampaignStore store(place / "a", CampaignStore::Open::write);
    const CampaignStore other(place / "b", CampaignStore::Open::read);
    return merge(store, other, subject.strategy, {}, {});
}

// Both begin; they are merged; the result is finished.
void expect_whole(const Subject& a, std::uint64_t executions_of_a, const Subject& b, std::uint64_t executions_of_b) {
    const TemporaryDirectory place;
    run_stored(a, place / "whole", {}, {}, {});
    const Answer whole = answer_in(place / "whole");
    run_stored(a, place / "a", {}, {.max_executions = executions_of_a}, {});
    run_stored(b, place / "b", {}, {.max_executions = executions_of_b}, {});
    const Merged result = merged(place, a);
    EXPECT_EQ(result.before, executions_of_a);
    EXPECT_EQ(result.other, executions_of_b);
    EXPECT_GE(result.now, std::max(executions_of_a, executions_of_b));
    EXPECT_LE(result.now, executions_of_a + executions_of_b);
    EXPECT_EQ(answer_in(place / "a").executions, result.now);
    EXPECT_EQ(answer_in(place / "b").executions, executions_of_b);  // only read

    run_stored(a, place / "a", {}, {}, {});
    const Answer end = answer_in(place / "a");
    EXPECT_EQ(end.graphs, whole.graphs);
    EXPECT_LE(end.executions, end.graphs);  // no graph twice
    EXPECT_EQ(end.complete_to, whole.complete_to);
    EXPECT_EQ(end.exhausted, whole.exhausted);
    EXPECT_EQ(end.bugs, whole.bugs);
    EXPECT_EQ(CampaignStore(place / "a", CampaignStore::Open::read).verify(), "ok");
    std::uint64_t endings = 0;
    for (const auto& [verdict, times] : CampaignStore(place / "a", CampaignStore::Open::read).progress().endings)
        endings += times;
    EXPECT_EQ(endings, end.executions);
}

const Subject locks_alone{"locks", locks(3, 3)};  // 9!/(3!)^3 = 1680
// Eight jobs return the executions in another order.
const Subject locks_in_haste{"locks", locks(3, 3), "bounded", {}, std::chrono::microseconds(50), 8};

TEST(Merge, JoinsCampaignsThatWentTheSameWay) {
    expect_whole(locks_alone, 500, locks_alone, 900);
    expect_whole(locks_alone, 900, locks_alone, 500);
}

TEST(Merge, JoinsCampaignsThatWentDifferentWays) {
    expect_whole(locks_alone, 700, locks_in_haste, 600);
    expect_whole(locks_in_haste, 300, locks_alone, 1200);
}

TEST(Merge, KeepsTheBugsOfBoth) {
    const Subject dining{"philosophers", philosophers(4, Forks::left_first)};  // 15 graphs, one of them a deadlock
    expect_whole(dining, 3, dining, 14);
    expect_whole(dining, 14, dining, 3);
}

TEST(Merge, JoinsAFinishedCampaign) {
    expect_whole(locks_alone, 100, locks_alone, 1680);
    expect_whole(locks_alone, 1680, locks_alone, 100);
}

TEST(Merge, JoinsPortfolios) {
    const Subject locked{"locks", locks(3, 3), "portfolio"};
    expect_whole(locked, 500, locked, 900);
    expect_whole(locked, 100, locked, 1680);
    const Subject dining{"philosophers", philosophers(4, Forks::left_first), "portfolio"};
    expect_whole(dining, 3, dining, 14);
    expect_whole(dining, 14, dining, 3);
}

TEST(Merge, KeepsTheFurtherOfTwoSearchesInOneOrder) {
    const Subject optimal{"locks", locks(3, 3), "optimal"};
    expect_whole(optimal, 300, optimal, 1000);
    expect_whole(optimal, 1000, optimal, 300);
    const Subject source{"locks", locks(3, 2), "source"};
    expect_whole(source, 20, source, 50);
}

TEST(Merge, RefusesDifferentCampaigns) {
    const TemporaryDirectory place;
    run_stored(locks_alone, place / "a", {}, {.max_executions = 5});
    run_stored({"other", locks(2, 2)}, place / "b");
    const Answer before = answer_in(place / "a");
    try {
        merged(place, locks_alone);
        ADD_FAILURE() << "merged";
    } catch (const StoreError& error) {
        EXPECT_THAT(error.what(), HasSubstr("cannot be merged: from the first to the second, program was locks"));
    }
    EXPECT_EQ(answer_in(place / "a"), before);
}

}  // namespace
}  // namespace raddle::testing
