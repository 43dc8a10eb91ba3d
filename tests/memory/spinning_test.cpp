// A thread that reads the same values again and again waits until one of them changes, in every build of the compiler.
#include <algorithm>
#include <string_view>

#include "tests/memory/explore.h"

namespace raddle {
namespace {

struct Way {
    MemoryLevel level;
    Threads threads;
};
constexpr Way ways[] = {{MemoryLevel::atomics, Threads::fibers},
                        {MemoryLevel::races, Threads::fibers},
                        {MemoryLevel::races, Threads::kernel}};
using Levels = std::tuple<const char*, Way>;

class Spinning : public ::testing::TestWithParam<Levels> {
protected:
    Explored all_of(const std::string& program, int size, const std::string& strategy) {
        const auto [compiled, way] = GetParam();
        ProcessOptions process = with_memory({lockless_program(compiled, program), std::to_string(size)}, way.level);
        process.threads = way.threads;
        return explore(process, strategy);
    }

    // An uninitialised slot in a frame is part of a thread's state, and holds another value when a loop runs for the
    // second time. clang's std::atomic functions have such slots at -O0, so threads read once more than necessary and
    // there are more graphs; no graph is explored twice even then.
    void expect_graphs(const Explored& all, std::uint64_t least) {
#ifdef __clang__
        const bool looks_once_more = std::string_view(std::get<0>(GetParam())) == "tsan-cpp-O0";
#else
        const bool looks_once_more = false;
#endif
        if (looks_once_more) {
            EXPECT_GE(all.coverage.graphs, least);
        } else {
            EXPECT_EQ(all.coverage.graphs, least);
        }
        EXPECT_EQ(all.coverage.executions, all.coverage.graphs);
    }
};

TEST_P(Spinning, LocksHaveOneExecutionForEachOrder) {
    for (const char* program : {"spin_lock", "ticket_lock"}) {
        std::uint64_t orders = 1;
        for (int threads = 2; threads <= 4; ++threads) {
            orders *= static_cast<std::uint64_t>(threads);  // 2! = 2, 3! = 6, 4! = 24
            for (const char* strategy : {"bounded", "optimal"}) {
                SCOPED_TRACE(program + std::string(" ") + std::to_string(threads) + " " + strategy);
                const Explored all = all_of(program, threads, strategy);
                expect_graphs(all, orders);
                EXPECT_EQ(all.coverage.abandoned, 0u);
                EXPECT_TRUE(all.coverage.exhausted);
                EXPECT_TRUE(all.findings.empty());
            }
        }
    }
}

// In a -fsanitize=thread build, the expected value of a compare-exchange is on a stack, too.
TEST_P(Spinning, ALockMayBeOnTheStackOfAnotherThread) {
    const Explored all = all_of("lock_on_stack", 3, "bounded");
    expect_graphs(all, 6u);
    EXPECT_TRUE(all.coverage.exhausted);
    EXPECT_TRUE(all.findings.empty());
}

TEST_P(Spinning, SpinningOnAFlagIsOneExecution) {
    const Explored all = all_of("flag_wait", 2, "bounded");
    EXPECT_EQ(all.coverage.graphs, 1u);
    EXPECT_EQ(all.coverage.executions, 1u);
    EXPECT_TRUE(all.coverage.exhausted);
}

// Leftovers of the call in registers and in the frame may count as part of the state, so the first read may differ from
// those that follow: each thread may read once more than necessary.
TEST_P(Spinning, SleepingBetweenReadsIsSpinning) {
    for (const char* program : {"exchange_lock", "flag_poll"}) {
        SCOPED_TRACE(program);
        const Explored all = all_of(program, 2, "bounded");
        EXPECT_LE(all.coverage.graphs, 4u);
        EXPECT_TRUE(all.coverage.exhausted);
        EXPECT_TRUE(all.findings.empty());
        EXPECT_TRUE(all.coverage.incomplete_because.empty());
    }
}

TEST_P(Spinning, AFlagThatNeverChangesIsALivelock) {
    const Explored all = all_of("never_set", 2, "bounded");
    ASSERT_EQ(all.findings.size(), 1u);
    EXPECT_EQ(all.findings[0].verdict, Verdict::livelock);
    EXPECT_EQ(all.findings[0].preemptions, 0u);
}

TEST_P(Spinning, AnUnusedHandlerMakesNoDifference) {
    for (const auto& [threads, orders] : {std::pair{2, 2u}, {3, 6u}}) {
        const Explored all = all_of("handled_lock", threads, "bounded");
        expect_graphs(all, orders);
        EXPECT_TRUE(all.coverage.exhausted);
        EXPECT_TRUE(all.findings.empty());
    }
    const Explored waits = all_of("never_signalled", 2, "bounded");
    ASSERT_EQ(waits.findings.size(), 1u);
    EXPECT_EQ(waits.findings[0].verdict, Verdict::livelock);
}

// The thread continues to read once that is known; earlier executions are discarded.
TEST_P(Spinning, AThreadThatReceivesSignalsIsNotLeftWaiting) {
    for (const char* program : {"signalled", "signalled_blocked"}) {
        SCOPED_TRACE(program);
        const auto [compiled, way] = GetParam();
        ProcessOptions process = with_memory({lockless_program(compiled, program), "2"}, way.level);
        process.threads = way.threads;
        ProcessTarget target(process);
        int valid = 0;
        for (Plan plan; plan.tail.seed < 12; ++plan.tail.seed) {
            plan.tail.kind = TailKind::random;
            plan.epoch = process.code->epoch();
            const Execution execution = target.run(plan);
            if (execution.is_void) continue;
            ++valid;
            EXPECT_EQ(execution.verdict, Verdict::ok) << execution.message;
        }
        EXPECT_GE(valid, 6);
    }
}

// The schedule does not control its actions, so raddle makes no claim, and certainly reports no livelock.
TEST_P(Spinning, AWaitForASignalOfAChildIsNoLivelock) {
    for (const int threads : {2, 3}) {
        const auto [compiled, way] = GetParam();
        ProcessOptions process =
            with_memory({lockless_program(compiled, "child_signals"), std::to_string(threads)}, way.level);
        process.threads = way.threads;
        ProcessTarget target(process);
        for (int times = 0; times < 5; ++times) {
            Plan plan;
            plan.epoch = process.code->epoch();
            EXPECT_NE(target.run(plan).verdict, Verdict::livelock);
        }
    }
}

// It never reads twice in the same state, so each of its reads can come before the other thread's write or after it.
TEST_P(Spinning, AThreadThatCountsItsReadsDoesNotSpin) {
    const Explored all = all_of("patient", 1, "bounded");
    EXPECT_TRUE(all.findings.empty());
    EXPECT_TRUE(all.coverage.exhausted);
    EXPECT_EQ(all.coverage.graphs, 1u);
}

TEST_P(Spinning, ExecutionsWithAndWithoutAWaitAreBothFound) {
    const Explored all = all_of("waited", 2, "bounded");
    EXPECT_EQ(all.coverage.graphs, 2u);  // it had to wait, or not
    ASSERT_EQ(all.findings.size(), 1u);
    EXPECT_EQ(all.findings[0].verdict, Verdict::exit_status);
}

// First read before the first write and second read after the second: the wait after a round loses no such schedule.
TEST_P(Spinning, ALoopOverSeveralFlagsRunsOnceForEachChange) {
    const Explored all = all_of("two_flags", 2, "bounded");
    EXPECT_TRUE(all.coverage.exhausted);
    ASSERT_EQ(all.findings.size(), 1u);
    EXPECT_EQ(all.findings[0].verdict, Verdict::exit_status);
    EXPECT_LE(all.coverage.graphs, 12u);
}

std::string name_of_levels(const ::testing::TestParamInfo<Levels>& one) {
    const auto [compiled, way] = one.param;
    std::string name =
        compiled + std::string("_") + name_of(way.level) + (way.threads == Threads::kernel ? "_kernel" : "");
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Programs, Spinning,
                         ::testing::Combine(::testing::Values("O0", "O2"), ::testing::ValuesIn(ways)), name_of_levels);

INSTANTIATE_TEST_SUITE_P(Reported, Spinning,
                         ::testing::Combine(::testing::Values("tsan-c-O0", "tsan-c-O2", "tsan-cpp-O0", "tsan-cpp-O2"),
                                            ::testing::ValuesIn(ways)),
                         name_of_levels);

}  // namespace
}  // namespace raddle
