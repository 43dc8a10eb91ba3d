// A main thread that runs alone for a long time: after a while its locks and unlocks are no longer events. The program
// behaves the same, and the locks it still holds count when other threads start.
#include <gtest/gtest.h>

#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

std::string starting_up_for_long(const std::string& then) {
    return program(R"(
        #define _GNU_SOURCE
        #include <errno.h>
        #include <pthread.h>
        #include <stdlib.h>
        #include <sys/wait.h>
        #include <unistd.h>
        static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
        static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
        static pthread_spinlock_t s;
        static void* tries(void* p) {
            (void)p;
            if (pthread_mutex_trylock(&a) != EBUSY || pthread_rwlock_trywrlock(&r) != EBUSY) exit(3);
            if (pthread_mutex_trylock(&b) != 0 || pthread_mutex_trylock(&c) != 0 || pthread_rwlock_tryrdlock(&r) != 0) exit(4);
            pthread_mutex_lock(&a);
            return 0;
        }
        int main(void) {
            pthread_spin_init(&s, 0);
            for (int i = 0; i < 20000; ++i) {
                pthread_mutex_lock(&a), pthread_mutex_lock(&c), pthread_mutex_lock(&c), pthread_rwlock_rdlock(&r), pthread_spin_lock(&s);
                pthread_mutex_lock(&b);
                pthread_mutex_unlock(&a);
                if (pthread_mutex_unlock(&b) != 0 || pthread_spin_unlock(&s) != 0) return 1;
                pthread_rwlock_unlock(&r), pthread_mutex_unlock(&c), pthread_mutex_unlock(&c);
                pthread_rwlock_wrlock(&r), pthread_rwlock_unlock(&r);
            }
            pthread_t t;
            (void)t;
            )" + then +
                   R"(
            return 0;
        })");
}

Execution execution_of(const std::string& then) {
    ProcessTarget target(running(starting_up_for_long(then)));
    return target.run(run_on());
}

TEST(Solo, LocksAndUnlocksAreNoEventsAfterAWhile) {
    const Execution execution = execution_of("");
    EXPECT_EQ(execution.verdict, Verdict::ok) << execution.message;
    EXPECT_GT(execution.events.size(), 10'000u);
    EXPECT_LT(execution.events.size(), 11'000u) << "of 280,000 calls";
}

TEST(Solo, LocksHeldAtTheStartOfAnotherThreadStayHeld) {
    const Execution execution = execution_of(R"(
        pthread_mutex_lock(&a), pthread_rwlock_rdlock(&r);
        pthread_create(&t, 0, tries, 0);
        pthread_mutex_unlock(&a);
        pthread_join(t, 0);
        pthread_rwlock_unlock(&r);)");
    EXPECT_EQ(execution.verdict, Verdict::exit_status) << "it runs on, so its lock is free when the other comes";
    EXPECT_EQ(execution.exit_status, 3);
    const Execution held = execution_of(R"(
        pthread_mutex_lock(&a), pthread_rwlock_rdlock(&r);
        pthread_create(&t, 0, tries, 0);
        pthread_join(t, 0);)");
    EXPECT_EQ(held.verdict, Verdict::deadlock) << held.message;
}

TEST(Solo, RelockingAMutexIsADeadlock) {
    EXPECT_EQ(execution_of("pthread_mutex_lock(&a); pthread_mutex_lock(&a);").verdict, Verdict::deadlock);
    const Execution unlocked =
        execution_of("pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&a);");
    EXPECT_EQ(unlocked.verdict, Verdict::misuse) << unlocked.message;
    EXPECT_EQ(execution_of("pthread_mutex_lock(&a); pthread_mutex_destroy(&a);").verdict, Verdict::misuse);
}

TEST(Solo, AForkedChildInheritsHeldLocks) {
    const Execution execution = execution_of(R"(
        pthread_mutex_lock(&a);
        const pid_t child = fork();
        if (child == 0) _exit(pthread_mutex_trylock(&a) == EBUSY ? 7 : 8);
        int status;
        waitpid(child, &status, 0);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 7) return 5;
        pthread_mutex_unlock(&a);)");
    EXPECT_EQ(execution.verdict, Verdict::ok) << execution.message;
}

TEST(Solo, EventsAreTheSameInEveryExecutionAndAfterRestoring) {
    ProcessTarget target(running(starting_up_for_long(
        "pthread_mutex_lock(&a), pthread_rwlock_rdlock(&r); pthread_create(&t, 0, tries, 0); pthread_join(t, 0);")));
    const std::string story = story_of(target.run(run_on()));
    for (int i = 0; i < 4; ++i) ASSERT_EQ(story_of(target.run(run_on())), story) << i;
    EXPECT_EQ(target.restarts().differed, 0u);
}

}  // namespace
}  // namespace raddle::testing
