// Signals between threads: the handler runs in the target thread, at one of its actions.

#include <gtest/gtest.h>

#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

std::string with_signals(const std::string& code) {
    return program(
        "#define _GNU_SOURCE\n#include <errno.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <signal.h>\n"
        "#include <stdlib.h>\n#include <time.h>\n#include <unistd.h>\n" +
        code);
}

void expect_ok(const std::string& path, std::uint64_t seeds = 20) {
    ProcessTarget target(running(path));
    for (std::uint64_t seed = 0; seed <= seeds; ++seed) {
        const Execution execution = target.run(seed == 0 ? run_on() : random_plan(seed));
        EXPECT_EQ(execution.verdict, Verdict::ok) << "seed " << seed << ": " << execution.message;
    }
}

Execution once(const std::string& path) { return ProcessTarget(running(path)).run(run_on()); }

TEST(Signals, ProgramSeesItsOwnHandlers) {
    expect_ok(with_signals(R"(
        static void on(int n) { (void)n; }
        int main(void) {
            struct sigaction a;
            if (sigaction(SIGSEGV, 0, &a) || a.sa_handler != SIG_DFL) return 1;
            if (signal(SIGSEGV, on) != SIG_DFL || signal(SIGSEGV, SIG_DFL) != on) return 2;
            if (signal(SIGUSR1, on) != SIG_DFL || sigaction(SIGUSR1, 0, &a) || a.sa_handler != on) return 3;
            return 0; })"),
              0);
}

TEST(Signals, CrashIsReportedAfterAHandlerWasRemoved) {
    EXPECT_EQ(
        once(with_signals(
                 "static void on(int n) { (void)n; }\nint main(void) { signal(SIGSEGV, on); signal(SIGSEGV, SIG_DFL); "
                 "*(volatile int*)0x1234 = 1; return 0; }"))
            .message,
        "SIGSEGV in T0 at address 0x1234");
}

TEST(Signals, EndASemaphoreWait) {
    // After the yield the thread is waiting: a signal before the wait would leave it waiting forever, natively, too.
    expect_ok(with_signals(R"(
        static sem_t never;
        static volatile int handled;
        static void on(int n) { handled = n; }
        static void* body(void* p) { while (!handled) if (sem_wait(&never) == 0 || errno != EINTR) exit(1); return p; }
        int main(void) {
            struct sigaction a = {.sa_handler = on}; sigaction(SIGUSR1, &a, 0); sem_init(&never, 0, 0);
            pthread_t t; pthread_create(&t, 0, body, 0); sched_yield(); pthread_kill(t, SIGUSR1); pthread_join(t, 0); return 0; })"),
              0);
}

TEST(Signals, EndASleep) {
    // run_on: the sender continues only when the thread sleeps
    expect_ok(with_signals(R"(
        static void on(int n) { (void)n; }
        static void* body(void* p) { struct timespec s = {10, 0}; nanosleep(&s, &s); return p; }
        int main(void) {
            struct sigaction a = {.sa_handler = on}; sigaction(SIGUSR1, &a, 0);
            pthread_t t; pthread_create(&t, 0, body, 0); pthread_kill(t, SIGUSR1); pthread_join(t, 0); return 0; })"));
}

TEST(Signals, BlockedSignalsWaitForSigwait) {
    expect_ok(with_signals(R"(
        static sigset_t set;
        static void* body(void* p) { int n; return sigwait(&set, &n) == 0 && n == SIGTERM ? p : (void*)1; }
        int main(void) {
            sigemptyset(&set); sigaddset(&set, SIGTERM); pthread_sigmask(SIG_BLOCK, &set, 0);
            pthread_t t; void* r; pthread_create(&t, 0, body, 0); kill(getpid(), SIGTERM); pthread_join(t, &r); return r ? 1 : 0; })"));
}

TEST(Signals, DefaultActionEndsTheProcess) {
    const Execution execution = once(
        with_signals("static void* body(void* p) { raise(SIGTERM); return p; }\n"
                     "int main(void) { pthread_t t; pthread_create(&t, 0, body, 0); pthread_join(t, 0); return 0; }"));
    EXPECT_EQ(execution.verdict, Verdict::crash);
    EXPECT_EQ(execution.message, "killed by SIGTERM");
}

TEST(Signals, HandlersRunWhileTheirThreadWaitsForACondition) {
    EXPECT_EQ(once(with_signals(R"(
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
        static void on(int n) { (void)n; _exit(0); }
        static void* body(void* p) { pthread_mutex_lock(&m); for (;;) pthread_cond_wait(&c, &m); return p; }
        int main(void) {
            struct sigaction a = {.sa_handler = on}; sigaction(SIGUSR1, &a, 0);
            pthread_t t; pthread_create(&t, 0, body, 0); sched_yield(); pthread_kill(t, SIGUSR1); pthread_join(t, 0); return 0; })"))
                  .verdict,
              Verdict::ok);
}

TEST(Signals, AWaitForASignalThatCameBeforeNeverEnds) {
    const Execution execution = once(with_signals(R"(
        static void on(int n) { (void)n; }
        static void* body(void* p) { pause(); return p; }
        int main(void) {
            signal(SIGUSR1, on);
            pthread_t t; pthread_create(&t, 0, body, 0); pthread_kill(t, SIGUSR1); pthread_join(t, 0); return 0; })"));
    EXPECT_EQ(execution.verdict, Verdict::deadlock);
    EXPECT_NE(execution.message.find("T1 in signal_wait"), std::string::npos) << execution.message;
}

}  // namespace
}  // namespace raddle::testing
