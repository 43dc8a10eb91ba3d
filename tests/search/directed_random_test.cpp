// The directed search on random programs over all operations: every plan can be carried out, no plan is wasted, and the
// result depends on nothing but the seed.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "supervisor/search/directed/directed_search.h"
#include "supervisor/trace/replay_machine.h"
#include "tests/random_program.h"
#include "tests/search/complaints.h"

namespace raddle {
namespace {

using namespace raddle::testing;

constexpr std::uint64_t samples = 60;

struct Subject {
    explicit Subject(std::uint64_t seed) : program(random_program(seed)) {
        options.machine.independence = static_cast<Independence>(seed % 3);
        if (seed % 5 == 0) options.machine.patience = 50;
        options.samples = samples;
        options.max_steps = 2000;
    }
    ModelProgram target() const { return ModelProgram(code_of(program), options_of(program, options.machine)); }

    RandomProgram program;
    StrategyOptions options;
};

// The schedules by number.
using Drawn = std::map<std::uint64_t, std::string>;

Drawn draw(const Subject& subject) {
    ModelProgram target = subject.target();
    const auto strategy = make_strategy("directed", subject.options);
    Drawn drawn;
    while (const std::optional<Plan> plan = strategy->next()) {
        const Execution execution = target.run(*plan);
        drawn[plan->id] = text_of(execution.schedule());
        strategy->learn(*plan, execution);
    }
    return drawn;
}

TEST(DirectedOnRandomPrograms, MakesOnlyPlansThatCanBeCarriedOut) {
    std::uint64_t planned = 0;
    const std::uint64_t programs = number_of_programs(300, 10'000);
    for (std::uint64_t seed = 0; seed < programs; ++seed) {
        const Subject subject(seed);
        ModelProgram target = subject.target();
        const auto strategy = make_strategy("directed", subject.options);
        while (const std::optional<Plan> plan = strategy->next()) {
            const Execution execution = target.run(*plan);
            planned += plan->prefix.empty() ? 0 : 1;
            ASSERT_NE(execution.verdict, Verdict::diverged) << "seed " << seed << ": " << text_of(plan->prefix);
            strategy->learn(*plan, execution);
        }
        EXPECT_EQ(strategy->coverage().executions, samples) << "seed " << seed;
    }
    EXPECT_GT(planned, programs);
}

// Each plan shows a graph that no execution of an earlier batch showed; the first 16 batches hold one execution each.
TEST(DirectedOnRandomPrograms, PlansNoGraphThatAnExecutionShowed) {
    for (std::uint64_t seed = 0; seed < number_of_programs(300, 10'000); ++seed) {
        Subject subject(seed);
        subject.options.machine.independence = Independence::plain;
        subject.options.samples = 16;
        ModelProgram target = subject.target();
        const auto strategy = make_strategy("directed", subject.options);
        ReplayMachine replay(subject.options.machine);
        std::set<Hash128> graphs;
        while (const std::optional<Plan> plan = strategy->next()) {
            const Execution execution = target.run(*plan);
            replay.begin(execution);
            replay.feed_all();
            const bool fresh = graphs.insert(replay.graph()).second;
            const bool may_repeat = plan->prefix.empty() || use_of(execution.verdict) != VerdictUse::ended;
            EXPECT_TRUE(fresh || may_repeat) << "seed " << seed << ": " << text_of(execution.schedule());
            strategy->learn(*plan, execution);
        }
    }
}

TEST(DirectedOnRandomPrograms, TakesTheSameSchedulesHoweverPlansComeBack) {
    for (std::uint64_t seed = 0; seed < number_of_programs(100, 3'000); ++seed) {
        const Subject subject(seed);
        const Drawn expected = draw(subject);
        std::mt19937_64 random(seed);
        ModelProgram target = subject.target();
        auto strategy = make_strategy("directed", subject.options);
        Drawn drawn;
        std::vector<Plan> out;
        while (!strategy->finished()) {
            while (out.size() < 4) {
                std::optional<Plan> plan = strategy->next();
                if (!plan) break;
                out.push_back(std::move(*plan));
            }
            ASSERT_FALSE(out.empty());
            std::swap(out[random() % out.size()], out.back());
            const Plan plan = std::move(out.back());
            out.pop_back();
            if (random() % 8 == 0) {
                strategy->give_back(plan);
            } else if (random() % 8 == 0) {
                const std::string saved = save_strategy("directed", subject.options, *strategy);
                strategy = load_strategy("directed", subject.options, saved);
                out.clear();
            } else {
                const Execution execution = target.run(plan);
                drawn[plan.id] = text_of(execution.schedule());
                strategy->learn(plan, execution);
            }
        }
        ASSERT_EQ(drawn, expected) << "seed " << seed;
    }
}

}  // namespace
}  // namespace raddle
