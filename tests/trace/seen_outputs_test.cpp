// The different outputs of a program.
#include "supervisor/trace/seen_outputs.h"

#include <gtest/gtest.h>

namespace raddle::testing {
namespace {

constexpr std::size_t limit = 1000;

Execution with_output(const std::string& output, std::int64_t status = 0) {
    Execution execution;
    execution.verdict = status == 0 ? Verdict::ok : Verdict::exit_status;
    execution.exit_status = status;
    execution.output = output;
    execution.events.resize(output.size() + 1);
    return execution;
}

TEST(SeenOutputs, DifferByTextAndExitStatus) {
    OutputCollector collector(limit);
    for (const char* text : {"one", "two", "one", "one"}) collector.add(with_output(text), 0);
    collector.add(with_output("one", 1), 0);
    const SeenOutputs seen = collector.outputs();
    ASSERT_EQ(seen.rows.size(), 3U);
    EXPECT_EQ(seen.rows[0].begins, "one");
    EXPECT_EQ(seen.rows[0].times, 3U);
    EXPECT_EQ(seen.rows[0].exit_status, 0);
    EXPECT_EQ(seen.executions(), 5U);
    EXPECT_EQ(text_of_number(seen), "3 different outputs");
}

TEST(SeenOutputs, DifferByAZeroByteAtTheEnd) {
    OutputCollector collector(limit);
    collector.add(with_output("one"), 0);
    collector.add(with_output(std::string("one\0", 4)), 0);
    EXPECT_EQ(collector.outputs().rows.size(), 2U);
}

TEST(SeenOutputs, OfExecutionsThatABugCutOffDoNotCount) {
    OutputCollector collector(limit);
    collector.add(with_output("one"), 0);
    for (const Verdict verdict : {Verdict::deadlock, Verdict::crash, Verdict::step_limit, Verdict::abandoned}) {
        Execution cut = with_output("on");
        cut.verdict = verdict;
        collector.add(cut, 0);
    }
    Execution nothing_learned = with_output("none");
    nothing_learned.is_void = true;
    collector.add(nothing_learned, 0);
    EXPECT_EQ(collector.outputs().rows.size(), 1U);
    EXPECT_EQ(collector.outputs().executions(), 1U);
}

TEST(SeenOutputs, BeyondTheLimitAreCountedAndNotListed) {
    OutputCollector collector(limit);
    constexpr std::size_t more = 7;
    for (std::size_t i = 0; i < OutputCollector::most_outputs + more; ++i)
        collector.add(with_output(std::to_string(i)), 0);
    collector.add(with_output("0"), 0);
    const SeenOutputs seen = collector.outputs();
    EXPECT_EQ(seen.rows.size(), OutputCollector::most_outputs);
    EXPECT_EQ(seen.others, more);
    EXPECT_EQ(seen.executions(), OutputCollector::most_outputs + more + 1);
    EXPECT_EQ(text_of_number(seen), "more than 100 different outputs");
}

TEST(SeenOutputs, SayWhenOnlyTheirBeginningsAreKnown) {
    OutputCollector collector(limit);
    collector.add(with_output(std::string(limit - 1, 'a')), 0);
    EXPECT_FALSE(collector.outputs().is_cut);
    collector.add(with_output(std::string(limit, 'a')), 0);
    EXPECT_TRUE(collector.outputs().is_cut);
}

// A schedule means something else once more accesses are visible.
TEST(SeenOutputs, KeepSchedulesOfTheNewestEpochOnly) {
    OutputCollector collector(limit);
    collector.add(with_output("one"), 0);
    collector.add(with_output("two"), 0);
    collector.add(with_output("two"), 1);
    const SeenOutputs seen = collector.outputs();
    ASSERT_EQ(seen.rows.size(), 2U);
    EXPECT_EQ(seen.rows[0].begins, "two");
    EXPECT_EQ(seen.rows[0].schedule.size(), 4U);
    EXPECT_TRUE(seen.rows[1].schedule.empty());
}

TEST(SeenOutputs, OfTwoRunsAddUp) {
    OutputCollector first(limit), second(limit);
    first.add(with_output("one"), 0);
    second.add(with_output("one"), 0);
    second.add(with_output("two"), 0);
    OutputCollector disjoint(limit), overlapping(limit);
    for (const auto& one : {first.outputs(), second.outputs()}) {
        disjoint.add(one);
        overlapping.add(one, true);
    }
    EXPECT_EQ(disjoint.outputs().executions(), 3U);
    EXPECT_EQ(overlapping.outputs().executions(), 2U);
    EXPECT_EQ(disjoint.outputs().rows.size(), 2U);
}

}  // namespace
}  // namespace raddle::testing
