// Measures the cost of an execution of a real program under raddle against a native run by posix_spawn, in turns within
// one run; and the cost of an action, for a thread that keeps running and for threads that alternate.
//
//     taskset -c 0 build/release/bench/process [rounds]
//
// The CPU time includes the children.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "supervisor/base/processor_time.h"
#include "supervisor/process/process_target.h"

namespace raddle {
namespace {

struct Cost {
    double wall = 0;
    double cpu = 0;
    Cost& operator+=(const Cost& other) {
        wall += other.wall;
        cpu += other.cpu;
        return *this;
    }
};

template <typename Do>
Cost cost_of(Do&& act) {
    const auto start = std::chrono::steady_clock::now();
    const double cpu = processor_seconds();
    act();
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), processor_seconds() - cpu};
}

void spawn_natively(const std::string& program) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    char* const arguments[] = {const_cast<char*>(program.c_str()), nullptr};
    pid_t child = 0;
    if (posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environ) == 0) waitpid(child, nullptr, 0);
    posix_spawn_file_actions_destroy(&actions);
}

void compare(const std::string& name, const std::string& program, int rounds) {
    ProcessOptions options;
    options.argv = {program};
    ProcessTarget target(options);
    Plan plan;
    target.run(plan);
    Cost native, controlled;
    constexpr int at_once = 20;
    for (int round = 0; round < rounds; ++round) {
        native += cost_of([&] {
            for (int i = 0; i < at_once; ++i) spawn_natively(program);
        });
        controlled += cost_of([&] {
            for (int i = 0; i < at_once; ++i) target.run(plan);
        });
    }
    const double runs = static_cast<double>(rounds) * at_once;
    // The children of the fork server are not our own children: their CPU time is missing here, but wall time is
    // complete.
    std::printf("%-28s native %7.1f us wall, %7.1f us CPU; under raddle %7.1f us wall; %.2f times as many a second\n",
                name.c_str(), native.wall / runs * 1e6, native.cpu / runs * 1e6, controlled.wall / runs * 1e6,
                native.wall / controlled.wall);
}

void actions(const std::string& name, const std::string& program) {
    ProcessOptions options;
    options.argv = {program};
    ProcessTarget target(options);
    Plan plan;
    std::size_t events = target.run(plan).events.size();
    double best = 1e9;
    for (int i = 0; i < 20; ++i) best = std::min(best, cost_of([&] { events = target.run(plan).events.size(); }).wall);
    std::printf("%-28s %zu events, %.1f ns each, fork, record and reading it back included\n", name.c_str(), events,
                best / static_cast<double>(events) * 1e9);
}

}  // namespace
}  // namespace raddle

int main(int count, char** words) {
    const int rounds = count > 1 ? std::atoi(words[1]) : 50;
    const std::string build = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
    double load[1] = {};
    getloadavg(load, 1);
    std::printf("load average %.1f\n", load[0]);
    raddle::compare("locks (C, 4 threads)", build + "/samples/ok/locks", rounds);
    raddle::compare("bank (C, 2 threads)", build + "/samples/ok/bank", rounds);
    raddle::compare("cpp_threads (C++)", build + "/samples/ok/cpp_threads", rounds);
    raddle::actions("one thread, 100,000 actions", build + "/conformance/steps_100k");
    return 0;
}
