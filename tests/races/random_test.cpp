// On small random programs, the races reported over all graphs are exactly the pairs of adjacent accesses in some
// schedule: brute force checks every schedule, without vector clocks.
#include <gtest/gtest.h>

#include <set>

#include "supervisor/campaign/race_watch.h"
#include "supervisor/trace/replay_machine.h"
#include "tests/sharing_program.h"

namespace raddle::testing {
namespace {

bool is_plain(const Event& event) {
    return event.action.operation == Operation::memory_read || event.action.operation == Operation::memory_write;
}
bool is_atomic(const Event& event) {
    return event.action.operation == Operation::memory_update || event.action.operation == Operation::memory_exchange;
}

struct Truth {
    std::set<std::string> races;
    bool too_large = false;
};

Truth brute_force(const RandomProgram& program) {
    constexpr int most_schedules = 3000;
    WithSites target(program, {});
    const auto every_schedule = make_strategy("dfs", {});
    std::map<std::string, ObjectId> pairs;
    std::set<ObjectId> atomics;
    for (int tried = 0; const auto plan = every_schedule->next(); ++tried) {
        if (tried == most_schedules) return {{}, true};
        const Execution execution = target.run(*plan);
        every_schedule->learn(*plan, execution);
        for (const Event& event : execution.events)
            if (is_atomic(event)) atomics.insert(event.action.object);
        for (std::size_t i = 0; i + 1 < execution.events.size(); ++i) {
            const Event &one = execution.events[i], &other = execution.events[i + 1];
            const bool conflict =
                is_plain(one) && is_plain(other) && one.action.object == other.action.object &&
                !(one.thread == other.thread) &&
                (one.action.operation == Operation::memory_write || other.action.operation == Operation::memory_write);
            if (conflict) pairs[text_of(execution, DataRace{i, i + 1})] = one.action.object;
        }
    }
    Truth truth;
    for (const auto& [text, object] : pairs)
        if (!atomics.contains(object)) truth.races.insert(text);
    return truth;
}

std::set<std::string> reported(const RandomProgram& program) {
    WithSites target(program, {});
    RaceWatch watch(options_of(program, {}).machine);
    const auto search = make_strategy("optimal", {});
    std::vector<Finding> findings;
    while (const auto plan = search->next()) {
        const Execution execution = target.run(*plan);
        for (Finding& finding : watch.find_new_races(*plan, execution, &target)) findings.push_back(std::move(finding));
        search->learn(*plan, execution);
    }
    std::set<std::string> texts;
    for (const Finding& finding : findings)
        if (!watch.is_withdrawn(finding)) texts.insert(finding.key);
    return texts;
}

TEST(RandomPrograms, HaveExactlyTheRacesThatSomeScheduleShowsBackToBack) {
    const std::uint64_t seeds = std::getenv("RADDLE_NIGHTLY") != nullptr ? 20000 : 100;
    std::size_t with_races = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const RandomProgram program = sharing_program(seed);
        ASSERT_TRUE(is_valid(program)) << to_text(program);
        const Truth truth = brute_force(program);
        if (truth.too_large) continue;
        with_races += truth.races.empty() ? 0 : 1;
        ASSERT_EQ(reported(program), truth.races) << "seed " << seed << "\n" << to_text(program);
    }
    EXPECT_GT(with_races, seeds / 20) << "too few of the programs have races for this to say anything";
}

// A reused analysis finds the same races in each execution as a fresh one, after any earlier executions.
TEST(RandomPrograms, HaveTheSameRacesAfterAnyEarlierExecution) {
    const std::uint64_t seeds = std::getenv("RADDLE_NIGHTLY") != nullptr ? 2000 : 50;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const RandomProgram program = sharing_program(seed);
        const MachineOptions machine = options_of(program, {}).machine;
        WithSites target(program, {});
        DataRaces along(machine);
        ReplayMachine replay(machine, ReplayMachine::Back::goes_back);
        for (const char* strategy : {"dfs", "random"}) {
            const auto search = make_strategy(strategy, {});
            Execution execution;
            for (int tried = 0; tried < 200; ++tried) {
                const auto plan = search->next();
                if (!plan) break;
                ReplayMachine anew(machine);
                Plan cut = *plan;
                cut.max_steps = 3 + seed % 7;
                for (const Plan& one : {cut, *plan}) {
                    execution = target.run(one);
                    for (ReplayMachine* each : {&replay, &anew}) {
                        each == &anew ? each->begin(execution) : each->begin_after_common_prefix(execution);
                        each->feed_all();
                    }
                    ASSERT_EQ(replay.position(), execution.events.size());
                    ASSERT_EQ(replay.graph(), anew.graph()) << "seed " << seed << ", execution " << tried;
                    ASSERT_EQ(replay.preemptions(), anew.preemptions()) << "seed " << seed << ", execution " << tried;
                }
                search->learn(*plan, execution);
                DataRaces fresh(machine);
                fresh.add_atomics({along.atomics().begin(), along.atomics().end()});
                const std::vector<DataRace> races = fresh.find(execution);
                ASSERT_EQ(along.find(execution), races) << "seed " << seed << ", execution " << tried << "\n"
                                                        << to_text(program);
                for (const DataRace& race : races)
                    ASSERT_EQ(along.back_to_back(race), fresh.back_to_back(race)) << "seed " << seed;
            }
        }
    }
}

}  // namespace
}  // namespace raddle::testing
