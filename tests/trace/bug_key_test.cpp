// The key of a bug: the same for executions that differ only in threads and order.
#include "supervisor/trace/bug_key.h"

#include <gtest/gtest.h>

#include "tests/trace/handmade_execution.h"

namespace raddle::testing {
namespace {

constexpr std::uint64_t site(std::uint64_t offset) { return std::uint64_t{1} << 48 | offset; }

Action at(std::uint64_t offset, Action what) {
    what.site = site(offset);
    return what;
}

Execution with_modules(Execution execution, Verdict verdict, std::string message = "") {
    execution.verdict = verdict;
    execution.message = std::move(message);
    execution.modules = std::make_shared<Modules>(Modules{{"/bin/prog", 0, 0x10000}});
    return execution;
}

// Thread i takes lock i at 0x10 and then lock i + 1 at 0x20; main joins.
Execution circle(std::uint64_t threads) {
    HandmadeExecution r;
    std::vector<ThreadId> all;
    for (std::uint64_t i = 0; i < threads; ++i) all.push_back(r.create(main_thread));
    for (std::uint64_t i = 0; i < threads; ++i) r.does(all[i], at(0x10, action(Operation::mutex_lock, object(i))));
    for (std::uint64_t i = 0; i < threads; ++i)
        r.announces(all[i], at(0x20, action(Operation::mutex_lock, object((i + 1) % threads))));
    r.announces(main_thread, at(0x30, action(Operation::thread_join, thread_object(all[threads - 1]))));
    return with_modules(r.execution(), Verdict::deadlock);
}

TEST(Place, IsTheCycleOfADeadlockWithoutNames) {
    const std::string place = "mutex_lock prog+0x20 held since mutex_lock prog+0x10";
    EXPECT_EQ(bug_key_of(circle(2)), place);
    EXPECT_EQ(bug_key_of(circle(5)), place) << "as many threads as you like";
}

TEST(Place, IsTheSetOfPendingActionsOfADeadlock) {
    HandmadeExecution r;
    const ThreadId waiter = r.create(main_thread);
    r.does(waiter, at(0x10, action(Operation::mutex_lock, object(0))));
    Action wait = at(0x20, action(Operation::cond_wait, object(1)));
    wait.second = object(0);
    r.does(waiter, wait);  // and stays in its cond_wake
    r.announces(main_thread, at(0x30, action(Operation::thread_join, thread_object(waiter))));
    EXPECT_EQ(bug_key_of(with_modules(r.execution(), Verdict::deadlock)), "cond_wake prog+0x20") << "main only follows";
}

TEST(Place, NamesTheLocationOfALockWhoseOwnerHasEnded) {
    HandmadeExecution r;
    const ThreadId owner = r.create(main_thread);
    r.does(owner, at(0x10, action(Operation::mutex_lock, object(0))));
    r.does(owner, Operation::thread_exit);
    r.announces(main_thread, at(0x30, action(Operation::mutex_lock, object(0))));
    EXPECT_EQ(bug_key_of(with_modules(r.execution(), Verdict::deadlock)),
              "mutex_lock prog+0x30 held since mutex_lock prog+0x10");
}

TEST(Place, UsesObjectsForProgramsWithoutCode) {
    HandmadeExecution r;
    r.does(main_thread, Operation::mutex_lock, object(7));
    r.announces(main_thread, action(Operation::mutex_lock, object(7)));
    Execution execution = r.execution();
    execution.verdict = Verdict::deadlock;
    EXPECT_EQ(bug_key_of(execution), "mutex_lock program:7 held since mutex_lock program:7");
}

TEST(Place, IsTheMisuseAndItsLocation) {
    HandmadeExecution r;
    r.does(main_thread, at(0x40, action(Operation::mutex_unlock, object(0))));
    EXPECT_EQ(bug_key_of(with_modules(r.execution(), Verdict::misuse, "T0 unlocks …")),
              "unlock_unlocked by mutex_unlock prog+0x40");
}

TEST(Place, IsTheInstructionOfACrash) {
    Execution execution = with_modules({}, Verdict::crash, "SIGSEGV in T1 at address 0x10");
    execution.site = site(0x99);
    EXPECT_EQ(bug_key_of(execution), "prog+0x99");
    execution.site = 0;
    EXPECT_EQ(bug_key_of(execution), "SIGSEGV in a thread at address 0x10");
}

TEST(Place, DropsOnlyThreadNamesFromMessages) {
    EXPECT_EQ(bug_key_of(with_modules({}, Verdict::crash, "T1.2, T3. and xT4 T5x T")),
              "a thread, a thread. and xT4 T5x T");
}

TEST(Place, IsTheTextOfAnAssertion) {
    Execution execution = with_modules({}, Verdict::assertion, "a.c:3: f: assertion failed: x");
    execution.site = site(0x50);
    EXPECT_EQ(bug_key_of(execution), "a.c:3: f: assertion failed: x prog+0x50");
}

}  // namespace
}  // namespace raddle::testing
