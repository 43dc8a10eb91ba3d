// The machine's independence relation is sound on random programs. All linearisations of one graph lead to one state,
// with the same pending actions, alternatives and virtual times; independent actions never enable, disable or change
// each other; and pending_uses covers everything an action may touch.
#include <gtest/gtest.h>

#include <set>

#include "tests/oracle.h"
#include "tests/programs.h"
#include "tests/search/complaints.h"

namespace raddle::testing {
namespace {

std::string counterexample(const RandomProgram& program, MachineOptions options) {
    ModelProgram target(code_of(program), {.machine = options, .main_only_ends_itself = program.main_only_ends_itself});
    return all_graphs(target, {.machine = options, .most_states = 20'000, .check_independence = true}).unsound;
}

class IndependenceRelation : public ::testing::TestWithParam<MachineOptions> {};

TEST_P(IndependenceRelation, IsSound) {
    const std::uint64_t programs = number_of_programs(400, 20'000);
    std::size_t failures = 0;
    for (std::uint64_t seed = 1'000'000; seed < 1'000'000 + programs && failures < 3; ++seed) {
        const RandomProgram program = random_program(seed);
        if (counterexample(program, GetParam()).empty()) continue;
        ++failures;
        const RandomProgram small =
            shrink(program, [](const RandomProgram& p) { return !counterexample(p, GetParam()).empty(); });
        ADD_FAILURE() << "seed " << seed << "\n" << to_text(small) << counterexample(small, GetParam());
    }
}

INSTANTIATE_TEST_SUITE_P(Machine, IndependenceRelation,
                         ::testing::Values(MachineOptions{Independence::plain, false},
                                           MachineOptions{Independence::fine, false},
                                           MachineOptions{Independence::fine, true}),
                         [](const auto& param_info) {
                             return std::string(param_info.param.independence == Independence::plain ? "plain"
                                                                                                     : "fine") +
                                    (param_info.param.spurious_wakeups ? "_spurious" : "");
                         });

// The finer relation merges graphs of the plain one and never splits them.
TEST(IndependenceRelation, FineHasNoMoreGraphsThanPlain) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const RandomProgram program = random_program(seed);
        const std::optional<Case> plain = make_case(program, {.independence = Independence::plain});
        const std::optional<Case> fine = make_case(program, {});
        if (!plain || !fine) continue;
        EXPECT_LE(fine->truth.graphs.size(), plain->truth.graphs.size()) << to_text(program);
        EXPECT_EQ(fine->truth.schedules, plain->truth.schedules) << to_text(program);
    }
}

// Brute force agrees with the table for all programs that are small enough.
TEST(Oracle, CountsTheGraphsOfTheTable) {
    std::size_t asked = 0;
    for (const ExpectedGraphs& row : expected_graphs()) {
        if (row.all.value_or(0) > 800 || row.name.starts_with("filesystem(1") || row.name.starts_with("indexer(1") ||
            row.name == "readers(8)")
            continue;  // too many states
        for (const Independence relation : {Independence::plain, Independence::fine}) {
            ModelProgram program(row.main, {.machine = {.independence = relation}});
            const Truth truth = all_graphs(program, {.machine = {.independence = relation}, .most_states = 300'000});
            ASSERT_FALSE(truth.too_large) << row.name;
            ++asked;
            const bool differs = relation == Independence::fine && row.all_fine.has_value();
            EXPECT_EQ(truth.graphs.size(), differs ? row.all_fine : row.all) << row.name;
            if (!row.cumulative.empty() && !differs) {
                EXPECT_EQ(truth.cumulative(), row.cumulative) << row.name;
            }
        }
    }
    EXPECT_GE(asked, 50u);
}

TEST(RandomPrograms, AreValidAndReproducible) {
    for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
        const RandomProgram program = random_program(seed);
        EXPECT_TRUE(is_valid(program)) << to_text(program);
        EXPECT_EQ(to_text(program), to_text(random_program(seed)));
    }
}

TEST(RandomPrograms, CoverEveryOperationWithEveryEffect) {
    std::set<Operation> seen;
    std::set<Effect> effects;
    std::set<Verdict> verdicts;
    std::set<Misuse> misuses;
    for (std::uint64_t seed = 0; seed < 3'000; ++seed) {
        ModelProgram target(code_of(random_program(seed)), {});
        for (const TailKind kind : {TailKind::run_on, TailKind::random}) {
            Plan plan;
            plan.tail.kind = kind;
            plan.tail.seed = seed;
            const Execution execution = target.run(plan);
            verdicts.insert(execution.verdict);
            for (const Event& event : execution.events) {
                seen.insert(event.action.operation);
                effects.insert(event.effect);
                misuses.insert(event.misuse);
            }
        }
    }
    for (std::size_t i = 0; i < operation_count; ++i)
        EXPECT_TRUE(seen.contains(static_cast<Operation>(i))) << operation_table.row[i].name;
    EXPECT_EQ(effects.size(), 4u);
    for (const Verdict verdict :
         {Verdict::ok, Verdict::deadlock, Verdict::assertion, Verdict::exit_status, Verdict::misuse})
        EXPECT_TRUE(verdicts.contains(verdict)) << name_of(verdict);
#define RADDLE_ROW(name, text) \
    EXPECT_TRUE(misuses.contains(Misuse::name) || Misuse::name == Misuse::freed_memory) << #name;
    RADDLE_MISUSES(RADDLE_ROW)
#undef RADDLE_ROW
}

}  // namespace
}  // namespace raddle::testing
