// Measures the error of the estimated number of executions: after 1 %, 10 % and 50 % of the executions of a search, the
// estimated total is compared with the true total at the end of the same search.
//
//     build/release/bench/estimate [STEPS]      STEPS in memory for each estimate (default 200000)
//
// Prints, for each moment, estimated total / true total, and whether the true total was inside the range.
#include <cstdio>
#include <cstdlib>

#include "supervisor/search/estimate/estimate.h"
#include "tests/programs.h"

namespace raddle::testing {
namespace {

struct Subject {
    const char* name;
    Code code;
    const char* strategy;
    SearchUnit unit;
    std::optional<std::uint32_t> bound;  // the bound that is being searched; smaller bounds are done
};

std::vector<Subject> subjects() {
    std::vector<Subject> all;
    const auto in_all = [&](const char* name, const Code& code) {
        all.push_back({name, code, "optimal", SearchUnit::graphs, std::nullopt});
    };
    const auto by_bound = [&](const char* name, const Code& code, std::uint32_t bound) {
        all.push_back({name, code, "bounded", SearchUnit::graphs_by_bound, bound});
    };
    in_all("locks(3,3)", locks(3, 3));
    in_all("locks(4,2)", locks(4, 2));
    in_all("wsq(4)", wsq(4));
    in_all("readers(8)", readers(8));
    in_all("lastzero(10)", lastzero(10));
    in_all("indexer(13)", indexer(13));
    in_all("indexer(15)", indexer(15));
    in_all("cond_queue(4)", cond_queue(4));
    in_all("sem_queue(2,2)", sem_queue(2, 2));
    in_all("philosophers(5)", philosophers(5, Forks::ordered));
    for (const std::uint32_t k : {1u, 2u, 3u, 4u}) by_bound("locks(3,3)", locks(3, 3), k);
    for (const std::uint32_t k : {1u, 2u, 3u}) by_bound("locks(4,2)", locks(4, 2), k);
    for (const std::uint32_t k : {2u, 3u, 4u}) by_bound("wsq(4)", wsq(4), k);
    by_bound("readers(8)", readers(8), 0);
    by_bound("lastzero(10)", lastzero(10), 0);
    by_bound("philosophers(5)", philosophers(5, Forks::left_first), 1);
    all.push_back({"writers(3)", writers(3), "dfs", SearchUnit::schedules, std::nullopt});
    all.push_back({"locks(2,2)", locks(2, 2), "cb-dfs", SearchUnit::schedules_by_bound, 2});
    all.push_back({"locks(3,2)", locks(3, 2), "cb-por", SearchUnit::graphs_by_bound, 2});
    return all;
}

struct Moment {
    double share;
    std::optional<Estimate> remaining;
    std::uint64_t executions = 0;
};

constexpr MachineOptions plainly{.independence = Independence::plain};

std::unique_ptr<Strategy> strategy_of(const Subject& subject) {
    StrategyOptions options;
    options.machine = plainly;
    options.max_bound = subject.bound;
    return make_strategy(subject.strategy, options);
}

std::uint64_t true_total(const Subject& subject) {
    ModelProgram program(subject.code, {.machine = plainly});
    const auto search = strategy_of(subject);
    while (const auto plan = search->next()) search->learn(*plan, program.run(*plan));
    return search->coverage().executions;
}

void measure(const Subject& subject, std::uint64_t steps) {
    const std::uint64_t total = true_total(subject);
    Moment moments[] = {{0.01, {}}, {0.1, {}}, {0.5, {}}};
    ModelProgram program(subject.code, {.machine = plainly});
    const auto search = strategy_of(subject);
    Estimator estimator(subject.unit, plainly);
    std::size_t next = 0;
    while (const auto plan = search->next()) {
        const Execution execution = program.run(*plan);
        search->learn(*plan, execution);
        estimator.learn(execution);
        const Coverage coverage = search->coverage();
        while (next < std::size(moments) &&
               static_cast<double>(coverage.executions) >= moments[next].share * static_cast<double>(total)) {
            Moment& moment = moments[next++];
            moment.executions = coverage.executions;
            estimator.draw(subject.bound.value_or(0), steps);
            moment.remaining =
                estimator.remaining(coverage, [&](const Hash128& graph) { return search->has_seen(graph); });
        }
    }
    const std::string bound = subject.bound ? ", k <= " + std::to_string(*subject.bound) : "";
    std::printf("%-8s %-26s %7llu", subject.strategy, (subject.name + bound).c_str(),
                static_cast<unsigned long long>(total));
    for (const Moment& moment : moments) {
        if (!moment.remaining) {
            std::printf("   %-16s", "nothing");
            continue;
        }
        const auto done = static_cast<double>(moment.executions), all = static_cast<double>(total);
        const bool held = done + moment.remaining->low <= all && all <= done + moment.remaining->high;
        std::printf("   %5.2f %-10s", (done + moment.remaining->likely) / all, held ? "in band" : "outside");
    }
    std::printf("\n");
    std::fflush(stdout);
}

}  // namespace
}  // namespace raddle::testing

int main(int count, char** words) {
    const std::uint64_t steps = count > 1 ? std::strtoull(words[1], nullptr, 10) : 200'000;
    std::printf("%-8s %-26s %7s   %-16s   %-16s   %s\n", "search", "program", "total", "after 1 %", "after 10 %",
                "after 50 %");
    for (const auto& subject : raddle::testing::subjects()) raddle::testing::measure(subject, steps);
}
