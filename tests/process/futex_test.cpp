// Futexes of real programs, and other calls through syscall().

#include <gtest/gtest.h>

#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

std::string with_futex(const std::string& code) {
    return program(
        "#define _GNU_SOURCE\n#include <errno.h>\n#include <linux/futex.h>\n#include <pthread.h>\n#include <sched.h>\n"
        "#include <stdio.h>\n#include <stdlib.h>\n#include <sys/syscall.h>\n#include <time.h>\n#include <unistd.h>\n"
        "static int word;\n"
        "static long wait_for(int value) { return syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, 0, 0, 0); }\n"
        "static long wake(int n) { return syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, n, 0, 0, 0); }\n" +
        code);
}

Execution once(const std::string& path, const Plan& plan = run_on()) { return ProcessTarget(running(path)).run(plan); }

TEST(Futex, WaitersAreWokenInEverySchedule) {
    ProcessTarget target(running(with_futex(R"(
        static void* body(void* p) { while (!word) wait_for(0); return p; }
        int main(void) {
            pthread_t a, b; pthread_create(&a, 0, body, 0); pthread_create(&b, 0, body, 0);
            word = 1; wake(1000); pthread_join(a, 0); pthread_join(b, 0); return 0; })")));
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const Execution execution = target.run(random_plan(seed));
        EXPECT_EQ(execution.verdict, Verdict::ok) << execution.message;
    }
}

TEST(Futex, WakeBeforeTheWaitIsLost) {
    // The word does not change: a wait after the wake never ends.
    const std::string path = with_futex(R"(
        static void* body(void* p) { wait_for(0); return p; }
        int main(void) { pthread_t t; pthread_create(&t, 0, body, 0); wake(1); pthread_join(t, 0); return 0; })");
    // main creates and wakes, before T1 starts
    EXPECT_EQ(once(path, following("T0*2")).verdict, Verdict::deadlock);
    // T1 starts, enters and waits in the queue first
    EXPECT_EQ(once(path, following("T0 T1*2")).verdict, Verdict::ok);
}

TEST(Futex, TimeRunsOutVirtually) {
    EXPECT_EQ(once(with_futex(R"(
        static void* body(void* p) {
            struct timespec hour = {3600, 0};
            return (void*)(long)(syscall(SYS_futex, &word, FUTEX_WAIT, 0, &hour, 0, 0) == -1 && errno == ETIMEDOUT);
        }
        int main(void) { pthread_t t; void* r; pthread_create(&t, 0, body, 0); pthread_join(t, &r); return r ? 0 : 1; })"))
                  .verdict,
              Verdict::ok);
}

TEST(SystemCall, IsNamedIfItStartsAThread) {
    const Execution execution = once(with_futex("int main(void) { syscall(SYS_clone, 0x100, 0, 0, 0, 0); return 0; }"));
    EXPECT_EQ(execution.verdict, Verdict::uncontrolled);
    EXPECT_EQ(execution.message, "the program makes the system call clone");
}

TEST(SystemCall, IsNamedForAnUnknownFutexOperation) {
    const Execution execution = once(with_futex(
        "int main(void) { syscall(SYS_futex, &word, FUTEX_WAIT_REQUEUE_PI, 0, 0, &word + 1, 0); return 0; }"));
    EXPECT_EQ(execution.verdict, Verdict::uncontrolled);
    EXPECT_NE(execution.message.find("FUTEX_WAIT_REQUEUE_PI"), std::string::npos) << execution.message;
}

TEST(Uncontrolled, IsNamedWithTheReason) {
    const Execution execution =
        once(program("#include <sys/fanotify.h>\nint main(void) { fanotify_init(0, 0); return 0; }"));
    EXPECT_EQ(execution.verdict, Verdict::uncontrolled);
    EXPECT_EQ(execution.message, "the program calls fanotify_init: it reports changes of files in an unrecorded order");
}

TEST(Uncontrolled, ChildrenRunFree) {
    EXPECT_EQ(
        once(program("#include <sys/wait.h>\n#include <unistd.h>\nint main(void) { int s; pid_t c = fork(); "
                     "if (c == 0) { alarm(100); _exit(7); } waitpid(c, &s, 0); return WEXITSTATUS(s) == 7 ? 0 : 1; }"))
            .verdict,
        Verdict::ok);
}

TEST(Atomics, CallsOfLibatomicAreActions) {
    const Execution execution = once(program(R"(
        #include <pthread.h>
        struct four { int v[4]; };
        static _Atomic struct four shared;
        static void* body(void* p) { struct four f = {{1, 2, 3, 4}}; shared = f; return p; }
        int main(void) { pthread_t t; pthread_create(&t, 0, body, 0); struct four f = shared; pthread_join(t, 0); f = shared; return f.v[3] - 4; })",
                                             "-latomic"));
    EXPECT_EQ(execution.verdict, Verdict::ok) << execution.message;
    int reads = 0, writes = 0;
    for (const Event& event : execution.events) {
        reads += event.action.operation == Operation::memory_read;
        writes += event.action.operation == Operation::memory_write;
    }
    EXPECT_EQ(reads, 2);
    EXPECT_EQ(writes, 1);
}

}  // namespace
}  // namespace raddle::testing
