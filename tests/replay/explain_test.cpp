// Explanations of executions written by hand, without a process.

#include <gtest/gtest.h>

#include "replay/explain/explain_json.h"
#include "replay/explain/explain_text.h"
#include "replay/explain/wording.h"
#include "tests/replay/events.h"

namespace raddle {
namespace {

using testing::action;
using testing::event;

const ThreadId first = child_of(main_thread, 1), second = child_of(main_thread, 2);
const ObjectId a = object_in(Space::module, 0, 0x10), b = object_in(Space::module, 0, 0x20);

Stack at(const std::string& function, unsigned line) {
    return {{function, "/src/prog.c", line, "prog", 0x1000 + line, false}};
}

// T1 locks a, T2 locks b, and each wants the other's lock.
Evidence crossed() {
    Evidence evidence;
    Execution& execution = evidence.execution;
    execution.verdict = Verdict::deadlock;
    execution.events = {event(main_thread, Operation::thread_create, thread_object(first)),
                        event(main_thread, Operation::thread_create, thread_object(second)),
                        event(first, Operation::thread_start),
                        event(first, Operation::mutex_lock, a),
                        event(second, Operation::thread_start),
                        event(second, Operation::mutex_lock, b)};
    execution.pending = {{main_thread, action(Operation::thread_join, thread_object(first))},
                         {first, action(Operation::mutex_lock, b)},
                         {second, action(Operation::mutex_lock, a)}};
    evidence.stacks = {at("main", 1), at("main", 2), {}, at("one", 11), {}, at("two", 21)};
    evidence.pending = {{main_thread, at("main", 3)}, {first, at("one", 12)}, {second, at("two", 22)}};
    evidence.origins[a].symbol = "a";
    evidence.origins[b].symbol = "b";
    return evidence;
}

ExplainInput input(Evidence evidence) {
    ExplainInput made;
    made.failing = std::move(evidence);
    return made;
}

TEST(Explain, ACycleNamesOwnersAndWaiters) {
    const Explanation explanation = explain(input(crossed()));
    EXPECT_EQ(explanation.sentence,
              "deadlock: T1 holds mutex a and waits for mutex b; T2 holds mutex b and waits for mutex a");
    EXPECT_EQ(explanation.preemptions, 1u);
    ASSERT_EQ(explanation.facts.size(), 5u);
    EXPECT_EQ(explanation.facts[1], "T1 waits for mutex b at prog.c:12, held by T2 since prog.c:21");
    EXPECT_EQ(explanation.facts[2], "  holds mutex a since prog.c:11");
}

TEST(Explain, ARelockingThreadWaitsForItself) {
    Evidence evidence = crossed();
    evidence.execution.events.resize(4);
    evidence.execution.pending = {{main_thread, action(Operation::thread_join, thread_object(first))},
                                  {first, action(Operation::mutex_lock, a)}};
    EXPECT_EQ(explain(input(evidence)).sentence, "deadlock: T1 waits for mutex a, which it holds itself");
}

TEST(Explain, UnknownFactsAreLeftOut) {
    Evidence evidence = crossed();
    evidence.stacks.clear();
    evidence.pending.clear();
    evidence.origins.clear();
    const std::string text = text_of(explain(input(evidence)));
    EXPECT_NE(text.find("T1 holds mutex at module+0x10 and waits for mutex at module+0x20"), std::string::npos) << text;
}

TEST(Explain, AnInconsistentExecutionIsExplainedAsFarAsPossible) {
    Evidence evidence = crossed();
    evidence.execution.events.push_back(event(first, Operation::mutex_unlock, b));
    evidence.execution.events.push_back(event(child_of(second, 7), Operation::cond_wake, a));
    EXPECT_FALSE(text_of(explain(input(evidence))).empty());
}

TEST(Explain, TheDecisiveOrderNamesBothSteps) {
    ExplainInput made = input(crossed());
    made.nearest.emplace();
    made.nearest->first = {first, 2, action(Operation::mutex_lock, a)};
    made.nearest->second = {second, 3, action(Operation::mutex_lock, a)};
    EXPECT_EQ(explain(made).decisive,
              "passes if T2 locks mutex a at prog.c:22 before T1 locks it at prog.c:11; here T1 came first");
}

TEST(Explain, LongExecutionsAreFolded) {
    Evidence evidence = crossed();
    Events more;
    for (int i = 0; i < 40; ++i) {
        more.push_back(event(main_thread, Operation::mutex_lock, object_in(Space::module, 0, 0x30)));
        more.push_back(event(main_thread, Operation::mutex_unlock, object_in(Space::module, 0, 0x30)));
    }
    for (const Event& event : evidence.execution.events) more.push_back(event);
    evidence.execution.events = more;
    evidence.stacks.clear();
    EXPECT_NE(text_of(explain(input(evidence))).find("… 80 steps of T0"), std::string::npos);
}

TEST(Explain, ControlCharactersOfTheProgramDoNotReachTheTerminal) {
    Evidence evidence = crossed();
    evidence.origins[a].symbol = "a\033[2J";
    evidence.stacks[3][0].function = "one\033]0;";
    EXPECT_EQ(text_of(explain(input(evidence))).find('\033'), std::string::npos);
    EXPECT_NE(json_of(explain(input(evidence))).find("\\u001b"), std::string::npos);
}

TEST(Wording, TheProgramsOwnFrameComesBeforeThoseOfLibraries) {
    const Stack stack = {{"std::mutex::lock()", "/usr/include/c++/12/bits/std_mutex.h", 100, "prog", 1, true},
                         {"transfer", "/src/prog.c", 7, "prog", 2, false}};
    EXPECT_EQ(own_frame(stack)->function, "transfer");
    EXPECT_EQ(location_of(stack), "prog.c:7");
    EXPECT_EQ(location_of(Stack{{"", "", 0, "libx.so", 0x12, false}}), "libx.so+0x12");
    EXPECT_EQ(own_frame({}), nullptr);
}

}  // namespace
}  // namespace raddle
