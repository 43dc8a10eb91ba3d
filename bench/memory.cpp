// Measures the cost of --memory: an access by an instruction with room for a jump, by a shorter one, and by the call of
// a -fsanitize=thread build, to memory of one thread only and to memory shared with another thread; and a small search
// as a whole.
//
//     taskset -c 0 build/release/bench/memory [rounds]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "supervisor/process/process_target.h"
#include "supervisor/search/strategy.h"

namespace raddle {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string program(const char* compiled, const char* name) {
    const auto build = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
    return (build / "memory" / compiled / name).string();
}

ProcessOptions running(std::vector<std::string> argv, MemoryLevel level) {
    ProcessOptions options;
    options.argv = std::move(argv);
    options.check_every = 0;
    if (level != MemoryLevel::sync)
        options.code = std::make_shared<InstrumentedCode>(options.argv[0], std::vector<std::string>{}, level);
    return options;
}

// The shortest of several executions, after a first one that finds the shared memory.
double seconds_of(std::vector<std::string> argv, MemoryLevel level, int rounds) {
    const ProcessOptions options = running(std::move(argv), level);
    ProcessTarget target(options);
    double best = 1e9;
    for (int round = 0; round < rounds + 2; ++round) {
        Plan plan;
        plan.epoch = options.code ? options.code->epoch() : 0;
        const auto start = Clock::now();
        const Execution execution = target.run(plan);
        if (!execution.is_void && round >= 2) best = std::min(best, seconds_since(start));
    }
    return best;
}

// The executions are short, so that some of them run without an interruption.
void access_costs(const char* what, const char* compiled, const char* how, long watched, int rounds) {
    const std::string path = program(compiled, "touch");
    constexpr long visible = 1000;
    const auto cost = [&](long times, std::vector<std::string> more) {
        std::vector<std::string> argv = {path, how, std::to_string(times)};
        argv.insert(argv.end(), more.begin(), more.end());
        const double without = seconds_of(argv, MemoryLevel::sync, rounds);
        return (seconds_of(argv, MemoryLevel::races, rounds) - without) / static_cast<double>(times) * 1e9;
    };
    std::printf("%-24s own memory %7.1f ns, shared %7.1f ns\n", what, cost(watched, {}), cost(visible, {"shared"}));
}

// Measures the launched program with every instruction watched, and then later executions with the shared memory
// visible.
void execution_costs(const char* compiled, const char* name, const char* size, int rounds) {
    const std::vector<std::string> argv = {program(compiled, name), size};
    double first[2] = {1e9, 1e9};
    for (int round = 0; round < rounds / 5 + 1; ++round)
        for (const MemoryLevel level : {MemoryLevel::sync, MemoryLevel::races}) {
            const ProcessOptions options = running(argv, level);
            ProcessTarget target(options);
            const auto start = Clock::now();
            target.run({});
            double& best = first[level == MemoryLevel::races];
            best = std::min(best, seconds_since(start));
        }
    const double sync = seconds_of(argv, MemoryLevel::sync, rounds),
                 races = seconds_of(argv, MemoryLevel::races, rounds);
    std::printf(
        "%s %s(%s): launched %.0f us, with --memory races (discovery) %.0f us; later executions %.1f us, %.1f us\n",
        compiled, name, size, first[0] * 1e6, first[1] * 1e6, sync * 1e6, races * 1e6);
}

// Includes the start of the program and the first executions, which find the visible memory.
void search_cost(const char* compiled, const char* name, const char* size) {
    const auto start = Clock::now();
    const ProcessOptions options = running({program(compiled, name), size}, MemoryLevel::races);
    StrategyOptions search;
    search.visible_set = options.code;
    const auto strategy = make_strategy("optimal", search);
    ProcessTarget target(options);
    double first = 0;
    while (const auto plan = strategy->next()) {
        const auto began = Clock::now();
        const Execution execution = target.run(*plan);
        if (first == 0) first = seconds_since(began);
        strategy->learn(*plan, execution);
        strategy->take_findings();
    }
    const Coverage coverage = strategy->coverage();
    const double all = seconds_since(start);
    std::printf(
        "%s %s(%s): %llu graphs, %llu executions to find what is shared, %.3f s in all, the first execution %.1f ms, then %.1f us each\n",
        compiled, name, size, static_cast<unsigned long long>(coverage.graphs),
        static_cast<unsigned long long>(coverage.void_executions), all, first * 1e3,
        (all - first) / static_cast<double>(coverage.executions) * 1e6);
}

}  // namespace
}  // namespace raddle

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 50;
    raddle::access_costs("by a long instruction", "O2", "jump", 50000, rounds);
    raddle::access_costs("by a short instruction", "O2", "trap", 50000, rounds);
    raddle::access_costs("by a call", "tsan-c-O2", "plain", 50000, rounds);
    for (const char* compiled : {"O2", "tsan-c-O2"}) {
        raddle::execution_costs(compiled, "indexer", "12", rounds);
        raddle::execution_costs(compiled, "wsq", "4", rounds);
    }
    raddle::search_cost("O2", "indexer", "12");
    raddle::search_cost("tsan-c-O2", "indexer", "12");
    raddle::search_cost("O2", "wsq", "4");
    raddle::search_cost("tsan-c-O2", "wsq", "4");
    if (argc > 2) raddle::search_cost("tsan-c-O2", "wsq", argv[2]);
}
