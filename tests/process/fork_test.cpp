// Programs that fork: with --follow-forks the test is about the child forked before the first thread.

#include <gtest/gtest.h>

#include "tests/patience.h"
#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

// Runs `before`, then forks; the child runs `within`, then two threads that take a lock each, and exits with status 5.
std::string forking(const std::string& within, const std::string& before = "") {
    return program(
        "#include <pthread.h>\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
        "#include <sys/socket.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"
        "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
        "static void* body(void* p) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return p; }\n"
        "static int child(char** values) { pthread_t t[2]; (void)values;\n" +
        within +
        ";\n"
        "  for (int i = 0; i < 2; ++i) pthread_create(t + i, 0, body, 0);\n"
        "  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);\n"
        "  puts(\"child\"); return 5; }\n"
        "int main(int count, char** values) { int pair[2] = {-1, -1}; (void)pair;\n"
        "  if (count > 1) return child(values);\n" +
        before +
        ";\n"
        "  pid_t pid = fork();\n"
        "  if (pid == 0) exit(child(values));\n"
        "  waitpid(pid, 0, 0); puts(\"parent\"); return 3; }\n");
}

ProcessOptions following_forks(const std::string& path) {
    ProcessOptions options = running(path);
    options.follow_forks = true;
    return options;
}

// Checks that the child is under test: its events, the same in every execution, and its end.
void expect_child(const std::string& path, ForkAt way) {
    ProcessTarget target(following_forks(path));
    const Execution first = target.run(run_on());
    EXPECT_EQ(first.verdict, Verdict::exit_status) << first.message;
    EXPECT_EQ(first.exit_status, 5);
    EXPECT_EQ(target.output(), "child\n");
    const std::string story = story_of(first);
    EXPECT_NE(story.find("mutex_lock"), std::string::npos) << story;
    for (int i = 0; i < 5; ++i) EXPECT_EQ(story_of(target.run(run_on())), story);
    EXPECT_EQ(target.restart().way, way) << target.restart().why;
}

TEST(Fork, WithoutTheOptionTheParentIsTested) {
    ProcessTarget target(running(forking("")));
    const Execution execution = target.run(run_on());
    EXPECT_EQ(execution.exit_status, 3) << execution.message;
    EXPECT_EQ(target.output(), "child\nparent\n");
    EXPECT_EQ(story_of(execution).find("mutex_lock"), std::string::npos);
    // The report must not suggest that the child's threads were explored.
    EXPECT_NE(execution.external_event.find("a child process has threads"), std::string::npos)
        << execution.external_event;
}

TEST(Fork, ADeadlockInAnUntestedChildIsReported) {
    ProcessOptions options = running(forking("pthread_mutex_lock(&m); pthread_mutex_lock(&m)"));
    options.exec_timeout = short_watchdog;
    ProcessTarget target(options);
    const Execution execution = target.run(run_on());
    EXPECT_EQ(execution.verdict, Verdict::uncontrolled) << execution.message;
    EXPECT_NE(execution.external_event.find("wait for each other for ever"), std::string::npos)
        << execution.external_event;
}

// The same as natively: of the parent's threads, the child has only the one that forked.
TEST(Fork, AMutexHeldByAnotherThreadStaysLockedInTheChild) {
    const auto source = [](const std::string& in_child) {
        return program(
            "#include <pthread.h>\n#include <semaphore.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"
            "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static sem_t held, done;\n"
            "static void* holder(void* p) { pthread_mutex_lock(&m); sem_post(&held); sem_wait(&done); pthread_mutex_unlock(&m); return p; }\n"
            "int main(void) { pthread_t t; int status = 0; sem_init(&held, 0, 0); sem_init(&done, 0, 0);\n"
            "  pthread_create(&t, 0, holder, 0); sem_wait(&held); pid_t child = fork();\n"
            "  if (child == 0) { " +
            in_child +
            "; _exit(3); }\n"
            "  waitpid(child, &status, 0); sem_post(&done); pthread_join(t, 0); return WEXITSTATUS(status) - 3; }\n");
    };
    ProcessOptions options = running(source("pthread_mutex_lock(&m)"));
    options.exec_timeout = short_watchdog;
    ProcessTarget waiting(options);
    const Execution execution = waiting.run(run_on());
    EXPECT_EQ(execution.verdict, Verdict::uncontrolled) << execution.message;
    EXPECT_NE(execution.external_event.find("wait for each other for ever"), std::string::npos)
        << execution.external_event;
    ProcessTarget made_anew(running(source("pthread_mutex_init(&m, 0); pthread_mutex_lock(&m)")));
    EXPECT_EQ(made_anew.run(run_on()).verdict, Verdict::ok);
    EXPECT_EQ(made_anew.run(run_on()).external_event, "");
    ProcessTarget not_asked(running(source("")));
    EXPECT_EQ(not_asked.run(run_on()).verdict, Verdict::ok);
    // The schedule does not decide whether the other thread held the mutex at the fork: the report says so.
    ProcessTarget another(
        running(source("static pthread_mutex_t free_now = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&free_now)")));
    EXPECT_NE(another.run(run_on()).external_event.find("takes a mutex"), std::string::npos);
}

// A child that only runs and ends decides nothing; a handler for its end does.
TEST(Fork, DependenceOnTheSpeedOfAChildIsReported) {
    const std::string source =
        "#include <pthread.h>\n#include <spawn.h>\n#include <signal.h>\n#include <stdlib.h>\n#include <sys/wait.h>\n"
        "#include <unistd.h>\nextern char** environ;\nstatic volatile int came;\nstatic void on(int s) { came = s; }\n"
        "static void* body(void* p) { for (int i = 0; i < 20; ++i) usleep(1000); return p; }\n"
        "int main(int count, char** values) { pthread_t t; pid_t child; char* words[] = {\"sh\", \"-c\", \"sleep 0.01\", 0};\n"
        "  (void)values; if (count > 1) signal(SIGCHLD, on);\n"
        "  pthread_create(&t, 0, body, 0); posix_spawnp(&child, \"sh\", 0, 0, words, environ);\n"
        "  waitpid(child, 0, 0); pthread_join(t, 0); return 0; }\n";
    ProcessTarget quiet(running(program(source)));
    EXPECT_EQ(quiet.run(run_on()).external_event, "");
    ProcessOptions options = running(program(source));
    options.argv.push_back("handler");
    ProcessTarget handling(options);
    EXPECT_NE(handling.run(run_on()).external_event.find("a signal from outside"), std::string::npos);
}

TEST(Fork, TheChildIsTestedAndForkedFromItsFirstThread) { expect_child(forking(""), ForkAt::first_thread); }

TEST(Fork, AProgramExecutedByTheChildIsTested) {
    expect_child(forking("if (values[1] == 0) { char* again[] = {values[0], \"again\", 0}; execv(values[0], again); }"),
                 ForkAt::first_thread);
}

TEST(Fork, AChildOfAChildIsTested) {  // as daemons do
    expect_child(forking("setsid(); if (fork() != 0) _exit(0)"), ForkAt::first_thread);
}

TEST(Fork, AChildWithASocketToItsParentIsLaunchedForEachExecution) {
    expect_child(forking("", "socketpair(AF_UNIX, SOCK_STREAM, 0, pair)"), ForkAt::start);
}

TEST(Fork, TheEndOfTheChildIsTheResult) {
    ProcessTarget target(following_forks(forking("signal(SIGSEGV, SIG_DFL); *(volatile int*)0 = 1")));
    const Execution execution = target.run(run_on());
    EXPECT_EQ(execution.verdict, Verdict::crash);
    EXPECT_NE(execution.message.find("SIGSEGV"), std::string::npos) << execution.message;
    ProcessTarget aborting(following_forks(forking("abort()")));
    EXPECT_EQ(aborting.run(run_on()).verdict, Verdict::assertion);
}

TEST(Fork, ADeadlockInTheChildIsFound) {
    ProcessTarget target(
        following_forks(forking("pthread_create(t, 0, body, 0); pthread_mutex_lock(&m); pthread_join(t[0], 0)")));
    const Execution execution = target.run(run_on());
    EXPECT_EQ(execution.verdict, Verdict::deadlock) << execution.message;
}

TEST(Fork, NoProcessRemains) {
    const std::string path = forking("");
    {
        ProcessTarget target(following_forks(path));
        target.run(run_on());
        target.run(run_on());
    }
    // The kernel kills the child together with its parent.
    EXPECT_TRUE(eventually([&] { return processes_of(path) == 0; }));
}

}  // namespace
}  // namespace raddle::testing
