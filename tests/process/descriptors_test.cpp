// Pipes, sockets, eventfds and waits for them: threads wait in the machine, never in the kernel; only waits that only
// the outside can end are real waits.

#include <gtest/gtest.h>

#include "supervisor/trace/replay_machine.h"
#include "tests/patience.h"
#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

const char* const headers = R"(
    #define _GNU_SOURCE
    #include <assert.h>
    #include <errno.h>
    #include <fcntl.h>
    #include <poll.h>
    #include <pthread.h>
    #include <stdint.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/epoll.h>
    #include <sys/eventfd.h>
    #include <sys/select.h>
    #include <sys/socket.h>
    #include <sys/wait.h>
    #include <time.h>
    #include <unistd.h>
)";

// Two threads, each with its own pipe p[i], made by main.
std::string two_threads(const std::string& first, const std::string& second, const std::string& before = "") {
    return program(
        headers + ("static int p[2][2]; static char c;\n" + before) + "\nstatic void* one(void* x) { " + first +
        "; return x; }\nstatic void* two(void* x) { " + second + "; return x; }\n" +
        "int main(void) { pthread_t s, t; if (pipe(p[0]) || pipe(p[1])) return 1;\n"
        "pthread_create(&s, 0, one, 0); pthread_create(&t, 0, two, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }\n");
}

void expect_always(const std::string& path, Verdict verdict, std::uint64_t seeds = 20) {
    ProcessTarget target(running(path));
    for (std::uint64_t seed = 0; seed <= seeds; ++seed) {
        const Execution execution = target.run(seed == 0 ? run_on() : random_plan(seed));
        ASSERT_EQ(execution.verdict, verdict) << "seed " << seed << ": " << execution.message << target.errors();
        // A fresh machine computes the same, without the record's help.
        ReplayMachine replay({});
        replay.begin(execution);
        replay.feed_all();
        ASSERT_FALSE(replay.mismatch()) << "seed " << seed << ": " << replay.mismatch()->text;
    }
}

TEST(Descriptors, AReaderWaitsForTheWriter) {
    expect_always(two_threads("assert(read(p[0][0], &c, 1) == 1)", "assert(write(p[0][1], \"x\", 1) == 1)"),
                  Verdict::ok);
}

TEST(Descriptors, TwoReadersDeadlock) {
    expect_always(
        two_threads("read(p[0][0], &c, 1); write(p[1][1], &c, 1)", "read(p[1][0], &c, 1); write(p[0][1], &c, 1)"),
        Verdict::deadlock);
}

TEST(Descriptors, ASampleMayOrMayNotDeadlock) {
    ProcessTarget target(running(sample("deadlock/pipes")));
    EXPECT_EQ(target.run(run_on()).verdict, Verdict::ok);
    bool found = false;
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
        found |= target.run(random_plan(seed)).verdict == Verdict::deadlock;
    EXPECT_TRUE(found);
    expect_always(sample("ok/pipes"), Verdict::ok);
}

TEST(Descriptors, AReusedDescriptorNamesTheNewPipe) {
    // The second pipe reuses the descriptor of the first one, while the first one's other end is being closed.
    expect_always(program(std::string(headers) + R"(
        static int p[2], q[2];
        static char c;
        static void* reads(void* x) { assert(read(q[0], &c, 1) == 1 && c == 'x'); return x; }
        static void* writes(void* x) { close(p[1]); assert(write(q[1], "x", 1) == 1); return x; }
        static void* makes(void* x) {
            pthread_t s, t;
            assert(pipe(p) == 0 && close(p[0]) == 0 && pipe(q) == 0 && q[0] == p[0]);
            pthread_create(&s, 0, reads, 0);
            pthread_create(&t, 0, writes, 0);
            pthread_join(s, 0);
            pthread_join(t, 0);
            return x;
        }
        int main(void) { pthread_t t; pthread_create(&t, 0, makes, 0); pthread_join(t, 0); return 0; }
    )"),
                  Verdict::ok);
}

TEST(Descriptors, EachExecutionStartsWithEmptyPipes) {
    // Each execution leaves a byte behind; in a shared pipe, the next execution would read two.
    expect_always(two_threads("fcntl(p[0][0], F_SETFL, O_NONBLOCK); char b[4]; assert(read(p[0][0], b, 4) <= 1)",
                              "write(p[0][1], \"x\", 1)"),
                  Verdict::ok);
}

TEST(Descriptors, AFullPipeMakesItsWriterWait) {
    expect_always(
        two_threads(
            "static char b[200000]; assert(write(p[0][1], b, sizeof b) == sizeof b); close(p[0][1])",
            "static char b[5000]; long n, sum = 0; while ((n = read(p[0][0], b, sizeof b)) > 0) sum += n; assert(sum == 200000)"),
        Verdict::ok);
}

TEST(Descriptors, TheOperatingSystemDecidesWhenAPipeIsFull) {
    // No two writes of 2049 bytes share a page, and a pipe has 16 pages.
    const char* writes =
        "static char b[2049]; for (int i = 0; i < N; ++i) assert(write(p[0][1], b, sizeof b) == sizeof b); close(p[0][1])";
    const char* reads =
        "static char b[100]; long n, sum = 0; while ((n = read(p[0][0], b, sizeof b)) > 0) sum += n; assert(sum == 31 * 2049)";
    expect_always(two_threads(writes, "", "enum { N = 16 };"), Verdict::ok, 3);
    expect_always(two_threads(writes, "", "enum { N = 17 };"), Verdict::deadlock, 3);
    expect_always(two_threads(writes, reads, "enum { N = 31 };"), Verdict::ok, 3);
}

TEST(Descriptors, AFullSocketMakesItsWriterWait) {
    const char* pair =
        "static int s[2]; __attribute__((constructor)) static void make(void) { socketpair(AF_UNIX, SOCK_STREAM, 0, s); }";
    expect_always(
        two_threads(
            "for (int i = 0; i < 1500; ++i) assert(send(s[0], \"x\", 1, 0) == 1); close(s[0])",
            "char b[100]; long n, sum = 0; while ((n = recv(s[1], b, sizeof b, 0)) > 0) sum += n; assert(n == 0 && sum == 1500)",
            pair),
        Verdict::ok, 5);
}

TEST(Descriptors, EventsAreCounted) {
    const char* event =
        "static int e; __attribute__((constructor)) static void make(void) { e = eventfd(1, EFD_SEMAPHORE); }";
    const char* take = "uint64_t n; assert(read(e, &n, 8) == 8 && n == 1)";
    expect_always(two_threads(take, std::string(take) + "; assert(0)", event), Verdict::deadlock, 0);
    expect_always(two_threads(take, "uint64_t n = 1; assert(write(e, &n, 8) == 8)", event), Verdict::ok);
}

TEST(Descriptors, PollWaitsForAnyDescriptor) {
    expect_always(
        two_threads(
            "struct pollfd f[2] = {{p[0][0], POLLIN}, {p[1][0], POLLIN}}; assert(poll(f, 2, -1) == 1 && f[1].revents == POLLIN)",
            "write(p[1][1], \"x\", 1)"),
        Verdict::ok);
    expect_always(two_threads("struct pollfd f[2] = {{p[0][0], POLLIN}, {p[1][0], POLLIN}}; poll(f, 2, -1)", ""),
                  Verdict::deadlock);
}

TEST(Descriptors, SelectAndEpollWaitForAnyDescriptor) {
    expect_always(
        two_threads("fd_set r; FD_ZERO(&r); FD_SET(p[0][0], &r); assert(select(p[0][0] + 1, &r, 0, 0, 0) == 1)",
                    "write(p[0][1], \"x\", 1)"),
        Verdict::ok);
    expect_always(
        two_threads(
            "struct epoll_event v = {EPOLLIN}; int e = epoll_create1(0); epoll_ctl(e, EPOLL_CTL_ADD, p[0][0], &v); assert(epoll_wait(e, &v, 1, -1) == 1)",
            "write(p[0][1], \"x\", 1)"),
        Verdict::ok);
}

TEST(Descriptors, TimeLimitsPassAtOnce) {
    expect_always(
        two_threads(
            "struct pollfd f = {p[0][0], POLLIN}; struct timespec a, b; clock_gettime(CLOCK_MONOTONIC, &a);"
            "assert(poll(&f, 1, 3600000) == 0); clock_gettime(CLOCK_MONOTONIC, &b); assert(b.tv_sec - a.tv_sec >= 3600)",
            ""),
        Verdict::ok, 3);
}

TEST(Descriptors, AChildIsWaitedFor) {
    expect_always(
        two_threads(
            "pid_t k = fork(); if (k == 0) { usleep(20000); _exit(write(p[0][1], \"x\", 1) != 1); } int s; assert(waitpid(k, &s, 0) == k && s == 0)",
            "assert(read(p[0][0], &c, 1) == 1)"),
        Verdict::ok, 5);
}

TEST(Descriptors, TheWatchdogEndsAReadFromAnIdleOutside) {
    ProcessOptions options =
        running(two_threads("pid_t k = fork(); if (k == 0) { for (;;) pause(); } read(p[0][0], &c, 1)", ""));
    options.exec_timeout = short_watchdog;
    ProcessTarget target(options);
    EXPECT_EQ(target.run(run_on()).verdict, Verdict::uncontrolled);
}

TEST(Descriptors, NumbersAreTheSameInEveryExecution) {
    const std::string path = two_threads("printf(\"%d \", dup(0)); fflush(stdout)",
                                         "printf(\"%d \", open(\"/dev/null\", O_RDONLY)); fflush(stdout)");
    ProcessTarget target(running(path));
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const std::string story = story_of(target.run(random_plan(seed)));
        const std::string output = target.output();
        for (int i = 0; i < 5; ++i) {
            EXPECT_EQ(story_of(target.run(random_plan(seed))), story);
            EXPECT_EQ(target.output(), output);
        }
    }
}

TEST(Descriptors, ErrorsOfTheOperatingSystemAreKept) {
    expect_always(
        two_threads(
            "assert(read(-1, &c, 1) == -1 && errno == EBADF); assert(write(p[0][0], &c, 1) == -1 && errno == EBADF)",
            "assert(recv(p[1][0], &c, 1, 0) == -1 && errno == ENOTSOCK); errno = 7; write(p[1][1], &c, 1); assert(errno == 7)"),
        Verdict::ok, 5);
}

}  // namespace
}  // namespace raddle::testing
