// Measures the searches on programs in memory as a whole: running the program, following it and analysing it.
//
//     taskset -c 0 build/release/bench/search [--benchmark_filter=REGEX]
//
// Time is CPU time per graph; "graphs" and "executions" count the work, and "peak_MB" is the peak memory of the
// process.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include "supervisor/search/strategy.h"
#include "tests/programs.h"

namespace raddle::testing {
namespace {

struct Subject {
    std::string name;
    Code code;
};

void explore(benchmark::State& state, const std::string& strategy, const Code& code,
             std::optional<std::uint32_t> bound) {
    Coverage coverage;
    for ([[maybe_unused]] auto _ : state) {
        ModelProgram program(code);
        StrategyOptions options;
        options.machine.independence = Independence::plain;
        options.max_bound = bound;
        const std::unique_ptr<Strategy> search = make_strategy(strategy, options);
        while (const std::optional<Plan> plan = search->next()) search->learn(*plan, program.run(*plan));
        coverage = search->coverage();
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto graphs = static_cast<double>(coverage.graphs);
    state.counters["graphs"] = graphs;
    state.counters["executions"] = static_cast<double>(coverage.executions);
    state.counters["peak_MB"] = static_cast<double>(usage.ru_maxrss) / 1024;
    state.counters["a_graph"] = benchmark::Counter(graphs * static_cast<double>(state.iterations()),
                                                   benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void add(const std::string& strategy, const Subject& subject, std::optional<std::uint32_t> bound = {}) {
    const std::string limit = bound ? "/k<=" + std::to_string(*bound) : "";
    benchmark::RegisterBenchmark((strategy + "/" + subject.name + limit).c_str(), [=](benchmark::State& state) {
        explore(state, strategy, subject.code, bound);
    })->Unit(benchmark::kMillisecond);
}

void add_all() {
    const Subject wsq5{"wsq(5)", wsq(5)}, locks42{"locks(4,2)", locks(4, 2)}, locks33{"locks(3,3)", locks(3, 3)};
    for (const Subject& subject :
         {wsq5, Subject{"readers(13)", readers(13)}, Subject{"indexer(15)", indexer(15)}, locks42,
          Subject{"filesystem(18)", filesystem(18)}, Subject{"lastzero(15)", lastzero(15)}})
        add("optimal", subject);
    for (const std::uint32_t bound : {0u, 1u, 2u})
        for (const Subject& subject : {wsq5, locks42, locks33, Subject{"readers(8)", readers(8)}})
            add("bounded", subject, bound);
    for (const Subject& subject : {Subject{"filesystem(14)", filesystem(14)}, Subject{"indexer(12)", indexer(12)},
                                   Subject{"philosophers(5)", philosophers(5, Forks::ordered)}})
        add("bounded", subject, 0);
    // Measures how time and memory grow with events, threads and bound.
    for (const int threads : {2, 4, 8})
        for (const int actions : {10, 30, threads == 8 ? 125 : 100})
            for (const std::uint32_t bound : {0u, 1u}) {
                if (threads == 8 && bound > 0) continue;
                if (threads == 4 && actions > 30 && bound > 0) continue;
                const std::string size = "(" + std::to_string(threads) + "," + std::to_string(actions) + ",8)";
                add("bounded", {"many_locks" + size, many_locks(threads, actions, 8)}, bound);
            }
}

}  // namespace
}  // namespace raddle::testing

int main(int argc, char** argv) {
    raddle::testing::add_all();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
