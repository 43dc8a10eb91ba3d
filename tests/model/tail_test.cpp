// Plans: the prefix, and each tail after it.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/model/random_scene.h"

namespace raddle::testing {
namespace {

constexpr Thing m = thing(1), x = thing(2), y = thing(3), sem = thing(4);

struct Sampler {
    const char* name;
    TailKind kind;
};
std::vector<Sampler> samplers() {
    return {
#define RADDLE_SAMPLING_TAIL(name, number, comment) {#name, TailKind::name},
#include "supervisor/model/tail.def"
    };
}

// Threads do fixed lists of actions and then exit. A chooser runs them until it decides anything but go.
struct Played {
    Played(Script& script, const PlanView& plan, std::vector<std::vector<Action>> code_of)
        : s(script), chooser(script.machine, plain_memory), code(std::move(code_of)), at(code.size(), 0) {
        s.does(0, thread_exit());  // main has ended: 1 … n are left
        for (std::uint32_t n = 1; n < code.size() + 1; ++n) announce_next(n);
        chooser.begin(plan);
    }

    Choice step() {
        const Choice choice = chooser.next();
        if (choice.decision != Decision::go) return choice;
        const std::uint32_t n = number(choice.thread);
        chooser.add_cost(s.machine.cost(chooser.last(), choice.thread, choice.value));
        const ActionOutcome outcome = s.machine.apply(choice.thread, choice.value);
        chooser.happened(choice.thread, outcome);
        trace += std::to_string(n);
        values += std::to_string(choice.value);
        if (!outcome.continues && !outcome.ends_thread) announce_next(n);
        return choice;
    }
    Decision to_the_end() {
        for (int i = 0; i < 1000; ++i)
            if (const Choice choice = step(); choice.decision != Decision::go) return choice.decision;
        return Decision::go;
    }

    std::uint32_t number(ThreadSlot slot) {
        std::uint32_t n = 0;
        while (s.slot(n) != slot) ++n;
        return n;
    }
    void announce_next(std::uint32_t n) {
        std::vector<Action>& mine = code[n - 1];
        s.announces(n, at[n - 1] < mine.size() ? mine[at[n - 1]++] : thread_exit());
    }

    Script& s;
    Chooser chooser;
    std::vector<std::vector<Action>> code;
    std::vector<std::size_t> at;
    std::string trace, values;
};

using Code = std::vector<std::vector<Action>>;

Code writers(std::uint32_t threads, std::size_t writes) {
    return Code(threads, std::vector<Action>(writes, write(x, 1)));
}

PlanView tail(TailKind kind, std::uint64_t seed = 0, std::uint32_t depth = 0, std::uint64_t length = 0) {
    PlanView plan;
    plan.tail = {.kind = kind, .depth = depth, .seed = seed, .length = length};
    return plan;
}

std::string trace_of(const PlanView& plan, const Code& code, MachineOptions options = {}) {
    Script s(static_cast<std::uint32_t>(code.size()), options);
    Played run(s, plan, code);
    run.to_the_end();
    return run.trace + "/" + run.values;
}

// ---- prefix

TEST(Prefix, IsFollowedThenTheTail) {
    const PlannedStep prefix[] = {{Script::id(2)}, {Script::id(1)}};
    PlanView plan;
    plan.prefix = prefix;
    plan.prefix_length = 2;
    Script s(2);
    Played run(s, plan, writers(2, 2));
    EXPECT_EQ(run.to_the_end(), Decision::end);
    EXPECT_EQ(run.trace, "211122");  // each two writes and the exit
    EXPECT_EQ(run.chooser.preemptions(), 1u);
    EXPECT_EQ(run.chooser.steps(), 6u);
}

TEST(Prefix, ThatCannotBeFollowedIsADivergence) {
    struct Row {
        PlannedStep step;
        const char* why;
    };
    for (const Row& row : {Row{{Script::id(9)}, "no such thread"}, Row{{Script::id(2)}, "it is blocked"},
                           Row{{Script::id(1), 1}, "it has one way only"}}) {
        PlanView plan;
        plan.prefix = &row.step;
        plan.prefix_length = 1;
        Script s(2);
        Played run(s, plan, {{write(x, 1)}, {action(Operation::sem_wait, sem)}});
        EXPECT_EQ(run.to_the_end(), Decision::diverged) << row.why;
    }
}

TEST(Prefix, LeavesOutWhatIsImpossibleIfThePlanSaysSo) {
    const PlannedStep prefix[] = {
        {Script::id(2)}, {Script::id(9)}, {Script::id(1)}, {Script::id(1), 1}, {Script::id(3)}};
    PlanView plan;
    plan.prefix = prefix;
    plan.prefix_length = 5;
    plan.tail.leaves_out_impossible = true;
    EXPECT_FALSE(depends_on_steps_alone(plan.tail)) << "steps may be those of another place in the prefix";
    Script s(3);
    Played run(s, plan, {{write(x, 1)}, {action(Operation::sem_wait, sem)}, {write(y, 1)}});
    for (int i = 0; i < 2; ++i) EXPECT_EQ(run.step().decision, Decision::go);
    EXPECT_EQ(run.trace, "13") << "2 is blocked, 9 does not exist, and 1 has one way only";
    EXPECT_EQ(run.chooser.planned(), 5u);
    EXPECT_EQ(run.chooser.steps(), 2u);
}

TEST(Prefix, NamesTheWaySomethingHappens) {
    const PlannedStep prefix[] = {{Script::id(1), 2}};
    PlanView plan = tail(TailKind::stop);
    plan.prefix = prefix;
    plan.prefix_length = 1;
    Script s(1);
    Played run(s, plan, {{action(Operation::choose, {}, 3)}});
    EXPECT_EQ(run.to_the_end(), Decision::stop);
    EXPECT_EQ(run.values, "2");
}

TEST(Tail, AskLeavesTheChoiceToTheSupervisor) {
    Script s(1);
    Played run(s, tail(TailKind::ask), writers(1, 1));
    EXPECT_EQ(run.step().decision, Decision::ask);
}

TEST(Tail, LimitEndsWhatCouldGoOn) {
    PlanView plan;
    plan.max_steps = 3;
    Script s(1), t(1);
    Played longer(s, plan, writers(1, 3)), just_right(t, plan, writers(1, 2));
    EXPECT_EQ(longer.to_the_end(), Decision::limit);
    EXPECT_EQ(longer.trace, "111");
    EXPECT_EQ(just_right.to_the_end(), Decision::end);
}

// Main counts, and so do threads that have ended.
TEST(Tail, EndsWhereAThreadTooManyWouldBeCreated) {
    const auto creates = [](std::uint32_t n) {
        return action(Operation::thread_create, {thread_object(child_of(Script::id(1), n))});
    };
    for (const bool is_planned : {false, true}) {
        Script s(1, {.max_threads = 3});
        const PlannedStep prefix[] = {{Script::id(1), 0}, {Script::id(1), 0}};
        PlanView plan;
        if (is_planned) {
            plan.prefix = prefix;
            plan.prefix_length = 2;
        }
        Played run(s, plan, {{creates(1), creates(2)}});
        EXPECT_EQ(run.step().decision, Decision::go) << "main, this one and its child are three";
        EXPECT_EQ(run.step().decision, Decision::threads);
    }
}

TEST(Tail, DrawsNoStepThatIsTooEarly) {
    for (const auto& [name, kind] : samplers()) {
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            RandomScene scene(seed, {.patience = 3});
            Chooser chooser(scene.machine, plain_memory);
            PlanView plan;
            plan.tail = {.kind = kind, .depth = 3, .seed = seed, .length = 20};
            chooser.begin(plan);
            for (int steps = 0; steps < 60; ++steps) {
                const Choice choice = chooser.next();
                if (choice.decision != Decision::go) break;
                ASSERT_FALSE(scene.machine.exceeds_patience(choice.thread)) << "seed " << seed;
                chooser.happened(choice.thread, scene.machine.apply(choice.thread, choice.value));
                scene.everyone_announces();
            }
        }
    }
}

// ---- run_on

TEST(RunOn, CostsNothing) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        RandomScene scene(seed);
        Chooser chooser(scene.machine, plain_memory);
        chooser.begin({});
        for (int steps = 0; steps < 60; ++steps) {
            const Choice choice = chooser.next();
            if (choice.decision != Decision::go) {
                EXPECT_EQ(choice.decision, Decision::end);
                EXPECT_TRUE(scene.who_can_run().empty());
                break;
            }
            ASSERT_EQ(scene.machine.cost(chooser.last(), choice.thread, choice.value), 0u) << "seed " << seed;
            chooser.happened(choice.thread, scene.machine.apply(choice.thread, choice.value));
            scene.everyone_announces();
        }
    }
}

TEST(RunOn, LeavesAThreadOnlyWhereItBlocks) {
    const std::vector<Action> section = {lock(m), write(x, 1), unlock(m)};
    EXPECT_EQ(trace_of({}, {section, section}), "11112222/00000000");
    EXPECT_EQ(trace_of({}, {{action(Operation::sem_wait, sem)}, {action(Operation::sem_post, sem)}}), "2211/0000");
}

TEST(RunOn, TakesTheFirstByNameNotByPlaceInTheTable) {
    Script s(0);
    for (const std::uint32_t n : {2u, 1u}) s.machine.slot_of(Script::id(n));  // known in another order
    for (const std::uint32_t n : {1u, 2u}) {
        s.does(0, action(Operation::thread_create, Script::thread_thing(n)));
        s.goes_on(n);
    }
    Played run(s, {}, writers(2, 1));
    run.to_the_end();
    EXPECT_EQ(run.trace, "1122");
}

TEST(RunOn, LetsTheEarliestTimeRunOutWhenNobodyIsReady) {
    EXPECT_EQ(trace_of({}, {{sleep(200)}, {sleep(100)}, {sleep(300)}}), "221133/000000");
    EXPECT_EQ(trace_of({}, {{sleep(100)}, {write(x, 1), write(x, 2)}}), "22211/00000");
}

TEST(RunOn, YieldingThreadsTakeTurns) {
    const std::string trace = trace_of({}, Code(2, std::vector<Action>(20, yield()))).substr(0, 20);
    const auto first = std::count(trace.begin(), trace.end(), '1');
    EXPECT_GE(first, 9) << trace;
    EXPECT_LE(first, 12) << trace << ": the one born first may have to catch up";
    for (std::size_t i = 6; i + 1 < trace.size(); ++i) EXPECT_NE(trace[i], trace[i + 1]) << trace;
}

// ---- sleeping threads

TEST(Sleepers, AreLeftAloneUntilSomethingDependsOnThem) {
    const Sleeper asleep[] = {Script::id(1)};
    PlanView plan;
    plan.sleeping = asleep;
    plan.sleeping_count = 1;
    Script s(2);
    Played run(s, plan, {{write(x, 1)}, {write(y, 1), read(x), write(y, 1)}});
    for (int i = 0; i < 2; ++i) run.step();
    EXPECT_EQ(run.trace, "22");
    EXPECT_EQ(run.to_the_end(), Decision::end) << "the read of x woke it";
    EXPECT_EQ(run.trace, "222211");
}

TEST(Sleepers, ThatNobodyWakesEndTheExecution) {
    const Sleeper asleep[] = {Script::id(1)};
    PlanView plan;
    plan.sleeping = asleep;
    plan.sleeping_count = 1;
    Script s(2);
    Played run(s, plan, {{write(x, 1)}, {write(y, 1)}});
    EXPECT_EQ(run.to_the_end(), Decision::abandoned);
    EXPECT_EQ(run.trace, "22");
}

TEST(Sleepers, SleepFromTheEndOfThePrefix) {
    const Sleeper asleep[] = {Script::id(1)};
    const PlannedStep prefix[] = {{Script::id(1)}, {Script::id(2)}};
    PlanView plan;
    plan.prefix = prefix;
    plan.prefix_length = 2;
    plan.sleeping = asleep;
    plan.sleeping_count = 1;
    Script s(2);
    Played run(s, plan, {{write(x, 1), write(x, 2)}, {write(x, 3), write(y, 1)}});
    EXPECT_EQ(run.to_the_end(), Decision::abandoned);
    EXPECT_EQ(run.trace, "1222");
}

TEST(Sleepers, TwoReadsDoNotWakeEachOther) {
    const Sleeper asleep[] = {Script::id(1)};
    PlanView plan;
    plan.sleeping = asleep;
    plan.sleeping_count = 1;
    Script s(2);
    Played run(s, plan, {{read(x)}, {read(x)}});
    EXPECT_EQ(run.to_the_end(), Decision::abandoned);
}

// ---- sampling

const Code busy = {{write(y, 1), lock(m), write(x, 1), unlock(m), sleep(50)},
                   {read(y), lock(m), action(Operation::choose, {}, 3), unlock(m), yield()},
                   {read(x), trylock(m), write(x, 2), timed(action(Operation::sem_wait, sem), 20), read(x)}};

class Sampling : public ::testing::TestWithParam<Sampler> {};

TEST_P(Sampling, ReproducesFromItsSeed) {
    std::set<std::string> traces;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const PlanView plan = tail(GetParam().kind, seed, 3, 12);
        const std::string trace = trace_of(plan, busy);
        EXPECT_EQ(trace, trace_of(plan, busy));
        traces.insert(trace);
    }
    EXPECT_GT(traces.size(), 20u) << "and other seeds give other schedules";
}

TEST_P(Sampling, OfOneChooserDoesNotDependOnWhatItDidBefore) {
    const PlanView plan = tail(GetParam().kind, 7, 3, 12);
    Script s(3);
    const Machine::Mark start = s.machine.mark();
    Played run(s, plan, busy);
    run.to_the_end();
    const std::string first = run.trace;
    s.machine.rewind(start);
    run.trace.clear();
    run.at.assign(3, 0);
    s.does(0, thread_exit());
    for (const std::uint32_t n : {1u, 2u, 3u}) run.announce_next(n);
    run.chooser.begin(plan);
    run.to_the_end();
    EXPECT_EQ(run.trace, first);
}

TEST_P(Sampling, ReachesEveryOrderOfTwoWrites) {
    std::set<char> first;
    for (std::uint64_t seed = 1; seed <= 50; ++seed)
        first.insert(trace_of(tail(GetParam().kind, seed, 2, 4), writers(2, 1))[0]);
    EXPECT_EQ(first, (std::set<char>{'1', '2'}));
}

INSTANTIATE_TEST_SUITE_P(Tails, Sampling, ::testing::ValuesIn(samplers()),
                         [](const auto& tested) { return tested.param.name; });

TEST(Random, LetsTimeRunOutEarlyNowAndThen) {
    int early = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed)
        early += trace_of(tail(TailKind::random, seed), {{sleep(50)}, {write(x, 1)}})[0] == '1';
    EXPECT_GT(early, 5);  // one in 17: about 24
    EXPECT_LT(early, 60);
}

TEST(Random, DrawsEveryWayOfAChoice) {
    std::set<std::string> ways;
    for (std::uint64_t seed = 1; seed <= 50; ++seed)
        ways.insert(trace_of(tail(TailKind::random, seed), {{action(Operation::choose, {}, 3)}}));
    EXPECT_EQ(ways.size(), 3u);
}

TEST(Pct, WithDepthOneNeverLeavesAThreadThatIsReady) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        Script s(3);
        Played run(s, tail(TailKind::pct, seed, 1, 12), writers(3, 3));
        run.to_the_end();
        EXPECT_EQ(run.chooser.preemptions(), 0u);
    }
}

TEST(Pct, HasAtMostDepthMinusOnePreemptions) {
    std::set<std::uint64_t> counts;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        Script s(3);
        Played run(s, tail(TailKind::pct, seed, 3, 12), writers(3, 3));
        run.to_the_end();
        counts.insert(run.chooser.preemptions());
    }
    EXPECT_EQ(*counts.rbegin(), 2u);
}

TEST(Pct, FindsABugOfDepthTwoAsOftenAsPublished) {
    // x is written between thread 1's two reads: n = 2 threads, k = 5 steps, depth 2: at least 1/(n·k) = 1/10.
    int hits = 0;
    constexpr int runs = 2000;
    for (int seed = 1; seed <= runs; ++seed) {
        const std::string trace =
            trace_of(tail(TailKind::pct, static_cast<std::uint64_t>(seed), 2, 5), {{read(x), read(x)}, {write(x, 1)}});
        hits += trace.substr(0, 2) == "12";
    }
    EXPECT_GT(hits, runs / 10 - 40);  // three standard deviations of 13.4
}

TEST(Pos, ReachesAllOrdersOfThreeWriters) {
    std::set<std::string> orders;  // 3! = 6 of the first writes
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const std::string trace = trace_of(tail(TailKind::pos, seed), Code(3, {write(x, 1)}));
        std::string order;
        for (const char n : trace.substr(0, 6))
            if (order.find(n) == std::string::npos) order += n;
        orders.insert(order);
    }
    EXPECT_EQ(orders.size(), 6u);
}

}  // namespace
}  // namespace raddle::testing
