// Real programs under plans: the properties that the search needs. Same plan, same events; prefixes are followed; every
// end of a program has its verdict.

#include <gtest/gtest.h>

#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

Execution run_once(const std::string& path, const Plan& plan = run_on()) {
    return ProcessTarget(running(path)).run(plan);
}

const char* const two_lockers = R"(
    #include <pthread.h>
    static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
    static void* ab(void* p) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return p; }
    static void* ba(void* p) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return p; }
    int main(void) { pthread_t s, t; pthread_create(&s, 0, ab, 0); pthread_create(&t, 0, ba, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; })";

TEST(ProcessTarget, LetsThreadsRunOn) {
    const Execution execution = run_once(program(two_lockers));
    EXPECT_EQ(execution.verdict, Verdict::ok) << execution.message;
    // 2 creations, 2 x (start, 4 steps, exit), 2 joins, the end
    EXPECT_EQ(execution.events.size(), 17u);
    EXPECT_EQ(text_of(execution.schedule()), "T0*2 T1*6 T0 T2*6 T0*2");
}

TEST(ProcessTarget, FollowsAPrefixIntoADeadlock) {
    // Each thread takes its first lock; neither gets its second.
    const Execution execution = run_once(program(two_lockers), following("T0*2 T1*2 T2*2"));
    EXPECT_EQ(execution.verdict, Verdict::deadlock);
    EXPECT_EQ(execution.events.size(), 6u);
    ASSERT_EQ(execution.pending.size(), 3u);  // T0 in its join, the others at their second lock
    EXPECT_EQ(execution.pending[1].action.operation, Operation::mutex_lock);
}

TEST(ProcessTarget, NamesTheFirstStepThatCannotBeFollowed) {
    EXPECT_EQ(run_once(program(two_lockers), following("T0 T3")).verdict, Verdict::diverged);
    EXPECT_EQ(run_once(program(two_lockers), following("T0*2 T1*2 T2*3")).verdict, Verdict::diverged);  // blocked
}

TEST(ProcessTarget, StopsAtTheEndOfThePlan) {
    Plan plan = following("T0*2 T1*2");
    plan.tail.kind = TailKind::stop;
    const Execution execution = run_once(program(two_lockers), plan);
    EXPECT_EQ(execution.verdict, Verdict::stopped);
    EXPECT_EQ(execution.events.size(), 4u);
    EXPECT_EQ(execution.pending.size(), 3u);
}

TEST(ProcessTarget, AbandonsSleepingExecutions) {
    Plan plan = following("T0*2");
    plan.sleeping = {child_of(main_thread, 1), child_of(main_thread, 2)};
    EXPECT_EQ(run_once(program(two_lockers), plan).verdict, Verdict::abandoned);
}

TEST(ProcessTarget, LimitsSteps) {
    Plan plan;
    plan.max_steps = 7;
    const Execution execution = run_once(program(two_lockers), plan);
    EXPECT_EQ(execution.verdict, Verdict::step_limit);
    EXPECT_EQ(execution.events.size(), 7u);
}

TEST(ProcessTarget, GivesTheSameEventsAfterEveryKindOfRestart) {
    std::string stories[3];
    for (const ForkAt at : {ForkAt::first_thread, ForkAt::start, ForkAt::never}) {
        ProcessOptions options = running(sample("ok/cond_queue"));
        options.fork_at = at;
        ProcessTarget target(options);
        for (std::uint64_t seed = 1; seed <= 5; ++seed)
            stories[static_cast<int>(at)] += story_of(target.run(random_plan(seed)));
        EXPECT_EQ(target.launches(), at == ForkAt::never ? 5u : 1u);
    }
    EXPECT_EQ(stories[0], stories[1]);
    EXPECT_EQ(stories[0], stories[2]);
}

TEST(ProcessTarget, IsForkedAsLateAsPossibleAndGivesTheReason) {
    const auto opening = [](const std::string& what) {
        return program(
            "#define _GNU_SOURCE\n#include <fcntl.h>\n#include <pthread.h>\n#include <stdlib.h>\n#include <sys/mman.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"
            "static int ends[2];\nstatic void* body(void* p) { return p; }\n"
            "int main(void) { " +
            what + " pthread_t t; pthread_create(&t, 0, body, 0); pthread_join(t, 0); return 0; }\n");
    };
    struct Case {
        std::string path;
        ForkAt asked, way;
        std::uint64_t launches;
        const char* why;
    };
    const Case cases[] = {
        {opening(""), ForkAt::first_thread, ForkAt::first_thread, 1, "forked at its first new thread"},
        {opening("pipe(ends);"), ForkAt::first_thread, ForkAt::start, 2, "a pipe, a socket or the like open by then"},
        {opening("open(\"/dev/null\", O_WRONLY); ends[0] = open(\"/tmp\", O_TMPFILE | O_RDWR, 0600);"),
         ForkAt::first_thread, ForkAt::start, 2, "a file open for writing by then"},
        {opening("mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);"), ForkAt::first_thread,
         ForkAt::start, 2, "memory mapped as shared by then"},
        {opening("mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);"), ForkAt::first_thread,
         ForkAt::first_thread, 1, "forked at its first new thread"},
        {opening("if (fork() == 0) _exit(0); wait(0);"), ForkAt::first_thread, ForkAt::start, 2,
         "started another process by then"},
        {opening("pipe(ends);"), ForkAt::start, ForkAt::start, 1, "as was asked for"},
        {opening(""), ForkAt::never, ForkAt::never, 4, "executed anew each time: as was asked for"},
        {"/bin/true", ForkAt::first_thread, ForkAt::never, 4,
         "executed anew each time: it ended before there was a place to fork it"},
    };
    for (const Case& one : cases) {
        ProcessOptions options = running(one.path);
        options.fork_at = one.asked;
        ProcessTarget target(options);
        for (int i = 0; i < 4; ++i) EXPECT_EQ(target.run(run_on()).verdict, Verdict::ok);
        EXPECT_EQ(target.launches(), one.launches) << one.why;
        EXPECT_EQ(target.restart().way, one.way) << one.why;
        EXPECT_NE(target.restart().why.find(one.why), std::string::npos) << target.restart().why;
    }
}

TEST(ProcessTarget, AScheduleReplays) {
    ProcessTarget target(running(sample("deadlock/abba")));
    for (std::uint64_t seed = 1; seed < 100; ++seed) {
        const Execution found = target.run(random_plan(seed));
        if (found.verdict != Verdict::deadlock) continue;
        Plan again;
        again.prefix = found.schedule();
        EXPECT_EQ(story_of(target.run(again)), story_of(found));
        return;
    }
    FAIL() << "no deadlock in 100 random schedules";
}

TEST(ProcessTarget, RewindsInputReadByAChild) {
    ProcessOptions options = running(program(R"(
        #include <pthread.h>
        #include <stdio.h>
        static void* body(void* p) { char line[64]; if (fgets(line, sizeof line, stdin)) fputs(line, stdout); return p; }
        int main(void) { pthread_t t; pthread_create(&t, 0, body, 0); pthread_join(t, 0); return 0; })"));
    options.input = std::string(RADDLE_SOURCE_DIR) + "/tests/process/process_target_test.cpp";
    ProcessTarget target(options);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(target.run(run_on()).verdict, Verdict::ok);
        EXPECT_TRUE(target.output().starts_with("// Real programs")) << target.output();
    }
}

TEST(ProcessTarget, TimeIsVirtual) {
    const Execution execution = run_once(program(R"(
        #include <pthread.h>
        #include <time.h>
        #include <unistd.h>
        static void* body(void* p) { sleep(3600); return p; }
        int main(void) {
            time_t before = time(0); pthread_t t;
            pthread_create(&t, 0, body, 0); pthread_join(t, 0);
            struct timespec a, b; clock_gettime(CLOCK_MONOTONIC, &a);
            do clock_gettime(CLOCK_MONOTONIC, &b); while (b.tv_sec < a.tv_sec + 2);
            return time(0) - before >= 3602 && time(0) - before < 3640 ? 0 : 1; })"));
    EXPECT_EQ(execution.verdict, Verdict::ok) << execution.message;
}

TEST(ProcessTarget, ThreadsHaveTheirOwnState) {
    ProcessTarget target(running(cxx_program(R"(
        #include <atomic>
        #include <cassert>
        #include <cerrno>
        #include <mutex>
        #include <stdexcept>
        #include <string>
        #include <thread>
        #include <vector>
        std::mutex m; int destroyed = 0, thrown = 0;
        struct Own { std::string text = "own"; int n = 0; ~Own() { std::lock_guard l(m); ++destroyed; } };
        thread_local Own own;
        int deep(int n) { m.lock(); m.unlock(); if (n == 0) throw std::runtime_error("deep"); volatile char room[1000]; room[0] = 1; return deep(n - 1) + room[0]; }
        int main() {
            std::vector<std::thread> threads;
            for (int i = 0; i < 8; ++i) threads.emplace_back([i] {
                errno = i; own.n = i;
                for (int k = 0; k < 3; ++k) { try { deep(5 + i); } catch (const std::exception& e) { std::lock_guard l(m); ++thrown; } }
                assert(errno == i && own.n == i && own.text == "own");
            });
            for (auto& t : threads) t.join();
            assert(destroyed == 8 && thrown == 24);
        })")));
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Execution execution = target.run(random_plan(seed));
        ASSERT_EQ(execution.verdict, Verdict::ok) << execution.message << target.errors();
    }
}

TEST(ProcessTarget, RunsAThousandThreads) {
    const Execution execution = run_once(program(R"(
        #include <pthread.h>
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int n;
        static void* body(void* p) { pthread_mutex_lock(&m); ++n; pthread_mutex_unlock(&m); return p; }
        int main(void) {
            static pthread_t t[1000];
            for (int i = 0; i < 1000; ++i) if (pthread_create(&t[i], 0, body, 0)) return 2;
            for (int i = 0; i < 1000; ++i) pthread_join(t[i], 0);
            return n != 1000; })"));
    EXPECT_EQ(execution.verdict, Verdict::ok) << execution.message;
    EXPECT_EQ(execution.events.size(), 6001u);  // 1000 x (create, start, lock, unlock, exit, join), the end
}

TEST(ProcessTarget, RunsMoreThreadsThanThereAreThreadArenas) {
    const Execution execution = run_once(program(R"(
        #include <pthread.h>
        static void* body(void* p) { return p; }
        int main(void) {
            for (int i = 0; i < 6000; ++i) { pthread_t t; if (pthread_create(&t, 0, body, 0)) return 2; pthread_join(t, 0); }
            return 0; })"));
    EXPECT_EQ(execution.verdict, Verdict::ok) << execution.message;
}

TEST(ProcessTarget, ExploresWhichWaiterWakes) {
    const std::string path = program(R"(
        #include <pthread.h>
        #include <stdio.h>
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER; static int go;
        static void* body(void* p) { pthread_mutex_lock(&m); while (!go) pthread_cond_wait(&c, &m); go = 0; printf("%s", (char*)p); pthread_mutex_unlock(&m); return p; }
        int main(void) { pthread_t a, b; pthread_create(&a, 0, body, "a"); pthread_create(&b, 0, body, "b");
            for (int i = 0; i < 2; ++i) { pthread_mutex_lock(&m); go = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); pthread_join(i ? b : a, 0); } return 0; })");
    ProcessTarget target(running(path));
    target.run(following("T0*2 T1*3 T2*3 T0*2"));
    EXPECT_EQ(target.output(), "ab");
    // If b wakes first, main waits forever to join a.
    EXPECT_EQ(target.run(following("T0*2 T1*3 T2*3 T0 T0=1")).verdict, Verdict::deadlock);
}

}  // namespace
}  // namespace raddle::testing
