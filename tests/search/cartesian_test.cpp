// The cartesian search against brute force and the numbers of the paper. The states are those for which it computed a
// vector.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "supervisor/search/explicit/cartesian_search.h"
#include "tests/oracle.h"
#include "tests/programs.h"
#include "tests/search/complaints.h"
#include "tests/search/explicit_exploration.h"
#include "tests/search/explore.h"

namespace raddle::testing {
namespace {

struct Met {
    std::set<Hash128> graphs;
    std::set<std::pair<std::uint64_t, Hash128>> local_states;  // a thread and the past of its last event, on all ways
    std::map<Verdict, std::size_t> verdicts;
    std::size_t states = 0;
    std::uint64_t transitions = 0;
};

Met met_by_cartesian(const Code& code, const ModelOptions& options) {
    Met met;
    return explore_in_memory<CartesianSearch>(
        code, options,
        [&met](const Walk& walk) {
            const Track& way = walk.track();
            EXPECT_NE(walk.machine().ending(), Ending::running);
            if (met.graphs.insert(way.graph()).second) ++met.verdicts[verdict_of(walk.machine())];
            for (Position i = 0; i < way.size(); ++i)
                met.local_states.insert({way.machine().thread(way[i].thread).id.code, way[i].past});
        },
        [&met](const CartesianSearch& search) {
            met.states = search.states();
            met.transitions = search.transitions();
            return met;
        });
}

// Main creates the threads and ends itself, so nothing but their own steps makes states.
Code alone(int count, const std::function<Code(int)>& code_of_thread) {
    return [count, code_of_thread](Thread& t) -> Body {
        for (int i = 0; i < count; ++i) co_await t.spawn(code_of_thread(i));
    };
}
Met met_alone(int count, const std::function<Code(int)>& code_of_thread, Independence relation = Independence::fine) {
    return met_by_cartesian(alone(count, code_of_thread),
                            {.machine = {.independence = relation}, .main_only_ends_itself = true});
}

TEST(Cartesian, MeetsEveryLocalStateAndEveryEndOfRandomPrograms) {
    std::size_t asked = 0, deadlocks = 0;
    const std::uint64_t programs = number_of_programs(1'500, 20'000);
    for (std::uint64_t seed = 6'000'000; seed < 6'000'000 + programs; ++seed) {
        const RandomProgram program = random_program(seed);
        const Independence relation = static_cast<Independence>(seed % 3);
        const std::optional<Case> known = make_case(program, {.independence = relation});
        if (!known) continue;
        ++asked;
        const ModelOptions options = options_of(program, known->machine);
        const Met met = met_by_cartesian(code_of(program), options);
        std::set<std::pair<std::uint64_t, Hash128>> all;
        ModelProgram target(code_of(program), options);
        Track track(options.machine);
        Follower follower(track);
        std::set<Hash128> graphs;
        std::set<Verdict> verdicts, met_verdicts;
        for (const auto& [key, graph] : known->truth.graphs) {
            Plan plan;
            plan.prefix = graph.schedule;
            const Execution execution = target.run(plan);
            ASSERT_TRUE(follower.follow(execution).agrees);
            graphs.insert(track.graph());
            verdicts.insert(graph.verdict);
            for (Position i = 0; i < track.size(); ++i)
                all.insert({track.machine().thread(track[i].thread).id.code, track[i].past});
        }
        ASSERT_EQ(met.graphs, graphs) << name_of(relation) << ", seed " << seed << "\n" << to_text(program);
        ASSERT_EQ(met.local_states, all) << "seed " << seed << "\n" << to_text(program);
        for (const auto& [verdict, count] : met.verdicts) met_verdicts.insert(verdict);
        ASSERT_EQ(met_verdicts, verdicts) << to_text(program);
        deadlocks += met.verdicts.contains(Verdict::deadlock);
    }
    EXPECT_GT(asked, programs / 10);
    EXPECT_GT(deadlocks, programs / 200);
}

// Figure 2 of the paper: only x and y are shared.
TEST(Cartesian, RunsEachThreadUpToItsNextConflict) {
    enum : std::uint32_t { x, y, z, q, w, p };
    const auto code = [](int thread) -> Code {
        if (thread == 0)
            return [](Thread& t) -> Body {
                co_await t.write(Variable{z}, 8);
                co_await t.write(Variable{x}, 1);
                co_await t.write(Variable{z}, 42);
                co_await t.write(Variable{y}, 7);
                co_await t.write(Variable{w}, 1);
            };
        return [](Thread& t) -> Body {
            co_await t.write(Variable{q}, 8);
            co_await t.read(Variable{y});
            co_await t.write(Variable{q}, 42);
            co_await t.read(Variable{x});
            co_await t.write(Variable{p}, 1);
        };
    };
    const Met met = met_alone(2, code);
    EXPECT_EQ(met.graphs.size(), 3u);
    EXPECT_LT(met.states, 12u) << "of 36 states in all";
}

TEST(Cartesian, ThreadsThatDoNotMeetHaveOneState) {
    for (const int threads : {2, 5, 13}) EXPECT_EQ(met_alone(threads, filesystem_thread).states, 1u) << threads;
    for (const int threads : {2, 5, 11}) EXPECT_EQ(met_alone(threads, indexer_thread).states, 1u) << threads;
}

// Each pair of threads that share a block, or slots of the table, multiplies the states by the same factor: the paper
// has 10 for the file system and 9 for the indexer. The factors depend on the order in which prefixes are extended,
// which it leaves open: here one step of each thread in turn, the threads in the order of their creation. And each
// thread starts and ends with a step of its own.
TEST(Cartesian, EachConflictMultipliesTheStatesByTheSameFactor) {
    const auto expect = [](int threads, const std::function<Code(int)>& code, std::size_t states, std::size_t graphs) {
        const Met met = met_alone(threads, code);
        EXPECT_EQ(met.states, states) << threads << " threads";
        EXPECT_EQ(met.graphs.size(), graphs) << threads << " threads";
    };
    expect(14, filesystem_thread, 9, 2);
    expect(15, filesystem_thread, 9 * 9, 2 * 2);
    expect(16, filesystem_thread, 9 * 9 * 9, 2 * 2 * 2);
    expect(12, indexer_thread, 21, 8);
    expect(13, indexer_thread, 21 * 21, 8 * 8);
}

TEST(Cartesian, FindsTheDeadlockOfPhilosophers) {
    for (const auto& [count, graphs] : {std::pair{2, 3u}, {3, 7u}, {4, 15u}, {5, 31u}}) {
        const Met met = met_by_cartesian(philosophers(count, Forks::left_first), {});
        EXPECT_EQ(met.graphs.size(), graphs);
        EXPECT_EQ(met.verdicts.at(Verdict::deadlock), 1u);
    }
}

// By value, states in which the threads saw the same are one.
TEST(Cartesian, ByValueUnreadWritesHaveNoStates) {
    const auto writing = [](int thread) -> Code {
        return [thread](Thread& t) -> Body {
            for (int i = 0; i < 2; ++i) co_await t.write(Variable{0}, 7);
            co_await t.write(Variable{0}, thread);
        };
    };
    const Met by_graph = met_alone(3, writing), by_value = met_alone(3, writing, Independence::values);
    EXPECT_EQ(by_value.graphs.size(), 1u);
    EXPECT_LT(by_value.states * 10, by_graph.states);
}

}  // namespace
}  // namespace raddle::testing
