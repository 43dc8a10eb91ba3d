// Programs that call exec: followed until there is a second thread, and afterwards reported as lost.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

// A shell script that ends with these words, next to the other files of the tests.
std::string script(const std::string& words) {
    static int number = 0;
    const std::filesystem::path folder = std::filesystem::path(program("int main(void) { return 0; }")).parent_path();
    const std::filesystem::path path = folder / ("script" + std::to_string(++number));
    std::ofstream(path) << "#!/bin/sh\n" << words << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path.string();
}

// Replaces itself by `call` unless it was started with an argument; then two threads take a lock each.
std::string replacing_itself(const std::string& call, const std::string& flags = "") {
    return program(
        "#define _GNU_SOURCE\n#include <fcntl.h>\n#include <pthread.h>\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
        "#include <string.h>\n#include <sys/syscall.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"
        "extern char** environ;\n"
        "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
        "static void* body(void* p) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return p; }\n"
        "static void threads(void) { pthread_t t[2];\n"
        "  for (int i = 0; i < 2; ++i) pthread_create(t + i, 0, body, 0);\n"
        "  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0); }\n"
        "int main(int count, char** values) {\n"
        "  char* again[] = {values[0], \"again\", 0};\n"
        "  if (count == 1) { " +
            call +
            "; perror(\"not replaced\"); return 9; }\n"
            "  threads(); puts(\"threads done\"); return 0; }\n",
        flags);
}

// The same events twice, forked from the new program.
void expect_followed(const std::string& path, const std::string& output = "threads done\n") {
    ProcessTarget target(running(path));
    const Execution first = target.run(run_on());
    EXPECT_EQ(first.verdict, Verdict::ok) << path << ": " << first.message;
    EXPECT_EQ(target.output(), output);
    const std::string story = story_of(first);
    EXPECT_NE(story.find("mutex_lock"), std::string::npos) << story;
    EXPECT_EQ(story_of(target.run(run_on())), story);
    EXPECT_EQ(target.launches(), 1u);
    EXPECT_EQ(target.restart().way, ForkAt::first_thread);
}

TEST(Exec, AScriptThatExecsIsFollowed) {
    expect_followed(script("exec " + replacing_itself("") + " again"));
    expect_followed(script("cd /; name=$(basename /a/b)\nexec " + replacing_itself("") + " \"$name\""));
}

TEST(Exec, EveryExecFunctionIsFollowed) {
    for (const char* call :
         {"execv(values[0], again)", "execve(values[0], again, environ)", "execvp(values[0], again)",
          "execvpe(values[0], again, environ)", "execl(values[0], values[0], \"again\", (char*)0)",
          "execlp(values[0], values[0], \"again\", (char*)0)",
          "execle(values[0], values[0], \"a\", \"b\", \"c\", (char*)0, environ)",
          "fexecve(open(values[0], O_RDONLY), again, environ)", "execveat(AT_FDCWD, values[0], again, environ, 0)",
          "syscall(SYS_execve, values[0], again, environ)"})
        expect_followed(replacing_itself(call));
}

TEST(Exec, ReportsNameTheNewProgram) {
    const std::string path = replacing_itself("execv(values[0], again)");
    ProcessTarget target(running(script("exec " + path)));
    ASSERT_EQ(target.run(run_on()).verdict, Verdict::ok);
    ASSERT_FALSE(target.modules().empty());
    EXPECT_EQ(target.modules()[0].path, path);
}

TEST(Exec, TheEnvironmentIsTheProgramsOwn) {
    const std::string path = program(
        "#define _GNU_SOURCE\n#include <pthread.h>\n#include <stdio.h>\n#include <unistd.h>\n"
        "static void* body(void* p) { return p; }\n"
        "int main(int count, char** values, char** environment) { pthread_t t;\n"
        "  char* entries[] = {\"ONE=1\", \"LD_PRELOAD=\", 0};\n"
        "  if (count == 1) { execle(values[0], values[0], \"x\", (char*)0, entries); return 9; }\n"
        "  pthread_create(&t, 0, body, 0); pthread_join(t, 0);\n"
        "  for (; *environment; ++environment) puts(*environment); return 0; }\n");
    ProcessTarget target(running(path));
    EXPECT_EQ(target.run(run_on()).verdict, Verdict::ok);
    EXPECT_EQ(target.output(), "ONE=1\n");
}

TEST(Exec, AFailedExecChangesNothing) {
    expect_followed(replacing_itself(
        "execl(\"/nowhere/x\", \"x\", (char*)0); execlp(\"nowhere-x\", \"x\", (char*)0); threads(); puts(\"threads done\"); return 0"));
    expect_followed(replacing_itself(
        "threads(); execl(\"/nowhere/x\", \"x\", (char*)0); execlp(\"nowhere-x\", \"x\", (char*)0); puts(\"threads done\"); return 0"));
}

TEST(Exec, TheSignalMaskIsInherited) {
    expect_followed(
        program("#include <pthread.h>\n#include <signal.h>\n#include <stdio.h>\n#include <unistd.h>\n"
                "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                "static void* body(void* p) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return p; }\n"
                "int main(int count, char** values) { sigset_t set; pthread_t t; sigemptyset(&set);\n"
                "  if (count == 1) { sigaddset(&set, SIGUSR1); sigprocmask(SIG_BLOCK, &set, 0);\n"
                "    execl(values[0], values[0], \"again\", (char*)0); return 9; }\n"
                "  sigprocmask(SIG_BLOCK, 0, &set);\n"
                "  pthread_create(&t, 0, body, 0); pthread_join(t, 0);\n"
                "  printf(\"%d %d\\n\", sigismember(&set, SIGUSR1), sigismember(&set, SIGUSR2)); return 0; }\n"),
        "1 0\n");
}

TEST(Exec, AnExecAfterTheFirstThreadEndsTheExecution) {
    ProcessTarget target(running(replacing_itself("threads(); execv(values[0], again)")));
    for (int i = 0; i < 2; ++i) {
        const Execution execution = target.run(run_on());
        EXPECT_EQ(execution.verdict, Verdict::ok);
        EXPECT_NE(execution.external_event.find("after its first thread the program replaced itself"),
                  std::string::npos)
            << execution.external_event;
    }
}

TEST(Exec, AProgramThatCannotBeFollowedIsNamed) {
    const std::string path = replacing_itself("", "-static");
    ProcessTarget target(running(script("exec " + path + " again")));
    const Execution execution = target.run(run_on());
    EXPECT_EQ(execution.verdict, Verdict::uncontrolled);
    EXPECT_NE(execution.message.find("replaced itself (exec) by " + path), std::string::npos) << execution.message;
}

TEST(Exec, AnExecAfterTheForkIsLaunchedForEachExecution) {
    ProcessOptions options = running(replacing_itself("execv(values[0], again)"));
    options.fork_at = ForkAt::start;
    ProcessTarget target(options);
    const std::string story = story_of(target.run(run_on()));
    for (int i = 0; i < 4; ++i) EXPECT_EQ(story_of(target.run(run_on())), story);
    EXPECT_NE(story.find("mutex_lock"), std::string::npos) << story;
    EXPECT_EQ(target.launches(), 1u);
}

TEST(Exec, ChildrenRunFree) {
    expect_followed(
        replacing_itself("int status; if (fork() == 0) { execv(\"/bin/true\", again); _exit(1); } wait(&status);"
                         "if (vfork() == 0) { execv(\"/bin/true\", again); _exit(1); } wait(&status);"
                         "if (status != 0) return 8; execv(values[0], again)"));
}

}  // namespace
}  // namespace raddle::testing
