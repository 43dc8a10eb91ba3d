// Threads: creation, joins, detaching, and cancellation at every kind of action.
#include "tests/model/script.h"

namespace raddle::testing {
namespace {

constexpr Thing m = thing(1), sem = thing(2), x = thing(3);

TEST(Thread, IsBornByItsCreation) {
    Script s(0);
    const ThreadId child = s.machine.next_child(s.slot(0));
    EXPECT_EQ(s.machine.alternatives(s.machine.slot_of(child)).readiness, Readiness::blocked);
    s.does(0, action(Operation::thread_create, Script::thread_thing(1)));
    EXPECT_EQ(child, Script::id(1));
    const ActionOutcome started = s.goes_on(1);
    EXPECT_EQ(started.enabler.thread, s.slot(0));
    EXPECT_EQ(started.enabler.number, 1u);
    EXPECT_EQ(started.use_count, 0) << "starting commutes with all else";
    EXPECT_EQ(s.machine.next_child(s.slot(0)), Script::id(2));
}

TEST(Thread, JoinWaitsForTheEnd) {
    Script s(1);
    EXPECT_BLOCKED(s, 0, Script::join(1));
    EXPECT_TRUE(s.does(1, thread_exit(7)).ends_thread);
    EXPECT_EQ(s.goes_on(0).result, 0);
    EXPECT_EQ(s.record(Script::thread_thing(1)).value, 7);
    EXPECT_EQ(s.record(1).life, Life::ended);
}

TEST(Thread, JoinAfterTheEndDoesNotWait) {
    Script s(1);
    s.does(1, thread_exit());
    EXPECT_EQ(s.does(0, Script::join(1)).result, 0);
}

TEST(Thread, MainIsJoinedToo) {
    Script s(1);
    EXPECT_BLOCKED(s, 1, Script::join(0));
    s.does(0, thread_exit());
    EXPECT_EQ(s.goes_on(1).result, 0);
}

TEST(Thread, TimedJoinTimesOutAndLeavesTheThreadJoinable) {
    Script s(1);
    s.announces(0, timed(Script::join(1), 5));
    EXPECT_TRUE(s.can_only_time_out(0));
    EXPECT_EQ(s.goes_on(0).result, ETIMEDOUT);
    s.does(1, thread_exit());
    EXPECT_EQ(s.does(0, timed(Script::join(1), 5)).result, 0);
}

TEST(Thread, TryjoinOfARunningThreadIsBusy) {
    Script s(1);
    EXPECT_EQ(s.does(0, Script::tryjoin(1)).result, EBUSY);
    EXPECT_EQ(s.does(1, Script::tryjoin(1)).result, EBUSY) << "itself is running, too";
    EXPECT_EQ(s.record(1).misuse, Misuse::none);
    s.does(1, thread_exit());
    EXPECT_EQ(s.does(0, Script::tryjoin(1)).result, 0);
    EXPECT_MISUSE(join_twice, s.does(0, Script::tryjoin(1)));
}

TEST(Thread, JoinsThatCannotBeAreRefused) {
    Script s(4);
    EXPECT_EQ(s.does(1, Script::join(1)).result, EDEADLK);
    EXPECT_EQ(s.record(1).misuse, Misuse::join_self);
    s.does(2, thread_exit());
    s.does(0, Script::join(2));
    const ActionOutcome twice = s.does(0, Script::join(2));
    EXPECT_EQ(twice.result, EINVAL);
    EXPECT_MISUSE(join_twice, twice);
    s.does(0, Script::detach(3));
    const ActionOutcome of_detached = s.does(0, Script::join(3));
    EXPECT_EQ(of_detached.result, EINVAL);
    EXPECT_MISUSE(join_detached, of_detached);
}

TEST(Thread, OfTwoThatJoinItOneIsRefused) {
    Script s(3);
    EXPECT_BLOCKED(s, 1, Script::join(3));
    EXPECT_BLOCKED(s, 2, Script::join(3));
    s.does(3, thread_exit());
    EXPECT_EQ(s.goes_on(2).result, 0);
    EXPECT_MISUSE(join_twice, s.goes_on(1));
}

TEST(Thread, WaiterIsToldWhenTheThreadIsDetached) {
    Script s(2);
    EXPECT_BLOCKED(s, 1, Script::join(2));
    s.does(2, Script::detach(2));
    EXPECT_MISUSE(join_detached, s.goes_on(1));
}

TEST(Thread, DetachIsForOnceBeforeOrAfterTheEnd) {
    Script s(3);
    EXPECT_EQ(s.does(1, Script::detach(1)).result, 0);
    EXPECT_EQ(s.does(0, Script::detach(1)).result, EINVAL);
    s.does(2, thread_exit());
    EXPECT_EQ(s.does(0, Script::detach(2)).result, 0);
    s.does(3, thread_exit());
    s.does(0, Script::join(3));
    EXPECT_MISUSE(detach_twice, s.does(0, Script::detach(3)));
}

TEST(Thread, MayBeBornDetached) {
    Script s(0);
    s.does(0, action(Operation::thread_create, Script::thread_thing(1), thread_detached));
    EXPECT_MISUSE(join_detached, s.does(0, Script::join(1)));
}

TEST(Thread, TwoThatJoinEachOtherAreADeadlock) {
    Script s(2);
    EXPECT_BLOCKED(s, 1, Script::join(2));
    EXPECT_BLOCKED(s, 2, Script::join(1));
    s.does(0, thread_exit());
    EXPECT_EQ(s.machine.ending(), Ending::deadlock);
}

// ---- cancellation

TEST(Cancel, ActsAtEveryKindOfCancellationPoint) {
    const Action points[] = {sleep(5),
                             yield(),
                             action(Operation::sem_wait, sem),
                             Script::join(2),
                             lock(m),
                             timed(action(Operation::sem_wait, sem), 5),
                             action(Operation::descriptor_read, thing(9), 1),
                             testcancel()};
    for (const Action& point : points) {
        for (const bool before : {true, false}) {  // the cancellation comes before the call, or during it
            Script s(2);
            if (before) s.does(0, Script::cancel(1));
            s.announces(1, cancellable(point));
            if (!before) s.does(0, Script::cancel(1));
            ASSERT_TRUE(s.ready(1)) << name_of(point.operation);
            EXPECT_EQ(s.ways(1), 1u);
            EXPECT_TRUE(s.goes_on(1).cancels) << name_of(point.operation);
            EXPECT_TRUE(s.record(1).cancelled);
        }
    }
}

TEST(Cancel, GoesBeforeWhatTheActionCouldDo) {
    Script s(1);
    s.does(0, action(Operation::sem_init, sem, 1));
    s.does(0, Script::cancel(1));
    const ActionOutcome cancelled = s.does(1, cancellable(action(Operation::sem_wait, sem)));
    EXPECT_EQ(cancelled.effect, Effect::cancelled);
    EXPECT_EQ(s.record(sem).count, 1u);
    ASSERT_EQ(cancelled.use_count, 2) << "the semaphore, as a try that failed, and the mark";
    EXPECT_EQ(cancelled.uses[0].mode, Mode::shared);
    EXPECT_EQ(cancelled.uses[1].mode, Mode::shared);
}

TEST(Cancel, IsIgnoredWhereCancellationIsOff) {
    Script s(1);
    s.does(0, Script::cancel(1));
    EXPECT_BLOCKED(s, 1, action(Operation::sem_wait, sem));
    s.does(0, action(Operation::sem_post, sem));
    EXPECT_FALSE(s.goes_on(1).cancels);
    EXPECT_TRUE(s.does(1, testcancel()).cancels) << "it was only put off";
}

TEST(Cancel, ActsOnceOnly) {
    Script s(1);
    s.does(0, Script::cancel(1));
    EXPECT_TRUE(s.does(1, testcancel()).cancels);
    EXPECT_FALSE(s.does(1, testcancel()).cancels) << "in a cleanup handler";
    EXPECT_EQ(s.does(1, cancellable(sleep(5))).effect, Effect::timed_out);
}

TEST(Cancel, BeforeTheStartActsAtTheFirstPoint) {
    Script s(0);
    s.does(0, action(Operation::thread_create, Script::thread_thing(1)));
    s.does(0, Script::cancel(1));
    EXPECT_FALSE(s.goes_on(1).cancels);
    EXPECT_FALSE(s.does(1, write(x, 1)).cancels);
    EXPECT_TRUE(s.does(1, testcancel()).cancels);
}

TEST(Cancel, OfItselfActsAtTheNextPoint) {
    Script s(1);
    EXPECT_FALSE(s.does(1, Script::cancel(1)).cancels);
    EXPECT_TRUE(s.does(1, cancellable(sleep(1))).cancels);
}

TEST(Cancel, OfAJoinLeavesTheThreadJoinable) {
    Script s(2);
    EXPECT_BLOCKED(s, 1, cancellable(Script::join(2)));
    s.does(0, Script::cancel(1));
    EXPECT_TRUE(s.goes_on(1).cancels);
    s.does(2, thread_exit());
    EXPECT_EQ(s.does(0, Script::join(2)).result, 0);
}

TEST(Cancel, OfAnEndedThreadIsFineUntilItIsJoined) {
    Script s(1);
    s.does(1, thread_exit());
    EXPECT_EQ(s.does(0, Script::cancel(1)).result, 0);
    s.does(0, Script::join(1));
    const ActionOutcome gone = s.does(0, Script::cancel(1));
    EXPECT_EQ(gone.result, ESRCH);
    EXPECT_MISUSE(cancel_ended, gone);
}

TEST(Cancel, OfADetachedThreadIsFineUntilItEnds) {
    Script s(1);
    s.does(0, Script::detach(1));
    EXPECT_MISUSE(none, s.does(0, Script::cancel(1)));
    s.does(1, thread_exit());
    EXPECT_MISUSE(cancel_ended, s.does(0, Script::cancel(1)));
}

TEST(Cancel, ComesAfterOrBeforeTheEndOfItsThread) {
    Script s(1);
    const ActionOutcome cancelled = s.does(0, Script::cancel(1));
    ASSERT_EQ(cancelled.use_count, 2);
    EXPECT_EQ(cancelled.uses[1].object, s.record(1).self);
    EXPECT_EQ(cancelled.uses[1].mode, Mode::shared);
}

TEST(Thread, TellsAFatalSignalWhetherItHasEnded) {
    Script s(1);
    EXPECT_EQ(s.does(0, action(Operation::thread_kill, Script::thread_thing(1))).effect, Effect::done);
    s.does(1, thread_exit());
    EXPECT_EQ(s.does(0, action(Operation::thread_kill, Script::thread_thing(1))).effect, Effect::failed);
}

}  // namespace
}  // namespace raddle::testing
