// Candidates of single executions: small programs run on, and the finder names the orders that were not seen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "supervisor/search/directed/finder.h"
#include "supervisor/trace/replay_machine.h"
#include "tests/bug_programs.h"
#include "tests/model_program.h"

namespace raddle {
namespace {

using namespace raddle::testing;
using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr Variable x{0}, y{1};
constexpr Mutex m{0}, n{1}, gate{2};
constexpr Condition c{0};

// "lost_update: T1.3 < T2.2": the thread T1 stops before its third event until T2 has done its second.
std::string text_of(const Candidate& candidate) {
    std::string text = std::string(row_of(candidate.pattern).name) + ":";
    const auto event = [](const EventReference& one) {
        return " " + name_of(one.thread) + "." + std::to_string(one.number);
    };
    for (const Candidate::Stop& stop : candidate.stops) text += event(stop.before) + " <";
    return text + event(candidate.through);
}

class Observer {
public:
    // The candidates of the execution with this schedule, which runs on.
    std::vector<std::string> candidates(const Code& main, const std::string& schedule = "") {
        ModelProgram program(main);
        Plan plan;
        plan.prefix = parse_schedule(schedule);
        const Execution execution = program.run(plan);
        ReplayMachine replay({});
        replay.begin(execution);
        replay.feed_all();
        EXPECT_FALSE(replay.mismatch());
        Digest digest;
        digest.read(replay.track());
        std::vector<std::string> texts;
        for (const Candidate& candidate : finder_.find(digest, facts_)) texts.push_back(text_of(candidate));
        return texts;
    }

private:
    CandidateFinder finder_;
    Facts facts_;
};

std::vector<std::string> candidates(const Code& main) { return Observer().candidates(main); }

Code both(Code first, Code second) {
    return [=](Thread& t) -> Body {
        const Handle one = co_await t.spawn(first);
        const Handle other = co_await t.spawn(second);
        co_await t.join(one);
        co_await t.join(other);
    };
}

Code writes(Variable variable, std::int64_t value) {
    return [=](Thread& t) -> Body { co_await t.write(variable, value); };
}
Code reads(Variable variable) {
    return [=](Thread& t) -> Body { co_await t.read(variable); };
}
Body increments(Thread& t) {
    const std::int64_t before = co_await t.read(x);
    co_await t.write(x, before + 1);
}
Body increments_locked(Thread& t) {
    co_await t.lock(m);
    co_await increments(t);
    co_await t.unlock(m);
}

TEST(Finder, FindsNothingInOneThread) {
    EXPECT_THAT(candidates([](Thread& t) -> Body {
                    co_await t.write(x, 1);
                    co_await t.read(x);
                }),
                IsEmpty());
}

TEST(Finder, FindsNothingWhereCreationAndJoinsDecideTheOrder) {
    EXPECT_THAT(candidates([](Thread& t) -> Body {
                    co_await t.write(x, 1);
                    const Handle other = co_await t.spawn(writes(x, 2));
                    co_await t.join(other);
                    co_await t.read(x);
                }),
                IsEmpty());
}

TEST(Finder, FindsNothingBetweenReads) { EXPECT_THAT(candidates(both(reads(x), reads(x))), IsEmpty()); }

TEST(Finder, WantsAReadBeforeTheWriteThatItGot) {
    EXPECT_THAT(candidates(both(writes(x, 1), reads(x))), Contains("new_read: T1.2 < T2.2"));
}

TEST(Finder, WantsAReadToGetALaterWrite) {
    EXPECT_THAT(candidates(both(reads(x), writes(x, 1))), Contains("new_read: T1.2 < T2.2"));
}

TEST(Finder, WantsNoReadAgainThatItSaw) {
    const Code program = both(writes(x, 1), reads(x));
    Observer observer;
    EXPECT_THAT(observer.candidates(program), Not(IsEmpty()));
    EXPECT_THAT(observer.candidates(program, "T0*2 T2*3 T1*3"), IsEmpty());
}

TEST(Finder, WantsAWriteBetweenAReadAndAWrite) {
    EXPECT_THAT(candidates(both(increments, increments)), Contains("lost_update: T1.3 < T2.3"));
}

TEST(Finder, WantsNoWriteInsideASectionOfTheSameLock) {
    EXPECT_THAT(candidates(both(increments_locked, increments_locked)), Not(Contains(::testing::StartsWith("lost"))));
}

TEST(Finder, WantsAWriteInsideASectionOfAnotherLock) {
    const Code wrong = [](Thread& t) -> Body {
        co_await t.lock(n);
        co_await increments(t);
        co_await t.unlock(n);
    };
    EXPECT_THAT(candidates(both(increments_locked, wrong)), Contains("lost_update: T1.4 < T2.4"));
}

TEST(Finder, WantsAWriteBetweenTwoReads) {
    const Code twice = [](Thread& t) -> Body {
        co_await t.read(x);
        co_await t.read(x);
    };
    EXPECT_THAT(candidates(both(twice, writes(x, 1))), Contains("unequal_reads: T1.3 < T2.2"));
}

TEST(Finder, WantsAReadBetweenTwoWrites) {
    const Code twice = [](Thread& t) -> Body {
        co_await t.write(x, 1);
        co_await t.write(x, 0);
    };
    EXPECT_THAT(candidates(both(twice, reads(x))), Contains("half_done: T1.3 < T2.2"));
    EXPECT_THAT(candidates(both(reads(x), twice)), Contains("half_done: T2.3 < T1.2"));
}

TEST(Finder, WantsAWriteBetweenAWriteAndItsRead) {
    const Code checks = [](Thread& t) -> Body {
        co_await t.write(x, 1);
        co_await t.read(x);
    };
    EXPECT_THAT(candidates(both(checks, writes(x, 2))), Contains("overwritten: T1.3 < T2.2"));
}

// The thread stops before it takes the lock again, because the other thread needs the lock.
TEST(Finder, WantsAWriteBetweenTwoSectionsOfOneLock) {
    const Code checks_then_uses = [](Thread& t) -> Body {
        for (int i = 0; i < 2; ++i) {
            co_await t.lock(m);
            co_await t.read(x);
            co_await t.unlock(m);
        }
    };
    const Code changes = [](Thread& t) -> Body {
        co_await t.lock(m);
        co_await t.write(x, 1);
        co_await t.unlock(m);
    };
    EXPECT_THAT(candidates(both(checks_then_uses, changes)), Contains("check_use: T1.5 < T2.3"));
}

TEST(Finder, WantsAFreeBeforeAUse) {
    const Code frees = [](Thread& t) -> Body {
        co_await t.perform({.operation = Operation::memory_write,
                            .attributes = attribute::memory::frees,
                            .object = x.id(),
                            .words = {0}});
    };
    EXPECT_THAT(candidates(both(reads(x), frees)), Contains("free_use: T1.2 < T2.2"));
    EXPECT_THAT(candidates(both(frees, reads(x))), Not(Contains(::testing::StartsWith("free_use"))));
}

TEST(Finder, WantsADestructionBeforeAUse) {
    const Code locks = [](Thread& t) -> Body {
        co_await t.lock(m);
        co_await t.unlock(m);
    };
    const Code destroys = [](Thread& t) -> Body { co_await t.destroy(m); };
    EXPECT_THAT(candidates(both(locks, destroys)), Contains("destroy_use: T1.2 < T2.2"));
}

TEST(Finder, WantsASignalBeforeTheWait) {
    const Code waits = [](Thread& t) -> Body {
        co_await t.lock(m);
        co_await t.wait(c, m);
        co_await t.unlock(m);
    };
    const Code signals = [](Thread& t) -> Body { co_await t.signal(c); };
    EXPECT_THAT(candidates(both(waits, signals)), Contains("notify_wait: T1.3 < T2.2"));
}

TEST(Finder, WantsTheEndOfAThreadBeforeItsCancellation) {
    EXPECT_THAT(candidates([](Thread& t) -> Body {
                    const Handle other = co_await t.spawn(writes(x, 1), true);
                    co_await t.cancel(other);
                }),
                Contains("end_join: T0.2 < T1.3"));
}

TEST(Finder, ClosesACycleOfTwoLocks) {
    EXPECT_THAT(candidates(both(lock_both(m, n), lock_both(n, m))), Contains("lock_cycle: T1.3 < T2.2"));
}

TEST(Finder, ClosesACycleOfThreeLocks) {
    const Code program = [](Thread& t) -> Body {
        std::vector<Handle> handles;
        for (const Code& code : {lock_both(m, n), lock_both(n, gate), lock_both(gate, m)}) {
            const Handle handle = co_await t.spawn(code);
            handles.push_back(handle);
        }
        for (const Handle handle : handles) co_await t.join(handle);
    };
    EXPECT_THAT(candidates(program), Contains("lock_cycle: T1.3 < T2.3 < T3.2"));
}

TEST(Finder, FindsNoCycleUnderACommonLock) {
    const auto guarded = [](Mutex outer, Mutex inner) -> Code {
        return [=](Thread& t) -> Body {
            co_await t.lock(gate);
            co_await lock_both(outer, inner)(t);
            co_await t.unlock(gate);
        };
    };
    EXPECT_THAT(candidates(both(guarded(m, n), guarded(n, m))), Not(Contains(::testing::StartsWith("lock_cycle"))));
}

// ---- what instances there are

TEST(Finder, KeepsOnlyAFewInstancesOfOneSuspicion) {
    const Code program = [](Thread& t) -> Body {
        std::vector<Handle> handles;
        for (int i = 0; i < 40; ++i) {
            const Handle handle = co_await t.spawn(increments);
            handles.push_back(handle);
        }
        for (const Handle handle : handles) co_await t.join(handle);
    };
    EXPECT_LE(candidates(program).size(), 40u);
}

}  // namespace
}  // namespace raddle
