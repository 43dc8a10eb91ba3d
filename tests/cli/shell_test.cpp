// raddle replay --shell: the schedule of a bug by hand, without a debugger.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/command_line.h"

namespace raddle::testing {
namespace {

using ::testing::HasSubstr;

std::string in_shell(const std::string& bug, const std::string& commands) {
    Conditions conditions{};
    conditions.input = commands;
    const Ended session = raddle({"replay", bug, "--shell"}, conditions);
    EXPECT_EQ(session.status, 0) << session.errors;
    return session.out;
}

std::string bug_in(const std::string& bugs) { return std::filesystem::directory_iterator(bugs)->path().string(); }

TEST(Shell, GoesThroughADeadlock) {
    const PrivateDirectory place;
    ASSERT_EQ(raddle({"run", "--quiet", "--no-store", "--memory", "sync", "--bugs", place / "b", "--",
                      sample("deadlock/abba")})
                  .status,
              1);
    const std::string bug = bug_in(place / "b");
    EXPECT_EQ(in_shell(bug, ""),
              "step 6 of 6: T2 locks mutex b (abba.c:22)\n"
              "deadlock: nobody can go on: T0 in thread_join, T1 in mutex_lock, T2 in mutex_lock\n");
    const std::string session = in_shell(bug, "why\nback\nthreads\nback 3\nstep\ngoto 6\nlocks\nbt T1\n");
    for (const char* part :
         {"T1 holds mutex a and waits for mutex b; T2 holds mutex b and waits for mutex a", "step 5 of 6: T2 starts\n",
          "T1 can go on: locks mutex b at abba.c:12", "step 2 of 6: T0 creates T2 (abba.c:34)\n",
          "step 3 of 6: T1 starts\n", "mutex a\n  T1 holds it, taken at abba.c:11\n  T2 waits for it at abba.c:23\n",
          "a_to_b (abba.c:12)"})
        EXPECT_THAT(session, HasSubstr(part));
}

// The value printed is that of the process at the step: it follows the schedule forwards and backwards.
TEST(Shell, PrintsVariablesOfOrdinaryBuilds) {
    for (const char* level : {"-O0", "-O2"}) {
        const PrivateDirectory place;
        std::ofstream(place / "count.c")
            << "#include <pthread.h>\nint x = 40; short s = -3; char text[3] = {1, 2, 3};\n"
               "static void* body(void* p) {\n    int now = x;\n    x = now + 1;\n    return p;\n}\n"
               "int main(void) {\n    pthread_t a, b;\n    pthread_create(&a, 0, body, 0);\n    pthread_create(&b, 0, body, 0);\n"
               "    pthread_join(a, 0);\n    pthread_join(b, 0);\n    return x == 42 ? 0 : s + text[0] + 3;\n}\n";
        ASSERT_EQ(execute({"gcc", "-g", level, "-pthread", "-o", place / "count", place / "count.c"}).status, 0);
        ASSERT_EQ(raddle({"run", "--quiet", "--no-store", "--bugs", place / "b", "--", place / "count"}).status, 1);
        const std::string session =
            in_shell(bug_in(place / "b"), "print x\ngoto 0\nprint x\nprint s\nprint text\nprint nothing\nprint\n");
        EXPECT_THAT(session, HasSubstr("x = 41 (0x29)\nstep 0 of ")) << level;
        EXPECT_THAT(session, HasSubstr("x = 40 (0x28)\ns = -3 (0xfffd)\ntext = 010203 (3 bytes)\n")) << level;
        EXPECT_THAT(session, HasSubstr("there is no global variable 'nothing'"));
        EXPECT_THAT(session, HasSubstr("expected the name of a global variable"));
    }
}

TEST(Shell, SaysWhatItDoesNotUnderstand) {
    const PrivateDirectory place;
    ASSERT_EQ(raddle({"run", "--quiet", "--no-store", "--bugs", place / "b", "--", sample("deadlock/abba")}).status, 1);
    const std::string session =
        in_shell(bug_in(place / "b"), "dance\nstep x\nback 1 2\ngoto 999999999999\nstep\nhelp\nquit\nback\n");
    for (const char* part :
         {"there is no command 'dance'", "expected a number of steps, not 'x'", "'2' is too much",
          "expected a number of steps, not '999999999999'", "the execution is over; back goes back", "print VAR"})
        EXPECT_THAT(session, HasSubstr(part));
    EXPECT_EQ(raddle({"replay", "1", "--shell", "--gdb"}).status, 2);
}

}  // namespace
}  // namespace raddle::testing
