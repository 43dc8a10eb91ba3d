// The search for the nearest execution that passes, on programs in memory.
#include "replay/explain/nearest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "tests/model_program.h"

namespace raddle::testing {
namespace {

constexpr Mutex a{0}, b{1};

Body crossing(Thread& t) {
    const Handle first = co_await t.spawn([](Thread& u) -> Body {
        co_await u.lock(a);
        co_await u.lock(b);
        co_await u.unlock(b);
        co_await u.unlock(a);
    });
    const Handle second = co_await t.spawn([](Thread& u) -> Body {
        co_await u.lock(b);
        co_await u.lock(a);
        co_await u.unlock(a);
        co_await u.unlock(b);
    });
    co_await t.join(first);
    co_await t.join(second);
}

const ThreadId T1 = child_of(main_thread, 1), T2 = child_of(main_thread, 2);

// Like a user's --fail-on: some executions that end normally are wrong as well.
class Judged final : public Target {
public:
    explicit Judged(std::function<bool(const Execution&)> is_wrong)
        : program_(crossing), is_wrong_(std::move(is_wrong)) {}

    Execution run(const Plan& plan) override {
        Execution execution = program_.run(plan);
        if (execution.verdict == Verdict::ok && is_wrong_(execution)) execution.verdict = Verdict::output;
        return execution;
    }

private:
    ModelProgram program_;
    std::function<bool(const Execution&)> is_wrong_;
};

Execution deadlocked(Target& target) {
    Plan plan;
    plan.prefix = parse_schedule("T0*2 T1*2 T2*2");
    return target.run(plan);
}

ThreadId first_to_lock(const Execution& execution) {
    const auto lock = std::find_if(execution.events.begin(), execution.events.end(),
                                   [](const Event& event) { return event.action.operation == Operation::mutex_lock; });
    return lock->thread;
}

TEST(Nearest, ReversesTheLatestDecisiveOrder) {
    Judged program([](const Execution&) { return false; });
    const Execution failing = deadlocked(program);
    ASSERT_EQ(failing.verdict, Verdict::deadlock);
    const auto nearest = find_nearest_passing(program, failing, {});
    ASSERT_TRUE(nearest);
    EXPECT_EQ(nearest->execution.verdict, Verdict::ok);
    // T1 may lock b, its second mutex, before T2 does.
    EXPECT_EQ(nearest->first.thread, T2);
    EXPECT_EQ(nearest->second.thread, T1);
    EXPECT_EQ(nearest->second.action.object, b.id());
    EXPECT_EQ(nearest->shared, 5u) << "all but T2's lock";
}

TEST(Nearest, IsNotAnExecutionThatIsJudgedWrong) {
    Judged program([](const Execution& execution) { return first_to_lock(execution) == T1; });
    const auto nearest = find_nearest_passing(program, deadlocked(program), {});
    ASSERT_TRUE(nearest);
    EXPECT_EQ(nearest->execution.verdict, Verdict::ok);
    EXPECT_EQ(first_to_lock(nearest->execution), T2);
}

TEST(Nearest, IsNothingIfNoExecutionPasses) {
    Judged program([](const Execution&) { return true; });
    EXPECT_FALSE(find_nearest_passing(program, deadlocked(program), {}));
}

TEST(Nearest, KeepsToItsLimits) {
    Judged program([](const Execution&) { return false; });
    NearestOptions options;
    options.most_executions = 0;
    EXPECT_FALSE(find_nearest_passing(program, deadlocked(program), options));
}

}  // namespace
}  // namespace raddle::testing
