// Every end of a program, and a program without end, gets a verdict in the allowed time, and the next run works.

#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include "tests/patience.h"
#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

using namespace std::chrono_literals;

// A program with a thread that runs `code`.
std::string thread_doing(const std::string& code, const std::string& before = "") {
    return program(
        "#define _GNU_SOURCE\n#include <assert.h>\n#include <pthread.h>\n#include <signal.h>\n#include <stdio.h>\n"
        "#include <stdlib.h>\n#include <string.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n" +
        before + "\nstatic void* body(void* p) { " + code +
        "; return p; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, body, 0); pthread_join(t, 0); return 0; }\n");
}

// The kernel needs a moment to remove a killed process.
bool soon_gone(const std::string& path) {
    return eventually([&] { return processes_of(path) == 0; });
}

// The verdict of the first run. Checks that a second run gives the same and that no process remains.
Verdict verdict_of(const std::string& path, std::string* message = nullptr, std::chrono::milliseconds patience = 60s) {
    ProcessOptions options = running(path);
    options.exec_timeout = patience;
    Verdict first, second;
    {
        ProcessTarget target(options);
        const Execution execution = target.run(run_on());
        if (message != nullptr) *message = execution.message;
        first = execution.verdict;
        second = target.run(run_on()).verdict;
    }
    EXPECT_EQ(first, second);
    EXPECT_TRUE(soon_gone(path));
    return first;
}

TEST(Ends, ExitStatus) {
    std::string message;
    EXPECT_EQ(verdict_of(thread_doing("exit(3)"), &message), Verdict::exit_status);
    EXPECT_EQ(message, "exit status 3");
    EXPECT_EQ(verdict_of(thread_doing("_exit(3)")), Verdict::exit_status);
    EXPECT_EQ(verdict_of(thread_doing("_exit(0)")), Verdict::ok);
    EXPECT_EQ(verdict_of(thread_doing("quick_exit(4)")), Verdict::exit_status);
    EXPECT_EQ(verdict_of(thread_doing("pthread_exit(0)")), Verdict::ok);
}

TEST(Ends, AssertionAndAbort) {
    std::string message;
    EXPECT_EQ(verdict_of(thread_doing("assert(1 == 2)"), &message), Verdict::assertion);
    EXPECT_NE(message.find("assertion failed: 1 == 2"), std::string::npos) << message;
    EXPECT_EQ(verdict_of(thread_doing("abort()"), &message), Verdict::assertion);
    EXPECT_EQ(verdict_of(thread_doing("raise(SIGABRT)")), Verdict::assertion);
}

TEST(Ends, Crashes) {
    std::string message;
    EXPECT_EQ(verdict_of(thread_doing("*(volatile int*)0x1234 = 1"), &message), Verdict::crash);
    EXPECT_EQ(message, "SIGSEGV in T1 at address 0x1234");
    EXPECT_EQ(verdict_of(thread_doing("__builtin_trap()"), &message), Verdict::crash);
    EXPECT_EQ(message, "SIGILL in T1");
    EXPECT_EQ(verdict_of(thread_doing("kill(getpid(), SIGKILL)"), &message), Verdict::crash);
    EXPECT_EQ(message, "killed by SIGKILL");
}

TEST(Ends, StackOverflowNamesTheThread) {
    std::string message;
    const char* recursion =
        "static int fall(int n) { volatile char room[4000]; room[n % 4000] = 1; return fall(n + 1) + room[1]; }";
    EXPECT_EQ(verdict_of(thread_doing("fall(0)", recursion), &message), Verdict::crash);
    EXPECT_EQ(message, "SIGSEGV in T1: its stack is full");
}

TEST(Ends, TheUsersOwnHandlerKeepsWorking) {
    const char* handler = "static void on_fault(int s) { write(1, \"caught\", 6); _exit(5); }";
    ProcessTarget target(running(thread_doing("signal(SIGSEGV, on_fault); *(volatile int*)0 = 1", handler)));
    EXPECT_EQ(target.run(run_on()).verdict, Verdict::exit_status);
    EXPECT_EQ(target.output(), "caught");
}

TEST(Ends, EndlessLoopIsFoundInTime) {
    std::string message;
    EXPECT_EQ(verdict_of(thread_doing("volatile int go = 1; while (go) {}"), &message, short_watchdog),
              Verdict::uncontrolled);
    EXPECT_EQ(message, "no action for 2000 ms: T1 computes or spins after thread_start");
}

TEST(Ends, BlockingOutsideRaddlesControlIsFoundInTime) {
    std::string message;
    EXPECT_EQ(verdict_of(thread_doing("sigset_t s; sigemptyset(&s); syscall(SYS_rt_sigsuspend, &s, 8)"), &message,
                         short_watchdog),
              Verdict::uncontrolled);
    EXPECT_NE(message.find("T1 is blocked in system call 130"), std::string::npos) << message;
}

TEST(Ends, EndlessLockingReachesTheStepLimit) {
    EXPECT_EQ(verdict_of(thread_doing("for (;;) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }",
                                      "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;")),
              Verdict::step_limit);
}

TEST(Ends, GigabytesOfOutputNeitherBlockNorFill) {
    ProcessOptions options = running(thread_doing(
        "for (int i = 0; i < 20000; ++i) { static char b[16384]; if (write(1, b, sizeof b) < 0) abort(); }"));
    options.capture_limit = 1000;
    ProcessTarget target(options);
    EXPECT_EQ(target.run(run_on()).verdict, Verdict::ok);
    EXPECT_EQ(target.output().size(), 1000u);
}

TEST(Ends, AProgramMayCloseAllDescriptorsAndLeaveItsFolder) {
    EXPECT_EQ(verdict_of(thread_doing("for (int i = 0; i < 2000; ++i) close(i); if (chdir(\"/\")) abort()")),
              Verdict::ok);
}

TEST(Ends, WithoutAnyThread) {
    EXPECT_EQ(verdict_of(program("int main(void) { return 0; }")), Verdict::ok);
    EXPECT_EQ(verdict_of(program("int main(void) { return 9; }")), Verdict::exit_status);
    EXPECT_EQ(verdict_of(program("int main(void) { *(volatile int*)0 = 1; return 0; }")), Verdict::crash);
    EXPECT_EQ(verdict_of(program("#include <pthread.h>\nint main(void) { pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"
                                 "pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }")),
              Verdict::deadlock);
}

TEST(Ends, OutputIsFlushedAndHandlersRun) {
    ProcessTarget target(running(
        thread_doing("atexit(last); printf(\"body \"); exit(0)", "static void last(void) { printf(\"last\"); }")));
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(target.run(run_on()).verdict, Verdict::ok);
        EXPECT_EQ(target.output(), "body last");
    }
}

TEST(Ends, AKilledServerIsReplaced) {
    const std::string path = sample("ok/locks");
    ProcessTarget target(running(path));
    EXPECT_EQ(target.run(run_on()).verdict, Verdict::ok);
    for (unsigned i = 0; i < 3; ++i) {
        ::kill(target.server(), SIGKILL);
        // The server's child may run another plan before it ends, too.
        for (int run = 0; run < 100 && target.launches() == i + 1; ++run)
            EXPECT_EQ(target.run(run_on()).verdict, Verdict::ok);
        EXPECT_EQ(target.launches(), i + 2);
    }
}

TEST(Ends, AKilledExecutionIsRunAgain) {
    const std::string path = thread_doing("for (volatile long i = 0; i < 300000000; ++i) {}");
    ProcessTarget target(running(path));
    std::thread killer([&] {
        eventually([&] { return processes_of(path) >= 2; });
        kill_one_of(path);  // the server or its child
    });
    EXPECT_EQ(target.run(run_on()).verdict, Verdict::ok);
    killer.join();
}

TEST(Ends, ProcessesAreKilledWithTheSupervisor) {
    const std::string path = thread_doing("volatile int go = 1; while (go) {}");
    const pid_t supervisor = ::fork();
    if (supervisor == 0) {
        ProcessTarget target(running(path));
        target.run(run_on());
        ::_exit(0);
    }
    EXPECT_TRUE(eventually([&] { return processes_of(path) == 2; }));  // the server and its child
    ::kill(supervisor, SIGKILL);
    ::waitpid(supervisor, nullptr, 0);
    EXPECT_TRUE(soon_gone(path));
}

TEST(Ends, ChildrenOfTheProgramAreKilledWithTheSupervisor) {
    // A child that would sleep for an hour, of a forked program and of a launched one.
    for (const ForkAt place : {ForkAt::first_thread, ForkAt::never}) {
        const std::string path =
            thread_doing("if (fork() == 0) for (;;) usleep(1000000); volatile int go = 1; while (go) {}");
        const pid_t supervisor = ::fork();
        if (supervisor == 0) {
            ProcessOptions options = running(path);
            options.fork_at = place;
            ProcessTarget target(options);
            target.run(run_on());
            ::_exit(0);
        }
        const int expected = place == ForkAt::never ? 2 : 3;
        EXPECT_TRUE(eventually([&] { return processes_of(path) == expected; }));
        ::kill(supervisor, SIGKILL);
        ::waitpid(supervisor, nullptr, 0);
        EXPECT_TRUE(soon_gone(path));
    }
}

TEST(Ends, WithoutMemoryTheProgramDecidesItsEnd) {
    const char* starve = R"(
        #include <sys/resource.h>
        static void starve(void) {
            struct rlimit none = {64 << 20, 64 << 20};  // less than there is by now: no more at all
            if (setrlimit(RLIMIT_AS, &none)) abort();
        })";
    const char* ask =
        "starve(); void* all = 0; for (long i = 0; i < 100000; ++i) { void** p = malloc(1 << 20); if (!p) _exit(7); *p = all; all = p; }";
    std::string message;
    EXPECT_EQ(verdict_of(thread_doing(ask, starve), &message), Verdict::exit_status);
    EXPECT_EQ(message, "exit status 7");
    EXPECT_EQ(verdict_of(thread_doing("starve(); pthread_t t; if (pthread_create(&t, 0, body, 0)) _exit(8)",
                                      std::string(starve) + "\nstatic void* body(void*);"),
                         &message),
              Verdict::exit_status);
    EXPECT_EQ(message, "exit status 8");
    // raddle's own tables cannot grow any more: this is not a bug of the program.
    const char* many = "static pthread_mutex_t m[200000];";
    EXPECT_EQ(verdict_of(thread_doing("starve(); for (int i = 0; i < 200000; ++i) pthread_mutex_lock(&m[i])",
                                      std::string(starve) + many),
                         &message),
              Verdict::uncontrolled);
    EXPECT_NE(message.find("no memory is left"), std::string::npos) << message;
}

TEST(Ends, APlanDoesNotWaitForeverForTheOutside) {
    // The child answers only after T0 has written, T0 writes after it created T1, and the plan lets T1 read before
    // that.
    const std::string path = program(R"(
        #include <pthread.h>
        #include <sys/wait.h>
        #include <unistd.h>
        static int question[2], answer[2];
        static void* body(void* p) { char c; read(answer[0], &c, 1); return p; }
        int main(void) {
            char c = 1;
            pipe(question); pipe(answer);
            if (fork() == 0) { while (read(question[0], &c, 1) == 1) write(answer[1], &c, 1); _exit(0); }
            pthread_t t;
            pthread_create(&t, 0, body, 0);
            write(question[1], &c, 1);
            pthread_join(t, 0);
            close(question[0]); close(question[1]);
            return 0;
        })");
    ProcessOptions options = running(path);
    options.exec_timeout = 120s;
    ProcessTarget target(options);
    const Execution good = target.run(run_on());
    EXPECT_EQ(good.verdict, Verdict::ok) << good.message;
    Schedule early = good.schedule();
    const auto reads = [](const Event& event) {
        return event.thread == ThreadId{1} && event.action.operation == Operation::descriptor_read;
    };
    const auto at = std::find_if(good.events.begin(), good.events.end(), reads) - good.events.begin();
    const auto writes =
        std::find_if(good.events.begin(), good.events.end(),
                     [](const Event& event) {
                         return event.thread == main_thread && event.action.operation == Operation::descriptor_write;
                     }) -
        good.events.begin();
    ASSERT_LT(writes, at);
    Plan plan;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(at); ++i)
        if (i != static_cast<std::size_t>(writes)) plan.prefix.push_back(early[i]);
    const Execution waits = target.run(plan);
    EXPECT_EQ(waits.verdict, Verdict::uncontrolled);
    EXPECT_NE(waits.message.find("outside the program did not answer"), std::string::npos) << waits.message;
}

TEST(Ends, UnmappingTheSharedMemoryIsHarmless) {
    const char* unmap = R"(
        #include <sys/mman.h>
        static void unmap(void) {
            FILE* f = fopen("/proc/self/maps", "r"); char line[512]; unsigned long from, to, start = 0, end = 0;
            while (fgets(line, sizeof line, f)) if (strstr(line, "memfd:raddle") && sscanf(line, "%lx-%lx", &from, &to) == 2) { start = from; end = to; }
            munmap((void*)start, end - start);
        })";
    ProcessOptions options =
        running(thread_doing("unmap(); pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m)", unmap));
    options.exec_timeout = short_watchdog;
    ProcessTarget target(options);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(target.run(run_on()).verdict, Verdict::crash);
}

TEST(Ends, OverwritingTheSharedMemoryIsHarmless) {
    // The program finds the mapping in its own /proc and overwrites everything after the handshake with 0xff.
    const char* scribble = R"(
        static void scribble(void) {
            FILE* f = fopen("/proc/self/maps", "r"); char line[512]; unsigned long from, to;
            while (fgets(line, sizeof line, f)) if (strstr(line, "memfd:raddle") && sscanf(line, "%lx-%lx", &from, &to) == 2) memset((char*)from + 56, 0xff, 1 << 20);
        })";
    ProcessOptions options = running(thread_doing("scribble(); _exit(0)", scribble));
    options.exec_timeout = short_watchdog;
    ProcessTarget target(options);
    EXPECT_EQ(target.run(run_on()).verdict, Verdict::uncontrolled);
}

}  // namespace
}  // namespace raddle::testing
