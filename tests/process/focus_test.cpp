// --focus with real programs: the shim tells which actions are inside, and what a search finds within the focus is what
// a search of everything finds in the schedules that switch inside only.
#include "supervisor/process/channel/focus.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "supervisor/trace/replay_machine.h"
#include "tests/process/programs.h"
#include "tests/search/explore.h"

namespace raddle::testing {
namespace {

const char* const worker_program = R"(
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int order[8], count;
static inline __attribute__((always_inline)) void note(int who) {
    pthread_mutex_lock(&m);
    order[count++] = who;
    pthread_mutex_unlock(&m);
}
__attribute__((noinline)) void inner(int who) { note(who); __asm__ volatile("" ::: "memory"); }
__attribute__((noinline)) void inside(int who) { inner(who); __asm__ volatile("" ::: "memory"); }
__attribute__((noinline)) void around(int who) {
    pthread_mutex_lock(&m);
    order[count++] = 10 + who;
    pthread_mutex_unlock(&m);
}
static void* body(void* p) {
    const int who = (int)(long)p;
    around(who);
    inside(who);
    around(who);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, body, (void*)1L);
    pthread_create(&b, 0, body, (void*)2L);
    pthread_join(a, 0);
    pthread_join(b, 0);
    for (int i = 0; i < count; ++i) printf("%d ", order[i]);
    return 0;
}
)";

ProcessOptions focused(const std::string& path, const std::string& pattern) {
    ProcessOptions options = running(path);
    options.focus = std::make_shared<Focus>(pattern, path);
    options.machine.has_focus = true;
    options.output = Output::capture;
    return options;
}

// "T1:mutex_lock" for each action inside.
std::set<std::string> inside_of(const Execution& execution) {
    std::set<std::string> all;
    for (const Event& event : execution.events)
        if ((event.action.flags & flag::inside) != 0)
            all.insert(name_of(event.thread) + ":" + name_of(event.action.operation));
    return all;
}

std::set<std::string> inside_with(const std::string& pattern, const std::string& flags = "-O1 -g") {
    const std::string path = program(worker_program, flags);
    ProcessTarget target(focused(path, pattern));
    const Execution execution = target.run(run_on());
    EXPECT_EQ(execution.verdict, Verdict::ok) << execution.message;
    return inside_of(execution);
}

const std::set<std::string> locks_of_both = {"T1:mutex_lock", "T1:mutex_unlock", "T2:mutex_lock", "T2:mutex_unlock"};

TEST(FocusedProgram, IsInsideAFunctionAndWhatItCalls) {
    EXPECT_EQ(inside_with("^inner$"), locks_of_both);
    EXPECT_EQ(inside_with("^inside$"), locks_of_both);
    EXPECT_EQ(inside_with("^inside$", "-O1 -g0"), locks_of_both);
}

TEST(FocusedProgram, IsInsideAFunctionThatWasInlined) { EXPECT_EQ(inside_with("^note$", "-O2 -g"), locks_of_both); }

TEST(FocusedProgram, IsInsideASourceFileOrTheProgramItself) {
    const std::string path = program(worker_program, "-O1 -g");
    const std::string name = std::filesystem::path(path).filename().string();
    EXPECT_TRUE(inside_with(name).contains("T0:thread_create"));
    EXPECT_TRUE(inside_with("\\.c$").contains("T1:mutex_lock"));
}

TEST(FocusedProgram, OfWhichNothingHasSuchANameIsRefused) {
    const std::string path = program(worker_program, "-O1 -g");
    ProcessTarget target(focused(path, "^no_such_function$"));
    EXPECT_THROW(target.run(run_on()), BadInput);
    EXPECT_THROW(Focus("(", path), BadInput);
}

using Outcomes = std::set<std::string>;

// Everything that the program can print, without and with the restriction to schedules that switch inside.
struct BruteForce {
    Outcomes all, allowed;
};

BruteForce everything(const ProcessOptions& options) {
    BruteForce found;
    StrategyOptions every;
    every.machine = options.machine;
    every.machine.has_focus = false;
    const auto strategy = make_strategy("dfs", every);
    ProcessTarget target(options);
    ReplayMachine replay(options.machine);
    explore(*strategy, target, {.on_execution = [&](const Execution& execution) {
        found.all.insert(target.output());
        replay.begin(execution);
        for (; replay.more(); replay.feed())
            if (leaves_focus(replay.machine(), replay.track().last_thread(), replay.thread(), replay.event().value))
                return;
        found.allowed.insert(target.output());
    }});
    return found;
}

Outcomes within_focus(const ProcessOptions& options, const char* strategy_name) {
    Outcomes found;
    StrategyOptions how;
    how.machine = options.machine;
    const auto strategy = make_strategy(strategy_name, how);
    ProcessTarget target(options);
    explore(*strategy, target, {.on_execution = [&](const Execution&) { found.insert(target.output()); }});
    EXPECT_TRUE(strategy->coverage().exhausted) << strategy_name;
    return found;
}

TEST(FocusedProgram, HasTheOutcomesOfAllSchedulesThatSwitchInside) {
    const std::string path = program(worker_program, "-O1 -g");
    const ProcessOptions options = focused(path, "^inside$");
    const BruteForce brute = everything(options);
    EXPECT_LT(brute.allowed.size(), brute.all.size());
    EXPECT_GE(brute.allowed.size(), 2u);
    for (const char* const strategy : {"dfs", "bounded", "portfolio"})
        EXPECT_EQ(within_focus(options, strategy), brute.allowed) << strategy;
}

}  // namespace
}  // namespace raddle::testing
