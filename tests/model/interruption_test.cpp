// Signals and waits: which thread is interrupted, how its wait ends, and how it goes on.
#include "supervisor/model/interruption.h"

#include "tests/model/script.h"

namespace raddle::testing {
namespace {

constexpr Thing m = thing(1), c = thing(2), sem = thing(3), fd = thing(4), f = thing(5);
constexpr Thing lock_of_writers = thing(6, attribute::rwlock::prefer_writers);

Action interruptible(Action a) {
    a.flags |= flag::interruptible | flag::cancellable | flag::uncancellable;
    return a;
}
Action signal_to(std::uint32_t n) {
    Action a = Script::cancel(n);
    a.attributes = attribute::cancel::signal;
    return a;
}

// T1 sleeps in the queue of the futex; a signal comes.
void sleep_and_be_signalled(Script& s) {
    s.does(1, action(Operation::futex_enter, f));
    Action sleep = action(Operation::futex_wait, f);
    sleep.set_wait_bits(1);
    EXPECT_BLOCKED(s, 1, interruptible(sleep));
    s.does(2, signal_to(1));
}
Action wake_one() {
    Action wake = action(Operation::futex_wake, f, 1);
    wake.set_wake_bits(1);
    return wake;
}

TEST(Interruption, EndsEveryKindOfWait) {
    const Action waits[] = {action(Operation::sem_wait, sem),
                            Script::join(2),
                            lock(m),
                            timed(lock(m), 5),
                            rdlock(thing(7)),
                            wrlock(thing(7)),
                            action(Operation::descriptor_read, fd, 1)};
    for (const Action& wait : waits) {
        Script s(2);
        s.does(0, lock(m));
        s.does(0, wrlock(thing(7)));
        EXPECT_BLOCKED(s, 1, interruptible(wait));
        s.does(2, signal_to(1));
        ASSERT_TRUE(s.ready(1)) << name_of(wait.operation);
        const ActionOutcome outcome = s.goes_on(1);
        EXPECT_TRUE(was_interrupted(outcome)) << name_of(wait.operation);
        EXPECT_EQ(outcome.result, EINTR);
        EXPECT_BLOCKED(s, 1, interruptible(wait));
    }
}

TEST(Interruption, ComesAgainWithEverySignal) {
    Script s(2);
    for (int i = 0; i < 3; ++i) {
        EXPECT_BLOCKED(s, 1, interruptible(action(Operation::sem_wait, sem)));
        s.does(2, signal_to(1));
        EXPECT_TRUE(was_interrupted(s.goes_on(1)));
    }
}

// The handler of an interrupted condition wait waits at a barrier, and the condition is signalled meanwhile.
TEST(Interruption, OfAConditionWaitMayWaitAtABarrier) {
    constexpr Thing barrier = thing(8);
    Script s(2);
    s.does(0, action(Operation::barrier_init, barrier, 2));
    s.does(1, lock(m));
    s.does(1, interruptible(wait(c, m)));  // stands in the queue now
    s.does(2, signal_to(1));
    EXPECT_TRUE(was_interrupted(s.goes_on(1)));
    const Action left = s.record(1).pending;
    s.does(1, action(Operation::barrier_wait, barrier));
    EXPECT_TRUE(s.blocked(1));
    s.does(2, testing::signal(c));
    EXPECT_TRUE(s.blocked(1)) << "the condition does not open the barrier";
    EXPECT_EQ(s.does(0, action(Operation::barrier_wait, barrier)).result, error::barrier_serial);
    EXPECT_EQ(s.goes_on(1).enabler.thread, s.slot(0));
    s.announces(1, left);
    ASSERT_TRUE(s.ready(1)) << "the signal is not lost";
    EXPECT_EQ(s.goes_on(1).enabler.thread, s.slot(2));
}

// A handler runs while the thread, which was signalled, waits for the mutex; then the thread takes it.
TEST(Interruption, OfAThreadThatWasWokenAndWaitsForTheMutex) {
    for (const bool is_cancelled_too : {false, true}) {
        Script s(2);
        s.does(1, lock(m));
        Action waits = interruptible(wait(c, m));
        if (is_cancelled_too) waits.flags &= static_cast<Flags>(~flag::uncancellable);
        s.does(1, waits);
        s.does(2, lock(m));
        s.does(2, testing::signal(c));
        s.does(2, signal_to(1));
        if (is_cancelled_too) s.does(2, Script::cancel(1));
        const ActionOutcome interrupted = s.goes_on(1);
        EXPECT_TRUE(was_interrupted(interrupted));
        EXPECT_EQ(interrupted.result, error::interrupted_in_time) << "the wait was not in vain";
        EXPECT_BLOCKED(s, 1, Action(s.record(1).pending));
        s.does(2, unlock(m));
        EXPECT_EQ(s.ways(1), is_cancelled_too ? 2u : 1u);
        EXPECT_EQ(s.goes_on(1).effect, Effect::done);
        EXPECT_EQ(s.record(c).waiters, 0u);
    }
}

// T1 has arrived at a barrier of two, and a signal interrupts its wait.
void arrive_and_be_interrupted(Script& s, Thing barrier) {
    s.does(0, action(Operation::barrier_init, barrier, 2));
    EXPECT_TRUE(s.does(1, interruptible(action(Operation::barrier_wait, barrier))).continues);
    EXPECT_TRUE(s.blocked(1));
    s.does(2, signal_to(1));
    EXPECT_TRUE(was_interrupted(s.goes_on(1)));
}

// Its handler runs there, and the round may end meanwhile.
TEST(Interruption, OfAThreadThatHasArrivedAtABarrier) {
    constexpr Thing barrier = thing(8);
    for (const bool ends_meanwhile : {true, false}) {
        Script s(2);
        arrive_and_be_interrupted(s, barrier);
        const Action left = s.record(1).pending;
        s.does(1, action(Operation::sem_post, sem));
        if (!ends_meanwhile) EXPECT_BLOCKED(s, 1, left);
        EXPECT_EQ(s.does(0, action(Operation::barrier_wait, barrier)).result, error::barrier_serial);
        if (ends_meanwhile) s.announces(1, left);
        ASSERT_TRUE(s.ready(1));
        const ActionOutcome outcome = s.goes_on(1);
        EXPECT_EQ(outcome.effect, Effect::done);
        EXPECT_EQ(outcome.enabler.thread, s.slot(0));
        EXPECT_FALSE(s.does(1, interruptible(action(Operation::barrier_wait, barrier))).result);
        EXPECT_TRUE(s.blocked(1)) << "the next round is another";
    }
}

// As in the kernel, where the round ends the wait before the signal comes to it.
TEST(Interruption, OfAThreadThatLeavesABarrierComesAfterIt) {
    constexpr Thing barrier = thing(8);
    Script s(2);
    s.does(0, action(Operation::barrier_init, barrier, 2));
    s.does(1, interruptible(action(Operation::barrier_wait, barrier)));
    s.does(2, signal_to(1));
    s.does(0, action(Operation::barrier_wait, barrier));
    EXPECT_EQ(s.goes_on(1).effect, Effect::done);
}

TEST(Interruption, OfSeveralSignalsAtOnceIsOne) {
    Script s(2);
    s.does(2, signal_to(1));
    s.does(2, signal_to(1));
    EXPECT_TRUE(was_interrupted(s.does(1, interruptible(action(Operation::sem_wait, sem)))));
    EXPECT_BLOCKED(s, 1, interruptible(action(Operation::sem_wait, sem)));
}

TEST(Interruption, IsNothingToAWaitThatDoesNotAskForIt) {
    Script s(2);
    s.does(2, signal_to(1));
    EXPECT_BLOCKED(s, 1, cancellable(action(Operation::sem_wait, sem)));
    s.does(2, Script::cancel(1));
    EXPECT_TRUE(s.goes_on(1).cancels);
}

// It must not, but a recorded execution may contain it.
TEST(Interruption, OfWhoGoesToAnotherQueueLeavesNobodyBehind) {
    for (const Thing other : {c, thing(8)}) {
        Script s(3);
        for (const Thing queue : {c, other}) {
            s.does(1, lock(m));
            EXPECT_TRUE(s.does(1, interruptible(wait(queue, m))).continues);
            s.does(2, signal_to(1));
            EXPECT_TRUE(was_interrupted(s.goes_on(1)));
        }
        s.announces(3, signal(c));
        EXPECT_EQ(s.ways(3), 1u);
        s.goes_on(3);
        EXPECT_EQ(s.record(c).waiters, 0u);
    }
}

TEST(Interruption, GoesAfterACancellation) {
    Script s(2);
    EXPECT_BLOCKED(s, 1, with(cancellable(action(Operation::sem_wait, sem)), flag::interruptible));
    s.does(2, signal_to(1));
    s.does(2, Script::cancel(1));
    EXPECT_TRUE(s.goes_on(1).cancels);
}

TEST(Interruption, LetsNoCancellationInWhereThatIsOff) {
    Script s(2);
    s.does(2, Script::cancel(1));
    EXPECT_BLOCKED(s, 1, interruptible(action(Operation::sem_wait, sem)));
}

TEST(Interruption, LeavesTheThreadInTheQueueOfItsCondition) {
    Script s(2);
    s.does(1, lock(m));
    EXPECT_TRUE(s.does(1, interruptible(wait(c, m))).continues);
    s.does(2, signal_to(1));
    EXPECT_TRUE(was_interrupted(s.goes_on(1)));
    const Action left = s.record(1).pending;
    EXPECT_EQ(s.does(2, lock(m)).result, 0) << "the handler runs without the mutex";
    EXPECT_EQ(s.does(2, signal(c)).effect, Effect::done) << "it is still one who waits";
    s.does(2, unlock(m));
    s.does(1, write(thing(9), 1));  // by the handler
    EXPECT_EQ(s.does(1, left).effect, Effect::done);
    EXPECT_EQ(s.record(m).owner, s.slot(1));
}

TEST(Interruption, OfWhoWasSignalledComesBeforeTheMutex) {
    Script s(2);
    s.does(1, lock(m));
    s.does(1, interruptible(wait(c, m)));
    s.does(2, signal(c));
    s.does(2, signal_to(1));
    EXPECT_EQ(s.goes_on(1).result, error::interrupted_in_time);
    const Action left = s.record(1).pending;
    EXPECT_EQ(s.does(1, lock(m)).effect, Effect::done) << "the handler does not hold the mutex";
    s.does(1, unlock(m));
    EXPECT_EQ(s.does(1, left).effect, Effect::done);
}

TEST(Interruption, TakesAWriterOutOfTheQueueUntilItComesBack) {
    Script s(2);
    s.does(0, rdlock(lock_of_writers));
    EXPECT_TRUE(s.does(1, interruptible(wrlock(lock_of_writers))).continues);
    EXPECT_EQ(s.record(lock_of_writers).waiters, 1u);
    s.does(2, signal_to(1));
    EXPECT_TRUE(was_interrupted(s.goes_on(1)));
    EXPECT_EQ(s.record(lock_of_writers).waiters, 0u);
}

TEST(Interruption, TakesAThreadOutOfTheQueueOfAFutex) {
    Script s(2);
    sleep_and_be_signalled(s);
    EXPECT_TRUE(was_interrupted(s.goes_on(1)));
    EXPECT_EQ(s.does(2, wake_one()).effect, Effect::failed);
}

TEST(Interruption, NoLongerConcernsWhoWasWokenFromAFutex) {
    Script s(2);
    sleep_and_be_signalled(s);
    EXPECT_EQ(s.does(2, wake_one()).effect, Effect::done);
    EXPECT_EQ(s.goes_on(1).effect, Effect::done);
}

TEST(Interruption, SaysWhetherTheWaitCouldHaveGoneOn) {
    for (const bool is_posted : {false, true}) {
        Script s(2);
        EXPECT_BLOCKED(s, 1, interruptible(action(Operation::sem_wait, sem)));
        s.does(2, signal_to(1));
        if (is_posted) s.does(2, action(Operation::sem_post, sem));
        const ActionOutcome outcome = s.goes_on(1);
        EXPECT_TRUE(was_interrupted(outcome));
        EXPECT_EQ(outcome.result, is_posted ? error::interrupted_in_time : error::interrupted);
    }
}

TEST(Interruption, OfAThreadThatEndedIsNoMisuse) {
    Script s(1);
    s.does(1, thread_exit());
    s.does(0, Script::join(1));
    EXPECT_EQ(s.does(0, signal_to(1)).misuse, Misuse::none);
}

}  // namespace
}  // namespace raddle::testing
