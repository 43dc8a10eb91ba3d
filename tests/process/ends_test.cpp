// However a program ends, or does not: it has a verdict within the time allowed, and the next run works.

#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

using namespace std::chrono_literals;

// A program whose thread does `code`.
std::string thread_doing(const std::string& code, const std::string& before = "") {
    return program("#define _GNU_SOURCE\n#include <assert.h>\n#include <pthread.h>\n#include <signal.h>\n#include <stdio.h>\n"
                   "#include <stdlib.h>\n#include <string.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n" + before +
                   "\nstatic void* body(void* p) { " + code + "; return p; }\n"
                   "int main(void) { pthread_t t; pthread_create(&t, 0, body, 0); pthread_join(t, 0); return 0; }\n");
}

// The kernel takes a moment to take down what was killed.
bool soon_gone(const std::string& path) {
    for (int i = 0; i < 500 && processes_of(path) > 0; ++i) std::this_thread::sleep_for(10ms);
    return processes_of(path) == 0;
}

// Its first verdict; that a second run gives the same; that nothing is left running.
Verdict verdict_of(const std::string& path, std::string* message = nullptr, std::chrono::milliseconds patience = 10s) {
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
    const char* recursion = "static int fall(int n) { volatile char room[4000]; room[n % 4000] = 1; return fall(n + 1) + room[1]; }";
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
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(verdict_of(thread_doing("volatile int go = 1; while (go) {}"), &message, 300ms), Verdict::uncontrolled);
    EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
    EXPECT_EQ(message, "no action for 300 ms: T1 computes or spins after thread_start");
}

TEST(Ends, BlockingOutOfSightIsFoundInTime) {
    std::string message;
    EXPECT_EQ(verdict_of(thread_doing("sigset_t s; sigemptyset(&s); syscall(SYS_rt_sigsuspend, &s, 8)"), &message, 300ms), Verdict::uncontrolled);
    EXPECT_NE(message.find("T1 is blocked in system call 130"), std::string::npos) << message;
}

TEST(Ends, EndlessLockingMeetsTheStepLimit) {
    EXPECT_EQ(verdict_of(thread_doing("for (;;) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }",
                                      "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;")),
              Verdict::step_limit);
}

TEST(Ends, GigabytesOfOutputNeitherBlockNorFill) {
    ProcessOptions options = running(thread_doing("for (int i = 0; i < 20000; ++i) { static char b[16384]; if (write(1, b, sizeof b) < 0) abort(); }"));
    options.capture_limit = 1000;
    ProcessTarget target(options);
    EXPECT_EQ(target.run(run_on()).verdict, Verdict::ok);
    EXPECT_EQ(target.output().size(), 1000u);
}

TEST(Ends, AProgramMayCloseAllDescriptorsAndLeaveItsFolder) {
    EXPECT_EQ(verdict_of(thread_doing("for (int i = 0; i < 2000; ++i) close(i); if (chdir(\"/\")) abort()")), Verdict::ok);
}

TEST(Ends, WithoutAnyThread) {
    EXPECT_EQ(verdict_of(program("int main(void) { return 0; }")), Verdict::ok);
    EXPECT_EQ(verdict_of(program("int main(void) { return 9; }")), Verdict::exit_status);
    EXPECT_EQ(verdict_of(program("int main(void) { *(volatile int*)0 = 1; return 0; }")), Verdict::crash);
    EXPECT_EQ(verdict_of(program("#include <pthread.h>\nint main(void) { pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"
                                 "pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }")), Verdict::deadlock);
}

TEST(Ends, OutputIsFlushedAndHandlersRun) {
    ProcessTarget target(running(thread_doing("atexit(last); printf(\"body \"); exit(0)", "static void last(void) { printf(\"last\"); }")));
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
        // Its child may carry out another plan before it goes the same way.
        for (int run = 0; run < 100 && target.launches() == i + 1; ++run) EXPECT_EQ(target.run(run_on()).verdict, Verdict::ok);
        EXPECT_EQ(target.launches(), i + 2);
    }
}

TEST(Ends, AnExecutionThatSomebodyKillsIsRunAgain) {
    const std::string path = thread_doing("for (volatile long i = 0; i < 300000000; ++i) {}");
    ProcessTarget target(running(path));
    std::thread killer([&] {
        for (int i = 0; i < 500 && processes_of(path) < 2; ++i) std::this_thread::sleep_for(10ms);
        kill_one_of(path);  // the server or its child
    });
    EXPECT_EQ(target.run(run_on()).verdict, Verdict::ok);
    killer.join();
}

TEST(Ends, NothingIsLeftWhenTheSupervisorIsKilled) {
    const std::string path = thread_doing("volatile int go = 1; while (go) {}");
    const pid_t supervisor = ::fork();
    if (supervisor == 0) {
        ProcessTarget target(running(path));
        target.run(run_on());
        ::_exit(0);
    }
    for (int i = 0; i < 500 && processes_of(path) < 2; ++i) std::this_thread::sleep_for(10ms);
    EXPECT_EQ(processes_of(path), 2);  // the server and its child
    ::kill(supervisor, SIGKILL);
    ::waitpid(supervisor, nullptr, 0);
    EXPECT_TRUE(soon_gone(path));
}

TEST(Ends, ScribblingOverTheSharedMemoryHarmsNobody) {
    // The program finds the mapping in its own /proc and fills what comes after the handshake with 0xff.
    const char* scribble = R"(
        static void scribble(void) {
            FILE* f = fopen("/proc/self/maps", "r"); char line[512]; unsigned long from, to;
            while (fgets(line, sizeof line, f)) if (strstr(line, "memfd:raddle") && sscanf(line, "%lx-%lx", &from, &to) == 2) memset((char*)from + 56, 0xff, 1 << 20);
        })";
    ProcessOptions options = running(thread_doing("scribble(); _exit(0)", scribble));
    options.exec_timeout = 500ms;
    ProcessTarget target(options);
    EXPECT_EQ(target.run(run_on()).verdict, Verdict::uncontrolled);
}

}  // namespace
}  // namespace raddle::testing
