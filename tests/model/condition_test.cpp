// Condition variables: the queue, the choice of a waiter, and every way to leave a wait.
#include "tests/model/script.h"

namespace raddle::testing {
namespace {

constexpr Thing c = thing(1), m = thing(2);
constexpr Thing recursive_m = thing(3, recursive);
constexpr Thing robust_m = thing(4, attribute::mutex::robust);

// Thread n locks the mutex and stands in the queue.
void waits(Script& s, std::uint32_t n, Thing mutex = m) {
    s.does(n, lock(mutex));
    EXPECT_TRUE(s.does(n, wait(c, mutex)).continues);
}

TEST(Condition, WaitReleasesTheMutexAndWakesWithIt) {
    Script s(2);
    waits(s, 1);
    EXPECT_TRUE(s.blocked(1));
    s.does(2, lock(m));
    s.does(2, signal(c));
    EXPECT_TRUE(s.blocked(1)) << "signalled, but the mutex is held";
    s.does(2, unlock(m));
    EXPECT_EQ(s.goes_on(1).result, 0);
    EXPECT_EQ(s.record(m).owner, s.slot(1));
}

TEST(Condition, WokenThreadCompetesForTheMutex) {
    Script s(3);
    waits(s, 1);
    EXPECT_EQ(s.does(2, signal(c)).effect, Effect::done);
    s.does(3, lock(m));
    EXPECT_TRUE(s.blocked(1));
}

TEST(Condition, SignalNobodyWaitsForIsLost) {
    Script s(2);
    const ActionOutcome lost = s.does(2, signal(c));
    EXPECT_EQ(lost.effect, Effect::failed);
    EXPECT_EQ(lost.result, 0);
    EXPECT_EQ(s.does(2, broadcast(c)).effect, Effect::failed);
    waits(s, 1);
    EXPECT_TRUE(s.blocked(1));
}

TEST(Condition, WhichWaiterWakesIsAChoiceOldestFirst) {
    for (const std::uint32_t chosen : {0u, 1u, 2u}) {
        Script s(4);
        for (const std::uint32_t n : {2u, 3u, 1u}) waits(s, n);  // the queue: 2, 3, 1
        s.announces(4, signal(c));
        EXPECT_EQ(s.ways(4), 3u);
        s.goes_on(4, chosen);
        const std::uint32_t queue[] = {2, 3, 1};
        for (const std::uint32_t place : {0u, 1u, 2u}) EXPECT_EQ(s.ready(queue[place]), place == chosen);
    }
}

TEST(Condition, QueueClosesUpWhenOneLeaves) {
    Script s(4);
    for (const std::uint32_t n : {1u, 2u, 3u}) waits(s, n);
    s.does(4, signal(c), 1);  // 2 leaves: 1, 3 are left
    s.does(4, signal(c), 1);
    EXPECT_TRUE(s.ready(3));
    EXPECT_TRUE(s.blocked(1));
    s.announces(4, signal(c));
    EXPECT_EQ(s.ways(4), 1u);
}

TEST(Condition, SignalDoesNotChooseAThreadThatTimedOut) {
    Script s(3);
    s.does(1, lock(m));
    s.does(1, timed(wait(c, m), 50));
    waits(s, 2);
    EXPECT_EQ(s.goes_on(1).effect, Effect::timed_out);
    EXPECT_EQ(s.does(3, signal(c)).effect, Effect::done);
    EXPECT_TRUE(s.ready(2)) << "the signal went to the thread that no longer waits";
}

TEST(Condition, BroadcastWakesAllOneAfterTheOther) {
    Script s(4);
    for (const std::uint32_t n : {1u, 2u, 3u}) waits(s, n);
    s.does(4, broadcast(c));
    for (const std::uint32_t n : {1u, 2u, 3u}) EXPECT_TRUE(s.ready(n));
    const ActionOutcome woken = s.goes_on(2);
    EXPECT_EQ(woken.enabler.thread, s.slot(4));
    EXPECT_EQ(woken.enabler.number, s.record(4).events);
    EXPECT_TRUE(s.blocked(1));
    s.does(2, unlock(m));
    EXPECT_EQ(s.goes_on(1).enabler.thread, s.slot(4));
}

TEST(Condition, BroadcastLeavesLaterWaitersAlone) {
    Script s(3);
    waits(s, 1);
    s.does(3, broadcast(c));
    waits(s, 2);
    EXPECT_TRUE(s.ready(1));
    EXPECT_TRUE(s.blocked(2));
}

TEST(Condition, TimeOutLeavesTheQueueAndThenLocksAgain) {
    Script s(2);
    s.does(1, lock(m));
    s.does(1, timed(wait(c, m), 50));
    s.does(2, lock(m));
    const ActionOutcome timed_out = s.goes_on(1);
    EXPECT_EQ(timed_out.effect, Effect::timed_out);
    EXPECT_TRUE(timed_out.continues);
    EXPECT_TRUE(s.blocked(1)) << "the mutex is held, and no time helps";
    s.does(2, unlock(m));
    const ActionOutcome relocked = s.goes_on(1);
    EXPECT_EQ(relocked.result, ETIMEDOUT);
    EXPECT_FALSE(relocked.continues);
    EXPECT_EQ(s.record(m).owner, s.slot(1));
}

TEST(Condition, SignalBetweenTimeOutAndRelockIsLost) {
    Script s(2);
    s.does(1, lock(m));
    s.does(1, timed(wait(c, m), 50));
    s.goes_on(1);
    EXPECT_EQ(s.does(2, signal(c)).effect, Effect::failed);
    EXPECT_EQ(s.goes_on(1).result, ETIMEDOUT);
}

TEST(Condition, SignalledWaitDoesNotTimeOutAnyMore) {
    Script s(2);
    s.does(1, lock(m));
    s.does(1, timed(wait(c, m), 50));
    s.does(2, lock(m));
    s.does(2, signal(c));
    EXPECT_TRUE(s.blocked(1));
    s.does(2, unlock(m));
    EXPECT_EQ(s.goes_on(1).result, 0);
}

TEST(Condition, RecursiveMutexIsReleasedByOneLevelOnlyAsGlibcDoes) {
    Script s(2);
    s.does(1, lock(recursive_m));
    waits(s, 1, recursive_m);
    EXPECT_EQ(s.does(2, trylock(recursive_m)).result, EBUSY) << "held once more";
    s.does(2, signal(c));
    EXPECT_EQ(s.goes_on(1).result, 0);
    EXPECT_EQ(s.record(recursive_m).count, 2u);
    s.does(1, unlock(recursive_m));
    s.does(1, unlock(recursive_m));
    EXPECT_EQ(s.does(2, trylock(recursive_m)).result, 0);
}

TEST(Condition, RecursiveMutexHeldTwiceIsRelockedAfterATimeOut) {
    Script s(1);
    s.does(1, lock(recursive_m));
    s.does(1, lock(recursive_m));
    s.does(1, timed(wait(c, recursive_m), 5));
    s.goes_on(1);
    EXPECT_EQ(s.goes_on(1).result, ETIMEDOUT);
    EXPECT_EQ(s.record(recursive_m).count, 2u);
}

TEST(Condition, RecursiveMutexHeldOnceIsFreeDuringTheWait) {
    Script s(2);
    waits(s, 1, recursive_m);
    EXPECT_EQ(s.does(2, lock(recursive_m)).result, 0);
}

TEST(Condition, CancelledWaitTakesTheMutexBeforeItUnwinds) {
    Script s(2);
    s.does(1, lock(m));
    s.does(1, cancellable(wait(c, m)));
    EXPECT_TRUE(s.blocked(1));
    s.does(2, lock(m));
    s.does(2, s.cancel(1));
    const ActionOutcome left = s.goes_on(1);
    EXPECT_EQ(left.effect, Effect::cancelled);
    EXPECT_FALSE(left.cancels);
    EXPECT_TRUE(s.blocked(1));
    s.does(2, unlock(m));
    EXPECT_TRUE(s.goes_on(1).cancels);
    EXPECT_EQ(s.record(m).owner, s.slot(1));
    EXPECT_TRUE(s.record(1).cancelled);
    EXPECT_EQ(s.does(2, signal(c)).effect, Effect::failed) << "it left the queue";
}

TEST(Condition, CancelBeforeTheWaitActsInsideIt) {
    Script s(2);
    s.does(1, lock(m));
    s.does(2, s.cancel(1));
    EXPECT_EQ(s.does(1, cancellable(wait(c, m))).effect, Effect::done);
    EXPECT_EQ(s.goes_on(1).effect, Effect::cancelled);
    EXPECT_TRUE(s.goes_on(1).cancels);
}

TEST(Condition, SignalIsNotLostToACancelThatCameLater) {
    Script s(3);
    s.does(1, lock(m));
    s.does(1, cancellable(wait(c, m)));
    s.does(2, signal(c));
    s.does(2, s.cancel(1));
    const ActionOutcome woken = s.goes_on(1);
    EXPECT_EQ(woken.effect, Effect::done);
    EXPECT_FALSE(woken.cancels);
    EXPECT_TRUE(s.does(1, testcancel()).cancels);
}

TEST(Condition, SignalledThreadMayActOnItsCancel) {
    Script s(2);
    s.does(1, lock(m));
    s.does(1, cancellable(wait(c, m)));
    s.does(2, signal(c));
    EXPECT_EQ(s.ways(1), 1u);
    s.does(2, s.cancel(1));
    EXPECT_EQ(s.ways(1), 2u);
    EXPECT_TRUE(s.goes_on(1, 1).cancels);
    EXPECT_EQ(s.record(m).owner, s.slot(1));
}

TEST(Condition, CancelKeepsNoSignalFromAThreadThatWaited) {
    Script s(4);
    s.does(1, lock(m));
    s.does(1, cancellable(wait(c, m)));
    waits(s, 2);
    s.does(3, signal(c));
    s.does(3, s.cancel(1));
    EXPECT_EQ(s.ways(1), 1u) << "thread 2 could have the signal";
    waits(s, 4);
    s.does(3, signal(c));
    EXPECT_EQ(s.ways(1), 2u) << "thread 4 came after the signal";
}

TEST(Condition, WaitWithoutTheCancellableFlagIgnoresACancel) {
    Script s(2);
    waits(s, 1);
    s.does(2, s.cancel(1));
    EXPECT_TRUE(s.blocked(1));
}

TEST(Condition, SpuriousWakeupIsAnOptionThatCostsOne) {
    Script s(1, {.spurious_wakeups = true});
    s.does(1, lock(m));
    s.announces(1, wait(c, m));
    EXPECT_EQ(s.ways(1), 2u);
    EXPECT_EQ(s.cost(1, 1, 0), 0u);
    EXPECT_EQ(s.cost(1, 1, 1), 1u);
    s.goes_on(1, 1);
    EXPECT_EQ(s.does(0, signal(c)).effect, Effect::failed) << "it does not stand in the queue";
    EXPECT_EQ(s.goes_on(1).result, 0);
}

TEST(Condition, NoSpuriousWakeupUnlessAskedFor) {
    Script s(1);
    s.does(1, lock(m));
    s.announces(1, wait(c, m));
    EXPECT_EQ(s.ways(1), 1u);
}

TEST(Condition, WaitWithAnUnheldMutexIsRefusedWhereTheMutexKnowsItsOwner) {
    for (const Thing mutex : {thing(7, errorcheck), recursive_m, robust_m}) {
        Script s(1);
        const ActionOutcome refused = s.does(1, wait(c, mutex));
        EXPECT_EQ(refused.result, EPERM);
        EXPECT_FALSE(refused.continues);
        EXPECT_MISUSE(none, refused);  // the program got an error
        EXPECT_EQ(s.record(c).waiters, 0u);
    }
}

TEST(Condition, WaitWithAnUnheldNormalMutexIsMisuse) {
    Script s(2);
    s.does(2, lock(m));
    EXPECT_MISUSE(wait_unheld_mutex, s.does(1, wait(c, m)));
    EXPECT_EQ(s.record(m).owner, s.slot(2));
}

TEST(Condition, WaitersMustShareOneMutex) {
    Script s(2);
    waits(s, 1);
    s.does(2, lock(recursive_m));
    EXPECT_MISUSE(wait_other_mutex, s.does(2, wait(c, recursive_m)));
}

TEST(Condition, MutexMayChangeWhenNobodyWaits) {
    Script s(2);
    waits(s, 1);
    s.does(2, signal(c));
    s.goes_on(1);
    s.does(2, lock(recursive_m));
    EXPECT_MISUSE(none, s.does(2, wait(c, recursive_m)));
}

TEST(Condition, WakesWithARobustMutexWhoseOwnerDied) {
    Script s(2);
    waits(s, 1, robust_m);
    s.does(2, lock(robust_m));
    s.does(2, signal(c));
    s.does(2, thread_exit());
    EXPECT_EQ(s.goes_on(1).result, EOWNERDEAD);
    EXPECT_EQ(s.record(robust_m).owner, s.slot(1));
    s.does(1, consistent(robust_m));
    EXPECT_EQ(s.does(1, unlock(robust_m)).result, 0);
}

TEST(Condition, TimedOutWaitOnARobustMutexTellsOfTheDeadOwnerFirst) {
    Script s(2);
    s.does(1, lock(robust_m));
    s.does(1, timed(wait(c, robust_m), 5));
    s.does(2, lock(robust_m));
    s.goes_on(1);
    s.does(2, thread_exit());
    EXPECT_EQ(s.goes_on(1).result, EOWNERDEAD);
}

TEST(Condition, WaitWithAnInconsistentMutexMakesItUnrecoverable) {
    Script s(2);
    s.does(1, lock(robust_m));
    s.does(1, thread_exit());
    EXPECT_EQ(s.does(2, lock(robust_m)).result, EOWNERDEAD);
    s.does(2, wait(c, robust_m));
    s.does(0, signal(c));
    EXPECT_EQ(s.goes_on(2).result, ENOTRECOVERABLE);
    EXPECT_EQ(s.record(robust_m).owner, no_slot);
    EXPECT_EQ(s.record(2).robust_held, 0u);
}

TEST(Condition, ThreadThatWaitsDoesNotHoldItsRobustMutex) {
    Script s(1);
    waits(s, 1, robust_m);
    EXPECT_EQ(s.record(1).robust_held, 0u);
    s.does(0, signal(c));
    s.goes_on(1);
    EXPECT_EQ(s.record(1).robust_held, 1u);
}

TEST(Condition, MayBeDestroyedOnceAllAreSignalled) {
    Script s(3);
    waits(s, 1);
    waits(s, 2);
    s.does(3, signal(c));
    Script later(3);
    EXPECT_MISUSE(destroy_waited, s.does(3, action(Operation::cond_destroy, c)));
    for (const std::uint32_t n : {1u, 2u}) waits(later, n);
    later.does(3, broadcast(c));
    EXPECT_MISUSE(none, later.does(3, action(Operation::cond_destroy, c)));
    EXPECT_MISUSE(none, later.goes_on(1));
}

TEST(Condition, SignalAfterMisuseFindsNobodyTwice) {
    Script s(2);
    waits(s, 1);
    EXPECT_MISUSE(init_in_use, s.does(2, action(Operation::cond_init, c)));
    waits(s, 0);
    s.does(2, broadcast(c));
    EXPECT_EQ(s.record(c).waiters, 0u);
    s.announces(2, signal(c));
    EXPECT_EQ(s.ways(2), 1u);
}

TEST(Condition, WakeTouchesTheQueueOnlyWhereOrderSaysSomething) {
    struct Row {
        Flags flags;
        Independence relation;
        bool touches;
    };
    for (const Row& row : {Row{0, Independence::fine, false}, Row{flag::timed, Independence::fine, true},
                           Row{flag::cancellable, Independence::fine, true}, Row{0, Independence::plain, true}}) {
        Script s(2, {.independence = row.relation});
        s.does(1, lock(m));
        s.does(1, with(wait(c, m), row.flags, 5));
        s.does(2, signal(c));
        const ActionOutcome woken = s.goes_on(1);
        bool touches = false;
        for (std::uint8_t i = 0; i < woken.use_count; ++i) touches |= s.machine.object(woken.uses[i].object).id == c.id;
        EXPECT_EQ(touches, row.touches);
    }
}

}  // namespace
}  // namespace raddle::testing
