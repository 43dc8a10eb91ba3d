#include "tests/native/delayed_run.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <map>
#include <random>
#include <thread>

#include "supervisor/base/error.h"

namespace raddle::testing {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kMostUsed{1};     // a run with more processor time shows nothing: it spins
constexpr std::chrono::milliseconds kIdle{200};  // nor does one that used no processor time for so long: a deadlock
constexpr int kSpins = 100;
constexpr int kRounds = 4;  // a thread is held so often, and runs freely then

std::chrono::nanoseconds processor_time(pid_t process) {
    clockid_t clock = 0;
    timespec used{};
    if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return {};
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

struct TracedThread {
    int rounds = kRounds;
    int steps = 0;  // instructions until the next delay
    bool held = false;
    int signal = 0;  // to be delivered when it continues
    Clock::time_point until{};
};

class DelayedProgram {
public:
    DelayedProgram(pid_t leader, std::uint64_t seed) : leader_(leader), random_(seed) {}

    std::optional<int> run() {
        threads_[leader_].rounds = 0;  // free until it creates a thread
        int quiet = 0;
        while (!is_stuck()) {
            release_expired();
            int status = 0;
            const pid_t thread = ::waitpid(-1, &status, __WALL | WNOHANG);
            if (thread < 0) return std::nullopt;
            quiet = thread == 0 ? quiet + 1 : 0;
            if (thread == 0 && quiet < kSpins) {
                std::this_thread::yield();  // a single step is done before a sleep would be
            } else if (thread == 0) {
                std::this_thread::sleep_for(std::chrono::microseconds(50));
            } else if (WIFSTOPPED(status)) {
                stopped(thread, status);
            } else {
                threads_.erase(thread);
                if (thread == leader_) return status;
            }
        }
        return std::nullopt;
    }

private:
    // True if it used no processor time for a while, or too much.
    bool is_stuck() {
        const std::chrono::nanoseconds used = processor_time(leader_);
        if (used != used_) {
            used_ = used;
            used_at_ = Clock::now();
        }
        return used > kMostUsed || Clock::now() - used_at_ > kIdle;
    }

    int draw(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random_); }

    void stopped(pid_t id, int status) {
        TracedThread& thread = threads_[id];
        const int event = status >> 16, signal = WSTOPSIG(status);
        if (event == PTRACE_EVENT_CLONE) {
            if (TracedThread& creator = threads_[leader_]; !begun_) begun_ = true, creator.rounds = kRounds;
            pause(id, thread);
        } else if (event == PTRACE_EVENT_STOP && signal != SIGTRAP) {
            ::ptrace(PTRACE_LISTEN, id, 0, 0);  // stopped by a signal, as without us
        } else if (event == PTRACE_EVENT_STOP) {
            pause(id, thread);  // the first stop of a new thread
        } else if (signal == SIGTRAP && thread.steps > 0) {
            if (--thread.steps == 0)
                pause(id, thread);
            else
                ::ptrace(PTRACE_SINGLESTEP, id, 0, 0);
        } else {
            thread.signal = signal;
            go_on(id, thread);
        }
    }

    void pause(pid_t id, TracedThread& thread) {
        if (!begun_ || thread.rounds == 0) return go_on(id, thread);
        --thread.rounds;
        const std::array<int, 4> longest = {0, 50, 300, 3000};
        thread.held = true;
        thread.until = Clock::now() + std::chrono::microseconds(draw(0, longest[static_cast<std::size_t>(draw(0, 3))]));
    }

    void go_on(pid_t id, TracedThread& thread) {
        thread.held = false;
        if (begun_ && thread.rounds > 0 && thread.steps == 0) thread.steps = draw(1, draw(0, 1) == 0 ? 20 : 500);
        ::ptrace(thread.steps > 0 ? PTRACE_SINGLESTEP : PTRACE_CONT, id, 0, thread.signal);
        thread.signal = 0;
    }

    void release_expired() {
        const Clock::time_point now = Clock::now();
        for (auto& [id, thread] : threads_)
            if (thread.held && thread.until <= now) go_on(id, thread);
    }

    pid_t leader_;
    std::mt19937_64 random_;
    bool begun_ = false;  // it has created a thread
    std::chrono::nanoseconds used_{};
    Clock::time_point used_at_ = Clock::now();
    std::map<pid_t, TracedThread> threads_;
};

[[noreturn]] void become(const std::vector<std::string>& words, const std::string& directory, int out) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::setpgid(0, 0);
    const int nothing = ::open("/dev/null", O_RDWR);
    ::dup2(nothing, 0);
    ::dup2(out, 1);
    ::dup2(nothing, 2);
    if (::chdir(directory.c_str()) != 0) ::_exit(98);
    ::raise(SIGSTOP);  // until it is traced
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execv(arguments[0], arguments.data());
    ::_exit(99);
}

std::string content_of(std::FILE* file) {
    std::string text;
    char part[4096];
    for (ssize_t got; (got = ::pread(::fileno(file), part, sizeof part, static_cast<off_t>(text.size()))) > 0;)
        text.append(part, static_cast<std::size_t>(got));
    return text;
}

}  // namespace

std::optional<NativeRun> run_delayed(const std::vector<std::string>& words, const std::string& directory,
                                     std::uint64_t seed) {
    std::FILE* const out = std::tmpfile();
    CHECK(out != nullptr);
    const pid_t child = ::fork();
    CHECK(child >= 0);
    if (child == 0) become(words, directory, ::fileno(out));
    int status = 0;
    CHECK(::waitpid(child, &status, WUNTRACED) == child);
    CHECK(::ptrace(PTRACE_SEIZE, child, 0, PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL) == 0);
    ::kill(child, SIGCONT);
    const std::optional<int> ended = DelayedProgram(child, seed).run();
    ::kill(-child, SIGKILL);
    while (::waitpid(-1, &status, __WALL) > 0) {}
    std::optional<NativeRun> run;
    if (ended) run = NativeRun{*ended, content_of(out)};
    std::fclose(out);
    return run;
}

}  // namespace raddle::testing
