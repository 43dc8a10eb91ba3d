#include "supervisor/trace/replay_machine.h"

#include <gmock/gmock.h>

#include "tests/trace/handmade_execution.h"

namespace raddle {
namespace {

using testing::action;
using testing::HandmadeExecution;
using testing::object;

constexpr ThreadId t1 = child_of(main_thread, 1);
constexpr ThreadId t2 = child_of(main_thread, 2);

std::string mismatch_of(const Execution& execution) {
    ReplayMachine replay({});
    replay.begin(execution);
    replay.feed_all();
    return replay.mismatch() ? std::to_string(replay.mismatch()->event) + ": " + replay.mismatch()->text : "none";
}

// T1 holds the mutex while T2 waits for it.
Execution contention(HandmadeExecution& r) {
    r.create(main_thread);
    r.create(main_thread);
    r.does(t1, Operation::mutex_lock, object(0));
    r.announces(t2, action(Operation::mutex_lock, object(0)));
    r.does(t1, Operation::mutex_unlock, object(0));
    r.goes_on(t2);
    return r.execution();
}
Execution contention() {
    HandmadeExecution r;
    return contention(r);
}

TEST(ReplayMachine, FollowsTheRecord) {
    const Execution execution = contention();
    ReplayMachine replay({});
    replay.begin(execution);
    for (std::size_t i = 0; i < execution.events.size(); ++i) {
        ASSERT_TRUE(replay.more());
        EXPECT_EQ(replay.position(), i);
        EXPECT_EQ(replay.machine().thread(replay.thread()).id, execution.events[i].thread);
        replay.feed();
    }
    EXPECT_FALSE(replay.more());
    EXPECT_FALSE(replay.mismatch());
    EXPECT_EQ(replay.machine().object(replay.machine().find_object(object(0))).owner, replay.machine().find_thread(t2));
}

TEST(ReplayMachine, KnowsThePendingActionOfEveryThreadBeforeItsEvent) {
    const Execution execution = contention();
    ReplayMachine replay({});
    replay.begin(execution);
    while (replay.position() < 5) replay.feed();  // T1 has locked
    const ThreadSlot waiting = replay.machine().find_thread(t2);
    EXPECT_EQ(replay.machine().thread(waiting).pending.operation, Operation::mutex_lock);
    EXPECT_FALSE(replay.machine().can_run(waiting));
    replay.feed();  // and unlocked
    EXPECT_TRUE(replay.machine().can_run(waiting));
}

TEST(ReplayMachine, KnowsActionsThatWereAnnouncedButNeverTaken) {
    HandmadeExecution r;
    contention(r);
    r.announces(t1, action(Operation::mutex_lock, object(0)));
    const Execution execution = r.execution();
    ReplayMachine replay({});
    replay.begin(execution);
    replay.feed_all();
    EXPECT_EQ(replay.machine().thread(replay.machine().find_thread(t1)).pending.operation, Operation::mutex_lock);
    EXPECT_FALSE(replay.machine().can_run(replay.machine().find_thread(t1)));
}

TEST(ReplayMachine, FollowsCallsOfSeveralParts) {
    HandmadeExecution r;
    r.create(main_thread);
    r.does(t1, Operation::mutex_lock, object(0));
    Action wait = action(Operation::cond_wait, object(1));
    wait.second = object(0);
    r.does(t1, wait);
    r.does(main_thread, Operation::cond_signal, object(1));
    r.goes_on(t1);  // wakes, with the mutex
    r.does(t1, Operation::mutex_unlock, object(0));
    EXPECT_EQ(mismatch_of(r.execution()), "none");
}

TEST(ReplayMachine, CountsPreemptions) {
    HandmadeExecution r;
    r.create(main_thread);  // T0 creates, T1 starts
    r.announces(t1, action(Operation::memory_write, object(0), 1));
    r.does(main_thread, Operation::memory_read, object(0));  // T1 was able to run
    r.goes_on(t1);                                           // T0 was able to run
    r.announces(main_thread, action(Operation::memory_read, object(0)));
    Execution execution = r.execution();
    ReplayMachine replay({});
    replay.begin(execution);
    replay.feed_all();
    // T0 T1 (1: T0 had a read announced) T0 (1) T1 (1: T0's last read was announced)
    EXPECT_EQ(replay.preemptions(), 3u);
}

TEST(ReplayMachine, KnowsTheCostOfAnotherChoice) {
    const Execution execution = contention();
    ReplayMachine replay({});
    replay.begin(execution);
    while (replay.position() < 5) replay.feed();
    const ThreadSlot first = replay.machine().find_thread(t1), second = replay.machine().find_thread(t2);
    EXPECT_EQ(replay.cost(first, 0), 0u);
    replay.feed();
    EXPECT_EQ(replay.cost(second, 0), 0u);  // T1 has nothing left to do
}

TEST(ReplayMachine, ReportsAnImpossibleEvent) {
    Execution execution = contention();
    std::swap(execution.events.change(5), execution.events.change(6));  // T2 locks before T1 has unlocked
    EXPECT_EQ(mismatch_of(execution), "5: 'T2 mutex_lock program:0' is blocked here");
}

TEST(ReplayMachine, ReportsAnotherResult) {
    Execution execution = contention();
    execution.events.change(4).result = 35;
    EXPECT_EQ(mismatch_of(execution),
              "4: recorded is 'T1 mutex_lock program:0 = 35' where 'T1 mutex_lock program:0' comes out");
}

TEST(ReplayMachine, ReportsAnotherMisuse) {
    Execution execution = contention();
    execution.events.change(4).misuse = Misuse::use_after_destroy;
    EXPECT_THAT(mismatch_of(execution), ::testing::StartsWith("4: recorded is"));
    execution.events.change(4).misuse = Misuse::freed_memory;  // the machine cannot know it
    EXPECT_EQ(mismatch_of(execution), "none");
}

TEST(ReplayMachine, ReportsThreadsThatCannotAct) {
    Execution execution = contention();
    execution.events.change(4).thread = child_of(main_thread, 9);
    EXPECT_EQ(mismatch_of(execution), "4: T9 does not exist here");

    HandmadeExecution r;
    r.create(main_thread);
    r.does(t1, Operation::thread_exit);
    execution = r.execution();
    execution.events.push_back(execution.events.back());
    EXPECT_EQ(mismatch_of(execution), "3: T1 has ended");
}

TEST(ReplayMachine, ReportsAMissingAlternative) {
    HandmadeExecution r;
    r.does(main_thread, action(Operation::choose, {}, 3), 2);
    Execution execution = r.execution();
    EXPECT_EQ(mismatch_of(execution), "none");
    execution.events.change(0).value = 3;
    EXPECT_EQ(mismatch_of(execution), "0: 'T0 choose (3) [alternative 3] = 2' has only 3 alternatives here");
}

TEST(ReplayMachine, ReportsAPartOfACallOutOfOrder) {
    HandmadeExecution r;
    r.create(main_thread);
    r.does(t1, Operation::mutex_lock, object(0));
    Action wait = action(Operation::cond_wait, object(1));
    wait.second = object(0);
    r.does(t1, wait);
    Execution execution = r.execution();
    execution.events.push_back(execution.events[2]);  // locks again instead of waking
    EXPECT_THAT(mismatch_of(execution), ::testing::HasSubstr("cond_wake"));
}

TEST(ReplayMachine, DoesNotCompareValuesTheMachineCannotKnow) {
    HandmadeExecution r;
    Action read = action(Operation::memory_read, object(0));
    read.flags = flag::contents_unknown;
    r.does(main_thread, read);
    Execution execution = r.execution();
    execution.events.change(0).result = 4711;
    EXPECT_EQ(mismatch_of(execution), "none");
}

TEST(ReplayMachine, TakesTheAmountOfReadableDataFromTheRecord) {
    Action read = action(Operation::descriptor_read, object(0), 100);
    read.flags = flag::contents_unknown;
    Execution execution;
    execution.events.resize(1);
    execution.events.change(0).action = read;
    execution.events.change(0).result = 12;
    EXPECT_EQ(mismatch_of(execution), "none");
    execution.events.change(0).effect = Effect::timed_out;  // but it had no time-out
    execution.events.change(0).result = 110;
    EXPECT_EQ(mismatch_of(execution), "0: 'T0 descriptor_read program:0 (100) timed out = 110' is blocked here");
}

TEST(ReplayMachine, StartsAnewWithEachExecution) {
    const Execution execution = contention();
    ReplayMachine replay({});
    replay.begin(execution);
    replay.feed_all();
    const Hash128 graph = replay.graph();
    const std::uint32_t preemptions = replay.preemptions();
    const Execution nothing;
    replay.begin(nothing);
    EXPECT_FALSE(replay.more());
    EXPECT_EQ(replay.preemptions(), 0u);
    EXPECT_EQ(replay.graph(), Hash128{});
    replay.begin(execution);
    replay.feed_all();
    EXPECT_EQ(replay.graph(), graph);
    EXPECT_EQ(replay.preemptions(), preemptions);
}

}  // namespace
}  // namespace raddle
