#include "supervisor/process/launch/fixture.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "supervisor/base/error.h"
#include "supervisor/process/launch/argument_pointers.h"

namespace raddle {

namespace {

constexpr std::chrono::seconds longest_command{60};

// Starts a process group without our descriptors. Between fork and exec only async-signal-safe calls are allowed.
pid_t start_shell(const std::string& command, const std::string& directory, char** environment) {
    char* const arguments[] = {const_cast<char*>("sh"), const_cast<char*>("-c"), const_cast<char*>(command.c_str()),
                               nullptr};
    const pid_t child = ::fork();
    if (child != 0) return child;
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (const int fd : {0, 1, 2}) ::dup2(nowhere, fd);
    ::syscall(SYS_close_range, 3, ~0U, CLOSE_RANGE_CLOEXEC);
    if (directory.empty() || ::chdir(directory.c_str()) == 0) ::execve("/bin/sh", arguments, environment);
    ::_exit(127);
}

// Nothing after a time-out.
std::optional<int> end_of(pid_t child) {
    const auto deadline = std::chrono::steady_clock::now() + longest_command;
    std::chrono::microseconds pause{200};
    for (;;) {
        int status = 0;
        if (::waitpid(child, &status, WNOHANG) == child) return status;
        if (std::chrono::steady_clock::now() > deadline) return std::nullopt;
        std::this_thread::sleep_for(pause);
        pause = std::min<std::chrono::microseconds>(pause * 2, std::chrono::milliseconds{20});
    }
}

// Removes the loader variables of the program: the commands prepare for the program, but are not part of it.
std::vector<std::string> without_loader_variables(std::vector<std::string> environment) {
    const auto is_loaders = [](std::string_view entry) { return entry.starts_with("LD_"); };
    std::erase_if(environment, is_loaders);
    for (char** entry = environ; *entry != nullptr; ++entry)
        if (is_loaders(*entry)) environment.emplace_back(*entry);
    return environment;
}

// True if an execution of this raddle ran in the directory before: one of a trial, or of another worker.
bool was_used(const std::string& directory) {
    static std::mutex mutex;
    static std::set<std::string> used;
    const std::lock_guard<std::mutex> guard(mutex);
    return !used.insert(directory).second;
}

}  // namespace

Fixture::Fixture(FixtureOptions options, const std::string& directory,
                 std::optional<std::vector<std::string>> environment)
    : options_(std::move(options)), directory_(directory) {
    if (environment) environment_ = without_loader_variables(std::move(*environment));
    if (!options_.copy_directory) return;
    // Campaigns lie in the working directory, and the program does not need them.
    copy_.emplace(directory.empty() ? std::string(".") : directory, "raddle.out");
    directory_ = copy_->path().string();
}

Fixture::~Fixture() { end_background(); }

void Fixture::before_execution() {
    const bool others_were_here = was_used(directory_);
    const bool is_first = !std::exchange(used_, true);
    if (is_first) {
        run("--setup", options_.setup);
    } else {
        end_background();
        if (copy_) copy_->restore();
    }
    if (!is_first || others_were_here) run("--reset", options_.reset);
}

void Fixture::run(const char* option, const std::string& command) {
    if (command.empty()) return;
    end_background();
    std::vector<char*> entries;
    if (environment_) entries = pointers_to(*environment_);
    const pid_t child = start_shell(command, directory_, environment_ ? entries.data() : environ);
    const std::string name = std::string(option) + " '" + command + "'";
    if (child < 0) throw BadInput(name + " cannot be started: " + std::strerror(errno));
    ::setpgid(child, child);  // parent and child both do it, because either may run first
    group_ = child;
    const std::optional<int> status = end_of(child);
    if (!status) {
        end_background();
        while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {}
        throw BadInput(name + " is not done after " + std::to_string(longest_command.count()) +
                       " s; what is to go on beside the program belongs into the background (&)");
    }
    if (*status == 0) return;
    end_background();
    throw BadInput(name +
                   (WIFSIGNALED(*status) ? " was killed by signal " + std::to_string(WTERMSIG(*status))
                                         : " ended with status " + std::to_string(WEXITSTATUS(*status))) +
                   "; run it by hand to see why");
}

bool Fixture::has_background() const { return group_ != 0 && ::kill(-group_, 0) == 0; }

void Fixture::end_background() {
    if (group_ != 0) ::kill(-group_, SIGKILL);
    group_ = 0;
}

}  // namespace raddle
