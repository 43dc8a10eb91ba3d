// The number of workers does not change the result: the same graphs, bugs and claims, each time.
#include <gtest/gtest.h>

#include <cstdlib>
#include <mutex>
#include <set>

#include "supervisor/process/process_target.h"
#include "supervisor/trace/replay_machine.h"
#include "tests/campaign/targets.h"
#include "tests/command_line.h"
#include "tests/patience.h"

namespace raddle::testing {
namespace {

struct Found {
    std::set<std::pair<std::uint64_t, std::uint64_t>> graphs;
    std::set<std::string> bugs;
    std::optional<std::uint32_t> complete_to;
    bool exhausted = false;
    bool complete = false;

    friend bool operator==(const Found&, const Found&) = default;
};

std::string text_of(const Found& found) {
    std::string text = std::to_string(found.graphs.size()) + " graphs" + (found.exhausted ? ", all" : "") +
                       (found.complete_to ? ", complete to " + std::to_string(*found.complete_to) : "");
    for (const std::string& bug : found.bugs) text += "; " + bug;
    return text;
}

// The graph of a schedule of the program, found by running it.
std::pair<std::uint64_t, std::uint64_t> graph_of(Target& target, const Schedule& schedule) {
    Plan plan;
    plan.prefix = schedule;
    const Execution execution = target.run(plan);
    ReplayMachine replay{MachineOptions{}};
    replay.begin(execution);
    replay.feed_all();
    return {replay.track().graph().high, replay.track().graph().low};
}

Found explored(const TargetFactory& make, unsigned jobs, std::optional<std::uint32_t> bound) {
    std::mutex lock;
    std::vector<Schedule> schedules;
    StrategyOptions options;
    options.max_bound = bound;
    options.on_graph = [&](const Schedule& schedule) {
        const std::lock_guard guard(lock);
        schedules.push_back(schedule);
    };
    Campaign campaign(make, make_strategy("bounded", options), {.jobs = jobs, .keep_going = true, .bound = bound});
    const CampaignResult result = campaign.run({});
    Found found;
    const std::unique_ptr<Target> target = make();
    for (const Schedule& schedule : schedules) found.graphs.insert(graph_of(*target, schedule));
    EXPECT_EQ(found.graphs.size(), schedules.size()) << "a graph twice";
    EXPECT_LE(result.coverage.executions, result.coverage.graphs);
    for (const Bug& bug : result.bugs)
        found.bugs.insert(bug.found.message + ", " + std::to_string(bug.found.preemptions) + " preemptions, " +
                          bug.found.key);
    found.complete_to = result.coverage.complete_to;
    found.exhausted = result.coverage.exhausted;
    found.complete = result.complete;
    return found;
}

void expect_the_same(const TargetFactory& make, std::optional<std::uint32_t> bound, std::size_t graphs) {
    const int rounds = std::getenv("RADDLE_NIGHTLY") != nullptr ? 20 : 2;
    const Found alone = explored(make, 1, bound);
    EXPECT_EQ(alone.graphs.size(), graphs);
    EXPECT_TRUE(alone.complete);
    for (int round = 0; round < rounds; ++round)
        for (const unsigned jobs : {1u, 2u, 4u}) {
            const Found found = explored(make, jobs, bound);
            EXPECT_TRUE(found == alone) << jobs << " workers, round " << round << ": " << text_of(found)
                                        << "\ninstead of " << text_of(alone);
        }
}

TargetFactory real(const std::string& name, const std::vector<std::string>& arguments) {
    ProcessOptions options;
    options.argv = {sample(name)};
    options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
    return [options] { return std::make_unique<ProcessTarget>(options); };
}

TEST(Jobs, FindTheSameInMemory) {
    expect_the_same(in_memory(locks(3, 3)), {}, 1680);
    expect_the_same(in_memory(locks(4, 2)), 2, 672);
    expect_the_same(in_memory(philosophers(4, Forks::left_first)), {}, 15);
}

TEST(Jobs, FindTheSameInRealPrograms) {
    expect_the_same(real("ok/locks", {"3", "3"}), {}, 1680);
    expect_the_same(real("ok/cond_queue", {"4"}), {}, 128);
    expect_the_same(real("deadlock/philosophers_left", {"4"}), {}, 15);
    expect_the_same(real("deadlock/abba", {}), {}, 3);
}

// The watchdog kills the target; the worker gets another one and finishes the search.
TEST(Jobs, AWorkerReplacesATargetThatHangs) {
    ProcessOptions options;
    options.argv = {sample("hang/list_cycle")};
    options.exec_timeout = short_watchdog;
    Campaign campaign([options] { return std::make_unique<ProcessTarget>(options); }, make_strategy("bounded", {}),
                      {.jobs = 2, .keep_going = true});
    const CampaignResult result = campaign.run({});
    ASSERT_EQ(result.cuts.size(), 1u);
    EXPECT_EQ(result.cuts[0].found.verdict, Verdict::uncontrolled);
    EXPECT_GT(result.cuts[0].found.times, 1u);
    EXPECT_GT(result.coverage.graphs, 1u);
    EXPECT_EQ(result.end, CampaignEnd::finished);
    EXPECT_FALSE(result.complete);
}

}  // namespace
}  // namespace raddle::testing
