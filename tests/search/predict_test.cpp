// Predictions, class by class: what they find in how many executions, and what they leave alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "supervisor/search/predict/predictions.h"
#include "supervisor/search/predict/predictors.h"
#include "supervisor/search/strategy.h"
#include "supervisor/trace/data_races.h"
#include "supervisor/trace/replay_machine.h"
#include "tests/bug_programs.h"

namespace raddle {
namespace {

using namespace raddle::testing;
using ::testing::HasSubstr;

constexpr Mutex m{0}, n{1}, gate{2};
constexpr Semaphore s{0};
constexpr Condition c{0};
constexpr Variable x{0}, y{1};

Code in_parallel(std::vector<Code> codes) {
    return [=](Thread& t) -> Body {
        std::vector<Handle> handles;
        for (const Code& code : codes) {
            const Handle handle = co_await t.spawn(code);
            handles.push_back(handle);
        }
        for (const Handle handle : handles) co_await t.join(handle);
    };
}

// The executions up to the first that satisfies this, at most so many; 0: none did.
std::uint64_t executions_to(const std::function<bool(const Execution&)>& shows, const Code& code, std::uint64_t most) {
    StrategyOptions options;
    options.samples = most;
    const auto strategy = make_strategy("predict", options);
    ModelProgram program(code);
    std::uint64_t count = 0;
    while (const std::optional<Plan> plan = strategy->next()) {
        const Execution execution = program.run(*plan);
        ++count;
        if (shows(execution)) return count;
        strategy->learn(*plan, execution);
    }
    return 0;
}
std::uint64_t executions_to(Verdict verdict, const Code& code, std::uint64_t most = 3) {
    return executions_to([verdict](const Execution& execution) { return execution.verdict == verdict; }, code, most);
}

// The goals of this class in the execution that runs on.
std::size_t goals_in(const Code& code, BugClass bug) {
    ModelProgram program(code);
    const Execution execution = program.run({});
    ReplayMachine replay({});
    replay.begin(execution);
    replay.feed_all();
    EXPECT_FALSE(replay.mismatch());
    const Recording recording(replay.track());
    const Goals goals = goals_of(recording);
    return static_cast<std::size_t>(
        std::count_if(goals.all().begin(), goals.all().end(), [bug](const Goal& goal) { return goal.bug == bug; }));
}

// ---- the classes that directed search has programs for

class EveryPattern : public ::testing::TestWithParam<BugPattern> {};
INSTANTIATE_TEST_SUITE_P(Patterns, EveryPattern, ::testing::ValuesIn([] {
                             std::vector<BugPattern> all;
                             for (std::size_t i = 0; i < bug_pattern_count; ++i)
                                 all.push_back(static_cast<BugPattern>(i));
                             return all;
                         }()),
                         [](const auto& tested) { return row_of(tested.param).name; });

// Deadlocks, uses of what is gone and lost wakeups within three executions.
TEST_P(EveryPattern, IsPredicted) {
    const bool is_early = GetParam() == BugPattern::lock_cycle || GetParam() == BugPattern::free_use ||
                          GetParam() == BugPattern::destroy_use || GetParam() == BugPattern::notify_wait ||
                          GetParam() == BugPattern::end_join;
    const std::uint64_t count = executions_to([](const Execution& execution) { return is_bug(execution.verdict); },
                                              bug_program(GetParam()), 60);
    EXPECT_NE(count, 0u);
    EXPECT_LE(count, is_early ? 3u : 60u);
    RecordProperty("executions", static_cast<int>(count));
}

// ---- deadlocks

TEST(PredictedDeadlocks, OfThreeLocksAreFound) {
    const Mutex third{3};
    EXPECT_NE(
        executions_to(Verdict::deadlock, in_parallel({lock_both(m, n), lock_both(n, third), lock_both(third, m)})), 0u);
}

TEST(PredictedDeadlocks, DoNotPassALockThatGuardsBoth) {
    const auto guarded = [](const Code& inner) -> Code {
        return [=](Thread& t) -> Body {
            co_await t.lock(gate);
            co_await inner(t);
            co_await t.unlock(gate);
        };
    };
    EXPECT_GT(goals_in(in_parallel({lock_both(m, n), lock_both(n, m)}), BugClass::deadlock), 0u);
    EXPECT_EQ(goals_in(in_parallel({guarded(lock_both(m, n)), guarded(lock_both(n, m))}), BugClass::deadlock), 0u);
}

TEST(PredictedDeadlocks, OfALockAndAJoinAreFound) {
    const Code code = [](Thread& t) -> Body {
        const Handle worker = co_await t.spawn([](Thread& u) -> Body {
            co_await u.post(s);
            co_await u.lock(m);
            co_await u.unlock(m);
        });
        co_await t.wait(s);
        co_await t.lock(m);
        co_await t.join(worker);
        co_await t.unlock(m);
    };
    EXPECT_EQ(executions_to(Verdict::deadlock, code), 2u);
}

TEST(PredictedDeadlocks, OfASemaphoreAndALockAreFound) {
    const Code wait_inside = [](Thread& t) -> Body {
        co_await t.lock(m);
        co_await t.wait(s);
        co_await t.unlock(m);
    };
    const Code post_inside = [](Thread& t) -> Body {
        co_await t.lock(m);
        co_await t.post(s);
        co_await t.unlock(m);
    };
    EXPECT_EQ(executions_to(Verdict::deadlock, in_parallel({post_inside, wait_inside})), 2u);
}

TEST(PredictedDeadlocks, OfAConditionInsideAnotherLockAreFound) {
    const Code waiter = [](Thread& t) -> Body {
        co_await t.lock(gate);
        co_await t.lock(m);
        if (co_await t.read(x) == 0) co_await t.wait(c, m);
        co_await t.unlock(m);
        co_await t.unlock(gate);
    };
    const Code waker = [](Thread& t) -> Body {
        co_await t.lock(gate);
        co_await t.unlock(gate);
        co_await t.lock(m);
        co_await t.write(x, 1);
        co_await t.signal(c);
        co_await t.unlock(m);
    };
    EXPECT_GT(executions_to(Verdict::deadlock, in_parallel({waker, waiter}), 40), 1u);
}

// The bug lies behind more events than a search by preemptions gets through.
Code behind_many_events(int events, const Code& one, const Code& other) {
    const auto work = [events](std::uint32_t own) -> Code {
        return [=](Thread& t) -> Body {
            const Mutex lock{10};
            for (int i = 0; i < events / 6; ++i) {
                co_await t.lock(lock);
                co_await t.add(Variable{10 + own}, 1);
                co_await t.unlock(lock);
            }
        };
    };
    const auto then = [](const Code& first, const Code& second) -> Code {
        return [=](Thread& t) -> Body {
            co_await first(t);
            co_await second(t);
        };
    };
    return in_parallel({then(work(0), one), then(work(1), other)});
}

TEST(LongRecordings, ADeadlockBehind6000EventsIsFound) {
    EXPECT_NE(executions_to(Verdict::deadlock, behind_many_events(6000, lock_both(m, n), lock_both(n, m))), 0u);
}

TEST(LongRecordings, AUseAfterFreeBehind60000EventsIsFound) {
    const Code frees = [](Thread& t) -> Body {
        co_await t.perform({.operation = Operation::memory_write,
                            .attributes = attribute::memory::frees,
                            .object = x.id(),
                            .words = {-1}});
    };
    const Code uses = [](Thread& t) -> Body {
        if (co_await t.read(x) == -1) co_await t.fail();
    };
    EXPECT_NE(executions_to(Verdict::assertion, behind_many_events(60'000, uses, frees)), 0u);
}

TEST(LongRecordings, SayWhatWasLeftOut) {
    // More suspicions than are looked into: each pair of variables is one.
    const auto touch = [](std::int64_t value) -> Code {
        return [=](Thread& t) -> Body {
            for (std::uint32_t i = 0; i < 1500; ++i) co_await t.write(Variable{100 + i}, value);
        };
    };
    StrategyOptions options;
    options.samples = 2;
    const auto strategy = make_strategy("predict", options);
    ModelProgram program(in_parallel({touch(1), touch(2)}));
    while (const std::optional<Plan> plan = strategy->next()) strategy->learn(*plan, program.run(*plan));
    EXPECT_THAT(strategy->coverage().incomplete_because.back(), HasSubstr(" left out"));
}

// ---- races

// The lock orders the writes where it is taken in this order only.
TEST(PredictedRaces, BeyondTheOrderOfLocksAreFound) {
    const Code before = [](Thread& t) -> Body {
        co_await t.write(x, 1);
        co_await t.lock(m);
        co_await t.unlock(m);
    };
    const Code after = [](Thread& t) -> Body {
        co_await t.lock(m);
        co_await t.unlock(m);
        co_await t.write(x, 2);
    };
    const Code code = in_parallel({before, after});
    ModelProgram program(code);
    EXPECT_TRUE(DataRaces({}).find(program.run({})).empty()) << "the first execution orders the writes";
    EXPECT_NE(executions_to([](const Execution& execution) { return !races_back_to_back(execution).empty(); }, code, 3),
              0u);
}

TEST(PredictedRaces, AreNotAskedForUnderOneLock) {
    const Code guarded = [](Thread& t) -> Body {
        co_await t.lock(m);
        co_await t.write(x, 1);
        co_await t.unlock(m);
    };
    EXPECT_EQ(goals_in(in_parallel({guarded, guarded}), BugClass::race), 0u);
}

// ---- misuse

TEST(PredictedMisuse, OfADestroyedSemaphoreIsFound) {
    const Code code = [](Thread& t) -> Body {
        co_await t.init(s, 0);
        co_await t.spawn([](Thread& u) -> Body {
            co_await u.post(s);
            co_await u.write(x, 1);
            co_await u.value(s);
        });
        co_await t.wait(s);
        while (co_await t.read(x) == 0) co_await t.yield();
        co_await t.destroy(s);
    };
    EXPECT_NE(executions_to(Verdict::misuse, code), 0u);
}

TEST(PredictedMisuse, OfAnObjectBeforeItsInitialisationIsFound) {
    const Code code = [](Thread& t) -> Body {
        const Handle worker = co_await t.spawn([](Thread& u) -> Body {
            co_await u.lock(m);
            co_await u.unlock(m);
        });
        co_await t.init(m);
        co_await t.join(worker);
    };
    EXPECT_NE(executions_to(Verdict::misuse, code), 0u);
}

// ---- counts

TEST(Predictions, AreCountedAndSoAreThoseThatDidNotComeTrue) {
    StrategyOptions options;
    options.samples = 20;
    const auto strategy = make_strategy("predict", options);
    ModelProgram program(
        in_parallel({lock_both(m, n), lock_both(n, m), [](Thread& t) -> Body { co_await t.write(x, 1); },
                     [](Thread& t) -> Body { co_await t.read(x); }}));
    while (const std::optional<Plan> plan = strategy->next()) strategy->learn(*plan, program.run(*plan));
    const Coverage coverage = strategy->coverage();
    EXPECT_GT(coverage.came_true, 0u);
    EXPECT_LT(coverage.came_true, coverage.predictions);
    EXPECT_LT(coverage.predictions, options.samples);
}

}  // namespace
}  // namespace raddle
