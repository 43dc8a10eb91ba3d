// Barriers.
#include "tests/model/script.h"

namespace raddle::testing {
namespace {

constexpr Thing b = thing(1);

Action init(std::int64_t count) { return action(Operation::barrier_init, b, count); }
const Action arrive = action(Operation::barrier_wait, b);
const Action destroy_it = action(Operation::barrier_destroy, b);

TEST(Barrier, LastToArriveIsTheSerialThreadAndLetsTheOthersGo) {
    Script s(3);
    s.does(0, init(3));
    EXPECT_TRUE(s.does(1, arrive).continues);
    EXPECT_TRUE(s.does(2, arrive).continues);
    EXPECT_TRUE(s.blocked(1));
    const ActionOutcome last = s.does(3, arrive);
    EXPECT_FALSE(last.continues);
    EXPECT_EQ(last.result, -1);  // PTHREAD_BARRIER_SERIAL_THREAD
    for (const std::uint32_t n : {1u, 2u}) {
        const ActionOutcome left = s.goes_on(n);
        EXPECT_EQ(left.result, 0);
        EXPECT_EQ(left.enabler.thread, s.slot(3));
    }
}

TEST(Barrier, OfOneThreadNeverWaits) {
    Script s(1);
    s.does(0, init(1));
    for (int round = 0; round < 3; ++round) EXPECT_EQ(s.does(1, arrive).result, -1);
}

TEST(Barrier, NextRoundDoesNotWaitForThoseThatHaveNotLeft) {
    Script s(3);
    s.does(0, init(2));
    s.does(1, arrive);
    s.does(2, arrive);
    s.does(2, arrive);  // the second round; 1 is still in the first
    EXPECT_TRUE(s.ready(1));
    EXPECT_TRUE(s.blocked(2));
    EXPECT_EQ(s.does(3, arrive).result, -1);
    EXPECT_TRUE(s.ready(2));
    const ActionOutcome left = s.goes_on(1);
    EXPECT_EQ(left.enabler.thread, s.slot(2)) << "who ended its own round";
    EXPECT_EQ(left.enabler.number, s.record(2).events - 1);
}

TEST(Barrier, MayBeDestroyedBeforeTheOthersHaveLeft) {
    Script s(2);
    s.does(0, init(2));
    s.does(1, arrive);
    s.does(2, arrive);
    EXPECT_MISUSE(none, s.does(2, destroy_it));
    EXPECT_MISUSE(none, s.goes_on(1));
}

TEST(Barrier, MayBeInitialisedAgainBeforeTheOthersHaveLeft) {
    Script s(2);
    s.does(0, init(2));
    s.does(1, arrive);
    s.does(2, arrive);
    s.does(2, destroy_it);
    s.does(2, init(2));
    EXPECT_TRUE(s.ready(1));
    EXPECT_TRUE(s.does(2, arrive).continues);
    EXPECT_TRUE(s.blocked(2)) << "alone in the new round";
    s.goes_on(1);
    EXPECT_EQ(s.does(1, arrive).result, -1);
}

TEST(Barrier, DestroyAndInitWhileSomebodyWaitsAreMisuse) {
    for (const bool destroys : {true, false}) {
        Script s(1);
        s.does(0, init(2));
        s.does(1, arrive);
        const ActionOutcome told = s.does(0, destroys ? destroy_it : init(2));
        EXPECT_EQ(told.misuse, destroys ? Misuse::destroy_waited : Misuse::init_in_use);
    }
}

TEST(Barrier, ForNoThreadIsRefused) {
    Script s(0);
    const ActionOutcome refused = s.does(0, init(0));
    EXPECT_EQ(refused.result, EINVAL);
    EXPECT_MISUSE(barrier_bad_count, refused);
}

TEST(Barrier, WithoutALifeIsMisuse) {
    Script s(0);
    EXPECT_MISUSE(use_uninitialised, s.does(0, arrive));
    s.does(0, init(1));
    s.does(0, destroy_it);
    EXPECT_MISUSE(use_after_destroy, s.does(0, arrive));
}

TEST(Barrier, LeavingTouchesNothing) {
    Script s(2);
    s.does(0, init(2));
    s.does(1, arrive);
    s.does(2, arrive);
    EXPECT_EQ(s.goes_on(1).use_count, 0);
}

}  // namespace
}  // namespace raddle::testing
