// Futexes: a wait is enter and wait, with nothing in between; the choice of waiters; every way to leave the queue.
#include "tests/model/script.h"

namespace raddle::testing {
namespace {

constexpr Thing f = thing(1), g = thing(2), word = thing(3);
constexpr std::int64_t all = 0xffffffff;

Action enter() {
    Action made = action(Operation::futex_enter, f);
    made.second = word.id;
    return made;
}
Action sleeps(std::int64_t bits = all) {
    Action made = action(Operation::futex_wait, f);
    made.set_wait_bits(bits);
    return made;
}
Action wake(std::int64_t most, std::int64_t bits = all, Thing futex = f) {
    Action made = action(Operation::futex_wake, futex, most);
    made.set_wake_bits(bits);
    return made;
}
Action requeue(std::int64_t woken, std::int64_t moved) {
    Action made = action(Operation::futex_requeue, f, woken);
    made.second = g.id;
    made.set_requeue_moved(moved);
    return made;
}
void waits(Script& s, std::uint32_t n, const Action& how = sleeps()) {
    s.does(n, enter());
    s.announces(n, how);
}

// A state that only the shim knows: calls on it are in order, and its waits are those of a futex.
TEST(State, IsEnteredByOneAfterTheOther) {
    const Action enters = action(Operation::state_enter, f);
    Script s(2);
    EXPECT_EQ(s.does(1, enters).result, 0);
    s.announces(1, sleeps());
    EXPECT_TRUE(s.blocked(1));
    EXPECT_EQ(s.does(2, enters).result, 0);
    EXPECT_EQ(s.does(2, wake(all)).result, 1);
    EXPECT_EQ(s.goes_on(1).effect, Effect::done);
    EXPECT_EQ(traits(Operation::state_enter).order, OrderChange::acquires_and_releases);
}

TEST(Futex, WaitsUntilWoken) {
    Script s(2);
    waits(s, 1);
    EXPECT_TRUE(s.blocked(1));
    EXPECT_EQ(s.does(2, wake(1)).result, 1);
    EXPECT_EQ(s.goes_on(1).result, 0);
}

TEST(Futex, WhoOnlyLookedIsNotWoken) {
    Script s(2);
    s.does(1, enter());  // the word had another value
    const ActionOutcome lost = s.does(2, wake(1));
    EXPECT_EQ(lost.result, 0);
    EXPECT_EQ(lost.effect, Effect::failed);
}

TEST(Futex, WakeIsNotKept) {
    Script s(2);
    s.does(2, wake(1));
    waits(s, 1);
    EXPECT_TRUE(s.blocked(1));
}

TEST(Futex, WhoWakesIsAChoice) {
    // 2 of 4: 6 ways, each with another pair
    std::uint32_t seen = 0;
    for (std::uint32_t value = 0; value < 6; ++value) {
        Script s(5);
        for (std::uint32_t n = 1; n <= 4; ++n) waits(s, n);
        s.announces(5, wake(2));
        ASSERT_EQ(s.ways(5), 6u);
        EXPECT_EQ(s.goes_on(5, value).result, 2);
        std::uint32_t pair = 0;
        for (std::uint32_t n = 1; n <= 4; ++n) pair |= s.ready(n) ? 1u << n : 0;
        EXPECT_EQ(__builtin_popcount(pair), 2);
        EXPECT_EQ(seen & (1u << pair), 0u);
        seen |= 1u << pair;
    }
}

TEST(Futex, ReachesOnlyTheBitsItNames) {
    Script s(3);
    waits(s, 1, sleeps(1));
    waits(s, 2, sleeps(2));
    EXPECT_EQ(s.does(3, wake(9, 4)).result, 0);
    EXPECT_EQ(s.does(3, wake(9, 2)).result, 1);
    EXPECT_TRUE(s.blocked(1));
    EXPECT_TRUE(s.ready(2));
}

TEST(Futex, TimedOutWaitIsOutOfTheQueue) {
    Script s(2);
    waits(s, 1, timed(sleeps(), 100));
    EXPECT_TRUE(s.can_only_time_out(1));
    const ActionOutcome outcome = s.goes_on(1);
    EXPECT_EQ(outcome.effect, Effect::timed_out);
    EXPECT_EQ(outcome.result, ETIMEDOUT);
    EXPECT_EQ(s.does(2, wake(1)).result, 0);
}

TEST(Futex, CancelledWaitIsOutOfTheQueue) {
    Script s(2);
    waits(s, 1, cancellable(sleeps()));
    s.does(2, Script::cancel(1));
    EXPECT_TRUE(s.goes_on(1).cancels);
    EXPECT_EQ(s.does(2, wake(1)).result, 0);
}

TEST(Futex, RequeueWakesSomeAndMovesTheOthers) {
    Script s(4);
    for (std::uint32_t n = 1; n <= 3; ++n) waits(s, n);
    EXPECT_EQ(s.does(4, requeue(1, 1)).result, 2);  // the oldest wakes, the next moves
    EXPECT_TRUE(s.ready(1));
    EXPECT_EQ(s.does(4, wake(9, all, g)).result, 1);
    EXPECT_TRUE(s.ready(2));
    EXPECT_TRUE(s.blocked(3));
    EXPECT_EQ(s.does(4, wake(9)).result, 1);
}

TEST(Futex, LaterPartsOfACallReachOnlyTheWaitersThatItSaw) {
    Script s(4);
    waits(s, 1);
    s.does(4, requeue(0, 0));  // looks at the queue: one ticket was given out
    const std::int64_t seen = std::int64_t{s.record(f).tickets} << 32;
    waits(s, 2);
    EXPECT_EQ(s.does(4, wake(9, all | seen)).result, 1);
    EXPECT_TRUE(s.ready(1));
    EXPECT_TRUE(s.blocked(2)) << "it came after the look";
    waits(s, 3);
    EXPECT_EQ(s.does(4, requeue(9, 9 | seen)).result, 0);
    EXPECT_EQ(s.does(4, requeue(1, 9)).result, 2);
    EXPECT_TRUE(s.ready(2));
}

TEST(Futex, GoesBackWithTheMachine) {
    Script s(2);
    s.does(1, enter());
    const Machine::Mark mark = s.machine.mark();
    s.announces(1, sleeps());
    s.does(2, wake(1));
    s.machine.rewind(mark);
    EXPECT_EQ(s.does(2, wake(1)).result, 0);
    s.announces(1, sleeps());
    EXPECT_TRUE(s.blocked(1));
}

}  // namespace
}  // namespace raddle::testing
