// Searches whose visible set grows on the way, against brute force over the set that they end with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "supervisor/trace/replay_machine.h"
#include "tests/hidden_program.h"
#include "tests/search/complaints.h"
#include "tests/search/explore.h"

namespace raddle::testing {
namespace {

constexpr std::size_t most_schedules = 600, most_graphs = 200;
struct IsTooLarge {};
using GraphSet = std::set<std::pair<std::uint64_t, std::uint64_t>>;

enum class Way { in_order, in_disorder, with_restarts };

struct Searched {
    Coverage coverage;
    GraphSet graphs;               // of the last epoch
    std::size_t told = 0;          // graphs that the search told of in the last epoch
    std::uint64_t executions = 0;  // in all
    std::uint64_t growths = 0;
    bool executed_twice = false;  // some graph, in the last epoch
};

std::pair<std::uint64_t, std::uint64_t> graph_of(const Execution& execution, MachineOptions machine) {
    ReplayMachine replay(machine);
    replay.begin(execution);
    replay.feed_all();
    EXPECT_FALSE(replay.mismatch()) << replay.mismatch()->text;
    return {replay.graph().low, replay.graph().high};
}

// Throws IsTooLarge.
Searched search(const HiddenProgram& program, const std::string& name, MachineOptions machine,
                const std::shared_ptr<HiddenSites>& sites, Way way = Way::in_order) {
    Searched result;
    StrategyOptions options;
    options.machine = machine;
    options.visible_set = sites;
    std::uint64_t growths = sites->growths();
    std::vector<Schedule> told;
    GraphSet executed;
    const auto begin_anew_if_it_grew = [&] {
        if (growths == sites->growths()) return;
        growths = sites->growths();
        told.clear();
        executed.clear();
        result.executed_twice = false;
    };
    options.on_graph = [&](const Schedule& schedule) {
        begin_anew_if_it_grew();
        if (told.size() == most_graphs) throw IsTooLarge();
        told.push_back(schedule);
    };
    HiddenTarget target(program, sites, machine);
    const ExploreOptions watching{.on_execution = [&](const Execution& execution) {
        if (++result.executions > 4 * most_schedules) throw IsTooLarge();
        begin_anew_if_it_grew();
        if (!execution.is_void) result.executed_twice |= !executed.insert(graph_of(execution, machine)).second;
    }};
    std::unique_ptr<Strategy> strategy = make_strategy(name, options);
    switch (way) {
        case Way::in_order: explore(*strategy, target, watching); break;
        case Way::in_disorder: explore_in_disorder(*strategy, target, 3, 1, watching); break;
        case Way::with_restarts: strategy = explore_with_restarts(name, options, target, 2, 1, watching); break;
    }
    result.coverage = strategy->coverage();
    HiddenTarget frozen(program, sites, machine, false);
    for (const Schedule& schedule : told) {
        Plan plan;
        plan.prefix = schedule;
        result.graphs.insert(graph_of(frozen.run(plan), machine));
    }
    result.told = told.size();
    result.growths = sites->growths();
    return result;
}

// Every schedule. Nothing if there are too many, or if an execution shows further sharing: a search need not execute
// every graph that is composed of known pasts, so it may not have seen that.
std::optional<GraphSet> truth(const HiddenProgram& program, MachineOptions machine,
                              const std::shared_ptr<HiddenSites>& sites, std::size_t most = most_schedules) {
    StrategyOptions options;
    options.machine = machine;
    const std::unique_ptr<Strategy> every = make_strategy("dfs", options);
    HiddenTarget frozen(program, sites, machine, false);
    GraphSet graphs;
    for (std::size_t schedules = 0;; ++schedules) {
        const std::optional<Plan> plan = every->next();
        if (!plan) break;
        if (schedules == most) return std::nullopt;
        const Execution execution = frozen.run(*plan);
        graphs.insert(graph_of(execution, machine));
        every->learn(*plan, execution);
    }
    if (frozen.missed_sharing()) return std::nullopt;
    return graphs;
}

MachineOptions relation_of(std::uint64_t seed) {
    return {.independence = seed % 2 == 0 ? Independence::plain : Independence::fine};
}

std::uint64_t wanted_programs() { return number_of_programs(200, 20'000); }

class Growing : public ::testing::TestWithParam<Claim> {
protected:
    // Returns how many programs were compared.
    std::uint64_t compare(Way way, std::uint64_t programs) {
        std::uint64_t compared = 0, failures = 0;
        for (std::uint64_t seed = 0; seed < programs && failures < 3; ++seed) {
            const HiddenProgram program = random_hidden_program(seed);
            const MachineOptions machine = relation_of(seed);
            if (is_large(program, machine)) continue;
            const auto sites = std::make_shared<HiddenSites>();
            const Searched found = search(program, GetParam().strategy, machine, sites, way);
            const std::optional<GraphSet> every = truth(program, machine, sites);
            if (!every) continue;
            ++compared;
            const bool right = found.graphs == *every && found.coverage.graphs == every->size() &&
                               found.coverage.exhausted && (way == Way::with_restarts || found.told == every->size()) &&
                               (way != Way::in_order || !GetParam().no_execution_twice || !found.executed_twice);
            if (right) continue;
            ++failures;
            ADD_FAILURE() << "seed " << seed << ": " << found.graphs.size() << " graphs found, " << found.told
                          << " told, " << found.coverage.graphs << " counted, of " << every->size()
                          << (found.executed_twice ? "; one was executed twice" : "") << "; "
                          << (found.coverage.incomplete_because.empty() ? ""
                                                                        : found.coverage.incomplete_because.front())
                          << "\n"
                          << text_of(program);
        }
        return compared;
    }

private:
    static bool is_large(const HiddenProgram& program, MachineOptions machine) {
        const auto sites = std::make_shared<HiddenSites>();
        try {
            search(program, "bounded", machine, sites);
        } catch (const IsTooLarge&) {
            return true;
        }
        return GetParam().every_schedule && !truth(program, machine, sites);
    }
};

TEST_P(Growing, FindsAllGraphsOfTheSetThatItEndsWith) {
    EXPECT_GT(compare(Way::in_order, wanted_programs()), wanted_programs() / 4);
}

TEST_P(Growing, FindsThemWithSeveralPlansOut) { compare(Way::in_disorder, wanted_programs() / 3); }

TEST_P(Growing, FindsThemSavedAndLoaded) { compare(Way::with_restarts, wanted_programs() / 3); }

INSTANTIATE_TEST_SUITE_P(Oracle, Growing, ::testing::ValuesIn(claims()),
                         [](const auto& param_info) { return test_name_of(param_info.param.strategy); });

TEST(GrowingBoundedSearch, ExecutesFewerThanOneThatBeginsAnewAndFindsTheSame) {
    std::uint64_t surviving = 0, anew = 0, graphs = 0, late = 0;
    for (std::uint64_t seed = 0; seed < wanted_programs(); ++seed) {
        const HiddenProgram program = random_hidden_program(seed);
        Searched one, other;
        try {
            one = search(program, "bounded", relation_of(seed), std::make_shared<HiddenSites>(true));
            other = search(program, "bounded", relation_of(seed), std::make_shared<HiddenSites>(false));
        } catch (const IsTooLarge&) {
            continue;
        }
        EXPECT_EQ(one.coverage.graphs, other.coverage.graphs) << "seed " << seed << "\n" << text_of(program);
        EXPECT_EQ(one.executions, one.coverage.executions_in_all()) << "seed " << seed;
        EXPECT_EQ(other.executions, other.coverage.executions_in_all()) << "seed " << seed;
        surviving += one.executions;
        anew += other.executions;
        graphs += one.coverage.graphs;
        late += one.growths > 1 ? 1 : 0;
    }
    EXPECT_LT(surviving, anew);
    EXPECT_GT(late, wanted_programs() / 20) << "the programs are too simple";
    RecordProperty("executions", std::to_string(surviving) + " instead of " + std::to_string(anew));
    RecordProperty("graphs", std::to_string(graphs));
}

// T1 writes x once or twice, depending on v0; T2 reads x or not, depending on v1. The second write becomes visible
// first. When the first one does, it has the name that the second one had, with another continuation.
TEST(GrowingBoundedSearch, TakesNoEventForAnEarlierOneOfTheSameName) {
    using I = HiddenInstruction;
    constexpr std::uint32_t v0 = 0, v1 = 1, x = 2;
    HiddenProgram program;
    program.functions = {{{I::write, v1, 1},
                          {I::read, v0, 0},
                          {I::skip_if_odd, 1, 0},
                          {I::write, x, 0},
                          {I::write, x, 0},
                          {I::read, v0, 0}},
                         {{I::read, v1, 0}, {I::write, v0, 1}, {I::skip_if_odd, 1, 0}, {I::read, x, 0}}};
    program.threads = {0, 1};
    for (const Way way : {Way::in_order, Way::in_disorder}) {
        const auto sites = std::make_shared<HiddenSites>();
        const MachineOptions machine = relation_of(0);
        const Searched found = search(program, "bounded", machine, sites, way);
        EXPECT_GE(found.growths, 3u);
        EXPECT_THAT(found.coverage.incomplete_because, ::testing::IsEmpty());
        const std::optional<GraphSet> every = truth(program, machine, sites, 100'000);
        ASSERT_TRUE(every);
        EXPECT_EQ(found.graphs, *every);
    }
}

}  // namespace
}  // namespace raddle::testing
