// Executions survive the trip to bytes and back; damaged bytes are refused.
#include <gtest/gtest.h>

#include "store/execution_journal.h"
#include "tests/programs.h"

namespace raddle::testing {
namespace {

Execution drawn(ModelProgram& program, std::uint64_t seed, Plan& plan) {
    plan.tail = {.kind = TailKind::random, .seed = seed};
    return program.run(plan);
}

std::string text_of_all(const Execution& execution) {
    std::string text =
        std::string(name_of(execution.verdict)) + " " + std::to_string(execution.exit_status) + " " + execution.message;
    for (const Event& event : execution.events)
        text += "\n" + text_of(event) + " " + std::to_string(event.result) + " " + std::to_string(event.action.site);
    for (const Pending& pending : execution.pending)
        text += "\npending " + name_of(pending.thread) + " " + name_of(pending.action.operation);
    return text;
}

TEST(Journal, ReturnsTheStoredExecutions) {
    ModelProgram program(philosophers(3, Forks::left_first));  // some of its executions end in a deadlock
    JournalWriter writer;
    std::vector<std::pair<std::uint64_t, std::string>> expected;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Plan plan;
        Execution execution = drawn(program, seed, plan);
        if (seed % 7 == 0) execution.exit_status = -3;
        if (seed % 11 == 0) execution.message = "said";
        writer.add(plan, execution);
        expected.emplace_back(key_of(plan), text_of_all(execution));
    }
    EXPECT_EQ(writer.executions(), 200u);
    const std::vector<JournalEntry> entries = read_journal(writer.take());
    EXPECT_EQ(writer.executions(), 0u);
    ASSERT_EQ(entries.size(), expected.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
        EXPECT_EQ(entries[i].plan, expected[i].first);
        EXPECT_EQ(text_of_all(entries[i].execution), expected[i].second);
    }
}

TEST(Journal, RefusesDamagedBytes) {
    ModelProgram program(locks(2, 2));
    JournalWriter writer;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        Plan plan;
        const Execution execution = drawn(program, seed, plan);
        writer.add(plan, execution);
    }
    const std::string bytes = writer.take();
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) EXPECT_THROW(read_journal(bytes.substr(0, cut)), BadInput);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ 0x20);
        EXPECT_THROW(read_journal(changed), BadInput);
    }
}

TEST(Journal, DistinguishesPlansByTheirContents) {
    Plan plan;
    plan.prefix = parse_schedule("T0*3 T1");
    Plan other = plan;
    other.id = 7;
    EXPECT_EQ(key_of(plan), key_of(other));
    other.prefix = parse_schedule("T0*2 T1");
    EXPECT_NE(key_of(plan), key_of(other));
    other = plan;
    other.tail.seed = 1;
    EXPECT_NE(key_of(plan), key_of(other));
    other = plan;
    other.tail.leaves_out_impossible = true;
    EXPECT_NE(key_of(plan), key_of(other));
}

}  // namespace
}  // namespace raddle::testing
