// The baseline: formulas give the number of schedules, and the number of schedules with a given number of preemptions.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "supervisor/search/strategy.h"
#include "supervisor/trace/replay_machine.h"
#include "tests/model_program.h"
#include "tests/programs.h"

namespace raddle {
std::unique_ptr<Strategy> make_dfs(const StrategyOptions& options);
std::unique_ptr<Strategy> make_cb_dfs(const StrategyOptions& options);

namespace {

using namespace raddle::testing;

// Main creates `threads` threads with the same code and ends before them, so that nothing waits for it.
Code all_at_once(std::uint32_t threads, Code code) {
    return [=](Thread& main) -> Body {
        for (std::uint32_t i = 0; i < threads; ++i) co_await main.spawn(code);
        co_await main.end();
    };
}
Code writes(int times) {
    return [=](Thread& t) -> Body {
        for (int i = 0; i < times; ++i) co_await t.write(Variable{0}, i);
    };
}

// Runs all schedules, checks that no two are equal, and calls `seen` with each execution.
template <typename Seen>
Coverage explore(Strategy& strategy, Target& target, Seen&& seen) {
    std::set<std::string> schedules;
    while (const auto plan = strategy.next()) {
        const Execution execution = target.run(*plan);
        const std::string schedule = text_of(execution.schedule());
        EXPECT_TRUE(schedules.insert(schedule).second) << "twice: " << schedule;
        strategy.learn(*plan, execution);
        seen(execution);
    }
    return strategy.coverage();
}
Coverage explore(Strategy& strategy, Target& target) {
    return explore(strategy, target, [](const Execution&) {});
}

TEST(Dfs, OneThreadHasOneSchedule) {
    ModelProgram program([](Thread& t) -> Body { co_await t.write(Variable{0}, 1); });
    const auto strategy = make_dfs({});
    const Coverage coverage = explore(*strategy, program);
    EXPECT_EQ(coverage.executions, 1u);
    EXPECT_EQ(coverage.graphs, 1u);
    EXPECT_TRUE(coverage.exhausted);
    EXPECT_TRUE(strategy->finished());
}

TEST(Dfs, InterleavesTwoThreadsInEveryWay) {
    // Main creates T1, then ends. T1 has n + 2 actions: start, n writes, exit. Main's end may be at any position among
    // them: n + 3 ways.
    for (int n = 0; n < 5; ++n) {
        ModelProgram program(all_at_once(1, writes(n)));
        EXPECT_EQ(explore(*make_dfs({}), program).executions, static_cast<std::uint64_t>(n + 3));
    }
}

TEST(Dfs, InterleavesThreeThreadsInEveryWay) {
    // Main: create T1, create T2, exit; each other thread: start, n writes, exit, so m = n + 2 actions. Main's first
    // action is the first of all. T2's actions come after its creation c. c, main's exit e and T2's m actions have C(m
    // + 1, 1) orders (c first, then e among T2's actions); T1's m actions are anywhere in that sequence of m + 2: C(2m
    // + 2, m).
    const auto choose = [](std::uint64_t n, std::uint64_t k) {
        std::uint64_t ways = 1;
        for (std::uint64_t i = 1; i <= k; ++i) ways = ways * (n - k + i) / i;
        return ways;
    };
    for (int n = 0; n < 3; ++n) {
        ModelProgram program(all_at_once(2, writes(n)));
        const auto m = static_cast<std::uint64_t>(n + 2);
        EXPECT_EQ(explore(*make_dfs({}), program).executions, (m + 1) * choose(2 * m + 2, m)) << n;
    }
}

// The same with T1 and T2: start, K times lock and unlock, exit; only one thread is between lock and unlock at a time.
// Counts recursively over the number of actions each thread has done.
class LockSchedules {
public:
    explicit LockSchedules(int sections) : last_(2 + 2 * sections) {}

    std::uint64_t count(int main = 0, int first = 0, int second = 0) {
        if (main == 3 && first == last_ && second == last_) return 1;
        if (const auto found = known_.find({main, first, second}); found != known_.end()) return found->second;
        std::uint64_t ways = main < 3 ? count(main + 1, first, second) : 0;
        if (main >= 1 && can_go(first, second)) ways += count(main, first + 1, second);
        if (main >= 2 && can_go(second, first)) ways += count(main, first, second + 1);
        return known_[{main, first, second}] = ways;
    }

private:
    bool can_go(int done, int other) const { return done < last_ && !(locks_next(done) && holds(other)); }
    bool locks_next(int done) const { return done >= 1 && done < last_ - 1 && done % 2 == 1; }
    bool holds(int done) const { return done >= 2 && done < last_ && done % 2 == 0; }

    int last_;
    std::map<std::tuple<int, int, int>, std::uint64_t> known_;
};

TEST(Dfs, SectionsOfOneLockDoNotInterleave) {
    for (const int sections : {1, 2}) {
        ModelProgram program(all_at_once(2, [=](Thread& t) -> Body {
            for (int i = 0; i < sections; ++i) {
                co_await t.lock(Mutex{0});
                co_await t.unlock(Mutex{0});
            }
        }));
        const Coverage coverage = explore(*make_dfs({}), program);
        EXPECT_EQ(coverage.executions, LockSchedules(sections).count());
        EXPECT_EQ(coverage.graphs, sections == 1 ? 2u : 6u);  // 2!, 4!/(2!2!)
        EXPECT_TRUE(coverage.exhausted);
    }
}

TEST(Dfs, TakesEveryAlternative) {
    ModelProgram program([](Thread& t) -> Body {
        const std::int64_t first = co_await t.choose(3);
        co_await t.choose(first + 1);
    });
    EXPECT_EQ(explore(*make_dfs({}), program).executions, 6u);  // 1 + 2 + 3
}

TEST(Dfs, ReportsADeadlock) {
    ModelProgram program(philosophers(2, Forks::left_first));
    const auto strategy = make_dfs({});
    const Coverage coverage = explore(*strategy, program);
    EXPECT_EQ(coverage.graphs, 3u);
    const std::vector<Finding> findings = strategy->take_findings();
    ASSERT_FALSE(findings.empty());
    std::uint32_t fewest = 100;
    for (const Finding& finding : findings) {
        EXPECT_EQ(finding.verdict, Verdict::deadlock);
        fewest = std::min(fewest, finding.preemptions);
        Plan plan;
        plan.prefix = finding.schedule;
        EXPECT_EQ(program.run(plan).verdict, Verdict::deadlock);
    }
    EXPECT_EQ(fewest, 1u);
    EXPECT_TRUE(strategy->take_findings().empty());
}

TEST(Dfs, ClaimsNothingAboutSchedulesThatWereCutShort) {
    ModelProgram program(locks(2, 2));
    StrategyOptions options;
    options.max_steps = 10;
    const Coverage coverage = explore(*make_dfs(options), program);
    EXPECT_FALSE(coverage.exhausted);
    ASSERT_EQ(coverage.incomplete_because.size(), 1u);
    const std::string& reason = coverage.incomplete_because[0];
    EXPECT_TRUE(reason.starts_with("more steps than allowed (")) << reason;
}

TEST(Dfs, ClaimsNothingAfterItsMemoryLimit) {
    ModelProgram program(locks(2, 2));
    StrategyOptions options;
    options.memory_limit = 1000;
    const Coverage coverage = explore(*make_dfs(options), program);
    EXPECT_FALSE(coverage.exhausted);
    EXPECT_LT(coverage.executions, explore(*make_dfs({}), program).executions);
    EXPECT_FALSE(coverage.incomplete_because.empty());
}

TEST(Dfs, ReportsEachGraphOnce) {
    ModelProgram program(locks(2, 2));
    StrategyOptions options;
    std::vector<Schedule> told;
    options.on_graph = [&](const Schedule& schedule) { told.push_back(schedule); };
    explore(*make_dfs(options), program);
    EXPECT_EQ(told.size(), 6u);
}

// ---- with a bound

TEST(CbDfs, RunsExactlyTheSchedulesWithinTheBound) {
    ModelProgram program(all_at_once(2, writes(1)));
    std::map<std::uint32_t, std::uint64_t> by_cost;
    ReplayMachine replay({});
    const std::uint64_t all = explore(*make_dfs({}), program, [&](const Execution& execution) {
                                  replay.begin(execution);
                                  replay.feed_all();
                                  ++by_cost[replay.preemptions()];
                              }).executions;

    std::uint64_t expected = 0;
    for (std::uint32_t bound = 0; bound <= by_cost.rbegin()->first; ++bound) {
        expected += by_cost[bound];
        StrategyOptions options;
        options.max_bound = bound;
        const auto strategy = make_cb_dfs(options);
        const Coverage coverage = explore(*strategy, program);
        EXPECT_EQ(coverage.executions, expected) << bound;
        EXPECT_EQ(coverage.complete_to, bound);
        EXPECT_EQ(coverage.exhausted, expected == all);
        EXPECT_TRUE(strategy->finished());
    }
    EXPECT_EQ(expected, all);
}

TEST(CbDfs, FindsTheGraphsOfEachBound) {
    // locks(2,2): 2 4 6
    ModelProgram program(locks(2, 2));
    const std::size_t graphs[] = {2, 4, 6};
    for (std::uint32_t bound = 0; bound < 3; ++bound) {
        StrategyOptions options;
        options.max_bound = bound;
        EXPECT_EQ(explore(*make_cb_dfs(options), program).graphs, graphs[bound]) << bound;
    }
}

TEST(CbDfs, TakesFewestPreemptionsFirst) {
    ModelProgram program(locks(2, 1));
    ReplayMachine replay({});
    std::uint32_t last = 0;
    const Coverage coverage = explore(*make_cb_dfs({}), program, [&](const Execution& execution) {
        replay.begin(execution);
        replay.feed_all();
        EXPECT_GE(replay.preemptions(), last);
        last = replay.preemptions();
    });
    EXPECT_EQ(coverage.complete_to, last);
    EXPECT_TRUE(coverage.exhausted);
}

TEST(CbDfs, ReportsTheBoundUpToWhichItIsComplete) {
    ModelProgram program(locks(2, 2));
    const auto strategy = make_cb_dfs({});
    EXPECT_EQ(strategy->coverage().complete_to, std::nullopt);
    const auto first = strategy->next();
    ASSERT_TRUE(first);
    EXPECT_FALSE(strategy->next());  // the first has to come back
    EXPECT_FALSE(strategy->finished());
    EXPECT_EQ(strategy->coverage().in_flight, 1u);
    strategy->learn(*first, program.run(*first));
    while (strategy->coverage().bound == 0) {
        EXPECT_EQ(strategy->coverage().complete_to, std::nullopt);
        const auto plan = strategy->next();
        strategy->learn(*plan, program.run(*plan));
    }
    EXPECT_EQ(strategy->coverage().complete_to, 0u);
}

TEST(CbDfs, ContinuesWhenTheBoundIsRaised) {
    ModelProgram program(locks(2, 2));
    StrategyOptions low, high;
    low.max_bound = 1;
    high.max_bound = 2;
    const auto first = make_cb_dfs(low);
    const std::uint64_t before = explore(*first, program).executions;
    Writer out;
    first->save(out);
    const auto second = make_cb_dfs(high);
    Reader in(out.bytes());
    second->load(in);
    in.expect_end();
    EXPECT_FALSE(second->finished());
    const Coverage coverage = explore(*second, program, [&](const Execution&) {});
    EXPECT_EQ(coverage.executions, explore(*make_cb_dfs(high), program).executions);
    EXPECT_GT(coverage.executions, before);
    EXPECT_EQ(coverage.complete_to, 2u);
    EXPECT_EQ(coverage.graphs, 6u);
}

}  // namespace
}  // namespace raddle
