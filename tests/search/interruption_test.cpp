// Waits interrupted by signals, against brute force: the programs of the oracle, with some cancellations replaced by
// signals, and some waits of every kind interruptible.
#include <gtest/gtest.h>

#include <algorithm>

#include "supervisor/model/interruption.h"
#include "tests/search/complaints.h"

namespace raddle::testing {
namespace {

// Returns false if the program has no signal, or no wait to interrupt.
bool put_signals(RandomProgram& program) {
    bool sent = false, waited = false;
    std::uint64_t drawn = program.seed;
    const auto one_in = [&](std::uint64_t n) { return mix64(++drawn * 0x9e3779b97f4a7c15ULL) % n == 0; };
    for (ThreadCode& code : program.threads) {
        for (Op& op : code.ops) {
            if (op.operation == Operation::thread_cancel && !one_in(4)) {
                op.argument = 1;
                sent = true;
            }
            if (traits(op.operation).on_signal == OnSignal::not_left || op.operation == Operation::futex_enter)
                continue;
            if (one_in(3)) continue;
            if ((op.flags & flag::cancellable) == 0) op.flags |= flag::cancellable | flag::uncancellable;
            op.flags |= flag::interruptible;
            if (one_in(2)) op.flags |= flag::uncancellable;
            waited = true;
        }
    }
    return sent && waited;
}

bool is_interrupted_in(Target& target, const Schedule& schedule) {
    Plan plan;
    plan.prefix = schedule;
    const Execution execution = target.run(plan);
    return std::any_of(execution.events.begin(), execution.events.end(), [](const Event& event) {
        return event.effect == Effect::cancelled && event.result == error::interrupted;
    });
}

class Interruption : public ::testing::TestWithParam<Claim> {};

TEST_P(Interruption, HidesNoGraphFromAStrategy) {
    const std::uint64_t wanted = number_of_programs(150, 4'000);
    std::uint64_t asked = 0, failures = 0;
    for (std::uint64_t seed = 0; asked < wanted && failures == 0; ++seed) {
        RandomProgram program = random_program(seed);
        if (!put_signals(program)) continue;
        const std::optional<Case> known =
            make_case(program, {.independence = seed % 3 == 0 ? Independence::plain : Independence::fine});
        if (!known) continue;
        ++asked;
        if (about_completeness(GetParam(), *known).empty()) continue;
        ++failures;
        ADD_FAILURE() << "seed " << seed << ": " << shrunk(about_completeness, GetParam(), *known);
    }
}

std::vector<Claim> quick_claims() {
    std::vector<Claim> quick;
    for (const Claim& claim : claims())
        if (!claim.every_schedule) quick.push_back(claim);
    return quick;
}

INSTANTIATE_TEST_SUITE_P(Oracle, Interruption, ::testing::ValuesIn(quick_claims()),
                         [](const auto& param_info) { return test_name_of(param_info.param.strategy); });

// The oracle checks itself: linearisations of one graph lead to one state, and independent actions commute.
TEST(InterruptionTruth, IsSound) {
    std::uint64_t asked = 0, interrupted = 0;
    const std::uint64_t programs = number_of_programs(300, 6'000);
    for (std::uint64_t seed = 0; asked < programs; ++seed) {
        RandomProgram program = random_program(seed);
        if (!put_signals(program)) continue;
        const Independence relation = seed % 2 == 0 ? Independence::plain : Independence::fine;
        const ModelOptions options = options_of(program, {.independence = relation});
        ModelProgram target(code_of(program), options);
        const Truth truth =
            all_graphs(target, {.machine = options.machine, .most_states = 4'000, .check_independence = true});
        if (truth.too_large) continue;
        ++asked;
        ASSERT_EQ(truth.unsound, "") << "seed " << seed << "\n" << to_text(program);
        for (const auto& [key, graph] : truth.graphs) interrupted += is_interrupted_in(target, graph.schedule) ? 1 : 0;
    }
    EXPECT_GT(interrupted, programs) << "graphs in which a signal interrupts somebody";
}

}  // namespace
}  // namespace raddle::testing
