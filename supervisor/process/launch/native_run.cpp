#include "supervisor/process/launch/native_run.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <thread>

#include "supervisor/process/launch/argument_pointers.h"
#include "supervisor/process/launch/guardian.h"
#include "supervisor/process/launch/launch.h"

namespace raddle {

namespace {

using std::chrono::steady_clock;

// Prepared before the fork: a child of a process with threads must not allocate.
struct Program {
    std::string path, directory, input;
    std::vector<char*> arguments;
    char** environment;
    rlim_t seconds;
    int guardian;

    [[noreturn]] void become() const {
        for (const int signal : {SIGPIPE, SIGINT, SIGQUIT, SIGXFSZ}) ::signal(signal, SIG_DFL);
        ::setsid();
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (guardian >= 0) guardian::tell(guardian, ::getpid());
        sigset_t none;
        ::sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        const rlimit no_core{0, 0}, time{seconds, seconds};
        ::setrlimit(RLIMIT_CORE, &no_core);
        ::setrlimit(RLIMIT_CPU, &time);
        const int from = ::open(input.c_str(), O_RDONLY), nowhere = ::open("/dev/null", O_WRONLY);
        ::dup2(from, 0);
        for (const int fd : {1, 2}) ::dup2(nowhere, fd);
        ::syscall(SYS_close_range, 3, ~0U, CLOSE_RANGE_CLOEXEC);
        if (directory.empty() || ::chdir(directory.c_str()) == 0) ::execve(path.c_str(), arguments.data(), environment);
        ::_exit(127);
    }
};

// Nothing if it slept for so long.
std::optional<int> status_of(pid_t child, std::chrono::milliseconds limit) {
    const auto deadline = steady_clock::now() + limit;
    std::chrono::microseconds pause{200};
    for (;;) {
        int status = 0;
        if (::waitpid(child, &status, WNOHANG) == child) return status;
        if (steady_clock::now() > deadline) return std::nullopt;
        std::this_thread::sleep_for(pause);
        pause = std::min<std::chrono::microseconds>(pause * 2, std::chrono::milliseconds{10});
    }
}

}  // namespace

NativeEnd run_natively(const ProcessOptions& options) {
    Fixture fixture(options.fixture, options.directory, options.environment);
    Program program;
    program.path = std::filesystem::absolute(find_executable(options.argv.at(0))).string();
    program.directory = fixture.directory();
    program.input = options.input.empty() ? "/dev/null" : std::filesystem::absolute(options.input).string();
    program.arguments = pointers_to(options.argv);
    std::vector<char*> entries;
    if (options.environment) entries = pointers_to(*options.environment);
    program.environment = options.environment ? entries.data() : environ;
    program.seconds = static_cast<rlim_t>(options.exec_timeout.count() / 1000 + 1);
    program.guardian = guardian::descriptor();
    fixture.before_execution();
    const pid_t child = ::fork();
    if (child < 0) throw BadInput("the program cannot be started natively: " + std::string(std::strerror(errno)));
    if (child == 0) program.become();
    const std::optional<int> status = status_of(child, options.exec_timeout);
    ::kill(-child, SIGKILL);
    if (!status) {
        while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {}
    }
    guardian::forget(child);
    NativeEnd end;
    const bool out_of_time =
        status && WIFSIGNALED(*status) && (WTERMSIG(*status) == SIGXCPU || WTERMSIG(*status) == SIGKILL);
    end.ended = status && !out_of_time;
    if (!end.ended) return end;
    if (WIFSIGNALED(*status))
        end.signal = WTERMSIG(*status);
    else
        end.exit_status = WEXITSTATUS(*status);
    return end;
}

std::string text_of(const NativeEnd& end) {
    if (!end.ended) return "no end in time";
    return end.signal ? "signal " + std::to_string(*end.signal) : "exit status " + std::to_string(end.exit_status);
}

}  // namespace raddle
