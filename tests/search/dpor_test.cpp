// Dynamic partial-order reduction on programs with known numbers of graphs; oracle_test.cpp has the random programs of
// the oracle.
#include <gtest/gtest.h>

#include <random>

#include "supervisor/search/strategy.h"
#include "supervisor/trace/replay_machine.h"
#include "tests/model_program.h"
#include "tests/programs.h"

namespace raddle {
std::unique_ptr<Strategy> make_dfs(const StrategyOptions& options);
std::unique_ptr<Strategy> make_dpor(const StrategyOptions& options);

namespace {

using namespace raddle::testing;

Coverage explore(Strategy& strategy, Target& target) {
    while (const auto plan = strategy.next()) strategy.learn(*plan, target.run(*plan));
    return strategy.coverage();
}

std::uint64_t graphs_of(Code code) {
    ModelProgram program(std::move(code));
    const Coverage coverage = explore(*make_dpor({}), program);
    EXPECT_TRUE(coverage.exhausted);
    EXPECT_EQ(coverage.executions, coverage.graphs + coverage.abandoned) << "a graph was seen twice";
    return coverage.graphs;
}

TEST(Dpor, SeesEveryOrderOfWriters) {
    EXPECT_EQ(graphs_of(writers(1)), 1u);
    EXPECT_EQ(graphs_of(writers(3)), 6u);    // 3!
    EXPECT_EQ(graphs_of(writers(5)), 120u);  // 5!
}

TEST(Dpor, LetsReadersCommute) {
    EXPECT_EQ(graphs_of(readers(2)), 4u);   // each before or after the write
    EXPECT_EQ(graphs_of(readers(5)), 32u);  // 2^5
    EXPECT_EQ(graphs_of(lastzero(5)), 64u);
}

TEST(Dpor, SeesEveryOrderOfCriticalSections) {
    EXPECT_EQ(graphs_of(locks(2, 2)), 6u);     // 4!/(2!2!)
    EXPECT_EQ(graphs_of(locks(3, 2)), 90u);    // 6!/(2!2!2!)
    EXPECT_EQ(graphs_of(locks(3, 3)), 1680u);  // 9!/(3!3!3!)
}

TEST(Dpor, FindsTheDeadlockOfAllPhilosophers) {
    EXPECT_EQ(graphs_of(philosophers(4, Forks::ordered)), 14u);     // 2^4 - 2
    EXPECT_EQ(graphs_of(philosophers(4, Forks::left_first)), 15u);  // and the deadlock
}

TEST(Dpor, FollowsWaitsAndWakes) {
    EXPECT_EQ(graphs_of(cond_queue(2)), 8u);
    EXPECT_EQ(graphs_of(sem_queue(2, 1)), 4u);
}

TEST(Dpor, TakesEveryAlternativeOfEveryOrder) {
    // T1 chooses one of 3 values and writes it, T2 writes: 3 values, 2 orders.
    EXPECT_EQ(graphs_of([](Thread& main) -> Body {
                  co_await main.spawn([](Thread& t) -> Body { co_await t.write(Variable{0}, co_await t.choose(3)); });
                  co_await main.spawn([](Thread& t) -> Body { co_await t.write(Variable{0}, 7); });
              }),
              6u);
}

TEST(Dpor, CoversRacesWithThreadsCreatedLater) {
    // T1 writes; main creates T2, and T2 writes, too: nothing orders the writes.
    EXPECT_EQ(graphs_of([](Thread& main) -> Body {
                  co_await main.spawn([](Thread& t) -> Body { co_await t.write(Variable{0}, 1); });
                  co_await main.write(Variable{1}, 1);
                  co_await main.spawn([](Thread& t) -> Body { co_await t.write(Variable{0}, 2); });
              }),
              2u);
}

TEST(Dpor, ComparesActionsThatNeverHappen) {
    // A deadlock of two locks: T1's second lock never happens while T2 holds it, but its pending lock counts as a
    // conflict.
    const auto takes = [](std::uint32_t first, std::uint32_t second) {
        return [=](Thread& t) -> Body {
            co_await t.lock(Mutex{first});
            co_await t.lock(Mutex{second});
            co_await t.unlock(Mutex{second});
            co_await t.unlock(Mutex{first});
        };
    };
    ModelProgram program([=](Thread& main) -> Body {
        co_await main.spawn(takes(0, 1));
        co_await main.spawn(takes(1, 0));
        co_await main.end();
    });
    const auto strategy = make_dpor({});
    EXPECT_EQ(explore(*strategy, program).graphs, 3u);  // T1 first, T2 first, the deadlock
    const auto findings = strategy->take_findings();
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].verdict, Verdict::deadlock);
}

TEST(Dpor, NeedsFarFewerExecutionsThanThereAreSchedules) {
    ModelProgram program(locks(2, 2));
    const Coverage all = explore(*make_dfs({}), program), reduced = explore(*make_dpor({}), program);
    EXPECT_EQ(reduced.graphs, all.graphs);
    EXPECT_LT(reduced.executions * 20, all.executions);
}

// Several workers: plans return in any order, some never return, and sometimes the search is saved and loaded.
TEST(Dpor, MissesNothingIfPlansAreLostOrReordered) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        std::mt19937 random(seed);
        ModelProgram program(seed % 2 == 0 ? readers(4) : locks(3, 2));
        auto strategy = make_dpor({});
        std::vector<Plan> out;
        while (!strategy->finished()) {
            while (out.size() < 4) {
                auto plan = strategy->next();
                if (!plan) break;
                out.push_back(std::move(*plan));
            }
            ASSERT_FALSE(out.empty());
            EXPECT_EQ(strategy->coverage().in_flight, out.size());
            std::swap(out[random() % out.size()], out.back());
            const Plan plan = std::move(out.back());
            out.pop_back();
            switch (random() % 10) {
                case 0: strategy->give_back(plan); break;
                case 1: {
                    Writer writer;
                    strategy->save(writer);
                    strategy = make_dpor({});
                    Reader reader(writer.bytes());
                    strategy->load(reader);
                    reader.expect_end();
                    out.clear();
                    break;
                }
                default: strategy->learn(plan, program.run(plan));
            }
        }
        EXPECT_EQ(strategy->coverage().graphs, seed % 2 == 0 ? 16u : 90u) << seed;
        EXPECT_TRUE(strategy->coverage().exhausted);
    }
}

TEST(Dpor, ClaimsNothingAboutExecutionsThatWereCutShort) {
    ModelProgram program(locks(2, 2));
    StrategyOptions options;
    options.max_steps = 12;
    const auto strategy = make_dpor(options);
    const Coverage coverage = explore(*strategy, program);
    EXPECT_TRUE(strategy->finished());
    EXPECT_FALSE(coverage.exhausted);
    EXPECT_FALSE(coverage.incomplete_because.empty());
}

TEST(Dpor, ClaimsNothingAboutExecutionsThatDiverged) {
    ModelProgram program(locks(2, 2));
    const auto strategy = make_dpor({});
    const auto first = strategy->next();
    strategy->learn(*first, program.run(*first));
    const auto second = strategy->next();
    Execution diverged;
    diverged.verdict = Verdict::diverged;
    strategy->learn(*second, diverged);
    const Coverage coverage = explore(*strategy, program);
    EXPECT_FALSE(coverage.exhausted);
    ASSERT_EQ(coverage.incomplete_because.size(), 1u);
    EXPECT_EQ(coverage.incomplete_because[0], "the program did not do again what it did before (1 time)");
}

}  // namespace
}  // namespace raddle
