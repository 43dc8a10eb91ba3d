// Reader-writer locks as in glibc: readers go first unless the lock prefers writers.
#include "tests/model/script.h"

namespace raddle::testing {
namespace {

constexpr Thing l = thing(1);
constexpr Thing writers_first = thing(2, attribute::rwlock::prefer_writers);

TEST(RwLock, ReadersShareAndExcludeAWriter) {
    Script s(3);
    EXPECT_EQ(s.does(1, rdlock(l)).result, 0);
    EXPECT_EQ(s.does(2, tryrdlock(l)).result, 0);
    EXPECT_EQ(s.does(0, trywrlock(l)).result, EBUSY);
    EXPECT_BLOCKED(s, 3, wrlock(l));
    s.does(1, rwunlock(l));
    EXPECT_TRUE(s.blocked(3));
    s.does(2, rwunlock(l));
    EXPECT_EQ(s.goes_on(3).result, 0);
}

TEST(RwLock, WriterExcludesAll) {
    Script s(3);
    s.does(1, wrlock(l));
    EXPECT_EQ(s.does(2, tryrdlock(l)).result, EBUSY);
    EXPECT_EQ(s.does(2, trywrlock(l)).result, EBUSY);
    EXPECT_BLOCKED(s, 2, rdlock(l));
    EXPECT_BLOCKED(s, 3, wrlock(l));
    s.does(1, rwunlock(l));
    EXPECT_TRUE(s.ready(2));
    EXPECT_TRUE(s.ready(3));
}

TEST(RwLock, UnlockIsNamedByWhatTheThreadHolds) {
    Script s(1);
    s.does(1, wrlock(l));
    s.announces(1, rwunlock(l));
    EXPECT_EQ(s.record(1).pending.operation, Operation::rwlock_wrunlock);
    s.goes_on(1);
    s.does(1, rdlock(l));
    s.announces(1, action(Operation::rwlock_wrunlock, l));
    EXPECT_EQ(s.record(1).pending.operation, Operation::rwlock_rdunlock);
}

TEST(RwLock, ReaderMayReadAgain) {
    Script s(2);
    s.does(1, rdlock(l));
    EXPECT_BLOCKED(s, 2, wrlock(l));
    EXPECT_EQ(s.does(1, rdlock(l)).result, 0) << "a writer waits, but readers go first";
    s.does(1, rwunlock(l));
    EXPECT_TRUE(s.blocked(2));
    s.does(1, rwunlock(l));
    EXPECT_TRUE(s.ready(2));
}

TEST(RwLock, UpgradeIsADeadlock) {
    Script s(1);
    s.does(1, rdlock(l));
    EXPECT_EQ(s.does(1, trywrlock(l)).result, EBUSY);
    EXPECT_BLOCKED(s, 1, wrlock(l));
}

TEST(RwLock, WriterThatLocksAgainIsToldSo) {
    for (const Thing any : {l, writers_first}) {
        Script s(1);
        s.does(1, wrlock(any));
        if (any.attributes != 0) s.goes_on(1);
        const ActionOutcome again = s.does(1, timed(rdlock(any), 5));
        EXPECT_EQ(again.result, EDEADLK);
        EXPECT_MISUSE(relock_held, again);
        ActionOutcome upgrade = s.does(1, wrlock(any));
        if (upgrade.continues) upgrade = s.goes_on(1);
        EXPECT_EQ(upgrade.result, EDEADLK);
        EXPECT_MISUSE(relock_held, upgrade);
        EXPECT_EQ(s.record(any).waiters, 0u);
    }
}

TEST(RwLock, WriterThatTriesAgainIsNoMisuse) {
    Script s(1);
    s.does(1, wrlock(l));
    for (const Action& attempt : {tryrdlock(l), trywrlock(l)}) {
        const ActionOutcome refused = s.does(1, attempt);
        EXPECT_EQ(refused.result, EBUSY);
        EXPECT_MISUSE(none, refused);
    }
}

TEST(RwLock, TimedLocksTimeOut) {
    Script s(3);
    s.does(1, wrlock(l));
    EXPECT_EQ(s.does(2, timed(rdlock(l), 5)).result, ETIMEDOUT);
    EXPECT_EQ(s.does(3, timed(wrlock(l), 5)).result, ETIMEDOUT);
    s.does(1, rwunlock(l));
    EXPECT_EQ(s.does(2, timed(rdlock(l), 5)).result, 0);
    EXPECT_EQ(s.does(2, timed(wrlock(l), 5)).result, ETIMEDOUT) << "it reads itself";
}

// ---- locks that prefer writers

TEST(RwLock, QueuedWriterStopsNewReaders) {
    Script s(3);
    s.does(1, rdlock(writers_first));
    s.announces(2, wrlock(writers_first));
    EXPECT_EQ(s.record(2).pending.operation, Operation::rwlock_request);
    EXPECT_TRUE(s.goes_on(2).continues);
    EXPECT_TRUE(s.blocked(2));
    EXPECT_EQ(s.does(3, tryrdlock(writers_first)).result, EBUSY);
    EXPECT_EQ(s.does(3, trywrlock(writers_first)).result, EBUSY);
    EXPECT_BLOCKED(s, 3, rdlock(writers_first));
    s.does(1, rwunlock(writers_first));
    EXPECT_TRUE(s.blocked(3));
    EXPECT_EQ(s.goes_on(2).result, 0);
    s.does(2, rwunlock(writers_first));
    EXPECT_TRUE(s.ready(3));
}

TEST(RwLock, TryDoesNotGoBeforeAQueuedWriter) {
    Script s(3);
    s.does(1, rdlock(writers_first));
    s.does(2, wrlock(writers_first));
    s.does(1, rwunlock(writers_first));
    EXPECT_EQ(s.does(3, trywrlock(writers_first)).result, EBUSY) << "the lock is the queued writer's";
    EXPECT_TRUE(s.ready(2));
}

TEST(RwLock, ReadingAgainWhileAWriterIsQueuedIsADeadlock) {
    Script s(2);
    s.does(1, rdlock(writers_first));
    s.does(2, wrlock(writers_first));
    EXPECT_BLOCKED(s, 1, rdlock(writers_first));
    EXPECT_TRUE(s.blocked(2));
}

TEST(RwLock, QueuedWritersGoInAnyOrder) {
    Script s(3);
    s.does(1, rdlock(writers_first));
    s.does(2, wrlock(writers_first));
    s.does(3, wrlock(writers_first));
    s.does(1, rwunlock(writers_first));
    EXPECT_TRUE(s.ready(2));
    EXPECT_EQ(s.goes_on(3).result, 0);
    EXPECT_TRUE(s.blocked(2));
}

TEST(RwLock, WriterWhoseTimeRanOutLeavesTheQueue) {
    Script s(3);
    s.does(1, rdlock(writers_first));
    s.does(2, timed(wrlock(writers_first), 5));
    EXPECT_BLOCKED(s, 3, rdlock(writers_first));
    EXPECT_TRUE(s.can_only_time_out(2));
    EXPECT_EQ(s.goes_on(2).result, ETIMEDOUT);
    EXPECT_EQ(s.goes_on(3).result, 0);
}

TEST(RwLock, QueuedWriterIsNotCancelledOutOfTheQueue) {
    Script s(2);
    s.does(1, rdlock(writers_first));
    s.does(2, cancellable(wrlock(writers_first)));
    s.does(0, s.cancel(2));
    EXPECT_TRUE(s.blocked(2));
    s.does(1, rwunlock(writers_first));
    EXPECT_EQ(s.goes_on(2).effect, Effect::done);
    EXPECT_EQ(s.record(writers_first).waiters, 0u);
}

TEST(RwLock, ReaderThatTimesOutBehindAQueuedWriterLeavesTheQueue) {
    Script s(3);
    s.does(1, rdlock(writers_first));
    s.does(2, wrlock(writers_first));
    EXPECT_EQ(s.does(3, timed(rdlock(writers_first), 5)).effect, Effect::timed_out);
}

// ---- unlocks by other threads

TEST(RwLock, StrangersUnlockIsSeen) {
    Script s(2);
    EXPECT_MISUSE(unlock_unlocked, s.does(2, rwunlock(l)));
    s.does(1, rdlock(l));
    EXPECT_MISUSE(unlock_not_owner, s.does(2, rwunlock(l)));
    EXPECT_EQ(s.record(l).count, 1u);
    s.does(1, rwunlock(l));
    s.does(1, wrlock(l));
    EXPECT_MISUSE(unlock_not_owner, s.does(2, rwunlock(l)));
    EXPECT_EQ(s.record(l).owner, s.slot(1));
}

TEST(RwLock, UnlockOnceMoreThanLockedIsSeenWhileOthersRead) {
    Script s(2);
    s.does(1, rdlock(l));
    s.does(2, rdlock(l));
    EXPECT_MISUSE(none, s.does(1, rwunlock(l)));
    EXPECT_MISUSE(unlock_not_owner, s.does(1, rwunlock(l)));
}

TEST(RwLock, WhatWasHeldBeforeAnInitIsForgotten) {
    Script s(1);
    s.does(1, rdlock(l));
    EXPECT_MISUSE(init_in_use, s.does(1, action(Operation::rwlock_init, l)));
    EXPECT_MISUSE(unlock_unlocked, s.does(1, rwunlock(l)));
    EXPECT_EQ(s.record(l).count, 0u);
}

TEST(RwLock, DestroyWhileHeldOrWaitedForIsMisuse) {
    Script s(3);
    s.does(1, rdlock(writers_first));
    s.does(2, wrlock(writers_first));
    s.does(1, rwunlock(writers_first));
    EXPECT_MISUSE(destroy_waited, s.does(3, action(Operation::rwlock_destroy, writers_first)));
    s.does(1, rdlock(l));
    EXPECT_MISUSE(destroy_locked, s.does(3, action(Operation::rwlock_destroy, l)));
}

TEST(RwLock, ReadersCommuteUnderTheFineRelationOnly) {
    for (const Independence relation : {Independence::fine, Independence::plain}) {
        Script s(1, {.independence = relation});
        const ActionOutcome read = s.does(1, rdlock(l));
        ASSERT_EQ(read.use_count, 1);
        EXPECT_EQ(read.uses[0].mode, relation == Independence::fine ? Mode::shared : Mode::exclusive);
    }
}

}  // namespace
}  // namespace raddle::testing
