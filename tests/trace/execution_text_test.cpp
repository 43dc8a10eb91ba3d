// Objects, events and verdicts as text for people.
#include <gtest/gtest.h>

#include <set>

#include "supervisor/base/error.h"
#include "supervisor/trace/execution.h"

namespace raddle {
namespace {

constexpr ThreadId first_child = child_of(main_thread, 1);

TEST(ObjectName, SaysWhereTheObjectLives) {
    EXPECT_EQ(name_of(process_object()), "process");
    EXPECT_EQ(name_of(thread_object(first_child)), "thread:T1");
    EXPECT_EQ(name_of(cancel_object(first_child)), "cancel:T1");
    EXPECT_EQ(name_of(object_in(Space::module, 2, 0x1f40)), "module2+0x1f40");
    EXPECT_EQ(name_of(object_in(Space::heap, first_child.code, 64)), "heap:T1+0x40");
    EXPECT_EQ(name_of(object_in(Space::stack, 0, 16)), "stack:T0+0x10");
    EXPECT_EQ(name_of(object_in(Space::descriptor, 0, 3)), "fd3");
    EXPECT_EQ(name_of(object_in(Space::descriptors, 0, 0)), "fds");
    EXPECT_EQ(name_of(object_in(Space::named, 0, 0xabc)), "named:abc");
    EXPECT_EQ(name_of(object_in(Space::named, 1, 0xabc)), "named1:abc");
    EXPECT_EQ(name_of(object_in(Space::program, 0, 5)), "program:5");
    EXPECT_EQ(name_of(object_in(Space::program, 2, 5)), "program2:5");
    EXPECT_EQ(name_of(object_in(Space::hold, first_child.code, 1)), "hold:T1+0x1");
    EXPECT_EQ(name_of(object_in(Space::tool, 1, 2)), "tool1+0x2");
}

TEST(ObjectName, IsANumberIfTheSpaceIsUnknown) {
    EXPECT_EQ(name_of(ObjectId{std::uint64_t{200} << 56 | 1, 2}), "space200:1+0x2");
}

TEST(EventText, ReadsAsASentence) {
    Event event;
    event.thread = first_child;
    event.action.operation = Operation::mutex_lock;
    event.action.object = object_in(Space::program, 0, 5);
    EXPECT_EQ(text_of(event), "T1 mutex_lock program:5");

    event.effect = Effect::timed_out;
    event.result = 110;
    EXPECT_EQ(text_of(event), "T1 mutex_lock program:5 timed out = 110");

    event.action.operation = Operation::mutex_unlock;
    event.effect = Effect::done;
    event.result = 0;
    event.misuse = Misuse::unlock_unlocked;
    EXPECT_EQ(text_of(event), "T1 mutex_unlock program:5: unlocks a lock that nobody holds");
}

TEST(EventText, ShowsArgumentsAndAlternatives) {
    Event event;
    event.thread = main_thread;
    event.action.operation = Operation::memory_exchange;
    event.action.object = object_in(Space::program, 0, 1);
    event.action.words[1] = 7;
    EXPECT_EQ(text_of(event), "T0 memory_exchange program:1 (0, 7)");

    event.action = {};
    event.action.operation = Operation::choose;
    event.action.words[0] = 3;
    event.value = 2;
    event.result = 2;
    EXPECT_EQ(text_of(event), "T0 choose (3) [alternative 2] = 2");
}

TEST(VerdictName, IsUnlikeAnyOther) {
    std::set<std::string> names, texts;
    int count = 0;
#define RADDLE_ROW(name, use, text)                                                      \
    names.insert(name_of(Verdict::name)), texts.insert(text_of(Verdict::name)), ++count; \
    EXPECT_STREQ(name_of(Verdict::name), #name);
    RADDLE_VERDICTS(RADDLE_ROW)
#undef RADDLE_ROW
    EXPECT_EQ(names.size(), static_cast<std::size_t>(count));
    EXPECT_EQ(texts.size(), static_cast<std::size_t>(count));
}

TEST(VerdictName, IsReadBack) {
#define RADDLE_ROW(name, use, text) EXPECT_EQ(parse_verdict(#name), Verdict::name);
    RADDLE_VERDICTS(RADDLE_ROW)
#undef RADDLE_ROW
    EXPECT_THROW(parse_verdict("fine"), BadInput);
}

TEST(Verdict, IsABugOrALimit) {
    for (const Verdict bug : {Verdict::deadlock, Verdict::assertion, Verdict::crash, Verdict::exit_status,
                              Verdict::misuse, Verdict::race, Verdict::livelock})
        EXPECT_TRUE(is_bug(bug)) << name_of(bug);
    for (const Verdict none : {Verdict::ok, Verdict::step_limit, Verdict::uncontrolled, Verdict::diverged,
                               Verdict::abandoned, Verdict::stopped, Verdict::unknown})
        EXPECT_FALSE(is_bug(none)) << name_of(none);
}

TEST(PlanView, ShowsThePlan) {
    Plan plan;
    plan.prefix = {{main_thread, 0}, {first_child, 1}};
    plan.sleeping = {Sleeper(main_thread)};
    plan.tail.kind = TailKind::pct;
    plan.max_steps = 9;
    const PlanView view = plan.view();
    ASSERT_EQ(view.prefix_length, 2u);
    EXPECT_TRUE(view.prefix[1] == plan.prefix[1]);
    ASSERT_EQ(view.sleeping_count, 1u);
    EXPECT_EQ(view.sleeping[0].thread, main_thread);
    EXPECT_EQ(view.tail.kind, TailKind::pct);
    EXPECT_EQ(view.max_steps, 9u);
}

TEST(Execution, HasTheScheduleOfItsEvents) {
    Execution execution;
    execution.events.resize(2);
    execution.events.change(1).thread = first_child;
    execution.events.change(1).value = 3;
    EXPECT_EQ(execution.schedule(), (Schedule{{main_thread, 0}, {first_child, 3}}));
}

}  // namespace
}  // namespace raddle
