// Compiled programs have exactly the graphs of their accesses to shared variables, for every build and every treatment
// of the remaining code by the compiler.
#include <algorithm>
#include <cstdlib>

#include "tests/memory/explore.h"

namespace raddle {
namespace {

struct Row {
    const char* program;
    int size;
    std::uint64_t graphs;
    std::vector<std::uint64_t> within;  // with at most 0, 1, … preemptions, under the plain relation
};

const std::vector<Row> rows = {
    {"readers", 3, 8, {8}},                                 // 2^3 sets of readers after the write
    {"lastzero", 5, 64, {64}},    {"indexer", 11, 1, {1}},  // no two messages collide
    {"indexer", 12, 8, {}},                                 // three slots get two messages each
    {"writers", 4, 24, {24}},                               // 4! orders
    {"wsq", 3, 797, {2, 16, 77}},
};
// Disables the breakpoints.
const Row larger = {"wsq", 4, 8333, {2, 21}};

class Counts : public ::testing::TestWithParam<std::tuple<const char*, MemoryLevel>> {};

TEST_P(Counts, EveryGraphIsExecutedExactlyOnce) {
    const auto [compiled, level] = GetParam();
    std::vector<Row> all_rows = rows;
    if (std::string_view(compiled).starts_with("tsan") && level == MemoryLevel::races) all_rows.push_back(larger);
    for (const Row& row : all_rows) {
        SCOPED_TRACE(row.program + std::string(" ") + std::to_string(row.size));
        const ProcessOptions process =
            with_memory({lockless_program(compiled, row.program), std::to_string(row.size)}, level);
        const Explored all = explore(process, "optimal");
        EXPECT_EQ(all.coverage.graphs, row.graphs);
        EXPECT_EQ(all.coverage.executions, row.graphs);
        EXPECT_EQ(all.coverage.abandoned, 0u);
        EXPECT_TRUE(all.coverage.exhausted);
        EXPECT_TRUE(all.findings.empty());
        for (std::uint32_t bound = 0; bound < row.within.size(); ++bound) {
            const Explored some = explore(process, "bounded", bound, Independence::plain);
            EXPECT_EQ(some.coverage.graphs, row.within[bound]) << "with at most " << bound << " preemptions";
            EXPECT_EQ(some.coverage.complete_to, bound);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Programs, Counts,
                         ::testing::Combine(::testing::Values("O0", "O2"),
                                            ::testing::Values(MemoryLevel::atomics, MemoryLevel::races)),
                         [](const auto& one) {
                             return std::get<0>(one.param) + std::string("_") + name_of(std::get<1>(one.param));
                         });

// The same programs built with -fsanitize=thread: they report their accesses themselves.
INSTANTIATE_TEST_SUITE_P(Reported, Counts,
                         ::testing::Combine(::testing::Values("tsan-c-O0", "tsan-c-O2", "tsan-cpp-O0", "tsan-cpp-O2"),
                                            ::testing::Values(MemoryLevel::atomics, MemoryLevel::races)),
                         [](const auto& one) {
                             std::string name =
                                 std::get<0>(one.param) + std::string("_") + name_of(std::get<1>(one.param));
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

// Independence by value distinguishes values read only: the same in every build. (An atomic write at -O2 is an
// exchange.)
TEST(Memory, UnreadWritesAreNotDistinguishedByValue) {
    for (const char* compiled : {"O0", "O2", "tsan-c-O2", "tsan-cpp-O0"}) {
        SCOPED_TRACE(compiled);
        const auto graphs = [&](const char* program, int size) {
            const ProcessOptions process =
                with_memory({lockless_program(compiled, program), std::to_string(size)}, MemoryLevel::races);
            const Explored explored = explore(process, "bounded", {}, Independence::values);
            EXPECT_TRUE(explored.coverage.exhausted) << program;
            EXPECT_EQ(explored.coverage.executions, explored.coverage.graphs) << program;
            EXPECT_TRUE(explored.findings.empty()) << program;
            return explored.coverage.graphs;
        };
        EXPECT_EQ(graphs("wsq", 3), 267u);  // instead of 797
        EXPECT_EQ(graphs("lastzero", 5), 64u);
        if (std::string_view(compiled).starts_with("tsan")) {
            EXPECT_EQ(graphs("writers", 4), 1u);
        }
    }
}

// Two threads that saw the same values at different times differ as soon as they read the clock.
TEST(Memory, ClockReadsDistinguishSchedulesByValue) {
    const auto explored = [](Independence independence) {
        return explore(with_memory({lockless_program("O2", "clocks"), "2"}, MemoryLevel::races), "bounded", {},
                       independence);
    };
    const Explored fine = explored(Independence::fine);
    const Explored by_value = explored(Independence::values);
    for (const Explored* all : {&fine, &by_value}) {
        EXPECT_TRUE(all->coverage.exhausted);
        EXPECT_TRUE(all->coverage.incomplete_because.empty());
        EXPECT_TRUE(all->findings.empty());
    }
    EXPECT_LE(by_value.coverage.graphs, fine.coverage.graphs);
}

// Breakpoints go to the shim even if the program has handlers; traps of the program itself go to those handlers.
TEST(Memory, TrapHandlersOfTheProgramGetOnlyItsOwnTraps) {
    for (const char* compiled : {"O0", "O2"}) {
        for (const MemoryLevel level : {MemoryLevel::sync, MemoryLevel::atomics, MemoryLevel::all}) {
            const Explored explored = explore(with_memory({lockless_program(compiled, "traps")}, level), "bounded");
            EXPECT_TRUE(explored.findings.empty()) << compiled << " " << name_of(level) << ": "
                                                   << (explored.findings.empty() ? "" : explored.findings[0].message);
            EXPECT_TRUE(explored.uncontrolled.empty());
            EXPECT_GE(explored.coverage.graphs, 1u);
        }
    }
}

// Restoring also resets the data about an execution's accesses.
TEST(Memory, RestoredProcessesBehaveLikeFreshOnes) {
    for (const char* program : {"wsq", "lastzero"}) {
        ProcessOptions process = with_memory({lockless_program("O2", program), "3"}, MemoryLevel::races);
        process.restore = Restore::whenever_possible;
        process.check_every = 7;
        const Explored explored = explore(process, "optimal");
        EXPECT_TRUE(explored.coverage.exhausted);
        EXPECT_GE(explored.restarts.restored, explored.coverage.executions * 3 / 4) << program;
        EXPECT_GE(explored.restarts.checked, explored.coverage.executions / 10) << program;
        EXPECT_EQ(explored.restarts.differed, 0u) << program;
        EXPECT_EQ(explored.restarts.discarded, 0u) << program << ": " << explored.restarts.discarded_because;
    }
}

// The loader's leftovers on the stack are cleared in every process, so that uninitialised variables are equal in all.
TEST(Memory, UninitialisedVariablesAreTheSameInEveryProcess) {
    const auto actions = [] {
        const ProcessOptions process = with_memory({lockless_program("O2", "unwritten")}, MemoryLevel::all);
        ProcessTarget target(process);
        Execution execution;
        for (int run = 0; run < 3; ++run) {  // the first executions find that a stack is shared
            Plan plan;
            plan.epoch = process.code->epoch();
            execution = target.run(plan);
        }
        EXPECT_EQ(execution.verdict, Verdict::ok);
        std::vector<Action> found;
        for (const Event& event : execution.events) found.push_back(event.action);
        return found;
    };
    const std::vector<Action> once = actions(), again = actions();
    EXPECT_GT(once.size(), 500u);
    EXPECT_TRUE(once == again);
}

TEST(Memory, CountsOfAWorkStealingQueueOfFourNightly) {
    if (std::getenv("RADDLE_NIGHTLY") == nullptr) GTEST_SKIP() << "8,333 executions; RADDLE_NIGHTLY=1";
    for (const char* compiled : {"O0", "O2"})
        EXPECT_EQ(explore(with_memory({lockless_program(compiled, "wsq"), "4"}, MemoryLevel::races), "optimal")
                      .coverage.graphs,
                  8333u);
}

TEST(Memory, LevelSyncSeesNoAccesses) {
    const Explored explored =
        explore(with_memory({lockless_program("O2", "writers"), "4"}, MemoryLevel::sync), "bounded");
    EXPECT_EQ(explored.coverage.graphs, 1u);
}

TEST(Memory, LevelAtomicsSeesOnlyAtomicVariables) {
    const ProcessOptions atomics = with_memory({lockless_program("O2", "overlap")}, MemoryLevel::atomics);
    EXPECT_EQ(explore(atomics, "bounded").visible, 0u);
}

// x++ is a read and a write.
TEST(Memory, ALostUpdateIsFoundInPlainCode) {
    for (const char* compiled : {"O0", "O2", "tsan-c-O0", "tsan-c-O2", "tsan-cpp-O0", "tsan-cpp-O2"}) {
        const Explored explored =
            explore(with_memory({lockless_program(compiled, "lost_update")}, MemoryLevel::races), "bounded");
        ASSERT_FALSE(explored.findings.empty()) << compiled;
        EXPECT_EQ(explored.findings.front().verdict, Verdict::exit_status);
        EXPECT_EQ(explored.findings.front().preemptions, 1u);
        EXPECT_TRUE(explored.coverage.exhausted);
        EXPECT_EQ(explored.coverage.graphs, 4u);  // one after the other, or both read first: 2 orders each
    }
}

// A word and its two halves: as one variable, three writes in 3! orders.
TEST(Memory, OverlappingAccessesAreToOneVariable) {
    const Explored explored = explore(with_memory({lockless_program("O2", "overlap")}, MemoryLevel::races), "optimal");
    EXPECT_EQ(explored.coverage.graphs, 6u);
    EXPECT_TRUE(explored.coverage.exhausted);
}

TEST(Memory, AVariableOnAStackIsSharedByBothThreads) {
    for (const char* compiled : {"O0", "O2"}) {
        const Explored explored =
            explore(with_memory({lockless_program(compiled, "on_stack")}, MemoryLevel::races), "optimal");
        EXPECT_EQ(explored.coverage.graphs, 2u) << compiled;  // main reads before the write or after it
        EXPECT_TRUE(explored.coverage.exhausted);
    }
}

TEST(Memory, AThreadThatSpinsOnAFlagGetsTheFlag) {
    ProcessOptions process = with_memory({lockless_program("O2", "flag_wait")}, MemoryLevel::races);
    ProcessTarget target(process);
    Plan plan;
    plan.epoch = process.code->epoch();
    EXPECT_EQ(target.run(plan).verdict, Verdict::ok);
    EXPECT_GT(process.code->visible(), 0u);
}

}  // namespace
}  // namespace raddle
