// A portfolio whose memory is used up goes through what is left by the optimal search, and misses nothing: checked
// against brute force with so little memory that this comes after a few executions.
#include <gtest/gtest.h>

#include "tests/programs.h"
#include "tests/search/complaints.h"
#include "tests/search/explore.h"

namespace raddle::testing {
namespace {

// What a portfolio is sure of without an order of bounds. Members draw schedules beside the sweep, and may repeat it.
const Claim claim{.strategy = "portfolio"};

// Enough for so many graphs and pasts.
std::size_t memory_for(std::uint64_t things) { return 2 * 40 * things; }

void nobody_complains(Complaint complaint, std::uint64_t programs) {
    std::size_t failures = 0;
    std::uint64_t seed = 6'500'000;
    for (std::uint64_t left = programs; left > 0 && failures < 3; ++seed) {
        const Independence independence = seed % 3 == 0 ? Independence::plain : Independence::fine;
        std::optional<Case> known = make_case(random_program(seed), {.independence = independence});
        if (!known) continue;
        --left;
        known->memory_limit = memory_for(5 + seed % 100);
        if (complaint(claim, *known).empty()) continue;
        ++failures;
        ADD_FAILURE() << shrunk(complaint, claim, *known) << "memory for " << 5 + seed % 100;
    }
}

TEST(Sweep, MissesNoGraphAndNoVerdict) { nobody_complains(about_completeness, number_of_programs(300, 20'000)); }

TEST(Sweep, FindsTheSameWithSeveralPlansOut) { nobody_complains(about_disorder, number_of_programs(100, 5'000)); }

TEST(Sweep, FindsTheSameSavedAndLoaded) { nobody_complains(about_restarts, number_of_programs(100, 5'000)); }

struct Explored {
    Coverage coverage;
    std::size_t largest_state = 0;
    std::vector<Schedule> schedules;
};

Explored explored(const Code& code, const StrategyOptions& options, std::uint64_t most_executions = ~0ULL,
                  const ModelOptions& model = {}) {
    ModelProgram target(code, model);
    const auto strategy = make_strategy("portfolio", options);
    Explored explored;
    for (std::uint64_t count = 0; count < most_executions; ++count) {
        const std::optional<Plan> plan = strategy->next();
        if (!plan) break;
        explored.schedules.push_back(plan->prefix);
        strategy->learn(*plan, target.run(*plan));
        if (count % 500 == 0)
            explored.largest_state =
                std::max(explored.largest_state, save_strategy("portfolio", options, *strategy).size());
    }
    explored.coverage = strategy->coverage();
    return explored;
}

TEST(Sweep, IsWhatManyRandomProgramsNeed) {
    int sweeping = 0;
    for (std::uint64_t seed = 6'500'000; seed < 6'500'100; ++seed) {
        StrategyOptions options;
        options.memory_limit = memory_for(5 + seed % 100);
        const RandomProgram program = random_program(seed);
        const Explored found = explored(code_of(program), options, 500, options_of(program, options.machine));
        sweeping += found.coverage.is_sweeping ? 1 : 0;
    }
    EXPECT_GT(sweeping, 20);
}

TEST(Sweep, ExhaustsAProgramInAFractionOfTheMemory) {
    StrategyOptions much, little;
    little.memory_limit = memory_for(2'000);
    const Explored all = explored(locks(4, 2), much), swept = explored(locks(4, 2), little);
    EXPECT_FALSE(all.coverage.is_sweeping);
    EXPECT_TRUE(swept.coverage.is_sweeping);
    EXPECT_TRUE(swept.coverage.exhausted);
    EXPECT_EQ(swept.coverage.graphs, 2520u);
    EXPECT_EQ(all.coverage.graphs, 2520u);
    EXPECT_LT(swept.largest_state, all.largest_state / 4);
    // The bounds that were complete before stay complete.
    EXPECT_TRUE(swept.coverage.complete_to.has_value());
    // Only what members drew may have been executed twice.
    EXPECT_LT(swept.coverage.executions, 2 * swept.coverage.graphs);
}

TEST(Sweep, TakesNoMoreMemoryTheLongerItGoesOn) {
    StrategyOptions options;
    options.memory_limit = memory_for(2'000);
    const Explored early = explored(locks(4, 3), options, 3'000), late = explored(locks(4, 3), options, 12'000);
    EXPECT_TRUE(early.coverage.is_sweeping);
    EXPECT_GT(late.coverage.graphs, 2 * early.coverage.graphs);
    EXPECT_LT(late.largest_state, early.largest_state + 20'000);
}

TEST(Sweep, IsNotForWhatTheOptimalSearchDoesNotKnow) {
    const auto reason_with = [](StrategyOptions options) {
        options.memory_limit = memory_for(5);
        const Explored short_of_memory = explored(locks(4, 2), options);
        EXPECT_FALSE(short_of_memory.coverage.is_sweeping);
        EXPECT_FALSE(short_of_memory.coverage.exhausted);
        const auto& reasons = short_of_memory.coverage.incomplete_because;
        return reasons.empty() ? std::string() : reasons.front();
    };
    StrategyOptions by_bound, focus, values;
    by_bound.max_bound = 3;
    focus.machine.has_focus = true;
    values.machine.independence = Independence::values;
    for (const StrategyOptions* options : {&by_bound, &focus, &values})
        EXPECT_NE(reason_with(*options).find("--memory-limit"), std::string::npos);
}

TEST(Sweep, EndsWhereAWaitIsLongerThanThePatience) {
    // Only a thread that finds x written waits for long.
    const Code code = [](Thread& t) -> Body {
        static constexpr Variable x{0}, y{1};
        static constexpr Semaphore semaphore{0};
        std::vector<Handle> writers;
        for (int i = 0; i < 3; ++i)
            writers.push_back(co_await t.spawn([](Thread& u) -> Body {
                for (int k = 0; k < 3; ++k) co_await u.write(y, k);
            }));
        const Handle last = co_await t.spawn([](Thread& u) -> Body {
            for (int k = 0; k < 3; ++k) {
                if (co_await u.read(y) == 2) co_await u.wait(semaphore).timed(100);
                co_await u.write(x, 1);
            }
        });
        for (const Handle writer : writers) co_await t.join(writer);
        co_await t.join(last);
    };
    StrategyOptions options;
    options.machine.patience = 50;
    options.memory_limit = memory_for(10);
    const Coverage coverage = explored(code, options, 20'000).coverage;
    EXPECT_FALSE(coverage.exhausted);
    ASSERT_FALSE(coverage.incomplete_because.empty());
    EXPECT_NE(coverage.incomplete_because.front().find("memory"), std::string::npos);
}

TEST(Sweep, IsTheSameForAnyNumberOfWorkers) {
    StrategyOptions options;
    options.memory_limit = memory_for(500);
    const auto schedules_with = [&](std::size_t workers) {
        ModelProgram target(locks(3, 3));
        const auto strategy = make_strategy("portfolio", options);
        std::vector<Schedule> schedules;
        std::vector<Plan> out;
        while (true) {
            while (out.size() < workers) {
                std::optional<Plan> plan = strategy->next();
                if (!plan) break;
                schedules.push_back(plan->prefix);
                out.push_back(std::move(*plan));
            }
            if (out.empty()) break;
            const Plan plan = out.back();
            out.pop_back();
            strategy->learn(plan, target.run(plan));
        }
        EXPECT_TRUE(strategy->coverage().is_sweeping);
        return schedules;
    };
    EXPECT_EQ(schedules_with(1), schedules_with(4));
}

}  // namespace
}  // namespace raddle::testing
