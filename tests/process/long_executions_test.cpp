// Long executions: one that leaves another one late begins late, shares its events, and is the same as one from the
// start.
#include <gtest/gtest.h>

#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

// One thread takes a mutex of its own so many times, then two threads take a common one.
std::string taking(int own_times, int common_times) {
    return program(R"(
        #include <pthread.h>
        static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER, common = PTHREAD_MUTEX_INITIALIZER;
        static void take(pthread_mutex_t* mutex, int times) {
            for (int i = 0; i < times; ++i) { pthread_mutex_lock(mutex); pthread_mutex_unlock(mutex); }
        }
        static void* body(void* first) {
            if (first) take(&own, )" +
                   std::to_string(own_times) + R"();
            take(&common, )" +
                   std::to_string(common_times) + R"();
            return 0;
        }
        int main(void) {
            pthread_t threads[2];
            for (long i = 0; i < 2; ++i) pthread_create(&threads[i], 0, body, (void*)(1 - i));
            for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
            return 0;
        })");
}

ProcessOptions restoring(const std::string& path) {
    ProcessOptions options = running(path);
    options.restore = Restore::whenever_possible;
    options.max_steps = 1u << 24;
    return options;
}

// The number of steps up to the last one of the first thread; the second one has not begun then.
std::size_t last_of_first(const Schedule& schedule) {
    const ThreadId first = parse_thread("T1");
    std::size_t last = schedule.size() - 1;
    while (!(schedule[last].thread == first)) --last;
    return last;
}

// The plan that leaves the schedule after so many steps, for the beginning of the second thread.
Plan leaving_after(const Schedule& schedule, std::size_t steps) {
    Plan plan;
    plan.prefix.assign(schedule.begin(), schedule.begin() + static_cast<std::ptrdiff_t>(steps));
    plan.prefix.push_back({parse_thread("T2"), 0});
    return plan;
}

// As a depth-first search does that finds one other choice at each step: it never comes back to the same step.
TEST(LongExecutions, ThatLeaveEarlierEachTimeAreTheSameAsFromTheStart) {
    const std::string path = taking(2500, 20);
    ProcessOptions forking = restoring(path);
    forking.restore = Restore::never;
    ProcessTarget target(restoring(path)), forked(forking);
    const Schedule schedule = target.run(run_on()).schedule();
    const std::size_t last = last_of_first(schedule);
    Execution before = target.run(run_on());
    std::size_t shared_in_all = 0;
    constexpr std::size_t executions = 60;
    for (std::size_t i = 0; i < executions; ++i) {
        const Plan plan = leaving_after(schedule, last - i);
        const Execution execution = target.run(plan);
        ASSERT_EQ(execution.verdict, Verdict::ok);
        ASSERT_EQ(story_of(execution), story_of(forked.run(plan))) << text_of(target.restarts());
        shared_in_all += execution.events.shared_with(before.events);
        before = execution;
    }
    EXPECT_GE(target.restarts().resumed, executions - 4) << text_of(target.restarts());
    EXPECT_GE(shared_in_all / executions, schedule.size() / 2);
    EXPECT_EQ(target.restarts().differed, 0u);
    EXPECT_EQ(target.restarts().discarded, 0u) << text_of(target.restarts());
}

// Checkpoints lie on the way: from the one at which an execution begins, at most as many steps are shared with the one
// before as the plan leaves it earlier than the last checkpoint, and some.
TEST(LongExecutions, BeginNearTheStepWhereTheyLeave) {
    ProcessOptions options = restoring(taking(10'000, 20));
    options.check_every = 0;  // a check ends the process, and its checkpoints with it
    ProcessTarget target(options);
    const Schedule schedule = target.run(run_on()).schedule();
    Execution before = target.run(run_on());
    const auto run = [&](std::size_t step) {
        const Execution execution = target.run(leaving_after(schedule, step));
        const std::size_t shared = execution.events.shared_with(before.events);
        before = execution;
        return shared;
    };
    const std::size_t last = last_of_first(schedule) - 1;
    for (std::size_t i = 0; i < 8; ++i) run(last - 100 * i);  // the process comes to know its pages
    constexpr std::size_t least_way = 1024, block = 32;
    for (const std::size_t earlier : {1u, 20u, 500u, 3000u}) {
        run(last);  // the checkpoints are made again
        EXPECT_GE(run(last - earlier) + 2 * earlier + 2 * least_way + block, last)
            << earlier << ", " << text_of(target.restarts());
    }
}

TEST(LongExecutions, HaveAMillionActions) {
    ProcessTarget target(restoring(taking(500'000, 10)));
    const Execution execution = target.run(run_on());
    EXPECT_EQ(execution.verdict, Verdict::ok) << execution.message;
    EXPECT_GT(execution.events.size(), 1'000'000u);
    EXPECT_LE(execution.events.bytes() / execution.events.size(), 200u);
    const Schedule schedule = execution.schedule();
    EXPECT_EQ(target.run(leaving_after(schedule, last_of_first(schedule) - 5)).verdict, Verdict::ok);
}

TEST(LongExecutions, AreCutByTheLimitOfStepsAndSaySo) {
    ProcessOptions options = restoring(taking(500'000, 10));
    options.max_steps = 600'000;
    ProcessTarget target(options);
    const Execution execution = target.run(run_on());
    EXPECT_EQ(execution.verdict, Verdict::step_limit);
    EXPECT_EQ(execution.events.size(), 600'000u);
}

}  // namespace
}  // namespace raddle::testing
