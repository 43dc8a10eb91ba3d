// A focus: choices only where the thread that would go on is inside. What is left is explored completely: checked
// against brute force over all schedules, of which those are kept whose switches lie inside, at every bound.
#include <gtest/gtest.h>

#include "supervisor/trace/replay_machine.h"
#include "tests/search/explore.h"
#include "tests/search/restricted_search.h"

namespace raddle::testing {
namespace {

MachineOptions with_focus(std::uint64_t seed) {
    MachineOptions machine;
    machine.independence = seed % 3 == 0 ? Independence::plain : Independence::fine;
    machine.has_focus = true;
    return machine;
}

constexpr Restriction restriction = {9'000'000, with_focus, [](const RandomProgram&) { return true; }};

class EveryStrategyWithAFocus : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryStrategyWithAFocus, MissesNoGraphAndNoVerdict) {
    nobody_complains(GetParam(), about_completeness, number_of_programs(300, 20'000), restriction);
}

TEST_P(EveryStrategyWithAFocus, FindsTheSameWithSeveralPlansOut) {
    nobody_complains(GetParam(), about_disorder, number_of_programs(100, 5'000), restriction);
}

TEST_P(EveryStrategyWithAFocus, FindsTheSameSavedAndLoaded) {
    nobody_complains(GetParam(), about_restarts, number_of_programs(100, 5'000), restriction);
}

INSTANTIATE_TEST_SUITE_P(Oracle, EveryStrategyWithAFocus, ::testing::Values("portfolio", "bounded", "dfs", "cb-dfs"),
                         [](const auto& param_info) { return test_name_of(param_info.param); });

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
