// Measures long executions: the cost of a new execution that leaves an old one after many actions, and the memory that
// an action takes in the supervisor.
//
//     gcc -O1 -g -pthread bench/programs/long_execution.c -o long_execution
//     taskset -c 0 build/release/bench/long_execution ./long_execution [actions [new actions [executions]]]
//
// In this program one thread takes a mutex of its own again and again, and then two threads take a
// common one. Each plan shares all but the last actions with the execution before. Processor time is that of this
// process and of the program together.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "supervisor/base/processor_time.h"
#include "supervisor/process/launch/kernel_view.h"
#include "supervisor/process/process_target.h"

namespace raddle {
namespace {

double own_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

// Of the process that runs the plans, a child of the server.
double target_seconds(int server) {
    std::ifstream list("/proc/" + std::to_string(server) + "/task/" + std::to_string(server) + "/children");
    double seconds = 0;
    for (int child = 0; list >> child;)
        if (const auto activity = activity_of(child, server))
            seconds += static_cast<double>(activity->processor_time.count()) * 1e-9;
    return seconds;
}

// In kilobytes: resident now, without files and shared memory, and with them.
std::pair<long, long> memory() {
    std::ifstream status("/proc/self/status");
    long own = 0, all = 0;
    for (std::string word; status >> word;) {
        if (word == "RssAnon:") status >> own;
        if (word == "VmRSS:") status >> all;
    }
    return {own, all};
}

void measure(const std::string& program, std::size_t old_actions, std::size_t new_actions, int executions) {
    ProcessOptions options;
    options.argv = {program, std::to_string(old_actions), std::to_string(new_actions)};
    options.check_every = 0;
    options.max_steps = 1u << 24;
    ProcessTarget target(options);
    const auto before = memory();
    Plan plan;
    target.run(plan);
    Execution last = target.run(plan);
    const auto after = memory();
    const auto bytes = [&](long kilobytes) {
        return static_cast<double>(kilobytes) * 1024 / static_cast<double>(last.events.size());
    };
    std::printf("%zu actions: %.0f bytes of own memory an action in this process, %.0f with shared memory\n",
                last.events.size(), bytes(after.first - before.first), bytes(after.second - before.second));
    double own = 0, others = 0, wall = 0;
    for (int i = 0; i < executions + 2; ++i) {  // the first two find the checkpoints
        plan.prefix = last.schedule();
        std::size_t at = plan.prefix.size() - std::min(new_actions + static_cast<std::size_t>(i), plan.prefix.size());
        while (at > 0 && plan.prefix[at].thread == plan.prefix[0].thread) --at;
        plan.prefix.resize(at);
        const double own_before = own_seconds(), others_before = target_seconds(target.server());
        const auto begin = std::chrono::steady_clock::now();
        last = target.run(plan);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        if (i < 2) continue;
        own += own_seconds() - own_before;
        others += target_seconds(target.server()) - others_before;
        wall += took.count();
    }
    const double count = executions / 1e3;
    std::printf(
        "leaving it %zu actions before its end: %.2f ms elapsed, processor time %.2f ms here, %.2f ms there; %s\n",
        new_actions, wall / count, own / count, others / count, text_of(target.restarts()).c_str());
}

}  // namespace
}  // namespace raddle

int main(int count, char** words) {
    const auto number = [&](int at, std::size_t otherwise) {
        return count > at ? static_cast<std::size_t>(std::atol(words[at])) : otherwise;
    };
    if (count < 2) {
        std::fprintf(stderr, "usage: long PROGRAM [actions [new actions [executions]]]\n");
        return 2;
    }
    raddle::measure(words[1], number(2, 100'000), number(3, 1'000), static_cast<int>(number(4, 50)));
    return 0;
}
