// Kernel threads: the features that only they have, and their automatic use in programs that need them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

using ::testing::HasSubstr;

ProcessOptions with(Threads threads, const std::string& path) {
    ProcessOptions options = running(path);
    options.threads = threads;
    return options;
}

const char* const includes =
    "#define _GNU_SOURCE\n#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "#include <sys/prctl.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n";

// The thread drops a privilege of its own; main checks that it still has it.
std::string one_gives_up() {
    return program(std::string(includes) + R"(
        static void* body(void* p) { prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); return p; }
        int main(void) {
            pthread_t t; pthread_create(&t, 0, body, 0); pthread_join(t, 0);
            return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0); })");
}

TEST(KernelThreads, AreUsedIfFibersCannotWork) {
    ProcessTarget target(with(Threads::automatic, one_gives_up()));
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const Execution execution = target.run(random_plan(seed));
        EXPECT_EQ(execution.verdict, Verdict::ok) << execution.message;
    }
    EXPECT_TRUE(target.restart().kernel_threads);
    EXPECT_EQ(target.restart().why_threads, "the program changes state that the kernel keeps per thread: prctl");
    EXPECT_EQ(target.launches(), 2u);
}

TEST(KernelThreads, AreRecommendedIfOnlyFibersAreAllowed) {
    ProcessTarget target(with(Threads::fibers, one_gives_up()));
    const Execution execution = target.run(run_on());
    EXPECT_EQ(execution.verdict, Verdict::uncontrolled);
    EXPECT_THAT(execution.message, HasSubstr("prctl"));
}

TEST(KernelThreads, AreKnownToTheKernelByNumberAndName) {
    ProcessTarget target(with(Threads::kernel, program(std::string(includes) + R"(
        static void* body(void* p) {
            char path[64], name[32] = "";
            pthread_setname_np(pthread_self(), "weaver");
            snprintf(path, sizeof path, "/proc/self/task/%d/comm", (int)syscall(SYS_gettid));
            FILE* file = fopen(path, "r");
            if (!file || !fgets(name, sizeof name, file) || strcmp(name, "weaver\n") != 0) abort();
            fclose(file);
            return p; }
        int main(void) {
            pthread_t a, b; pthread_create(&a, 0, body, 0); pthread_create(&b, 0, body, 0);
            pthread_join(a, 0); pthread_join(b, 0); return 0; })")));
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Execution execution = target.run(random_plan(seed));
        EXPECT_EQ(execution.verdict, Verdict::ok) << execution.message;
    }
}

TEST(KernelThreads, BehaveLikeFibers) {
    for (const char* name : {"ok/cond_queue", "ok/cpp_threads", "ok/pipes", "deadlock/abba"}) {
        ProcessTarget fibers(with(Threads::fibers, sample(name))), threads(with(Threads::kernel, sample(name)));
        for (std::uint64_t seed = 0; seed < 20; ++seed)
            EXPECT_EQ(story_of(fibers.run(random_plan(seed))), story_of(threads.run(random_plan(seed))))
                << name << ", seed " << seed;
    }
}

TEST(KernelThreads, EndProperlyEvenIfThereAreAThousand) {
    ProcessTarget target(with(Threads::kernel, program(std::string(includes) + R"(
        static void* body(void* p) { return p; }
        int main(void) {
            static pthread_t t[1000];
            for (int i = 0; i < 1000; ++i) if (pthread_create(&t[i], 0, body, 0)) abort();
            for (int i = 0; i < 1000; ++i) pthread_join(t[i], 0);
            return 0; })")));
    EXPECT_EQ(target.run(run_on()).verdict, Verdict::ok);
    EXPECT_EQ(target.run(random_plan(1)).verdict, Verdict::ok);
}

TEST(KernelThreads, CannotAllGetOtherIds) {
    const std::string path = program(std::string(includes) + R"(
        static void* body(void* p) { if (setuid(getuid()) != 0) abort(); return p; }
        int main(void) { pthread_t t; pthread_create(&t, 0, body, 0); pthread_join(t, 0); return 0; })");
    EXPECT_EQ(ProcessTarget(with(Threads::fibers, path)).run(run_on()).verdict, Verdict::ok);
    const Execution execution = ProcessTarget(with(Threads::kernel, path)).run(run_on());
    EXPECT_EQ(execution.verdict, Verdict::uncontrolled);
    EXPECT_EQ(execution.message,
              "with kernel threads raddle cannot change all threads at once, as the program asks: setuid");
}

}  // namespace
}  // namespace raddle::testing
