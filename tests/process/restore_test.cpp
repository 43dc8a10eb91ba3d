// Restored processes are indistinguishable from fresh ones; a process that cannot be restored is discarded, or the
// difference is detected.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

ProcessOptions restoring(const std::string& path, Restore restore = Restore::whenever_possible) {
    ProcessOptions options = running(path);
    options.restore = restore;
    return options;
}

const char* const declarations = R"(
        #define _GNU_SOURCE
        #include <errno.h>
        #include <fcntl.h>
        #include <locale.h>
        #include <pthread.h>
        #include <signal.h>
        #include <spawn.h>
        #include <stdint.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/file.h>
        #include <sys/ioctl.h>
        #include <sys/mman.h>
        #include <sys/prctl.h>
        #include <sys/resource.h>
        #include <sys/shm.h>
        #include <sys/socket.h>
        #include <sys/stat.h>
        #include <sys/syscall.h>
        #include <sys/wait.h>
        #include <unistd.h>
        static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
        static char page[3 * 4096] __attribute__((aligned(4096)));
        static int input = -1;
        static void* mapping;
        extern char** environ;
        static void on_signal(int number) { (void)number; }
        static long raw(long number, long a) {
            long result;
            const char* code = (const char*)getuid;  // its instruction of libc's is not looked at
            while (memcmp(code, "\x0f\x05\xc3", 3)) ++code;
            __asm__ volatile("leaq -128(%%rsp), %%rsp; call *%3; leaq 128(%%rsp), %%rsp" : "=a"(result) : "a"(number), "D"(a), "r"(code) : "rcx", "r11", "memory");
            return result;
        }
        static void* body_of_another(void* p) { return p; }
        __attribute__((noinline)) static long left_on_stack(void) {
            long words[400], sum = 0;
            __asm__ volatile("" : "=m"(words));
            for (int i = 0; i < 400; ++i) sum = sum * 31 + words[i];
            return sum;
        }
)";

// One thread that does this, once started; what it returns is part of what happens.
std::string doing(const std::string& code) {
    return program(std::string(declarations) + R"(
        static long act(void) { )" +
                   code + R"( }
        static void* body(void* p) {
            (void)p; (void)on_signal; (void)raw; (void)page; (void)body_of_another; (void)left_on_stack;
            pthread_mutex_lock(&mutex);
            long result = act();
            pthread_mutex_unlock(&mutex);
            return (void*)result;
        }
        int main(void) {
            input = open("/etc/passwd", O_RDONLY);
            mapping = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            pthread_t t;
            pthread_create(&t, 0, body, 0);
            pthread_join(t, 0);
            return 0;
        })");
}

std::string name_of_line(const ::testing::TestParamInfo<std::pair<const char*, const char*>>& info) {
    return std::string(info.param.first);
}

// ---- changes that can be undone

class Undone : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(Undone, LeavesNoTrace) {
    const std::string path = doing(GetParam().second);
    ProcessTarget forked(restoring(path, Restore::never));
    const std::string story = story_of(forked.run(run_on()));
    ProcessTarget target(restoring(path));
    for (int i = 0; i < 12; ++i) ASSERT_EQ(story_of(target.run(run_on())), story) << i;
    EXPECT_EQ(target.restarts().discarded, 0u) << text_of(target.restarts());
    EXPECT_GE(target.restarts().restored, 9u) << text_of(target.restarts());
    EXPECT_EQ(target.restarts().differed, 0u);
}

const std::pair<const char*, const char*> undone[] = {
    {"Nothing", "return 1;"},
    {"Data", "static int count; return ++count;"},
    {"SharedMemoryOfSystemV",
     "int id = shmget(IPC_PRIVATE, 4096, 0600); char* at = shmat(id, 0, 0); shmctl(id, IPC_RMID, 0); return ++at[7];"},
    {"Heap", "char* block = malloc(100000); memset(block, 7, 100000); return (long)block;"},
    {"MuchHeap",
     "long sum = 0; for (int i = 0; i < 40; ++i) sum ^= (long)memset(malloc(300000), i, 300000); return sum;"},
    {"FreedLargeBlock",
     "char* block = malloc(3000000); block[5000] = 1; free(block); block = malloc(3000000); return block[5000];"},
    {"Stack",
     "volatile char deep[200000]; for (int i = 0; i < 200000; i += 100) deep[i] = (char)(deep[i] + 1); return deep[100];"},
    {"WhatMallocLeavesOnTheStack", "void* volatile block = malloc(100); (void)block; return left_on_stack();"},
    {"WhatANewThreadLeavesOnTheStack",
     "pthread_t t; pthread_create(&t, 0, body_of_another, 0); return left_on_stack();"},
    {"OpenDescriptor", "return open(\"/etc/passwd\", O_RDONLY);"},
    {"OpenStream", "return fileno(fopen(\"/etc/passwd\", \"r\"));"},
    {"ManyDescriptors", "int last = 0; for (int i = 0; i < 100; ++i) last = dup(0); return last;"},
    {"Pipe", "int ends[2]; return pipe(ends) + ends[1];"},
    {"Socket", "return socket(AF_UNIX, SOCK_STREAM, 0);"},
    {"Position", "char c[3]; read(input, c, 3); return lseek(input, 0, SEEK_CUR);"},
    {"Mapping", "char* p = mmap(0, 1 << 20, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); p[0] = 1; return (long)p;"},
    {"MappingNotTouched", "return (long)mmap(0, 1 << 20, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);"},
    {"MappingOfFile", "return (long)mmap(0, 4096, PROT_READ, MAP_SHARED, input, 0);"},
    {"SignalAction",
     "struct sigaction a = {0}, b; a.sa_handler = on_signal; sigaction(SIGUSR1, &a, &b); return b.sa_handler == SIG_DFL;"},
    {"SignalMask",
     "sigset_t s, b; sigemptyset(&s); sigaddset(&s, SIGUSR2); pthread_sigmask(SIG_BLOCK, &s, &b); return sigismember(&b, SIGUSR2);"},
    {"Environment", "char* old = getenv(\"LATE\"); setenv(\"LATE\", \"1\", 1); return old != 0;"},
    {"ExitHandler", "return atexit(abort) * 0 + 1;"},
    {"Locale", "return setlocale(LC_ALL, \"C.UTF-8\") != 0;"},
};
INSTANTIATE_TEST_SUITE_P(Restore, Undone, ::testing::ValuesIn(undone), name_of_line);

// ---- changes that cannot be undone

class Lasting : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(Lasting, DiscardsTheProcess) {
    const std::string path = doing(GetParam().second);
    ProcessTarget forked(restoring(path, Restore::never));
    const std::string story = story_of(forked.run(run_on()));
    ProcessTarget target(restoring(path));
    for (int i = 0; i < 4; ++i) ASSERT_EQ(story_of(target.run(run_on())), story) << i;
    EXPECT_EQ(target.restarts().restored, 0u) << text_of(target.restarts());
    EXPECT_GE(target.restarts().discarded, 3u);
    EXPECT_NE(target.restarts().discarded_because.find(GetParam().first), std::string::npos)
        << target.restarts().discarded_because;
}

const std::pair<const char*, const char*> lasting[] = {
    {"chdir", "return chdir(\"/\");"},
    {"umask", "return umask(077);"},
    {"close", "return close(input);"},
    {"dup2", "return dup2(0, input);"},
    {"fcntl", "return fcntl(input, F_SETFD, FD_CLOEXEC);"},
    {"flock", "return flock(input, LOCK_SH);"},
    {"ioctl", "int n; return ioctl(input, FIONREAD, &n);"},
    {"munmap", "return munmap(mapping, 4096);"},
    {"mprotect", "return mprotect(page, 4096, PROT_READ);"},
    {"madvise", "return madvise(mapping, 4096, MADV_DONTNEED);"},
    {"mremap", "return mremap(mapping, 8192, 16384, MREMAP_MAYMOVE) != MAP_FAILED;"},
    {"mmap", "return mmap(page, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == page;"},
    {"sbrk", "return sbrk(4096) != (void*)-1;"},
    {"mlock", "return mlock(page, 4096);"},
    {"setrlimit", "struct rlimit r = {9, 9}; return setrlimit(RLIMIT_CORE, &r);"},
    {"setpriority", "return setpriority(PRIO_PGRP, 0, 1);"},
    {"prctl", "return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);"},
    {"fork", "pid_t c = fork(); if (c == 0) _exit(0); int s; waitpid(c, &s, 0); return s;"},
    {"vfork", "pid_t c = vfork(); if (c == 0) _exit(0); int s; waitpid(c, &s, 0); return s;"},
    {"posix_spawn",
     "char* v[] = {\"true\", 0}; pid_t c; posix_spawnp(&c, \"true\", 0, 0, v, environ); int s; waitpid(c, &s, 0); return s;"},
    {"system", "return system(\"true\");"},
    {"syscall", "return syscall(SYS_umask, 077);"},
};
std::string name_of_call(const ::testing::TestParamInfo<std::pair<const char*, const char*>>& info) {
    return info.param.first;
}
INSTANTIATE_TEST_SUITE_P(Restore, Lasting, ::testing::ValuesIn(lasting), name_of_call);

TEST(Restore, IsGivenUpAfterAFewDiscardedProcesses) {
    ProcessTarget target(restoring(doing("return chdir(\"/\");"), Restore::while_worthwhile));
    for (int i = 0; i < 10; ++i) EXPECT_EQ(target.run(run_on()).verdict, Verdict::ok);
    const Restarts restarts = target.restarts();
    EXPECT_TRUE(restarts.given_up);
    EXPECT_EQ(restarts.discarded, 3u);
    EXPECT_EQ(restarts.forked, 10u);
    EXPECT_EQ(restarts.launched, 1u);
}

// ---- changes that raddle does not see

TEST(Restore, DetectsADifferenceFromAFreshProcess) {
    // An inline system call: no hook sees it.
    ProcessTarget target(restoring(doing("return raw(SYS_umask, 077) == 077 ? pthread_mutex_unlock(&mutex) : 0;")));
    target.run(run_on());
    const Execution second = target.run(run_on());
    EXPECT_EQ(second.verdict, Verdict::diverged);
    EXPECT_NE(second.message.find("differs from a fresh one"), std::string::npos) << second.message;
    EXPECT_EQ(target.restarts().differed, 1u);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(target.run(run_on()).verdict, Verdict::ok);  // forked from now on
}

TEST(Restore, DetectsADifferenceInMemory) {
    ProcessTarget target(restoring(doing("static volatile long seen; seen = raw(SYS_umask, 077); return 0;")));
    target.run(run_on());
    const Execution second = target.run(run_on());
    EXPECT_EQ(second.verdict, Verdict::diverged);
    EXPECT_NE(second.message.find("its memory at the end"), std::string::npos) << second.message;
}

TEST(Restore, IsNotBlamedForANondeterministicProgram) {
    ProcessTarget target(restoring(doing("static volatile long seen; seen = raw(SYS_getpid, 0); return 0;")));
    for (int i = 0; i < 20; ++i) EXPECT_EQ(target.run(run_on()).verdict, Verdict::ok);
    EXPECT_EQ(target.restarts().differed, 0u);
    EXPECT_GT(target.restarts().restored, 10u);
}

// ---- ends

TEST(Restore, RestoresAfterEveryKindOfEnd) {
    const std::pair<const char*, Verdict> ends[] = {
        {"exit(3);", Verdict::exit_status},
        {"_exit(4);", Verdict::exit_status},
        {"quick_exit(5);", Verdict::exit_status},
        {"abort();", Verdict::assertion},
        {"*(volatile int*)8 = 1; return 0;", Verdict::crash},
        {"pthread_mutex_lock(&mutex); return 0;", Verdict::deadlock},
    };
    for (const auto& [code, verdict] : ends) {
        ProcessTarget target(restoring(doing(code)));
        const std::string first = story_of(target.run(run_on()));
        for (int i = 0; i < 10; ++i) {
            const Execution execution = target.run(run_on());
            EXPECT_EQ(execution.verdict, verdict) << code << ": " << execution.message;
            EXPECT_EQ(story_of(execution), first) << code;
        }
        EXPECT_GE(target.restarts().restored, 9u) << code << text_of(target.restarts());
        EXPECT_EQ(target.restarts().discarded, 0u) << code << text_of(target.restarts());
    }
}

TEST(Restore, RestoresAfterPlansThatEndEarly) {
    ProcessTarget target(restoring(sample("ok/locks")));
    Plan stopped = following("T0*2 T1*2");
    stopped.tail.kind = TailKind::stop;
    Plan limited = run_on();
    limited.max_steps = 5;
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(target.run(stopped).verdict, Verdict::stopped);
        EXPECT_EQ(target.run(limited).verdict, Verdict::step_limit);
        EXPECT_EQ(target.run(following("T0 T3")).verdict, Verdict::diverged);
        EXPECT_EQ(target.run(run_on()).verdict, Verdict::ok);
    }
    EXPECT_EQ(target.restarts().discarded, 0u) << text_of(target.restarts());
}

TEST(Restore, ReplacesAProcessKilledByASignal) {
    ProcessTarget target(restoring(doing("raw(SYS_exit_group, 9); return 0;")));
    for (int i = 0; i < 3; ++i) EXPECT_EQ(target.run(run_on()).verdict, Verdict::uncontrolled);
    EXPECT_EQ(target.restarts().forked, 3u);
}

TEST(Restore, GivesTheOutputOnceForEachExecution) {
    ProcessOptions options = restoring(doing("printf(\"a line\\n\"); return 0;"));
    options.output = Output::capture;
    ProcessTarget target(options);
    for (int i = 0; i < 12; ++i) {
        target.run(run_on());
        EXPECT_EQ(target.output(), "a line\n") << i;
    }
    EXPECT_GE(target.restarts().restored, 9u);
}

// ---- samples

TEST(Restore, GivesTheSameAsForkingForAllSamples) {
    for (const char* name :
         {"ok/locks", "ok/cpp_threads", "ok/call_once_throws", "ok/sem_queue", "ok/pipes", "ok/timed_wait",
          "deadlock/condition_variable", "assert/queue_if", "crash/null_after_check", "misuse/freed_mutex"}) {
        ProcessTarget restored(restoring(sample(name))), forked(restoring(sample(name), Restore::never));
        for (std::uint64_t seed = 1; seed <= 20; ++seed)
            ASSERT_EQ(story_of(restored.run(random_plan(seed))), story_of(forked.run(random_plan(seed))))
                << name << " " << seed;
        EXPECT_EQ(restored.restarts().differed, 0u) << name;
        EXPECT_GT(restored.restarts().restored, 10u) << name << ": " << text_of(restored.restarts());
    }
}

// ---- without end

long resident_pages(int server) {
    std::ifstream list("/proc/" + std::to_string(server) + "/task/" + std::to_string(server) + "/children");
    int child = 0;
    list >> child;
    long mapped = 0, resident = 0;
    std::ifstream("/proc/" + std::to_string(child) + "/statm") >> mapped >> resident;
    return mapped + resident;
}

TEST(Restore, OneProcessDoesNotGrow) {
    ProcessOptions options =
        restoring(doing("char* p = malloc(200000); memset(p, 1, 200000); return open(\"/etc/passwd\", O_RDONLY);"));
    options.check_every = 0;
    ProcessTarget target(options);
    for (int i = 0; i < 100; ++i) target.run(run_on());
    const long before = resident_pages(target.server());
    const int executions = std::getenv("RADDLE_NIGHTLY") != nullptr ? 1000000 : 2000;
    for (int i = 0; i < executions; ++i) ASSERT_EQ(target.run(run_on()).verdict, Verdict::ok);
    EXPECT_GT(before, 0);
    EXPECT_EQ(resident_pages(target.server()), before);
    EXPECT_EQ(target.restarts().forked, 1u);
}

// The number of page faults so far of the processes that the server forked.
long faults_below(int server) {
    std::ifstream list("/proc/" + std::to_string(server) + "/task/" + std::to_string(server) + "/children");
    long all = 0;
    for (int child = 0; list >> child;) {
        std::ifstream stat("/proc/" + std::to_string(child) + "/stat");
        std::string word;
        for (int field = 1; field < 10 && stat >> word; ++field) {}
        long faults = 0;
        if (stat >> faults) all += faults;
    }
    return all;
}

// Their pages are put back anyway; giving them to the kernel first would cost a page fault each.
TEST(RestoredProcesses, FreeLargeBlocksOfTheStartWithoutPageFaults) {
    const std::string path = program(std::string(declarations) + R"(
        static char* blocks[64];
        static void* body(void* p) { pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); return p; }
        int main(void) {
            for (int i = 0; i < 64; ++i) memset(blocks[i] = malloc(65536), i + 1, 65536);
            pthread_t thread;
            pthread_create(&thread, 0, body, 0);
            pthread_join(thread, 0);
            for (int i = 0; i < 64; ++i) free(blocks[i]);
            for (int i = 0; i < 64; ++i) {
                char* again = calloc(1, 60000);
                for (int k = 0; k < 60000; ++k) if (again[k] != 0) return 1;
                free(again);
            }
            return 0;
        })");
    ProcessOptions options = restoring(path);
    options.check_every = 10;
    ProcessTarget target(options);
    const auto run = [&] { EXPECT_EQ(target.run(run_on()).verdict, Verdict::ok) << text_of(target.restarts()); };
    for (int i = 0; i < 21; ++i) run();  // checked against fresh processes, and the digests of their memory
    EXPECT_EQ(target.restarts().differed, 0u) << text_of(target.restarts());
    for (int i = 0; i < 3; ++i) run();
    const long before = faults_below(target.server());
    constexpr int executions = 5, pages = 64 * 16;
    for (int i = 0; i < executions; ++i) run();
    EXPECT_LT(faults_below(target.server()) - before, executions * pages / 10) << text_of(target.restarts());
    EXPECT_EQ(target.restarts().discarded, 0u) << text_of(target.restarts());
}

}  // namespace
}  // namespace raddle::testing
