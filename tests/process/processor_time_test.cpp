// The processor time of a program counts, whatever becomes of its processes.
#include "supervisor/base/processor_time.h"

#include <gtest/gtest.h>

#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

// The program asks the kernel how much processor time it used, and ends when it was enough. Its own process, a child
// that it waits for, and a process that is put back: nobody waits for the last one when the target ends.
TEST(ProcessorTime, OfAProgramCounts) {
    const std::string path = program(R"(
        #define _GNU_SOURCE
        #include <pthread.h>
        #include <sys/resource.h>
        #include <sys/syscall.h>
        #include <sys/wait.h>
        #include <unistd.h>
        static long used(void) {
            struct rusage usage;
            syscall(SYS_getrusage, RUSAGE_SELF, &usage);
            return usage.ru_utime.tv_sec * 1000000 + usage.ru_utime.tv_usec + usage.ru_stime.tv_sec * 1000000 + usage.ru_stime.tv_usec;
        }
        static void compute(void) { for (const long begin = used(); used() - begin < 60000;) ; }
        static void* body(void* p) { compute(); return p; }
        int main(void) {
            pthread_t thread;
            pthread_create(&thread, 0, body, 0);
            pthread_join(thread, 0);
            const pid_t child = fork();
            if (child == 0) { compute(); _exit(0); }
            waitpid(child, 0, 0);
            return 0;
        })");
    for (const Restore way : {Restore::whenever_possible, Restore::never}) {
        const double before = processor_seconds();
        {
            ProcessOptions options = running(path);
            options.restore = way;
            options.check_every = 0;
            ProcessTarget target(options);
            for (int i = 0; i < 3; ++i) EXPECT_EQ(target.run(run_on()).verdict, Verdict::ok);
        }
        // The kernel counts children in hundredths of a second.
        EXPECT_GE(processor_seconds() - before, 3 * (0.06 + 0.05));
    }
}

}  // namespace
}  // namespace raddle::testing
