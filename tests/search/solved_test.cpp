// Witnesses from the solver, against all orders of the events; and those that only the solver finds.
#include <gtest/gtest.h>

#include "supervisor/search/predict/predictors.h"
#include "supervisor/search/predict/witness.h"
#include "supervisor/search/symbolic/order_solver.h"
#include "supervisor/trace/replay_machine.h"
#include "tests/random_program.h"
#include "tests/search/complaints.h"

namespace raddle {
namespace {

using namespace raddle::testing;

#define SKIP_WITHOUT_SOLVER() \
    if (order_solver_name().empty()) GTEST_SKIP() << "built without a solver"

TEST(SolvedWitnesses, ExistExactlyWhereAnOrderOfAllEventsHasOne) {
    SKIP_WITHOUT_SOLVER();
    const std::uint64_t programs = number_of_programs(150, 5'000);
    std::uint64_t exact = 0, found = 0;
    for (std::uint64_t seed = 9'500'000; seed < 9'500'000 + programs; ++seed) {
        const RandomProgram random = random_program(seed);
        const ModelOptions options = options_of(random, {});
        ModelProgram program(code_of(random), options);
        Plan plan;
        plan.max_steps = 400;
        const Execution execution = program.run(plan);
        ReplayMachine replay(options.machine);
        replay.begin(execution);
        replay.feed_all();
        const Recording recording(replay.track());
        const Goals goals = goals_of(recording);
        Reorderings reorderings(recording, options.machine);
        Solved solved(recording, options.machine);
        for (const Goal& goal : goals.all()) {
            const bool expected = reorderings.find(goal).has_value();
            if (!expected && !reorderings.was_exact()) continue;
            const std::optional<Witness> witness = solved.find(goal);
            ++exact;
            found += witness ? 1 : 0;
            ASSERT_EQ(witness.has_value(), expected)
                << "seed " << seed << ", class " << static_cast<int>(goal.bug) << ", " << text_of(execution.schedule())
                << (witness ? "\nwitness " + text_of(witness->schedule) : "") << "\n"
                << to_text(random);
        }
        ASSERT_FALSE(solved.was_cut()) << "seed " << seed;
    }
    EXPECT_GT(exact, programs);
    EXPECT_GT(found, programs / 2);
}

// One thread stands inside its critical section and the other behind its own, which was later: their sections have to
// swap places. The other threads do nothing that matters, but they have more states than can be visited.
Code sections_to_swap() {
    constexpr Mutex m{0};
    constexpr Variable x{0};
    const Code inside = [=](Thread& t) -> Body {
        co_await t.lock(m);
        co_await t.write(x, 1);
        co_await t.unlock(m);
    };
    const Code behind = [=](Thread& t) -> Body {
        co_await t.lock(m);
        co_await t.unlock(m);
        co_await t.write(x, 2);
    };
    return [=](Thread& t) -> Body {
        co_await t.spawn(inside);
        for (std::uint32_t i = 1; i <= 6; ++i)
            co_await t.spawn([=](Thread& u) -> Body {
                for (int j = 0; j < 25; ++j) co_await u.write(Variable{i}, j);
            });
        co_await t.spawn(behind);
    };
}

TEST(SolvedWitnesses, SwapCriticalSectionsThatAreFarApart) {
    SKIP_WITHOUT_SOLVER();
    ModelProgram program(sections_to_swap(), {.machine = {}, .main_only_ends_itself = true});
    // Each thread runs to its end, in the order of creation.
    const Execution execution = program.run({});
    ReplayMachine replay({});
    replay.begin(execution);
    replay.feed_all();
    const Recording recording(replay.track());
    SyncPreserving cheap(recording, {});
    Reorderings reorderings(recording, {});
    Solved solved(recording, {});
    std::size_t races = 0;
    const Goals goals = goals_of(recording);
    for (const Goal& goal : goals.all()) {
        if (goal.bug != BugClass::race) continue;
        ++races;
        EXPECT_FALSE(cheap.find(goal)) << "the linear way keeps the order of critical sections";
        EXPECT_FALSE(reorderings.find(goal)) << "there are too many states";
        EXPECT_TRUE(solved.find(goal));
    }
    EXPECT_EQ(races, 1u);
}

}  // namespace
}  // namespace raddle
