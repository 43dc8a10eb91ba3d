// Semaphores.
#include <climits>

#include "tests/model/script.h"

namespace raddle::testing {
namespace {

constexpr Thing s1 = thing(1);

Action init(std::int64_t value) { return action(Operation::sem_init, s1, value); }
const Action down = action(Operation::sem_wait, s1);
const Action trydown = action(Operation::sem_trywait, s1);
const Action up = action(Operation::sem_post, s1);
const Action value = action(Operation::sem_getvalue, s1);

TEST(Semaphore, WaitTakesOneAndWaitsForOne) {
    Script s(2);
    s.does(0, init(1));
    EXPECT_EQ(s.does(1, down).result, 0);
    EXPECT_BLOCKED(s, 2, down);
    s.does(1, up);
    EXPECT_EQ(s.goes_on(2).result, 0);
}

TEST(Semaphore, OnePostLetsOneOfTheWaitersGo) {
    Script s(2);
    s.does(0, init(0));
    EXPECT_BLOCKED(s, 1, down);
    EXPECT_BLOCKED(s, 2, down);
    s.does(0, up);
    EXPECT_TRUE(s.ready(1));
    s.goes_on(2);
    EXPECT_TRUE(s.blocked(1));
}

TEST(Semaphore, ValueIsRead) {
    Script s(0);
    s.does(0, init(3));
    EXPECT_EQ(s.does(0, value).result, 3);
    s.does(0, down);
    s.does(0, up);
    s.does(0, up);
    EXPECT_EQ(s.does(0, value).result, 4);
}

TEST(Semaphore, FailedTryAndLapsedWaitChangeNothing) {
    Script s(1);
    s.does(0, init(0));
    EXPECT_EQ(s.does(1, trydown).result, EAGAIN);
    EXPECT_EQ(s.does(1, timed(down, 5)).result, ETIMEDOUT);
    EXPECT_EQ(s.does(1, value).result, 0);
    s.does(0, up);
    EXPECT_EQ(s.does(1, trydown).result, 0);
}

TEST(Semaphore, TimedWaitTakesWhatIsThere) {
    Script s(0);
    s.does(0, init(1));
    EXPECT_EQ(s.does(0, timed(down, 0)).effect, Effect::done);
}

TEST(Semaphore, OneThatIsAllZeroWorksWithoutInit) {
    Script s(1);
    EXPECT_BLOCKED(s, 1, down);
    EXPECT_MISUSE(none, s.does(0, up));
    EXPECT_EQ(s.goes_on(1).result, 0);
}

TEST(Semaphore, PostBeyondTheLargestValueIsRefused) {
    Script s(0);
    s.does(0, init(INT_MAX));
    const ActionOutcome refused = s.does(0, up);
    EXPECT_EQ(refused.result, EOVERFLOW);
    EXPECT_MISUSE(semaphore_overflow, refused);
    EXPECT_EQ(s.does(0, value).result, INT_MAX);
}

TEST(Semaphore, CannotBeginWithAValueOutOfRange) {
    for (const std::int64_t first : {std::int64_t{-1}, std::int64_t{INT_MAX} + 1}) {
        Script s(0);
        const ActionOutcome refused = s.does(0, init(first));
        EXPECT_EQ(refused.result, EINVAL);
        EXPECT_MISUSE(semaphore_negative, refused);
    }
}

TEST(Semaphore, UseAfterDestroyIsToldRatherThanWaitedFor) {
    Script s(1);
    s.does(0, init(0));
    EXPECT_BLOCKED(s, 1, down);
    EXPECT_MISUSE(none, s.does(0, action(Operation::sem_destroy, s1)));
    EXPECT_MISUSE(use_after_destroy, s.goes_on(1));
}

TEST(Semaphore, InitStartsAgain) {
    Script s(0);
    s.does(0, init(5));
    EXPECT_MISUSE(none, s.does(0, init(2)));
    EXPECT_EQ(s.does(0, value).result, 2);
}

}  // namespace
}  // namespace raddle::testing
