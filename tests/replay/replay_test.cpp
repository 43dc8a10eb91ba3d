// Replay, proof and minimization, on programs in memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "replay/schedule/minimize.h"
#include "replay/schedule/proof.h"
#include "replay/schedule/replayer.h"
#include "replay/schedule/token.h"
#include "supervisor/trace/bug_key.h"
#include "tests/model_program.h"

namespace raddle::testing {
namespace {

using ::testing::HasSubstr;

constexpr Mutex a{0}, b{1}, c{2};

// Two threads take two locks in opposite order; before that, each locks and unlocks a third one `more` times.
Code crossing(int more, bool crossed = true) {
    return [more, crossed](Thread& t) -> Body {
        const Handle first = co_await t.spawn([more](Thread& u) -> Body {
            for (int i = 0; i < more; ++i) {
                co_await u.lock(c);
                co_await u.unlock(c);
            }
            co_await u.lock(a);
            co_await u.lock(b);
            co_await u.unlock(b);
            co_await u.unlock(a);
        });
        const Handle second = co_await t.spawn([more, crossed](Thread& u) -> Body {
            for (int i = 0; i < more; ++i) {
                co_await u.lock(c);
                co_await u.unlock(c);
            }
            co_await u.lock(crossed ? b : a);
            co_await u.lock(crossed ? a : b);
            co_await u.unlock(a);
            co_await u.unlock(b);
        });
        co_await t.join(first);
        co_await t.join(second);
    };
}

Execution run(Target& target, const std::string& schedule) {
    Plan plan;
    plan.prefix = parse_schedule(schedule);
    return target.run(plan);
}

Finding finding_of(const Execution& execution) {
    return {execution.verdict, 0, execution.schedule(), execution.message, bug_key_of(execution)};
}

Expected expected_of(const Execution& execution) {
    return {execution.schedule(), recorded(execution), execution.verdict, key_checksum_of(bug_key_of(execution))};
}

// Behaves like one target, but every n-th time like another.
class Moody final : public Target {
public:
    Moody(Code usual, Code odd, unsigned every) : usual_(std::move(usual)), odd_(std::move(odd)), every_(every) {}
    Execution run(const Plan& plan) override { return ++runs_ % every_ == 0 ? odd_.run(plan) : usual_.run(plan); }

private:
    ModelProgram usual_, odd_;
    unsigned every_, runs_ = 0;
};

const std::string deadlock = "T0*2 T1*2 T2*2";

TEST(Replay, ReproducesOnTheSameProgram) {
    ModelProgram program(crossing(0));
    const Execution bug = run(program, deadlock);
    ASSERT_EQ(bug.verdict, Verdict::deadlock);
    const ReplayResult again = replay(program, expected_of(bug));
    EXPECT_EQ(again.outcome, Replayed::reproduced);
    EXPECT_FALSE(again.divergence);
}

TEST(Replay, NamesTheFirstDifferentStep) {
    ModelProgram program(crossing(0)), other(crossing(0, false));
    const ReplayResult result = replay(other, expected_of(run(program, deadlock)));
    EXPECT_EQ(result.outcome, Replayed::diverged);
    ASSERT_TRUE(result.divergence);
    EXPECT_EQ(result.divergence->step, 6u);
    EXPECT_EQ(result.divergence->expected, "T2 mutex_lock " + name_of(b.id())) << "after the start";
    EXPECT_THAT(result.divergence->found, HasSubstr("T2 mutex_lock " + name_of(a.id())));
    EXPECT_FALSE(result.divergence->cause.empty());
}

TEST(Replay, NeverTakesAnotherBugForTheSame) {
    ModelProgram program(crossing(0));
    Expected expected = expected_of(run(program, deadlock));
    expected.key_checksum = key_checksum_of("elsewhere");
    EXPECT_EQ(replay(program, expected).outcome, Replayed::diverged);
    expected = expected_of(run(program, deadlock));
    expected.verdict = Verdict::crash;
    EXPECT_EQ(replay(program, expected).outcome, Replayed::diverged);
}

TEST(Replay, IsCleanIfTheStepsEndWell) {
    ModelProgram program(crossing(0));
    Expected expected = expected_of(run(program, ""));
    expected.verdict = Verdict::assertion;
    EXPECT_EQ(replay(program, expected).outcome, Replayed::clean);
}

TEST(Replay, FollowsTheChoicesOfAToken) {
    ModelProgram program(crossing(0));
    Expected expected = expected_of(run(program, deadlock));
    expected.steps.clear();
    EXPECT_EQ(replay(program, expected).outcome, Replayed::reproduced);
    expected.schedule = parse_schedule("T0*2 T1*2 T2*3");
    const ReplayResult result = replay(program, expected);
    EXPECT_EQ(result.outcome, Replayed::diverged);
    EXPECT_EQ(result.divergence->step, 7u);
}

TEST(Replay, FollowsAProgramThatDoesMoreOrLess) {
    ModelProgram small(crossing(0)), large(crossing(3)), fixed(crossing(3, false));
    const ReplayResult more = replay_changed(large, expected_of(run(small, deadlock)));
    EXPECT_EQ(more.outcome, Replayed::reproduced);
    EXPECT_GT(more.added, 0u);
    const Execution bug = run(large, "T0*2 T1*8 T2*8");
    ASSERT_EQ(bug.verdict, Verdict::deadlock);
    const ReplayResult less = replay_changed(small, expected_of(bug));
    EXPECT_EQ(less.outcome, Replayed::reproduced);
    EXPECT_EQ(less.left_out, 12u);
    EXPECT_NE(replay_changed(fixed, expected_of(bug)).outcome, Replayed::reproduced);
}

TEST(Replay, UsesNamesIfTheDataHasMoved) {
    ModelProgram program(crossing(0));
    Expected expected = expected_of(run(program, deadlock));
    // Exchanges the addresses of the two mutexes.
    std::set<std::string> mutexes;
    for (const RecordedStep& step : expected.steps)
        if (step.operation == "mutex_lock") mutexes.insert(step.object);
    ASSERT_EQ(mutexes.size(), 2u);
    const std::string low = *mutexes.begin(), high = *mutexes.rbegin();
    for (RecordedStep& step : expected.steps)
        step.object = step.object == low ? high : step.object == high ? low : step.object;
    expected.names = {{low, "second"}, {high, "first"}};
    Following how;
    how.name_of = [&](const std::string& object) { return object == low ? "first" : object == high ? "second" : ""; };
    const ReplayResult by_name = replay_changed(program, expected, how);
    EXPECT_EQ(by_name.outcome, Replayed::reproduced);
    EXPECT_EQ(by_name.added + by_name.left_out, 0u);
    EXPECT_EQ(by_name.execution.schedule(), expected.schedule);
}

TEST(Replay, StopsAtTheGivenStep) {
    ModelProgram program(crossing(0));
    const Execution stopped = run_until(program, parse_schedule(deadlock), 4);
    EXPECT_EQ(stopped.events.size(), 4u);
    EXPECT_EQ(stopped.verdict, Verdict::stopped);
    EXPECT_EQ(stopped.pending.size(), 3u);
}

TEST(Proof, IsCompleteForARealBug) {
    ModelProgram program(crossing(0));
    const Proof proof = prove(program, finding_of(run(program, deadlock)));
    EXPECT_TRUE(proof.is_proven());
    EXPECT_EQ(proof.reproduced, 3u);
    EXPECT_EQ(proof.execution.verdict, Verdict::deadlock);
}

TEST(Proof, NamesTheDivergenceOfAnUnstableBug) {
    ModelProgram program(crossing(0));
    Moody moody(crossing(0), crossing(0, false), 2);
    const Proof proof = prove(moody, finding_of(run(program, deadlock)));
    EXPECT_FALSE(proof.is_proven());
    EXPECT_EQ(proof.reproduced, 2u);
    EXPECT_EQ(proof.runs, 3u);
    ASSERT_TRUE(proof.divergence);
    EXPECT_EQ(proof.divergence->step, 6u);
}

TEST(Proof, CountsPreemptionsAsTheSearchDoes) {
    ModelProgram program(crossing(0));
    EXPECT_EQ(cost_of(run(program, deadlock), {}), (Cost{1, 2, 6}));
    EXPECT_EQ(cost_of(run(program, ""), {}).preemptions, 0u);
}

TEST(Minimize, FindsTheFewestPreemptionsAndProvesIt) {
    ModelProgram program(crossing(2));
    // Switches back and forth without need: four preemptions.
    const Execution dear = run(program, "T0*2 T1*3 T2 T1*2 T2*5 T1");
    ASSERT_EQ(dear.verdict, Verdict::deadlock) << raddle::text_of(dear.schedule());
    ASSERT_GT(cost_of(dear, {}).preemptions, 1u);
    MinimizeOptions options;
    options.max_executions = 2000;
    options.max_time = std::chrono::hours(1);
    const MinimizeResult simple = minimize(program, dear, options);
    EXPECT_EQ(simple.cost.preemptions, 1u);
    EXPECT_TRUE(simple.fewest);
    EXPECT_EQ(bug_key_of(simple.execution), bug_key_of(dear));
    EXPECT_LE(simple.executions, 2000u);
}

TEST(Minimize, SimplifiesEvenWithoutTheSearch) {
    ModelProgram program(crossing(2));
    const Execution dear = run(program, "T0*2 T1*3 T2 T1*2 T2*5 T1");
    MinimizeOptions options;
    options.fewest_known = true;  // no search for fewer
    options.max_time = std::chrono::hours(1);
    const MinimizeResult simple = minimize(program, dear, options);
    EXPECT_LT(simple.cost, cost_of(dear, {}));
    EXPECT_EQ(simple.cost.preemptions, 1u);
}

TEST(Minimize, KeepsToItsBudget) {
    ModelProgram program(crossing(4));
    const Execution dear = run(program, "T0*2 T1*5 T2 T1*4 T2*9 T1");
    ASSERT_EQ(dear.verdict, Verdict::deadlock);
    MinimizeOptions options;
    options.max_executions = 5;
    const MinimizeResult simple = minimize(program, dear, options);
    EXPECT_LE(simple.executions, 5u);
    EXPECT_FALSE(simple.fewest) << "five executions prove nothing";
}

}  // namespace
}  // namespace raddle::testing
