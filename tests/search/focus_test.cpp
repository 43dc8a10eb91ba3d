// A focus: choices only where the thread that would go on is inside. What is left is explored completely: checked
// against brute force over all schedules, of which those are kept whose switches lie inside, at every bound.
#include <gtest/gtest.h>

#include "supervisor/trace/replay_machine.h"
#include "tests/search/complaints.h"
#include "tests/search/explore.h"

namespace raddle::testing {
namespace {

MachineOptions with_focus(std::uint64_t seed) {
    MachineOptions machine;
    machine.independence = seed % 3 == 0 ? Independence::plain : Independence::fine;
    machine.has_focus = true;
    return machine;
}

class EveryStrategyWithAFocus : public ::testing::TestWithParam<const char*> {
protected:
    void nobody_complains(Complaint complaint, std::uint64_t programs) {
        const auto claim = std::ranges::find_if(claims(), [](const Claim& one) { return one.strategy == GetParam(); });
        ASSERT_NE(claim, claims().end());
        std::size_t failures = 0, smaller = 0;
        std::uint64_t seed = 9'000'000;
        for (std::uint64_t left = programs; left > 0 && failures < 3; ++seed) {
            const RandomProgram program = random_program(seed);
            const std::optional<Case> known = make_case(program, with_focus(seed));
            if (!known) continue;
            --left;
            if (const std::optional<Case> all = make_case(program, {.independence = known->machine.independence}))
                smaller += all->truth.graphs.size() > known->truth.graphs.size() ? 1 : 0;
            if (complaint(*claim, *known).empty()) continue;
            ++failures;
            ADD_FAILURE() << shrunk(complaint, *claim, *known);
        }
        EXPECT_GT(smaller, programs / 5) << "the focus hardly makes a difference";
    }
};

TEST_P(EveryStrategyWithAFocus, MissesNoGraphAndNoVerdict) {
    nobody_complains(about_completeness, number_of_programs(300, 20'000));
}

TEST_P(EveryStrategyWithAFocus, FindsTheSameWithSeveralPlansOut) {
    nobody_complains(about_disorder, number_of_programs(100, 5'000));
}

TEST_P(EveryStrategyWithAFocus, FindsTheSameSavedAndLoaded) {
    nobody_complains(about_restarts, number_of_programs(100, 5'000));
}

INSTANTIATE_TEST_SUITE_P(Oracle, EveryStrategyWithAFocus, ::testing::Values("portfolio", "bounded", "dfs", "cb-dfs"),
                         [](const auto& param_info) {
                             std::string name = param_info.param;
                             std::erase(name, '-');
                             return name;
                         });

// Every schedule that a sampler draws is one that the focus allows.
TEST(Focus, SamplersKeepToIt) {
    std::uint64_t steps = 0, outside = 0;
    for (const char* const name : {"random", "pct", "pos", "surw"}) {
        for (std::uint64_t seed = 9'500'000; seed < 9'500'040; ++seed) {
            StrategyOptions options;
            options.machine = with_focus(seed);
            options.samples = 20;
            const RandomProgram program = random_program(seed);
            ModelProgram target(code_of(program), options_of(program, options.machine));
            const auto strategy = make_strategy(name, options);
            ReplayMachine replay(options.machine);
            explore(*strategy, target, {.on_execution = [&](const Execution& execution) {
                for (replay.begin(execution); replay.more(); replay.feed()) {
                    ++steps;
                    outside += (replay.event().action.flags & flag::inside) == 0 ? 1 : 0;
                    ASSERT_FALSE(leaves_focus(replay.machine(), replay.track().last_thread(), replay.thread(),
                                              replay.event().value))
                        << name << ", seed " << seed << ", step " << replay.position();
                }
            }});
        }
    }
    EXPECT_GT(outside, steps / 4);
    EXPECT_LT(outside, steps);
}

TEST(Focus, IsPartOfASavedSearch) {
    StrategyOptions options;
    options.machine.has_focus = true;
    const std::string saved = save_strategy("bounded", options, *make_strategy("bounded", options));
    EXPECT_NO_THROW(load_strategy("bounded", options, saved));
    options.machine.has_focus = false;
    EXPECT_THROW(load_strategy("bounded", options, saved), BadInput);
}

}  // namespace
}  // namespace raddle::testing
