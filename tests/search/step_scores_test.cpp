// The order of steps of equal cost: the bounded search takes the steps first that bugs are known for.
#include <gtest/gtest.h>

#include "supervisor/search/step_scores.h"
#include "supervisor/search/strategy.h"
#include "tests/model_program.h"

namespace raddle {
namespace {

using namespace raddle::testing;

constexpr Variable x{0};

Action on(Operation operation, const ObjectId& object) { return {.operation = operation, .object = object}; }

// Main has created T1 and T2, and both wait to do these actions.
struct Scene {
    Scene(const Action& first, const Action& second) {
        track.start(create(1));
        take(0, create(2));
        take(0, on(Operation::memory_read, x.id()));
        take(1, first);
        take(2, second);
        for (const ThreadSlot thread : {0u, 1u, 2u}) all.add(thread);
    }
    // The thread takes its step and announces the next one.
    void take(ThreadSlot thread, const Action& next) {
        track.push(thread, 0);
        scores.note_last(track);
        track.announce(thread, next);
    }
    static Action create(std::uint32_t child) {
        return on(Operation::thread_create, thread_object(child_of(main_thread, child)));
    }
    ThreadSlot best(const ThreadSet& tried = {}) const { return scores.best(track, all, tried, all); }

    Track track{{}};
    StepScores scores;
    ThreadSet all;
};

const Action reads = on(Operation::memory_read, x.id());

TEST(StepScores, KeepTheOrderOfThreadsWithoutAReason) { EXPECT_EQ(Scene(reads, reads).best(), 0u); }

TEST(StepScores, PutAFreeFirst) {
    Action frees = on(Operation::memory_write, x.id());
    frees.attributes = attribute::memory::frees;
    EXPECT_EQ(Scene(reads, frees).best(), 2u);
}

TEST(StepScores, PutADestructionFirst) {
    EXPECT_EQ(Scene(on(Operation::mutex_destroy, Mutex{0}.id()), reads).best(), 1u);
}

TEST(StepScores, PutASignalFirst) { EXPECT_EQ(Scene(reads, on(Operation::cond_signal, Condition{0}.id())).best(), 2u); }

TEST(StepScores, LeaveOutThreadsThatWereTried) {
    Scene scene(reads, on(Operation::cond_signal, Condition{0}.id()));
    ThreadSet tried;
    tried.add(2);
    EXPECT_EQ(scene.best(tried), 0u);
    tried.add(scene.all);
    EXPECT_EQ(scene.best(tried), no_slot);
}

TEST(StepScores, PutAWriteBetweenTwoReads) {
    Scene scene(reads, on(Operation::memory_write, x.id()));
    scene.take(1, reads);
    EXPECT_EQ(scene.best(), 2u);
}

TEST(StepScores, RememberWhatAThreadDidSoonAfter) {
    Scene scene(reads, reads);
    const Position before = scene.track.size();
    scene.take(2, on(Operation::mutex_destroy, Mutex{0}.id()));
    scene.take(2, reads);
    scene.track.pop_to(before);
    EXPECT_EQ(scene.best(), 2u);
}

// Users add to x, and the first one fails if x was freed. Without the order it takes 34 executions.
TEST(StepScores, LetTheBoundedSearchFreeEarly) {
    const auto adds = [](Thread& t) -> Body { co_await t.add(x, 0); };
    const auto checks = [](Thread& t) -> Body {
        const std::int64_t found = co_await t.read(x);
        if (found < 0) co_await t.fail();
    };
    const auto frees = [](Thread& t) -> Body {
        co_await t.perform({.operation = Operation::memory_write,
                            .attributes = attribute::memory::frees,
                            .object = x.id(),
                            .words = {-1}});
    };
    ModelProgram program([=](Thread& t) -> Body {
        std::vector<Handle> handles;
        for (const Code& code : {Code(checks), Code(adds), Code(adds), Code(adds), Code(frees)}) {
            const Handle handle = co_await t.spawn(code);
            handles.push_back(handle);
        }
        for (const Handle handle : handles) co_await t.join(handle);
    });
    const auto strategy = make_strategy("bounded", {});
    int executions = 0;
    for (Verdict verdict = Verdict::ok; verdict == Verdict::ok; ++executions) {
        const auto plan = strategy->next();
        ASSERT_TRUE(plan);
        const Execution execution = program.run(*plan);
        verdict = execution.verdict;
        strategy->learn(*plan, execution);
    }
    EXPECT_LE(executions, 25);
}

}  // namespace
}  // namespace raddle
