// Whether a thread waits long for time while another thread is there.
#include "supervisor/trace/long_waits.h"

#include <gtest/gtest.h>

#include "tests/trace/handmade_execution.h"

namespace raddle {
namespace {

using testing::action;
using testing::HandmadeExecution;
using testing::object;

constexpr std::uint64_t second = 1'000'000'000;
constexpr ObjectId semaphore = object(1);

Action sleep(std::uint64_t length) {
    Action sleep = action(Operation::sleep);
    sleep.set_timeout(length);
    return sleep;
}

Action wait_until(std::uint64_t time) {
    Action wait = action(Operation::sem_wait, semaphore);
    wait.flags = flag::timed | flag::absolute;
    wait.set_timeout(time);
    return wait;
}

bool are_in(const HandmadeExecution& execution, MachineOptions options = {}) {
    return LongWaits(options).are_in(execution.execution());
}

TEST(LongWaits, LastASecondUnlessPatienceSaysOtherwise) {
    HandmadeExecution r;
    const ThreadId t = r.create(main_thread);
    r.does(t, sleep(second / 2));
    EXPECT_FALSE(are_in(r));
    EXPECT_TRUE(are_in(r, {.patience = second / 2}));
    r.does(t, sleep(second));
    EXPECT_TRUE(are_in(r));
    EXPECT_FALSE(are_in(r, {.patience = 2 * second}));
}

TEST(LongWaits, AreThoseBesideAnotherThread) {
    HandmadeExecution r;
    r.does(main_thread, sleep(second));
    const ThreadId t = r.create(main_thread);
    r.does(t, Operation::thread_exit);
    r.does(main_thread, Operation::thread_join, thread_object(t));
    r.does(main_thread, sleep(second));
    EXPECT_FALSE(are_in(r)) << "before its creation, and after its end";
    r.create(main_thread);
    EXPECT_FALSE(are_in(r));
    r.does(main_thread, sleep(second));
    EXPECT_TRUE(are_in(r));
}

TEST(LongWaits, AreMeasuredFromTheTimeOfTheThread) {
    HandmadeExecution r;
    const ThreadId t = r.create(main_thread);
    for (int i = 0; i < 3; ++i) r.does(t, sleep(second / 2));
    r.does(t, wait_until(second * 8 / 5));
    EXPECT_FALSE(are_in(r)) << "a tenth of a second";
    r.does(t, wait_until(3 * second));
    EXPECT_TRUE(are_in(r));
}

TEST(LongWaits, NeedNotComeToAnEnd) {
    HandmadeExecution r;
    const ThreadId t = r.create(main_thread);
    r.announces(t, wait_until(5 * second));
    EXPECT_TRUE(are_in(r));
    LongWaits waits({});
    EXPECT_TRUE(waits.are_newly_in(r.execution()));
    EXPECT_FALSE(waits.are_newly_in(r.execution())) << "that was known";
}

}  // namespace
}  // namespace raddle
