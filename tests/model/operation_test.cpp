// The facts in operation.def fit together.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "supervisor/model/action.h"

namespace raddle::testing {

namespace {

bool any_row(bool (*matches)(const OperationTraits&, const OperationTraits&), const OperationTraits& row) {
    for (const OperationTraits& other : operation_table.row)
        if (matches(other, row)) return true;
    return false;
}

}  // namespace

TEST(Operations, HaveNamesOfTheirOwn) {
    std::set<std::string> names;
    for (const OperationTraits& row : operation_table.row) EXPECT_TRUE(names.insert(row.name).second) << row.name;
}

// Saved searches contain hashes of the numbers: new rows go to the end.
TEST(Operations, KeepTheirNumbers) {
    EXPECT_EQ(static_cast<int>(Operation::thread_create), 0);
    EXPECT_EQ(static_cast<int>(Operation::mutex_lock), 11);
    EXPECT_EQ(static_cast<int>(Operation::cond_wait), 32);
    EXPECT_EQ(static_cast<int>(Operation::memory_read), 52);
    EXPECT_EQ(static_cast<int>(Operation::fail), 67);
    EXPECT_EQ(static_cast<int>(Operation::process_crash), 68);
    EXPECT_EQ(static_cast<int>(Operation::process_replace), 69);
    EXPECT_EQ(static_cast<int>(Operation::output), 70);
}

TEST(Operations, EveryWaitHasAnOperationThatEndsIt) {
    for (const OperationTraits& row : operation_table.row) {
        if (row.waits == Wait::nothing || row.waits == Wait::time) continue;
        EXPECT_TRUE(any_row(
            [](const auto& other, const auto& one) { return other.kind == one.kind && other.ends == one.waits; }, row))
            << row.name;
    }
}

TEST(Operations, EveryLockThatIsTakenIsGivenBack) {
    const auto gives_back = [](const OperationTraits& other, const OperationTraits& one) {
        return other.kind == one.kind && other.lock == LockChange::gives_back;
    };
    for (const OperationTraits& row : operation_table.row)
        if (row.lock == LockChange::takes || row.lock == LockChange::takes_shared) {
            EXPECT_TRUE(any_row(gives_back, row)) << row.name;
        }
}

TEST(Operations, EveryReleaseHasAnAcquire) {
    const auto acquires = [](const OperationTraits& other, const OperationTraits& one) {
        const bool all = other.order == OrderChange::acquires_all;
        return other.kind == one.kind &&
               (all || (one.order == OrderChange::releases && other.order == OrderChange::acquires));
    };
    for (const OperationTraits& row : operation_table.row) {
        if (row.order != OrderChange::releases && row.order != OrderChange::releases_shared) continue;
        // A cancellation releases to the thread that acts on it, and a cond_wait's mutex is acquired as a second
        // object.
        if (std::string(row.name) == "thread_cancel") continue;
        EXPECT_TRUE(any_row(acquires, row)) << row.name;
    }
}

TEST(Operations, OnlyWhatCanWaitIsLeftOnASignal) {
    for (const OperationTraits& row : operation_table.row) {
        const std::string name = row.name;
        const bool is_followed_by_a_wait = name == "cond_wait" || name == "barrier_wait";
        if (row.on_signal == OnSignal::not_left || is_followed_by_a_wait) continue;
        EXPECT_NE(row.waits, Wait::nothing) << row.name;
    }
}

TEST(Operations, KindsWithAnInitHaveADestroy) {
    for (const OperationTraits& row : operation_table.row)
        if (row.lifetime == Lifetime::begins) {
            EXPECT_NE(destroy_of(row.kind), Operation::count_) << row.name;
        }
    EXPECT_EQ(destroy_of(Kind::mutex), Operation::mutex_destroy);
    EXPECT_EQ(destroy_of(Kind::memory), Operation::count_);
}

TEST(Operations, ArgumentsAreKeptInTheWordsThatAreStored) {
    Action action;
    action.operation = Operation::memory_exchange;
    action.set_expected(3);
    action.set_desired(4);
    action.set_initial_value(5);
    EXPECT_EQ(action.words[0], 3);
    EXPECT_EQ(action.words[1], 4);
    EXPECT_EQ(action.limit_or_initial, 5u);
    EXPECT_EQ(action.flags, flag::has_initial_value);

    Action wait;
    wait.operation = Operation::futex_wait;
    wait.set_wait_bits(7);
    wait.set_timeout(8);
    EXPECT_EQ(wait.words[1], 7);
    EXPECT_EQ(wait.limit_or_initial, 8u);
}

}  // namespace raddle::testing
