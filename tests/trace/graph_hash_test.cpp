// Orders that differ only in independent actions have the same graph; all other orders have different graphs.
#include "supervisor/trace/graph_hash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "supervisor/trace/replay_machine.h"
#include "tests/trace/handmade_execution.h"

namespace raddle {
namespace {

using testing::action;
using testing::HandmadeExecution;
using testing::object;

Hash128 graph_of(const HandmadeExecution& recording, MachineOptions options = {}) {
    const Execution execution = recording.execution();
    ReplayMachine replay(options);
    replay.begin(execution);
    replay.feed_all();
    EXPECT_FALSE(replay.mismatch()) << replay.mismatch()->text;
    return replay.graph();
}

// The graphs of `threads` threads that take turns in the given order; each calls `turn` with its name.
using Turn = std::function<void(HandmadeExecution&, ThreadId, std::uint32_t)>;
std::set<Hash128> graphs(std::vector<std::uint32_t> order, const Turn& turn, MachineOptions options = {}) {
    std::set<Hash128> found;
    std::sort(order.begin(), order.end());
    do {
        HandmadeExecution r(options);
        for (std::uint32_t i = 0; i <= *std::max_element(order.begin(), order.end()); ++i) r.create(main_thread);
        for (const std::uint32_t who : order) turn(r, child_of(main_thread, who + 1), who);
        found.insert(graph_of(r, options));
    } while (std::next_permutation(order.begin(), order.end()));
    return found;
}

TEST(GraphHash, WritersOfOneVariableDoNotCommute) {
    const auto write = [](HandmadeExecution& r, ThreadId t, std::uint32_t who) {
        r.does(t, Operation::memory_write, object(0), who);
    };
    EXPECT_EQ(graphs({0, 1, 2, 3}, write).size(), 24u);  // 4!
}

TEST(GraphHash, WritersOfSeparateVariablesCommute) {
    const auto write = [](HandmadeExecution& r, ThreadId t, std::uint32_t who) {
        r.does(t, Operation::memory_write, object(who), 1);
    };
    EXPECT_EQ(graphs({0, 1, 2, 3}, write).size(), 1u);
}

TEST(GraphHash, ReadersCommuteWithEachOtherOnly) {
    const auto access = [](HandmadeExecution& r, ThreadId t, std::uint32_t who) {
        r.does(t, who == 0 ? Operation::memory_write : Operation::memory_read, object(0), who == 0 ? 1 : 0);
    };
    EXPECT_EQ(graphs({0, 1, 2, 3}, access).size(), 8u);  // each reader before or after the write
}

TEST(GraphHash, CountsTheReadsBetweenTwoWrites) {
    // T1 writes twice, T2 reads twice: each read is before, between or after the writes.
    const auto access = [](HandmadeExecution& r, ThreadId t, std::uint32_t who) {
        r.does(t, who == 0 ? Operation::memory_write : Operation::memory_read, object(0), who == 0 ? 1 : 0);
    };
    EXPECT_EQ(graphs({0, 0, 1, 1}, access).size(), 6u);  // 3 positions, 2 reads in order: C(4, 2)
}

TEST(GraphHash, CriticalSectionsOfOneLockDoNotCommute) {
    const auto section = [](HandmadeExecution& r, ThreadId t, std::uint32_t) {
        r.does(t, Operation::mutex_lock, object(0));
        r.does(t, Operation::mutex_unlock, object(0));
    };
    EXPECT_EQ(graphs({0, 0, 1, 1}, section).size(), 6u);         // 4!/(2!2!)
    EXPECT_EQ(graphs({0, 0, 1, 1, 2, 2}, section).size(), 90u);  // 6!/(2!2!2!)
}

TEST(GraphHash, FailedTriesCommuteUnderTheFineRelationOnly) {
    MachineOptions plain;
    plain.independence = Independence::plain;
    // Main holds the mutex: two failed tries have one graph if failed tries commute, and two if only reads commute.
    const auto held = [](HandmadeExecution& r, ThreadId t, std::uint32_t) {
        if (r.execution().events.size() == 4) r.does(main_thread, Operation::mutex_lock, object(0));
        r.does(t, Operation::mutex_trylock, object(0));
    };
    EXPECT_EQ(graphs({0, 1}, held).size(), 1u);
    EXPECT_EQ(graphs({0, 1}, held, plain).size(), 2u);
}

TEST(GraphHash, KnowsWhichThreadASignalWoke) {
    std::set<Hash128> found;
    for (std::uint32_t woken = 0; woken < 2; ++woken) {
        HandmadeExecution r;
        for (std::uint32_t i = 1; i <= 2; ++i) {
            r.create(main_thread);
            r.does(child_of(main_thread, i), Operation::mutex_lock, object(0));
            Action wait = action(Operation::cond_wait, object(1));
            wait.second = object(0);
            r.does(child_of(main_thread, i), wait);
        }
        r.does(main_thread, action(Operation::cond_signal, object(1)), woken);
        found.insert(graph_of(r));
    }
    EXPECT_EQ(found.size(), 2u);
}

TEST(GraphHash, KnowsTheChosenAlternative) {
    std::set<Hash128> found;
    for (std::uint32_t chosen = 0; chosen < 3; ++chosen) {
        HandmadeExecution r;
        r.does(main_thread, action(Operation::choose, {}, 3), chosen);
        found.insert(graph_of(r));
    }
    EXPECT_EQ(found.size(), 3u);
}

TEST(GraphHash, GrowsWithEachEvent) {
    HandmadeExecution r;
    std::set<Hash128> found = {graph_of(r)};
    for (int i = 0; i < 50; ++i) {
        r.does(main_thread, Operation::memory_read, object(0));
        found.insert(graph_of(r));
    }
    EXPECT_EQ(found.size(), 51u);
}

}  // namespace
}  // namespace raddle
