// Mutexes of every type, with the error numbers of glibc.
#include "tests/model/script.h"

namespace raddle::testing {
namespace {

constexpr Thing m = thing(1);
constexpr Thing recursive_m = thing(2, recursive);
constexpr Thing errorcheck_m = thing(3, errorcheck);
constexpr Thing robust_m = thing(4, attribute::mutex::robust);
constexpr Thing robust_errorcheck_m = thing(5, attribute::mutex::robust | errorcheck);
constexpr Thing robust_recursive_m = thing(6, attribute::mutex::robust | recursive);

TEST(Mutex, LockWaitsUntilItIsUnlocked) {
    Script s(2);
    EXPECT_EQ(s.does(1, lock(m)).result, 0);
    EXPECT_BLOCKED(s, 2, lock(m));
    EXPECT_EQ(s.does(1, unlock(m)).result, 0);
    EXPECT_EQ(s.goes_on(2).result, 0);
    EXPECT_EQ(s.record(m).owner, s.slot(2));
}

TEST(Mutex, EveryTypeExcludesOtherThreads) {
    for (const Thing any : {m, recursive_m, errorcheck_m, robust_m, robust_errorcheck_m, robust_recursive_m}) {
        Script s(2);
        s.does(1, lock(any));
        EXPECT_EQ(s.does(2, trylock(any)).result, EBUSY);
        EXPECT_BLOCKED(s, 2, lock(any));
    }
}

TEST(Mutex, NormalOneLockedAgainByItsOwnerIsADeadlock) {
    Script s(0);
    s.does(0, lock(m));
    EXPECT_BLOCKED(s, 0, lock(m));
    EXPECT_EQ(s.machine.ending(), Ending::deadlock);
}

TEST(Mutex, RelockByTheOwnerIsAnsweredByType) {
    struct Row {
        Thing mutex;
        int lock, trylock;  // -1: it waits
    };
    // Only a robust errorcheck mutex returns EDEADLK to a try, as in glibc.
    for (const Row& row :
         {Row{m, -1, EBUSY}, Row{recursive_m, 0, 0}, Row{errorcheck_m, EDEADLK, EBUSY}, Row{robust_m, -1, EBUSY},
          Row{robust_errorcheck_m, EDEADLK, EDEADLK}, Row{robust_recursive_m, 0, 0}}) {
        Script s(1);
        s.does(1, lock(row.mutex));
        EXPECT_EQ(s.does(1, trylock(row.mutex)).result, row.trylock);
        s.announces(1, lock(row.mutex));
        if (row.lock < 0)
            EXPECT_TRUE(s.blocked(1));
        else
            EXPECT_EQ(s.goes_on(1).result, row.lock);
    }
}

TEST(Mutex, RecursiveOneIsFreeAfterAsManyUnlocksAsLocks) {
    Script s(2);
    s.does(1, lock(recursive_m));
    s.does(1, trylock(recursive_m));
    s.does(1, timed(lock(recursive_m), 5));
    EXPECT_BLOCKED(s, 2, lock(recursive_m));
    s.does(1, unlock(recursive_m));
    s.does(1, unlock(recursive_m));
    EXPECT_TRUE(s.blocked(2));
    s.does(1, unlock(recursive_m));
    EXPECT_TRUE(s.ready(2));
    EXPECT_EQ(s.does(1, unlock(recursive_m)).result, EPERM);
}

TEST(Mutex, TimedLockTakesAFreeOneAndTimesOutOnAHeldOne) {
    Script s(2);
    EXPECT_EQ(s.does(1, timed(lock(m), 0)).effect, Effect::done);
    s.announces(2, timed(lock(m), 100));
    EXPECT_TRUE(s.can_only_time_out(2));
    const ActionOutcome timed_out = s.goes_on(2);
    EXPECT_EQ(timed_out.effect, Effect::timed_out);
    EXPECT_EQ(timed_out.result, ETIMEDOUT);
    EXPECT_EQ(s.record(m).owner, s.slot(1));
}

TEST(Mutex, TimedLockOfAFreedOneDoesNotTimeOut) {
    Script s(2);
    s.does(1, lock(m));
    EXPECT_BLOCKED(s, 2, timed(lock(m), 1));
    s.does(1, unlock(m));
    EXPECT_EQ(s.goes_on(2).effect, Effect::done);
}

TEST(Mutex, TimedRelockByTheOwnerIsAnsweredByType) {
    Script s(1);
    s.does(1, lock(errorcheck_m));
    EXPECT_EQ(s.does(1, timed(lock(errorcheck_m), 5)).result, EDEADLK);
    s.does(1, lock(m));
    EXPECT_EQ(s.does(1, timed(lock(m), 5)).result, ETIMEDOUT);
}

TEST(Mutex, TypesThatKnowTheirOwnerRefuseAStranger) {
    for (const Thing any : {recursive_m, errorcheck_m, robust_m}) {
        Script s(2);
        EXPECT_EQ(s.does(2, unlock(any)).result, EPERM) << "nobody holds it";
        s.does(1, lock(any));
        const ActionOutcome refused = s.does(2, unlock(any));
        EXPECT_EQ(refused.effect, Effect::failed);
        EXPECT_EQ(refused.result, EPERM);
        EXPECT_MISUSE(none, refused);  // the program got an error
        EXPECT_EQ(s.record(any).owner, s.slot(1));
    }
}

TEST(Mutex, NormalOneIsFreedByAStrangerAsGlibcDoes) {
    Script s(2);
    s.does(1, lock(m));
    const ActionOutcome freed = s.does(2, unlock(m));
    EXPECT_MISUSE(unlock_not_owner, freed);
    EXPECT_EQ(freed.result, 0);
    EXPECT_EQ(s.does(2, lock(m)).result, 0);
    EXPECT_EQ(s.record(2).misuse, Misuse::unlock_not_owner);
}

TEST(Mutex, TwoFailedTriesShareItUnderTheFineRelationOnly) {
    for (const Independence relation : {Independence::fine, Independence::plain}) {
        Script s(2, {.independence = relation});
        s.does(1, lock(m));
        const ActionOutcome failed = s.does(2, trylock(m));
        ASSERT_EQ(failed.use_count, 1);
        EXPECT_EQ(failed.uses[0].mode, relation == Independence::fine ? Mode::shared : Mode::exclusive);
    }
}

TEST(Mutex, DestroyOfAHeldOneIsRefusedAndTold) {
    Script s(2);
    s.does(1, lock(m));
    const ActionOutcome refused = s.does(2, action(Operation::mutex_destroy, m));
    EXPECT_MISUSE(destroy_locked, refused);
    EXPECT_EQ(refused.result, EBUSY);
    EXPECT_MISUSE(none, s.does(1, unlock(m)));
}

TEST(Mutex, InitAfterDestroyBeginsANewLife) {
    Script s(1);
    s.does(1, lock(m));
    s.does(1, unlock(m));
    EXPECT_MISUSE(none, s.does(1, action(Operation::mutex_destroy, m)));
    EXPECT_MISUSE(none, s.does(1, action(Operation::mutex_init, thing(1, errorcheck))));
    s.does(1, lock(m));
    EXPECT_EQ(s.does(1, lock(m)).result, EDEADLK) << "the type is the one it was initialised with";
}

TEST(Mutex, MemoryOfADestroyedOneMayBecomeSomethingElse) {
    Script s(1);
    s.does(1, action(Operation::mutex_destroy, m));
    EXPECT_MISUSE(none, s.does(1, write(m, 7)));
    EXPECT_EQ(s.does(1, read(m)).result, 7);
}

TEST(Mutex, LockOfADestroyedOneDoesNotWait) {
    Script s(2);
    s.does(1, lock(robust_m));
    EXPECT_BLOCKED(s, 2, lock(robust_m));
    EXPECT_MISUSE(destroy_locked, s.does(1, action(Operation::mutex_destroy, robust_m)));
    EXPECT_MISUSE(use_after_destroy, s.goes_on(2));
}

// ---- robust mutexes

TEST(RobustMutex, IsHandedOnByADyingOwner) {
    Script s(2);
    s.does(1, lock(robust_m));
    EXPECT_BLOCKED(s, 2, lock(robust_m));
    const ActionOutcome died = s.does(1, thread_exit(9));
    EXPECT_TRUE(died.continues);
    EXPECT_EQ(s.record(1).pending.operation, Operation::thread_exit);
    EXPECT_EQ(s.record(1).pending.thread_result(), 9);
    EXPECT_EQ(s.goes_on(2).result, EOWNERDEAD);
    EXPECT_TRUE(s.goes_on(1).ends_thread);
}

TEST(RobustMutex, IsAsNewOnceMadeConsistent) {
    Script s(2);
    s.does(1, lock(robust_m));
    s.does(1, thread_exit());
    s.goes_on(1);
    EXPECT_EQ(s.does(2, trylock(robust_m)).result, EOWNERDEAD);
    EXPECT_EQ(s.does(2, consistent(robust_m)).result, 0);
    EXPECT_EQ(s.does(2, unlock(robust_m)).result, 0);
    EXPECT_EQ(s.does(2, lock(robust_m)).result, 0);
}

TEST(RobustMutex, CannotBeRecoveredOnceUnlockedInconsistent) {
    Script s(3);
    s.does(1, lock(robust_m));
    s.does(1, thread_exit());
    EXPECT_EQ(s.does(2, lock(robust_m)).result, EOWNERDEAD);
    EXPECT_BLOCKED(s, 3, lock(robust_m));
    EXPECT_EQ(s.does(2, unlock(robust_m)).result, 0);
    EXPECT_EQ(s.goes_on(3).result, ENOTRECOVERABLE) << "who waited is let go";
    EXPECT_EQ(s.does(2, trylock(robust_m)).result, ENOTRECOVERABLE);
    EXPECT_EQ(s.does(2, timed(lock(robust_m), 5)).result, ENOTRECOVERABLE);
    EXPECT_EQ(s.does(2, unlock(robust_m)).result, EPERM);
    EXPECT_MISUSE(none, s.does(2, action(Operation::mutex_destroy, robust_m)));
    s.does(2, action(Operation::mutex_init, robust_m));
    EXPECT_EQ(s.does(2, lock(robust_m)).result, 0);
}

TEST(RobustMutex, SecondOwnerThatDiesInconsistentHandsItOnAgain) {
    Script s(3);
    for (const std::uint32_t n : {1u, 2u}) {
        EXPECT_EQ(s.does(n, lock(robust_m)).result, n == 1 ? 0 : EOWNERDEAD);
        s.does(n, thread_exit());
        s.goes_on(n);
    }
    EXPECT_EQ(s.does(3, lock(robust_m)).result, EOWNERDEAD) << "it was never unlocked";
}

TEST(RobustMutex, ManyDieInTheOrderOfTheKernelsList) {
    constexpr Thing a = thing(11, attribute::mutex::robust), b = thing(12, attribute::mutex::robust),
                    c = thing(13, attribute::mutex::robust);
    Script s(2);
    for (const Thing seen : {c, a, b}) {  // by another thread, in another order
        s.does(2, lock(seen));
        s.does(2, unlock(seen));
    }
    for (const Thing held : {a, b, c}) s.does(1, lock(held));
    s.announces(1, thread_exit());
    for (const Thing next : {c, b, a}) {  // the one taken last comes first
        EXPECT_EQ(s.record(1).pending.operation, Operation::owner_died);
        EXPECT_EQ(s.record(1).pending.object, next.id);
        EXPECT_TRUE(s.goes_on(1).continues);
    }
    EXPECT_TRUE(s.goes_on(1).ends_thread);
}

TEST(RobustMutex, RecursiveOneDiesAtAnyDepth) {
    Script s(2);
    s.does(1, lock(robust_recursive_m));
    s.does(1, lock(robust_recursive_m));
    s.does(1, thread_exit());
    EXPECT_TRUE(s.goes_on(1).ends_thread);
    EXPECT_EQ(s.does(2, lock(robust_recursive_m)).result, EOWNERDEAD);
    EXPECT_EQ(s.record(robust_recursive_m).count, 1u);
}

TEST(RobustMutex, UnlockedOnesAreNotHandedOn) {
    Script s(1);
    s.does(1, lock(robust_m));
    s.does(1, unlock(robust_m));
    EXPECT_TRUE(s.does(1, thread_exit()).ends_thread);
}

TEST(RobustMutex, ConsistentIsRefusedWhereNothingIsWrong) {
    Script s(1);
    s.does(1, lock(robust_m));
    const ActionOutcome refused = s.does(1, consistent(robust_m));
    EXPECT_EQ(refused.result, EINVAL);
    EXPECT_MISUSE(consistent_unneeded, refused);
}

TEST(Mutex, OthersStayLockedWhenTheirOwnerDies) {
    Script s(1);
    s.does(1, lock(m));
    s.does(1, thread_exit());
    EXPECT_BLOCKED(s, 0, lock(m));
    EXPECT_EQ(s.machine.ending(), Ending::deadlock);
}

}  // namespace
}  // namespace raddle::testing
