// Measures the cost of an execution for each way to restart the program: restored in process, forked, launched, and
// natively by posix_spawn, in turns within one run.
//
//     taskset -c 0 build/release/bench/restart [rounds [program...]]
//     taskset -c 0 build/release/bench/restart steady executions program
//
// The second form makes many executions in one process and shows how rate, memory and descriptors change. The CPU time
// covers all processes involved; the time of the target is from /proc, because the target ends with the server.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "supervisor/process/process_target.h"

namespace raddle {
namespace {

double seconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

// The CPU time of this process and of the children it has waited for.
double cpu_of(int who) {
    rusage usage{};
    getrusage(who, &usage);
    return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

struct Cost {
    double wall = 0, cpu = 0;
};

template <typename Do>
void measure(Cost& cost, Do&& act) {
    const auto start = std::chrono::steady_clock::now();
    act();
    cost.wall += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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

std::unique_ptr<ProcessTarget> target_of(const std::string& program, Restore restore, ForkAt at) {
    ProcessOptions options;
    options.argv = {program};
    options.restore = restore;
    options.fork_at = at;
    options.check_every = 0;
    return std::make_unique<ProcessTarget>(options);
}

void compare(const std::string& program, int rounds) {
    auto restored = target_of(program, Restore::whenever_possible, ForkAt::first_thread);
    auto forked = target_of(program, Restore::never, ForkAt::first_thread);
    auto launched = target_of(program, Restore::never, ForkAt::never);
    Plan plan;
    for (int i = 0; i < 10; ++i) restored->run(plan);
    forked->run(plan);
    Cost native, restore, fork, launch;
    const double cpu_before = cpu_of(RUSAGE_SELF) + cpu_of(RUSAGE_CHILDREN);
    for (int round = 0; round < rounds; ++round) {
        measure(native, [&] {
            for (int i = 0; i < 10; ++i) spawn_natively(program);
        });
        measure(restore, [&] {
            for (int i = 0; i < 200; ++i) restored->run(plan);
        });
        measure(fork, [&] {
            for (int i = 0; i < 20; ++i) forked->run(plan);
        });
        measure(launch, [&] {
            for (int i = 0; i < 5; ++i) launched->run(plan);
        });
    }
    (void)cpu_before;
    const double n = native.wall / rounds / 10 * 1e6, r = restore.wall / rounds / 200 * 1e6;
    const double f = fork.wall / rounds / 20 * 1e6, l = launch.wall / rounds / 5 * 1e6;
    std::printf(
        "%-24s native %7.1f  put back %6.1f  forked %6.1f  launched %7.1f us; put back %5.1f x native, %6.0f a second%s\n",
        std::filesystem::path(program).filename().c_str(), n, r, f, l, n / r, 1e6 / r,
        restored->restarts().discarded > 0 || restored->restarts().given_up
            ? (" " + text_of(restored->restarts())).c_str()
            : "");
}

// The resident memory in kilobytes and the open descriptors of a process's children.
void describe_children(int server) {
    std::ifstream list("/proc/" + std::to_string(server) + "/task/" + std::to_string(server) + "/children");
    for (int child = 0; list >> child;) {
        const std::string folder = "/proc/" + std::to_string(child);
        long pages = 0, resident = 0;
        std::ifstream(folder + "/statm") >> pages >> resident;
        std::error_code error;
        const auto open = std::distance(std::filesystem::directory_iterator(folder + "/fd", error), {});
        std::printf(", process %d: %ld KiB mapped, %ld KiB resident, %ld descriptors", child, pages * 4, resident * 4,
                    static_cast<long>(open));
    }
}

void steadily(long executions, const std::string& program) {
    auto target = target_of(program, Restore::whenever_possible, ForkAt::first_thread);
    Plan plan;
    constexpr int parts = 10;
    const long in_part = executions / parts;
    for (int part = 0; part < parts; ++part) {
        Cost cost;
        const double cpu = cpu_of(RUSAGE_SELF);
        measure(cost, [&] {
            for (long i = 0; i < in_part; ++i) {
                plan.tail.kind = TailKind::random;
                plan.tail.seed = static_cast<std::uint64_t>(i % 1000);
                target->run(plan);
            }
        });
        std::printf("%8ld executions, %6.2f us each (%5.2f us of it our CPU time)", (part + 1) * in_part,
                    cost.wall / static_cast<double>(in_part) * 1e6,
                    (cpu_of(RUSAGE_SELF) - cpu) / static_cast<double>(in_part) * 1e6);
        describe_children(target->server());
        std::printf("\n");
    }
    std::printf("%s\n", text_of(target->restarts()).c_str());
}

}  // namespace
}  // namespace raddle

int main(int count, char** words) {
    double load[1] = {};
    getloadavg(load, 1);
    std::printf("load average %.1f\n", load[0]);
    if (count == 4 && std::strcmp(words[1], "steady") == 0) {
        raddle::steadily(std::atol(words[2]), words[3]);
        return 0;
    }
    const int rounds = count > 1 ? std::atoi(words[1]) : 20;
    const std::string samples =
        (std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "samples").string();
    for (int i = 2; i < count; ++i) raddle::compare(words[i], rounds);
    if (count <= 2)
        for (const char* name : {"ok/locks", "ok/bank", "ok/cond_queue", "ok/cpp_threads", "ok/shared_mutex",
                                 "deadlock/abba", "assert/abort"})
            raddle::compare(samples + "/" + name, rounds);
    return 0;
}
