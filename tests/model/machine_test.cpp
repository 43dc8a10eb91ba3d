// The machine as a whole: announcing, follow-ups, costs, endings, virtual time, and going back.
#include "tests/model/random_scene.h"

namespace raddle::testing {
namespace {

constexpr Thing m = thing(1), c = thing(2), x = thing(3), y = thing(4), sem = thing(5);

TEST(Machine, MainRunsAtTheStart) {
    Script s(0);
    EXPECT_EQ(s.record(0).life, Life::running);
    EXPECT_EQ(s.machine.alternatives(s.slot(0)).readiness, Readiness::blocked) << "it has announced nothing";
    EXPECT_EQ(s.machine.ending(), Ending::running);
}

TEST(Machine, AnnouncedActionHappensWhenApplied) {
    Script s(1);
    s.announces(1, write(x, 5));
    EXPECT_EQ(s.does(0, read(x)).result, 0);
    const std::uint32_t events = s.record(1).events;
    s.goes_on(1);
    EXPECT_EQ(s.does(0, read(x)).result, 5);
    EXPECT_EQ(s.record(1).events, events + 1);
    EXPECT_EQ(s.record(1).life, Life::running);
}

TEST(Machine, CallInSeveralPartsAnnouncesThemItself) {
    Script s(1);
    s.does(1, lock(m));
    const ActionOutcome first = s.does(1, wait(c, m));
    EXPECT_TRUE(first.continues);
    EXPECT_EQ(s.record(1).life, Life::announced);
    EXPECT_EQ(s.record(1).pending.operation, Operation::cond_wake);
}

TEST(Machine, PendingAccessesAreThoseOfTheAction) {
    Script s(1);
    ObjectUse said[most_uses];
    EXPECT_EQ(s.machine.pending_uses(s.slot(1), said), 0) << "nothing is announced";
    s.does(1, lock(m));
    s.announces(1, cancellable(timed(wait(c, m), 5)));
    EXPECT_EQ(s.machine.pending_uses(s.slot(1), said), 3) << "condition, mutex, cancellation mark";
    s.goes_on(1);
    EXPECT_EQ(s.machine.pending_uses(s.slot(1), said), 4) << "and the process, as its time may run out";
}

TEST(Machine, ChoiceHasAsManyWaysAsItSays) {
    Script s(0);
    s.announces(0, action(Operation::choose, {}, 3));
    EXPECT_EQ(s.ways(0), 3u);
    EXPECT_EQ(s.goes_on(0, 2).result, 2);
    s.announces(0, action(Operation::choose, {}, 0));
    EXPECT_EQ(s.ways(0), 1u);
}

TEST(Machine, ResetForgetsEverything) {
    Script s(2);
    s.does(1, unlock(m));
    s.does(2, process_exit(3));
    s.machine.reset();
    EXPECT_EQ(s.machine.thread_count(), 1u);
    EXPECT_EQ(s.machine.object_count(), 2u) << "the process, and main";
    EXPECT_EQ(s.machine.ending(), Ending::running);
    EXPECT_EQ(s.machine.exit_status(), 0);
}

// ---- endings

TEST(Ending, FinishedWhenAllThreadsEnded) {
    Script s(1);
    s.does(0, thread_exit());
    EXPECT_EQ(s.machine.ending(), Ending::running);
    s.does(1, thread_exit());
    EXPECT_EQ(s.machine.ending(), Ending::finished);
}

TEST(Ending, DeadlockWhenSomebodyWaitsForNothing) {
    Script s(1);
    EXPECT_BLOCKED(s, 0, Script::join(1));
    EXPECT_BLOCKED(s, 1, action(Operation::sem_wait, sem));
    EXPECT_EQ(s.machine.ending(), Ending::deadlock);
}

TEST(Ending, NoDeadlockWhileTimeCanRunOut) {
    Script s(1);
    EXPECT_BLOCKED(s, 0, Script::join(1));
    EXPECT_BLOCKED(s, 1, timed(action(Operation::sem_wait, sem), 5));
    EXPECT_EQ(s.machine.ending(), Ending::running);
}

TEST(Ending, ExitLeavesOthersWhatTheyCanStillDo) {
    Script s(2);
    s.announces(1, write(x, 1));
    EXPECT_BLOCKED(s, 2, action(Operation::sem_wait, sem));
    EXPECT_TRUE(s.does(0, process_exit(3)).ends_thread);
    EXPECT_EQ(s.machine.ending(), Ending::running);
    s.goes_on(1);
    EXPECT_BLOCKED(s, 1, Script::join(2));
    EXPECT_EQ(s.machine.ending(), Ending::exited) << "threads that wait, joinable or detached, are no deadlock";
    EXPECT_EQ(s.machine.exit_status(), 3);
}

TEST(Ending, ExitStopsWhoeverWaitsForTime) {
    const Action waits[] = {sleep(5), yield(), timed(action(Operation::sem_wait, sem), 5), timed(Script::join(0), 5)};
    for (const Action& waiting : waits) {
        Script s(1);
        EXPECT_BLOCKED(s, 1, waiting);
        EXPECT_TRUE(s.can_only_time_out(1));
        s.does(0, process_exit(0));
        EXPECT_TRUE(s.blocked(1));
        EXPECT_EQ(s.machine.ending(), Ending::exited);
    }
}

TEST(Ending, NothingIsWrittenAfterIt) {
    Script s(1);
    s.announces(1, action(Operation::output, thing(4)));
    EXPECT_FALSE(s.does(0, action(Operation::output, thing(4))).ends_thread);
    EXPECT_FALSE(s.blocked(1));
    s.does(0, process_exit(0));
    EXPECT_TRUE(s.blocked(1));
    EXPECT_EQ(s.machine.ending(), Ending::exited);
}

TEST(Ending, OnlyOneThreadEndsTheProcess) {
    const Action ends[] = {process_exit(3), action(Operation::fail), action(Operation::process_crash, {}, 11),
                           action(Operation::process_replace)};
    const Ending endings[] = {Ending::exited, Ending::failed, Ending::crashed, Ending::replaced};
    for (std::size_t first = 0; first < std::size(ends); ++first) {
        for (const Action& second : ends) {
            Script s(1);
            s.announces(1, second);
            EXPECT_FALSE(s.machine.process_has_ended());
            EXPECT_TRUE(s.does(0, ends[first]).ends_thread);
            EXPECT_TRUE(s.machine.process_has_ended());
            EXPECT_TRUE(s.blocked(1)) << name_of(second.operation);
            EXPECT_EQ(s.machine.ending(), endings[first]);
            EXPECT_EQ(s.machine.exit_status(), first == 0 ? 3 : 0);
        }
    }
}

// ---- the cost of a step

TEST(Cost, LeavingAThreadThatIsReadyIsAPreemption) {
    Script s(2);
    s.announces(1, write(x, 1));
    s.announces(2, write(x, 2));
    EXPECT_EQ(s.cost(1, 1), 0u);
    EXPECT_EQ(s.cost(1, 2), 1u);
    EXPECT_EQ(s.machine.cost(no_slot, s.slot(2), 0), 0u) << "nobody ran before";
}

TEST(Cost, LeavingAThreadThatIsBlockedEndedOrYieldsIsFree) {
    Script s(3);
    s.announces(0, write(x, 1));
    s.does(1, thread_exit());
    EXPECT_BLOCKED(s, 2, action(Operation::sem_wait, sem));
    s.announces(3, yield());
    for (const std::uint32_t last : {1u, 2u, 3u}) EXPECT_EQ(s.cost(last, 0), 0u);
}

TEST(Cost, LettingTimeRunOutWhileSomeoneIsReadyCostsOne) {
    Script s(2);
    s.announces(1, sleep(5));
    s.announces(2, write(x, 1));
    EXPECT_EQ(s.cost(1, 1), 1u);
    EXPECT_EQ(s.cost(2, 1), 2u) << "and leaving who is ready costs one as ever";
}

TEST(Cost, EarliestDeadlineIsFreeALaterOneCostsOne) {
    Script s(3);
    s.announces(1, until(action(Operation::sem_wait, sem), 200));
    s.announces(2, until(action(Operation::sem_wait, sem), 100));
    s.announces(3, until(action(Operation::sem_wait, sem), 100));
    EXPECT_EQ(s.cost(1, 2), 0u);
    EXPECT_EQ(s.cost(2, 3), 1u) << "as early as the other, whose name comes first";
    EXPECT_TRUE(s.machine.times_out_before(s.slot(2), s.slot(3)));
    EXPECT_FALSE(s.machine.times_out_before(s.slot(3), s.slot(2)));
    EXPECT_EQ(s.cost(1, 1), 1u);
}

TEST(Cost, NoBoundAllowsToLeaveALongWaitEarlyIfPatienceIsLimited) {
    Script s(3, {.patience = 200});
    s.announces(1, sleep(200));
    s.announces(2, sleep(99));
    s.announces(3, write(x, 1));
    EXPECT_GE(s.cost(3, 1), Machine::never);
    EXPECT_TRUE(s.machine.exceeds_patience(s.slot(1)));
    EXPECT_EQ(s.cost(3, 2), 2u) << "the other is not so long";
    EXPECT_FALSE(s.machine.exceeds_patience(s.slot(2)));
    s.goes_on(3);
    s.does(3, thread_exit());
    EXPECT_TRUE(s.machine.exceeds_patience(s.slot(1))) << "the other ends before";
    s.goes_on(2);
    s.does(2, thread_exit());
    EXPECT_EQ(s.cost(2, 1), 0u);
    EXPECT_FALSE(s.machine.exceeds_patience(s.slot(1)));
}

TEST(Cost, AWaitThatGoesOnUntilTheSameTimeCountsFromItsBeginning) {
    Script s(2, {.patience = 500});
    s.announces(1, until(action(Operation::sem_wait, sem), 1000));
    EXPECT_TRUE(s.machine.is_long_wait(s.slot(1)));
    s.does(2, sleep(900));
    s.does(2, action(Operation::sem_post, sem));
    s.announces(2, write(x, 1));
    s.goes_on(1);
    s.announces(1, until(action(Operation::sem_wait, sem), 1000));
    EXPECT_GE(s.machine.wait_of(s.slot(1)), 500u) << "the same wait, though a tenth of it is left";
    EXPECT_TRUE(s.machine.exceeds_patience(s.slot(1)));
    s.goes_on(1);
    s.announces(1, until(action(Operation::sem_wait, sem), 1000));
    EXPECT_EQ(s.machine.wait_of(s.slot(1)), 0u) << "that time is over";
    EXPECT_EQ(s.cost(2, 1), 2u);
    s.goes_on(1);
    s.announces(1, until(action(Operation::sem_wait, sem), 1200));
    EXPECT_LT(s.machine.wait_of(s.slot(1)), 500u) << "another wait";
    EXPECT_EQ(s.cost(2, 1), 2u);
    s.goes_on(1);
    s.announces(1, write(x, 2));
    EXPECT_EQ(s.machine.wait_of(s.slot(1)), 0u) << "no wait at all";
}

TEST(Cost, YieldsTakeTurns) {
    Script s(2);
    s.announces(1, yield());
    s.announces(2, yield());
    int turns[3] = {};
    for (std::uint32_t step = 0, last = 1; step < 10; ++step) {
        const std::uint32_t other = 3 - last;
        const std::uint32_t next = s.cost(last, other) == 0 ? other : last;
        EXPECT_EQ(s.cost(last, next), 0u);
        s.goes_on(next);
        s.announces(next, yield());
        ++turns[next];
        last = next;
    }
    EXPECT_GE(turns[1], 4);
    EXPECT_GE(turns[2], 4);
}

// ---- virtual time

TEST(Time, EveryEventTakesSome) {
    Script s(1);
    const std::uint64_t before = s.record(1).time;
    s.does(1, write(x, 1));
    EXPECT_EQ(s.record(1).time, before + 1);
}

TEST(Time, FlowsAlongEdgesOnly) {
    Script s(3);
    s.does(1, sleep(1000));
    s.does(1, write(x, 1));
    s.does(2, write(y, 1));
    EXPECT_LT(s.record(2).time, 1000u) << "it touched nothing that thread 1 touched";
    s.does(2, read(x));
    EXPECT_GT(s.record(2).time, 1000u);
    s.does(3, read(y));
    EXPECT_LT(s.record(3).time, 1000u) << "y was written before";
}

TEST(Time, DoesNotFlowBetweenReaders) {
    Script s(2);
    s.does(1, sleep(1000));
    s.does(1, read(x));
    s.does(2, read(x));
    EXPECT_LT(s.record(2).time, 1000u);
    s.does(2, write(x, 1));
    EXPECT_GT(s.record(2).time, 1000u) << "a write comes after all reads";
}

TEST(Time, FlowsAlongEnablingEdges) {
    {
        Script s(0);
        s.does(0, sleep(1000));
        s.does(0, action(Operation::thread_create, Script::thread_thing(1)));
        s.goes_on(1);
        EXPECT_GT(s.record(1).time, 1000u);
    }
    {
        Script s(3);
        for (const std::uint32_t n : {1u, 2u}) {
            s.does(n, lock(m));
            s.does(n, wait(c, m));
        }
        s.does(3, sleep(1000));
        s.does(3, broadcast(c));
        s.goes_on(1);
        EXPECT_GT(s.record(1).time, 1000u);
        s.does(1, unlock(m));
        s.goes_on(2);
        EXPECT_GT(s.record(2).time, 1000u);
    }
    {
        Script s(2);
        s.does(0, action(Operation::barrier_init, y, 2));
        s.does(1, action(Operation::barrier_wait, y));
        s.does(2, sleep(1000));
        s.does(2, action(Operation::barrier_wait, y));
        s.goes_on(1);
        EXPECT_GT(s.record(1).time, 1000u);
    }
}

TEST(Time, SleepLastsAsLongAsItSays) {
    Script s(1);
    const std::uint64_t before = s.record(1).time;
    EXPECT_EQ(s.does(1, sleep(500)).result, 0);
    EXPECT_EQ(s.record(1).time, before + 501);
}

TEST(Time, AbsoluteDeadlineThatIsPastTakesNoTime) {
    Script s(1);
    s.does(1, sleep(500));
    const std::uint64_t before = s.record(1).time;
    s.does(1, until(action(Operation::sem_wait, sem), 100));
    EXPECT_EQ(s.record(1).time, before + 1);
}

TEST(Time, RelativeTimeOutOfAWaitRunsFromTheWait) {
    Script s(1);
    s.does(1, lock(m));
    s.does(1, timed(wait(c, m), 500));
    const std::uint64_t waiting = s.record(1).time;
    s.goes_on(1);
    EXPECT_EQ(s.record(1).time, waiting + 501);
}

TEST(Time, NeverWrapsAround) {
    Script s(2);
    for (int i = 0; i < 3; ++i) s.does(1, sleep(UINT64_MAX - 10));
    EXPECT_EQ(s.record(1).time, UINT64_MAX);
    s.announces(1, sleep(1));
    s.announces(2, sleep(1));
    EXPECT_EQ(s.cost(1, 2), 0u);
    EXPECT_EQ(s.cost(2, 1), 1u);
}

// ---- going back

TEST(Rewind, RestoresEverything) {
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        RandomScene scene(seed, {.spurious_wakeups = seed % 2 == 0});
        struct Point {
            Machine::Mark mark;
            Snapshot state;
        };
        std::vector<Point> path;
        for (int steps = 0; steps < 100; ++steps) {
            path.push_back({scene.machine.mark(), Snapshot(scene.machine)});
            const bool stuck = !scene.step();
            if (!stuck && !scene.one_in(5)) continue;
            const auto back =
                path.begin() + static_cast<std::ptrdiff_t>(scene.draw(path.size()));  // and go on from there
            path.erase(back + 1, path.end());
            scene.machine.rewind(path.back().mark);
            ASSERT_EQ(Snapshot(scene.machine).difference(path.back().state), "");
            path.pop_back();
        }
    }
}

TEST(Rewind, WhatIsDoneAgainComesOutAgain) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        RandomScene scene(seed);
        for (int steps = 0; steps < 30; ++steps) {
            const std::vector<ThreadSlot> able = scene.who_can_run();
            if (able.empty()) break;
            const ThreadSlot slot = able[scene.draw(able.size())];
            const std::uint32_t way = scene.any_way(slot);
            const Machine::Mark mark = scene.machine.mark();
            const ActionOutcome once = scene.machine.apply(slot, way);
            const Snapshot after(scene.machine);
            scene.machine.rewind(mark);
            ASSERT_TRUE(same(scene.machine.apply(slot, way), once)) << "seed " << seed;
            ASSERT_EQ(Snapshot(scene.machine).difference(after), "") << "seed " << seed;
            scene.everyone_announces();
        }
    }
}

TEST(Invariants, HoldInRandomScenes) {
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        RandomScene scene(seed);
        std::vector<std::uint64_t> times;
        for (int steps = 0; steps < 100; ++steps) {
            const Machine& machine = scene.machine;
            std::uint32_t free_steps = 0;
            times.resize(machine.thread_count());
            for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot) {
                ASSERT_GE(machine.thread(slot).time, times[slot]) << "time went back";
                times[slot] = machine.thread(slot).time;
                if (machine.can_run(slot)) free_steps += machine.cost(no_slot, slot, 0) == 0 ? 1 : 0;
            }
            if (scene.who_can_run().empty()) {
                ASSERT_NE(machine.ending(), Ending::running);
                break;
            }
            ASSERT_EQ(machine.ending(), Ending::running);
            ASSERT_GE(free_steps, 1u) << "somebody always goes on for nothing";
            scene.step();
        }
        EXPECT_FALSE(scene.machine.out_of_memory());
    }
}

// ---- exhausted memory

std::size_t memory_left = 0;
void* little_memory(void* old, std::size_t old_bytes, std::size_t new_bytes) {
    if (new_bytes > old_bytes && new_bytes - old_bytes > memory_left) return nullptr;
    return plain_memory(old, old_bytes, new_bytes);
}

TEST(Memory, EndIsTold) {
    memory_left = 1 << 16;
    Machine machine(little_memory);
    memory_left = 0;
    for (std::uint64_t n = 0; n < 200; ++n) {
        machine.announce(0, write(thing(n), 1));
        machine.apply(0);
    }
    EXPECT_TRUE(machine.out_of_memory());
}

TEST(Memory, EndIsToldAtWhicheverAllocationItComes) {
    for (std::size_t left = 0; left < 20000; left += 500) {
        memory_left = left;
        Machine machine(little_memory);
        machine.keep_journal(true);
        const auto mark = machine.mark();
        for (std::uint64_t n = 0; n < 400; ++n) {
            machine.announce(0, write(thing(n), 1));
            machine.apply(0);
        }
        machine.rewind(mark);
        EXPECT_TRUE(machine.out_of_memory()) << left;
    }
}

}  // namespace
}  // namespace raddle::testing
