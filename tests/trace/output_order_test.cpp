// Writes that are no events: whether the events around them decide which comes first.
#include "supervisor/trace/output_order.h"

#include <gtest/gtest.h>

#include "tests/trace/handmade_execution.h"

namespace raddle {
namespace {

using testing::HandmadeExecution;
using testing::object;

constexpr std::uint32_t out = 1, errors = 2;
constexpr ObjectId lock = object(1);

// T1 and T2.
class Two : public HandmadeExecution {
public:
    const ThreadId t1 = create(main_thread), t2 = create(main_thread);

    void writes(ThreadId thread, std::uint32_t file) {
        std::uint32_t events = 0;
        for (const Event& event : execution().events) events += event.thread == thread ? 1 : 0;
        writes_.rows.push_back({thread, events, file});
    }
    void writes_locked(ThreadId thread) {
        does(thread, Operation::mutex_lock, lock);
        writes(thread, out);
        does(thread, Operation::mutex_unlock, lock);
    }
    void ends(ThreadId thread) { does(thread, Operation::thread_exit); }
    bool is_open() { return OutputOrder({}).is_open(execution(), writes_); }

    FreeWrites writes_;
};

TEST(OutputOrder, OfTwoThreadsIsOpen) {
    Two r;
    r.writes(r.t1, out);
    EXPECT_FALSE(r.is_open());
    r.writes(r.t2, errors);
    EXPECT_FALSE(r.is_open()) << "another file";
    r.writes(r.t2, out);
    EXPECT_TRUE(r.is_open());
}

TEST(OutputOrder, IsDecidedByALock) {
    Two r;
    r.writes_locked(r.t1);
    r.writes_locked(r.t2);
    r.writes_locked(r.t1);
    EXPECT_FALSE(r.is_open());
    r.writes(r.t1, out);  // after the lock
    r.writes_locked(r.t2);
    EXPECT_TRUE(r.is_open());
}

TEST(OutputOrder, IsDecidedByCreationAndJoin) {
    Two r;
    r.writes_.rows.push_back({main_thread, 0, out});  // before it created T1
    r.writes(r.t1, out);
    r.ends(r.t1);
    r.does(main_thread, Operation::thread_join, thread_object(r.t1));
    r.writes(main_thread, out);
    EXPECT_FALSE(r.is_open());
    r.writes(r.t2, out);
    EXPECT_TRUE(r.is_open());
}

TEST(OutputOrder, WithoutAllWritesCountsAsOpen) {
    Two r;
    r.writes_locked(r.t1);
    r.writes_locked(r.t2);
    r.writes_.has_more = true;
    EXPECT_TRUE(r.is_open());
}

TEST(OutputOrder, ToldOnceIsNotAskedAgain) {
    Two r;
    OutputOrder order({});
    r.writes(r.t1, out);
    EXPECT_FALSE(order.is_newly_open(r.execution(), r.writes_));
    r.writes(r.t2, out);
    EXPECT_TRUE(order.is_newly_open(r.execution(), r.writes_));
    EXPECT_FALSE(order.is_newly_open(r.execution(), r.writes_));
}

TEST(OutputOrder, TrustsNoNumber) {
    Two r;
    r.writes(r.t1, out);
    r.writes_.rows.push_back({r.t2, 1000, out});
    r.writes_.rows.push_back({{77}, 3, out});
    EXPECT_TRUE(r.is_open());
}

}  // namespace
}  // namespace raddle
