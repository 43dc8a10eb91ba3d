// Threads of a program that does nothing visible any more, looked at from outside of it.
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <set>

#include "supervisor/process/launch/instrumented_code.h"
#include "supervisor/process/outside/stopped_process.h"
#include "tests/patience.h"
#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

const char* const head =
    "#define _GNU_SOURCE\n#include <pthread.h>\n#include <signal.h>\n#include <sys/syscall.h>\n#include <sys/wait.h>\n"
    "#include <unistd.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nvolatile unsigned long count;\n"
    "static void block_signals(void) { unsigned long all = ~0ul; syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, 0, 8); }\n"
    "__attribute__((noinline)) void sleep_deeply(void) { unsigned long none = 0; syscall(SYS_rt_sigsuspend, &none, 8); __asm__ volatile(\"\" : : : \"memory\"); }\n"
    "__attribute__((noinline)) void spin(void) { for (;;) count = count * 3 + 1; }\n"
    "__attribute__((noinline)) void enter(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }\n";
const char* const two_threads =
    "static void* waiter(void* p) { enter(); return p; }\n"
    "int main(void) {\n  pthread_t a, b;\n  pthread_mutex_lock(&m);\n  pthread_create(&a, 0, waiter, 0);\n"
    "  pthread_create(&b, 0, body, 0);\n  pthread_join(b, 0);\n  pthread_join(a, 0);\n  return 0;\n}\n";

std::string hanging(const std::string& body) {
    return program(std::string(head) + "static void* body(void* p) { " + body + " return p; }\n" + two_threads,
                   "-O1 -g");
}

Standing standing_of(ProcessOptions options, const char* schedule = "") {
    options.exec_timeout = short_watchdog;
    ProcessTarget target(options);
    Execution execution = target.run(*schedule == 0 ? run_on() : following(schedule));
    EXPECT_EQ(execution.verdict, Verdict::uncontrolled) << execution.message;
    if (!execution.standing) ADD_FAILURE() << "nobody looked: " << execution.message;
    return execution.standing ? *execution.standing : Standing{};
}

const StandingThread& thread_named(const Standing& standing, const std::string& name) {
    static const StandingThread none;
    const auto found = std::ranges::find(standing.threads, name, &StandingThread::name);
    if (found != standing.threads.end()) return *found;
    std::string lines;
    for (const std::string& line : lines_of(standing)) lines += line + "\n";
    ADD_FAILURE() << "no " << name << " in\n" << lines;
    return none;
}

// "spin < body", without functions of libraries.
std::string functions_of(const StandingThread& thread) {
    std::string text;
    for (const Frame& frame : thread.stack)
        if (!frame.file.empty() && frame.module.find(".so") == std::string::npos)
            text += (text.empty() ? "" : " < ") + frame.function;
    return text;
}

TEST(Outside, ASpinWithSignalsBlockedHasTheStacksOfAllThreads) {
    const Standing standing = standing_of(running(hanging("block_signals(); spin();")));
    EXPECT_EQ(standing.gap, "");
    EXPECT_EQ(standing.threads.size(), 3u);
    const StandingThread& spinning = thread_named(standing, "T2");
    EXPECT_EQ(functions_of(spinning), "spin < body");
    EXPECT_EQ(spinning.state, "runs");
    EXPECT_EQ(spinning.stack.at(0).line, 11u);
    EXPECT_EQ(functions_of(thread_named(standing, "T0")), "main");
    EXPECT_EQ(thread_named(standing, "T0").state, "waits in thread_join");
}

TEST(Outside, AThreadThatWaitsHasItsStackFromWhereItLeft) {
    // Main joins T2 first, so T1 comes to its lock only if the schedule says so.
    const Standing standing = standing_of(running(hanging("spin();")), "T0*4 T1*1");
    EXPECT_EQ(functions_of(thread_named(standing, "T1")), "enter < waiter");
    EXPECT_EQ(thread_named(standing, "T1").state, "waits in mutex_lock");
}

TEST(Outside, AHangInTheKernelNamesTheSystemCall) {
    const Standing standing = standing_of(running(hanging("sleep_deeply();")));
    EXPECT_EQ(functions_of(thread_named(standing, "T2")), "sleep_deeply < body");
    EXPECT_EQ(thread_named(standing, "T2").state, "is blocked in system call 130");
}

TEST(Outside, KernelThreadsAreFoundByTheirControlBlocks) {
    ProcessOptions options = running(hanging("block_signals(); spin();"));
    options.threads = Threads::kernel;
    const Standing standing = standing_of(options);
    EXPECT_EQ(functions_of(thread_named(standing, "T2")), "spin < body");
    EXPECT_EQ(functions_of(thread_named(standing, "T0")), "main");
}

TEST(Outside, CopiesOfFunctionsLeadBackToTheProgram) {
    ProcessOptions options = running(hanging("block_signals(); spin();"));
    options.code = std::make_shared<InstrumentedCode>(options.argv[0], std::vector<std::string>(), MemoryLevel::races);
    const Standing standing = standing_of(options);
    EXPECT_EQ(functions_of(thread_named(standing, "T2")), "spin < body");
    EXPECT_EQ(thread_named(standing, "T2").stack.at(0).line, 11u);
}

TEST(Outside, AChildThatHangsIsLookedAtToo) {
    const Standing standing = standing_of(
        running(hanging("pid_t c = fork(); if (c == 0) { sleep_deeply(); _exit(0); } int s; waitpid(c, &s, 0);")));
    EXPECT_EQ(functions_of(thread_named(standing, "T0 of child process 1")), "sleep_deeply < body");
    EXPECT_EQ(functions_of(thread_named(standing, "T2")), "body");
}

TEST(Outside, LinesNameFunctionAndSource) {
    const Standing standing = standing_of(running(hanging("block_signals(); spin();")));
    const std::vector<std::string> lines = lines_of(standing);
    const auto is_spin = [](const std::string& line) {
        return line.starts_with("T2 runs: spin at ") && line.find(".c:11 < body at ") != std::string::npos;
    };
    EXPECT_TRUE(std::ranges::any_of(lines, is_spin)) << lines.at(0);
}

class Sleeper {
public:
    Sleeper() : id_(::fork()) {
        if (id_ != 0) return;
        ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
        for (;;) ::pause();
    }
    ~Sleeper() {
        ::kill(id_, SIGKILL);
        ::waitpid(id_, nullptr, 0);
    }
    Sleeper(const Sleeper&) = delete;
    Sleeper& operator=(const Sleeper&) = delete;
    pid_t id() const { return id_; }

private:
    const pid_t id_;
};

TEST(Outside, WhereAnotherDebuggerIsTheGapSaysSo) {
    const Sleeper sleeper;
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t debugger = ::fork();
    if (debugger == 0) {
        char word = ::ptrace(PTRACE_SEIZE, sleeper.id(), nullptr, nullptr) == 0 ? 'y' : 'n';
        if (::write(ready[1], &word, 1) != 1) ::_exit(1);
        for (;;) ::pause();
    }
    char word = 0;
    ASSERT_EQ(::read(ready[0], &word, 1), 1);
    EXPECT_EQ(word, 'y');
    {
        const StoppedProcess process(sleeper.id());
        EXPECT_TRUE(process.threads().empty());
        EXPECT_NE(process.gap().find("not permitted"), std::string::npos) << process.gap();
        EXPECT_EQ(process.gap().find('\n'), std::string::npos);
    }
    ::kill(debugger, SIGKILL);
    ::waitpid(debugger, nullptr, 0);
    ::close(ready[0]);
    ::close(ready[1]);
}

TEST(Outside, AProcessGoesOnAfterwards) {
    const Sleeper sleeper;
    ASSERT_TRUE(eventually([&] { return StoppedProcess(sleeper.id()).threads().size() == 1; }));
    std::uint64_t word = 0;
    EXPECT_FALSE(StoppedProcess(sleeper.id()).read(8, word));
    ::kill(sleeper.id(), SIGTERM);
    int status = 0;
    EXPECT_TRUE(eventually([&] { return ::waitpid(sleeper.id(), &status, WNOHANG) == sleeper.id(); }));
    EXPECT_TRUE(WIFSIGNALED(status));
}

TEST(Outside, OfAProcessThatIsGoneNothingIsSaid) {
    pid_t gone = 0;
    {
        const Sleeper sleeper;
        gone = sleeper.id();
    }
    EXPECT_TRUE(StoppedProcess(gone).threads().empty());
}

}  // namespace
}  // namespace raddle::testing
