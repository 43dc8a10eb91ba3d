// An execution that begins at a checkpoint cannot be told from one that begins at the start; and none begins after an
// effect that memory does not hold.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

ProcessOptions with_checkpoints(const std::string& path) {
    ProcessOptions options = running(path);
    options.restore = Restore::whenever_possible;
    options.output = Output::capture;
    return options;
}

ProcessOptions without(const std::string& path) {
    ProcessOptions options = with_checkpoints(path);
    options.restore = Restore::never;
    return options;
}

// The plans that leave this schedule at each step, the last step first, as a depth-first search does: twice with each
// thread, whether it can go there or not.
std::vector<Plan> leaving(const Schedule& schedule) {
    std::vector<ThreadId> threads;
    for (const Step& step : schedule)
        if (std::find(threads.begin(), threads.end(), step.thread) == threads.end()) threads.push_back(step.thread);
    std::vector<Plan> plans;
    for (std::size_t at = schedule.size(); at-- > 0;)
        for (const ThreadId thread : threads) {
            if (thread == schedule[at].thread) continue;
            Plan& plan = plans.emplace_back();
            plan.prefix.assign(schedule.begin(), schedule.begin() + static_cast<std::ptrdiff_t>(at));
            plan.prefix.push_back({thread, 0});
            plans.push_back(Plan(plan));
        }
    return plans;
}

std::string all_of(ProcessTarget& target, const Plan& plan) {
    const std::string story = story_of(target.run(plan));
    return story + "\n" + target.output() + "\n" + target.errors();
}

// Runs all plans in both targets, and compares.
void expect_the_same(ProcessTarget& target, ProcessTarget& forked, const std::vector<Plan>& plans) {
    for (const Plan& plan : plans)
        ASSERT_EQ(all_of(target, plan), all_of(forked, plan)) << text_of(plan.prefix) << "\n"
                                                              << text_of(target.restarts());
    EXPECT_EQ(target.restarts().differed, 0u);
    EXPECT_EQ(target.restarts().discarded, 0u) << text_of(target.restarts());
}

class Checkpoints : public ::testing::TestWithParam<const char*> {};

TEST_P(Checkpoints, LeadToTheSameExecutions) {
    ProcessOptions options = with_checkpoints(sample(GetParam()));
    options.check_every = 20;  // digests of memory are compared, too
    ProcessTarget target(options), forked(without(sample(GetParam())));
    target.run(run_on());
    const std::vector<Plan> plans = leaving(forked.run(run_on()).schedule());
    expect_the_same(target, forked, plans);
    EXPECT_GE(target.restarts().resumed, plans.size() / 5) << text_of(target.restarts());
}

INSTANTIATE_TEST_SUITE_P(Samples, Checkpoints,
                         ::testing::Values("ok/locks", "ok/cpp_threads", "ok/call_once_throws", "ok/sem_queue",
                                           "ok/timed_wait", "deadlock/condition_variable", "deadlock/abba",
                                           "assert/queue_if", "crash/null_after_check", "misuse/freed_mutex"),
                         [](const auto& one) {
                             std::string name = one.param;
                             std::replace(name.begin(), name.end(), '/', '_');
                             return name;
                         });

// Two threads with this code after their first five locks, and as many locks after it.
std::string using_outside(const std::string& code) {
    return program(R"(
        #define _GNU_SOURCE
        #include <fcntl.h>
        #include <pthread.h>
        #include <signal.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/mman.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
        static int input = -1;
        static long seen[2];
        static void on_signal(int number) { (void)number; }
        static long raw(long number, long a, long b) {
            long result;
            const char* code = (const char*)getuid;  // its instruction of libc's is not looked at
            while (memcmp(code, "\x0f\x05\xc3", 3)) ++code;
            __asm__ volatile("leaq -128(%%rsp), %%rsp; call *%4; leaq 128(%%rsp), %%rsp" : "=a"(result) : "a"(number), "D"(a), "S"(b), "r"(code) : "rcx", "r11", "memory");
            return result;
        }
        static void locks(void);
        static long act(int me) { (void)me; (void)raw; (void)on_signal; (void)locks; )" +
                   code + R"( }
        static void locks(void) {
            for (int i = 0; i < 5; ++i) { pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); }
        }
        static void* body(void* argument) {
            const int me = argument != 0;
            locks();
            seen[me] = act(me);
            locks();
            return 0;
        }
        int main(void) {
            input = open("/etc/passwd", O_RDONLY);
            pthread_t threads[2];
            for (long i = 0; i < 2; ++i) pthread_create(&threads[i], 0, body, (void*)i);
            for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
            return (seen[0] * 31 + seen[1]) & 63;
        })");
}

// Effects outside memory: an execution that began after them would lack them, or have them twice.
TEST(CheckpointsAndEffects, AreNotKeptAfterThem) {
    const char* const effects[] = {
        "printf(\"%d\", me); fflush(stdout); return me;",
        "return write(2, \"x\", 1);",
        "return raw(SYS_dup, 0, 0);",
        "return open(\"/etc/passwd\", O_RDONLY);",
        "char byte; return pread(input, &byte, 1, me) + byte;",
        "char byte; return read(input, &byte, 1) + byte;",
        "return raw(SYS_lseek, input, 7 + me);",
        "return signal(SIGUSR1, on_signal) == SIG_DFL;",
        "char* page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); *page = 1; return *page;",
    };
    for (const char* effect : effects) {
        SCOPED_TRACE(effect);
        const std::string path = using_outside(effect);
        ProcessTarget target(with_checkpoints(path)), forked(without(path));
        target.run(run_on());
        expect_the_same(target, forked, leaving(forked.run(run_on()).schedule()));
    }
}

// The control group: what stays in memory does not hinder them.
TEST(CheckpointsAndEffects, AreKeptWhereNothingOutsideMemoryIsUsed) {
    const std::string path = using_outside("char* block = malloc(100); block[0] = (char)(me + 1); return block[0];");
    ProcessTarget target(with_checkpoints(path)), forked(without(path));
    target.run(run_on());
    const std::vector<Plan> plans = leaving(forked.run(run_on()).schedule());
    expect_the_same(target, forked, plans);
    EXPECT_GE(target.restarts().resumed, plans.size() / 2) << text_of(target.restarts());
}

// Values in registers that calls may overwrite, and that the shim does not use: whatever an execution finds there, it
// finds there each time. libc leaves text in them, and the entry of an access writes all of them to the stack.
TEST(CheckpointsAndEffects, KeepRegistersThatCallsMayOverwrite) {
    if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "no registers of this kind";
    const std::string set_upper = R"(
        long upper[4] = {1, 2, 3 + me, 40 + me};
        __asm__ volatile("vmovdqu %0, %%ymm9" :: "m"(upper) : "xmm9");
        locks();
        long now[4];
        __asm__ volatile("vextracti128 $1, %%ymm9, %0\n\tvzeroupper" : "=m"(now) :: "memory");
        return now[0] + now[1];)";
    std::string highest = R"(
        long wide[4] = {1, 2, 3 + me, 40 + me};
        __asm__ volatile("vmovdqu64 %0, %%ymm21" :: "m"(wide));
        locks();
        long now[4];
        __asm__ volatile("vmovdqu64 %%ymm21, %0" : "=m"(now) :: "memory");
        return now[0] + now[1] + now[2] + now[3];)";
    std::vector<std::string> codes{set_upper};
    if (__builtin_cpu_supports("avx512vl")) codes.push_back(highest);
    for (const std::string& code : codes) {
        SCOPED_TRACE(code);
        const std::string path = using_outside(code);
        ProcessTarget target(with_checkpoints(path)), forked(without(path));
        target.run(run_on());
        const std::vector<Plan> plans = leaving(forked.run(run_on()).schedule());
        expect_the_same(target, forked, plans);
        EXPECT_GE(target.restarts().resumed, plans.size() / 2) << text_of(target.restarts());
    }
}

TEST(CheckpointsAndEffects, TheReasonForHavingNoneIsSaid) {
    const std::string path = using_outside("return write(2, \"x\", 1);");
    ProcessTarget target(with_checkpoints(path));
    for (const Plan& plan : leaving(target.run(run_on()).schedule())) target.run(plan);
    EXPECT_NE(text_of(target.restarts()).find("of them to a checkpoint"), std::string::npos);
    Plan left;
    left.prefix = target.run(run_on()).schedule();
    left.prefix.pop_back();
    target.run(left);
    EXPECT_NE(text_of(target.restarts()).find("(no checkpoint: it had "), std::string::npos)
        << text_of(target.restarts());
}

TEST(CheckpointsAndPlans, ARepetitionBeginsAtTheStart) {
    ProcessTarget target(with_checkpoints(sample("ok/locks")));
    Plan plan;
    plan.prefix = target.run(run_on()).schedule();
    target.run(plan);
    const std::vector<Plan> plans = leaving(plan.prefix);
    for (const Plan& other : plans) plan.prefix = target.run(other).schedule();
    const std::uint64_t before = target.restarts().resumed;
    EXPECT_GT(before, 0u);
    for (int i = 0; i < 3; ++i) target.run(plan);
    EXPECT_EQ(target.restarts().resumed, before);
}

TEST(CheckpointsAndPlans, ALimitOfStepsHoldsBeforeTheCheckpoint) {
    ProcessTarget target(with_checkpoints(sample("ok/locks")));
    const std::vector<Plan> plans = leaving(target.run(run_on()).schedule());
    for (int i = 0; i < 3; ++i) target.run(plans[static_cast<std::size_t>(i)]);
    Plan limited = plans[3];
    limited.max_steps = 5;
    const Execution execution = target.run(limited);
    EXPECT_EQ(execution.verdict, Verdict::step_limit);
    EXPECT_EQ(execution.events.size(), 5u);
}

TEST(CheckpointsAndPlans, ARandomTailBeginsAtTheStart) {
    ProcessTarget target(with_checkpoints(sample("ok/locks"))), forked(without(sample("ok/locks")));
    const Schedule schedule = target.run(run_on()).schedule();
    forked.run(run_on());
    std::vector<Plan> plans;
    for (std::uint64_t seed = 1; seed < 30; ++seed)
        for (const Plan& plan : {leaving(schedule)[seed], leaving(schedule)[seed + 1]}) {
            plans.push_back(plan);
            plans.push_back(plan);
            plans.back().tail.kind = seed % 2 == 0 ? TailKind::random : TailKind::pos;
            plans.back().tail.seed = seed;
        }
    expect_the_same(target, forked, plans);
}

// In each execution many plans leave the same step: all of them begin at one checkpoint, with other sleeping threads.
TEST(CheckpointsAndPlans, SleepingThreadsAreThoseOfTheNewPlan) {
    ProcessTarget target(with_checkpoints(sample("ok/locks"))), forked(without(sample("ok/locks")));
    std::vector<Plan> plans = leaving(target.run(run_on()).schedule());
    forked.run(run_on());
    for (std::size_t i = 0; i < plans.size(); ++i)
        if (i % 3 != 0) plans[i].sleeping.emplace_back(parse_thread(i % 3 == 1 ? "T1" : "T2"));
    expect_the_same(target, forked, plans);
    EXPECT_GE(target.restarts().resumed, plans.size() / 4);
}

}  // namespace
}  // namespace raddle::testing
