// The ways to a witness on the same recorded executions: how many goals each reaches, and how much processor time it
// takes. usage: build/release/bench/witnesses [EVENTS...]
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <random>
#include <vector>

#include "supervisor/search/predict/predictors.h"
#include "supervisor/search/predict/witness.h"
#include "supervisor/search/symbolic/order_solver.h"
#include "supervisor/trace/replay_machine.h"
#include "tests/model_program.h"

namespace {

using namespace raddle;
using namespace raddle::testing;

// Threads that work under locks, one or two at a time, beside them, and on a semaphore.
Code workers(std::uint32_t threads, std::uint64_t events) {
    return [=](Thread& t) -> Body {
        for (std::uint32_t number = 0; number < threads; ++number)
            co_await t.spawn([=](Thread& u) -> Body {
                std::minstd_rand dice(number + 1);
                const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(dice() >> 8) % n; };
                for (std::uint64_t done = 0; done < events / threads; done += 4) {
                    const std::uint32_t first = below(6);
                    co_await u.lock(Mutex{first});
                    co_await u.write(Variable{first + below(2)}, below(4));
                    if (const std::uint32_t second = below(6); first < 5 && second > first) {
                        co_await u.lock(Mutex{second});
                        co_await u.read(Variable{second});
                        co_await u.unlock(Mutex{second});
                    }
                    co_await u.unlock(Mutex{first});
                    if (below(8) == 0) co_await u.write(Variable{20 + number}, below(4));
                    if (below(16) == 0) co_await u.read(Variable{20 + below(threads)});
                }
            });
    };
}

struct Measured {
    std::size_t found = 0;
    std::size_t first = 0;  // no way before found these
    double seconds = 0;
    std::uint64_t effort = 0;
};

Measured measure(WitnessFinder& way, const std::vector<const Goal*>& goals, std::vector<bool>& reached) {
    Measured measured;
    const std::clock_t begin = std::clock();
    for (std::size_t i = 0; i < goals.size(); ++i) {
        if (!way.find(*goals[i])) continue;
        ++measured.found;
        measured.first += reached[i] ? 0 : 1;
        reached[i] = true;
    }
    measured.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    measured.effort = way.effort();
    return measured;
}

void compare(std::uint64_t events) {
    constexpr std::size_t most_goals = 200;
    ModelProgram program(workers(4, events), {.machine = {}, .main_only_ends_itself = true});
    Plan plan;
    plan.tail = {.kind = TailKind::pct, .seed = 1};
    plan.max_steps = 4 * events;
    const Execution execution = program.run(plan);
    ReplayMachine replay({});
    replay.begin(execution);
    replay.feed_all();
    const Recording recording(replay.track());
    const Goals found = goals_of(recording);
    std::vector<const Goal*> goals;
    const std::size_t stride = found.all().size() / most_goals + 1;
    for (std::size_t i = 0; i < found.all().size(); i += stride) goals.push_back(&found.all()[i]);
    std::printf("%u events, %zu goals\n", recording.size(), goals.size());
    SyncPreserving linear(recording, {});
    Reorderings reorderings(recording, {});
    Solved solved(recording, {});
    const std::pair<const char*, WitnessFinder*> ways[] = {
        {"linear", &linear}, {"orders of a window", &reorderings}, {"solver", &solved}};
    std::vector<bool> reached(goals.size(), false);
    for (const auto& [name, way] : ways) {
        const Measured one = measure(*way, goals, reached);
        std::printf(
            "  %-20s %4zu found, %4zu of them first, %8.3f ms a goal, %8.3f ms a goal and 1,000 events, %10.0f steps a goal\n",
            name, one.found, one.first, 1e3 * one.seconds / static_cast<double>(goals.size()),
            1e6 * one.seconds / static_cast<double>(goals.size()) / recording.size(),
            static_cast<double>(one.effort) / static_cast<double>(goals.size()));
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    std::printf("solver: %s\n", order_solver_name().empty() ? "none" : order_solver_name().c_str());
    std::vector<std::uint64_t> sizes{1000, 10'000};
    if (argc > 1) sizes.clear();
    for (int i = 1; i < argc; ++i) sizes.push_back(std::strtoull(argv[i], nullptr, 10));
    for (const std::uint64_t events : sizes) compare(events);
    return 0;
}
