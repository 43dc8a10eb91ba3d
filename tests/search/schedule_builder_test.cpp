// Schedules of candidates: built in memory over the pasts of earlier executions, with few preemptions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "supervisor/search/directed/directed_search.h"
#include "supervisor/trace/replay_machine.h"
#include "tests/bug_programs.h"
#include "tests/model_program.h"

namespace raddle {
namespace {

using namespace raddle::testing;
using Built = ScheduleBuilder::Built;

constexpr Variable x{0}, y{1};
constexpr Mutex m{0}, n{1};

Code both(Code first, Code second) {
    return [=](Thread& t) -> Body {
        const Handle one = co_await t.spawn(first);
        const Handle other = co_await t.spawn(second);
        co_await t.join(one);
        co_await t.join(other);
    };
}

Body increments_locked(Thread& t) {
    co_await t.lock(m);
    const std::int64_t before = co_await t.read(x);
    co_await t.write(x, before + 1);
    co_await t.unlock(m);
}

// Builds over what one execution that ran on has shown.
struct Workshop {
    explicit Workshop(const Code& main) : program(main) {
        const Execution execution = program.run({});
        original = execution.schedule();
        Follower follower(walk.track(), &knowledge);
        follower.follow(execution);
    }
    Built build(const Candidate& candidate) {
        ScheduleBuilder builder(walk, 1000);
        const Built built = builder.build(original, candidate);
        schedule = walk.schedule();
        preemptions = builder.preemptions();
        return built;
    }

    ModelProgram program;
    Knowledge knowledge;
    Walk walk{{}, knowledge};
    Schedule original, schedule;
    std::uint32_t preemptions = 0;
};

EventReference event(const char* thread, std::uint32_t number) { return {parse_thread(thread), number}; }

Candidate stopping(const EventReference& before, std::uint32_t first, const EventReference& through) {
    Candidate candidate;
    candidate.stop(before, first);
    candidate.through = through;
    return candidate;
}

TEST(ScheduleBuilder, LeavesTheStoppedThreadForTheOther) {
    const auto increments = [](Thread& t) -> Body {
        const std::int64_t before = co_await t.read(x);
        co_await t.write(x, before + 1);
    };
    Workshop shop(both(increments, increments));
    // T2 reads 0 instead of 1: what it does then is unknown.
    EXPECT_EQ(shop.build(stopping(event("T1", 3), 3, event("T2", 3))), Built::unknown);
    EXPECT_EQ(text_of(shop.schedule), "T0*2 T1*2 T2*2");
    EXPECT_EQ(shop.preemptions, 1u);
}

TEST(ScheduleBuilder, StopsBeforeALockThatTheOtherThreadNeeds) {
    Workshop shop(both(increments_locked, increments_locked));
    EXPECT_EQ(shop.build(stopping(event("T1", 4), 1, event("T2", 4))), Built::unknown);
    EXPECT_EQ(text_of(shop.schedule), "T0*2 T1 T2*2");  // nobody saw T2 take the lock first
}

TEST(ScheduleBuilder, GivesUpIfTheLockWasTakenTooEarly) {
    Workshop shop(both(increments_locked, increments_locked));
    EXPECT_EQ(shop.build(stopping(event("T1", 4), 4, event("T2", 4))), Built::impossible);
}

TEST(ScheduleBuilder, LetsTheOwnerGiveBackALockFirst) {
    const auto holds = [](Thread& t) -> Body {
        co_await t.lock(m);
        co_await t.write(y, 1);
        co_await t.unlock(m);
        co_await t.write(x, 1);
    };
    const auto waits = [](Thread& t) -> Body {
        co_await t.lock(m);
        co_await t.unlock(m);
        co_await t.read(x);
    };
    Workshop shop(both(holds, waits));
    EXPECT_EQ(shop.build(stopping(event("T1", 5), 1, event("T2", 4))), Built::unknown);
    EXPECT_EQ(text_of(shop.schedule), "T0*2 T1*4 T2*4");
}

TEST(ScheduleBuilder, FindsADeadlockOfKnownPasts) {
    Workshop shop(both(lock_both(m, n), lock_both(n, m)));
    EXPECT_NE(shop.build(stopping(event("T1", 3), 3, event("T2", 2))), Built::impossible);
    Plan plan;
    plan.prefix = shop.schedule;
    EXPECT_EQ(shop.program.run(plan).verdict, Verdict::deadlock);
}

TEST(ScheduleBuilder, KnowsNoWayPastTheThreadsOwnCreation) {
    const auto writes = [](Thread& t) -> Body { co_await t.write(x, 1); };
    Workshop shop([writes](Thread& t) -> Body {
        co_await t.write(x, 0);
        const Handle other = co_await t.spawn(writes);
        co_await t.join(other);
    });
    EXPECT_EQ(shop.build(stopping(event("T0", 1), 1, event("T1", 2))), Built::impossible);
}

}  // namespace
}  // namespace raddle
