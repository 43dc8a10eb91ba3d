// Debugging a bug in gdb, by scripts: the commands a person would type, and the output they would read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/command_line.h"
#include "tests/patience.h"

namespace raddle::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

// Shared by all tests, because a session does not change the bug.
std::string bug_of(const std::string& name, const std::vector<std::string>& more = {}) {
    static const PrivateDirectory place;
    const std::string bugs = place.path() + "/" + name;
    if (!fs::exists(bugs)) {
        std::vector<std::string> words = {"run", "--quiet", "--no-store", "--bugs", bugs};
        words.insert(words.end(), more.begin(), more.end());
        words.insert(words.end(), {"--", sample(name)});
        EXPECT_EQ(raddle(words).status, 1);
    }
    return fs::directory_iterator(bugs)->path().string();
}

std::string script(const std::vector<std::string>& commands) {
    std::string text;
    for (const std::string& command : commands) text += "echo \\n=== " + command + "\\n\n" + command + "\n";
    return text;
}

// The output between this command and the next.
std::string said_to(const std::string& command, const std::string& session) {
    const std::string mark = "=== " + command + "\n";
    const std::size_t at = session.find(mark);
    if (at == std::string::npos) return "(" + command + " was not reached)";
    const std::size_t begin = at + mark.size();
    return session.substr(begin, session.find("\n=== ", begin) - begin);
}

Conditions typing(const std::vector<std::string>& commands) {
    Conditions conditions{};
    conditions.input = script(commands);
    return conditions;
}

Conditions with(const std::string& variable) {
    Conditions conditions{};
    conditions.environment = {variable};
    return conditions;
}

std::string in_gdb(const std::string& bug, const std::vector<std::string>& commands) {
    const Ended session = raddle({"replay", bug, "--gdb"}, typing(commands));
    EXPECT_EQ(session.status, 0) << session.out << session.errors;
    EXPECT_THAT(session.errors, Not(HasSubstr("Traceback")));
    EXPECT_THAT(session.out + session.errors, Not(HasSubstr("Python Exception")));
    return session.out + session.errors;
}

const char* const every_stack_of_abba = "#[0-9]+ .* in main \\(.*#[0-9]+ .* in a_to_b \\(.*#[0-9]+ .* in b_to_a \\(";

TEST(Gdb, StopsAtADeadlockAndShowsStacksLocksAndEarlierSteps) {
    const std::string session = in_gdb(
        bug_of("deadlock/abba"), {"run", "raddle bt all", "raddle why", "raddle locks", "raddle back", "raddle threads",
                                  "raddle back 2", "raddle step", "raddle goto 6", "continue"});
    EXPECT_THAT(
        said_to("run", session),
        HasSubstr(
            "raddle: deadlock: nobody can go on: T0 in thread_join, T1 in mutex_lock, T2 in mutex_lock, after 6 steps, as recorded"));
    EXPECT_THAT(said_to("raddle bt all", session),
                AllOf(ContainsRegex(every_stack_of_abba),
                      ContainsRegex("pthread_mutex_lock[ \n].*pthread_mutex_lock[ \n]"), Not(HasSubstr("fiber"))));
    EXPECT_THAT(said_to("raddle why", session),
                HasSubstr("T1 holds mutex a and waits for mutex b; T2 holds mutex b and waits for mutex a"));
    EXPECT_THAT(said_to("raddle locks", session),
                HasSubstr("mutex a\n  T1 holds it, taken at abba.c:11\n  T2 waits for it at abba.c:23\n"));
    EXPECT_THAT(said_to("raddle back", session), HasSubstr("raddle: step 5 of 6: T2 starts"));
    EXPECT_EQ(
        said_to("raddle threads", session),
        "(gdb)   T0 waits for T1 to end at abba.c:35\n  T1 can go on: locks mutex b at abba.c:12\n* T2 runs\n(gdb) ");
    EXPECT_THAT(said_to("raddle back 2", session), HasSubstr("raddle: step 3 of 6: T1 starts"));
    EXPECT_THAT(said_to("raddle step", session), AllOf(HasSubstr("raddle: step 4 of 6: T1 locks mutex a (abba.c:11)"),
                                                       HasSubstr("pthread_mutex_lock(&a);")));
    EXPECT_THAT(said_to("raddle goto 6", session), HasSubstr("raddle: step 6 of 6: T2 locks mutex b (abba.c:22)"));
    EXPECT_THAT(said_to("continue", session), HasSubstr("raddle: deadlock: "));
}

TEST(Gdb, HonoursBreakpointsAndShowsTheVariablesOfAWaitingThread) {
    const std::string session =
        in_gdb(bug_of("deadlock/abba"), {"break abba.c:22", "run", "info threads", "raddle thread T0",
                                         "print second != 0", "raddle thread T9", "next", "print unused"});
    EXPECT_THAT(said_to("run", session),
                AllOf(HasSubstr("Breakpoint 1, b_to_a"), HasSubstr("raddle: T2 runs, after step 5")));
    EXPECT_THAT(said_to("info threads", session), HasSubstr("\"T2\""));
    EXPECT_THAT(said_to("raddle thread T0", session),
                AllOf(HasSubstr("main ()"), HasSubstr("pthread_join(first, NULL);")));
    EXPECT_THAT(said_to("print second != 0", session), HasSubstr("$1 = 1"));
    EXPECT_THAT(session, HasSubstr("there is no thread 'T9'; 'raddle threads' lists them"));
    EXPECT_THAT(said_to("next", session), HasSubstr("pthread_mutex_lock(&a);"))
        << "of the thread that runs, over the call";
}

TEST(Gdb, StopsAtACrashAndExplainsIt) {
    const std::string session = in_gdb(bug_of("crash/null_after_check"), {"run", "continue", "raddle why", "bt"});
    EXPECT_THAT(said_to("run", session),
                AllOf(HasSubstr("SIGSEGV"), HasSubstr("++*session;"), HasSubstr("T1 crashes, after step 10")));
    EXPECT_THAT(said_to("continue", session),
                HasSubstr("raddle: crash: SIGSEGV in T1 at address 0x0, after 10 steps, as recorded"));
    EXPECT_THAT(said_to("raddle why", session),
                HasSubstr("crash: T1 accesses null (SIGSEGV), in use() at null_after_check.c:19"));
    EXPECT_THAT(said_to("bt", session), HasSubstr("in use ("));
}

TEST(Gdb, ShowsTheThreadThatCrashedThoughOthersWentOn) {
    const PrivateDirectory place;
    const std::string source = place / "after.c", program = place / "after", bugs = place / "bugs";
    std::ofstream(source) << "#include <pthread.h>\n"
                             "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                             "static void use(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }\n"
                             "static void* bad(void* p) { use(); *(volatile int*)p = 1; return 0; }\n"
                             "static void* late(void* p) { use(); use(); return p; }\n"
                             "int main(void) {\n    pthread_t a, b;\n    pthread_create(&a, 0, bad, 0);\n"
                             "    pthread_create(&b, 0, late, 0);\n    pthread_join(a, 0);\n    return 0;\n}\n";
    ASSERT_EQ(execute({"gcc", "-g", "-pthread", "-o", program, source}).status, 0);
    ASSERT_EQ(raddle({"run", "--quiet", "--no-store", "--memory", "sync", "--bugs", bugs, "--", program}).status, 1);
    const Ended session = raddle({"replay", fs::directory_iterator(bugs)->path().string(), "--gdb"},
                                 typing({"run", "continue", "bt", "raddle threads", "raddle bt all"}));
    EXPECT_THAT(said_to("continue", session.out), HasSubstr("after 5 steps, as recorded")) << session.errors;
    EXPECT_THAT(said_to("bt", session.out), HasSubstr("in bad ("));
    EXPECT_THAT(said_to("raddle threads", session.out),
                AllOf(HasSubstr("* T1 ended the process"), HasSubstr("  T2 has ended")));
    EXPECT_THAT(said_to("raddle bt all", session.out), HasSubstr("in bad ("));
}

TEST(Gdb, WorksInTheCLocaleWithNamesOutsideAscii) {
    const PrivateDirectory place;
    const std::string source = place / "named.c", program = place / "named", bugs = place / "bugs";
    std::ofstream(source)
        << "#define _GNU_SOURCE\n#include <assert.h>\n#include <pthread.h>\n"
           "static void* body(void* p) {\n    pthread_setname_np(pthread_self(), \"caf\u00e9\");\n    assert(0 && \"\u2026\");\n    return p;\n}\n"
           "int main(void) {\n    pthread_t t;\n    pthread_create(&t, 0, body, 0);\n    pthread_join(t, 0);\n    return 0;\n}\n";
    ASSERT_EQ(execute({"gcc", "-g", "-pthread", "-o", program, source}).status, 0);
    ASSERT_EQ(raddle({"run", "--quiet", "--no-store", "--bugs", bugs, "--", program}).status, 1);
    Conditions conditions =
        typing({"help raddle", "run", "info threads", "raddle threads", "raddle why", "raddle bt all"});
    conditions.environment = {"LC_ALL=C"};
    const Ended session = raddle({"replay", fs::directory_iterator(bugs)->path().string(), "--gdb"}, conditions);
    EXPECT_EQ(session.status, 0) << session.out << session.errors;
    EXPECT_THAT(session.out + session.errors, AllOf(Not(HasSubstr("Traceback")), Not(HasSubstr("Python Exception"))));
    EXPECT_THAT(said_to("help raddle", session.out), HasSubstr("raddle bt [all|T1 T2 ...]"));
    EXPECT_THAT(said_to("run", session.out), HasSubstr("assertion failed")) << session.errors;
    EXPECT_THAT(said_to("info threads", session.out), HasSubstr("\"T1 caf?\"")) << session.errors;
    EXPECT_THAT(said_to("raddle threads", session.out), HasSubstr("\"caf\u00e9\"")) << session.errors;
    EXPECT_THAT(said_to("raddle bt all", session.out), HasSubstr("in body (")) << session.errors;
}

TEST(Gdb, StopsAtAMisuse) {
    const std::string session =
        in_gdb(bug_of("misuse/unlock_not_owner", {"--bound", "1"}), {"run", "raddle why", "bt"});
    EXPECT_THAT(
        said_to("run", session),
        HasSubstr("T2 unlocks mutex m (unlock_not_owner.c:18): misuse, it unlocks a lock that another thread holds"));
    EXPECT_THAT(said_to("raddle why", session), HasSubstr("misuse: "));
    EXPECT_THAT(said_to("bt", session), HasSubstr("in look ("));
}

TEST(Gdb, LetsACorrectProgramEnd) {
    const std::string fixed = sample("ok/abba");
    const Ended session =
        raddle({"replay", bug_of("deadlock/abba"), "--gdb", "--", fixed}, typing({"run", "raddle threads"}));
    EXPECT_THAT(session.out, HasSubstr("exited normally"));
    EXPECT_THAT(session.errors, AllOf(HasSubstr("the schedule is followed as well as could be"),
                                      HasSubstr("the program does not run; 'run' starts it")));
}

TEST(Gdb, IsStartedByTheScriptInTheBugsDirectory) {
    const std::string bug = bug_of("deadlock/abba");
    const Ended session =
        execute({"env", "-C", "/", "RADDLE=" RADDLE_BUILD_DIR "/bin/raddle", "gdb", "-q", "-x", bug + "/repro.gdb"},
                typing({"run", "raddle why"}));
    EXPECT_EQ(session.status, 0) << session.errors;
    EXPECT_THAT(said_to("raddle why", session.out), HasSubstr("T1 holds mutex a and waits for mutex b"))
        << session.out << session.errors;
}

// Two threads add to a field behind a pointer: -O2 makes of it instructions that are too short for a jump to the shim.
std::string build_of_counter(const PrivateDirectory& place, const std::string& level) {
    std::ofstream(place / "node.c")
        << "#include <assert.h>\n#include <pthread.h>\nstruct node { int value; int seen; };\nstatic struct node shared;\n"
           "static void add(struct node* n, int by) {\n    int now = n->value;\n    n->value = now + by;\n    n->seen = 1;\n}\n"
           "static void* body(void* p) {\n    add(p, 1);\n    return p;\n}\n"
           "int main(void) {\n    pthread_t a, b;\n    pthread_create(&a, 0, body, &shared);\n"
           "    pthread_create(&b, 0, body, &shared);\n    pthread_join(a, 0);\n    pthread_join(b, 0);\n"
           "    assert(shared.value == 2);\n    return 0;\n}\n";
    EXPECT_EQ(execute({"gcc", "-g", level, "-pthread", "-o", place / "node", place / "node.c"}).status, 0);
    EXPECT_EQ(raddle({"run", "--quiet", "--no-store", "--bugs", place / "bugs", "--", place / "node"}).status, 1);
    return fs::directory_iterator(place / "bugs")->path().string();
}

int free_port() {
    const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t bytes = sizeof address;
    EXPECT_EQ(::bind(descriptor, reinterpret_cast<sockaddr*>(&address), bytes), 0);
    EXPECT_EQ(::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &bytes), 0);
    ::close(descriptor);
    return ntohs(address.sin_port);
}

// A raddle --gdbserver in the background, and the file that connects to it.
class Server {
public:
    explicit Server(const std::string& bug)
        : running_([this, bug] {
              ended =
                  raddle({"replay", bug, "--gdbserver", ":" + std::to_string(port)}, with("TMPDIR=" + scratch.path()));
          }) {
        EXPECT_TRUE(eventually([&] {
            for (const auto& entry : fs::directory_iterator(scratch.path()))
                if (fs::exists(entry.path() / "connect.gdb")) connect = entry.path() / "connect.gdb";
            return !connect.empty();
        }));
    }
    ~Server() { end(); }
    void end() {
        if (running_.joinable()) running_.join();
    }

    const PrivateDirectory scratch;
    const int port = free_port();
    std::string connect;
    Ended ended;

private:
    std::thread running_;
};

TEST(Gdbserver, GivesTheSameSessionToAGdbElsewhere) {
    Server server(bug_of("deadlock/abba"));
    // The line with the address appears before gdbserver listens; gdb keeps trying for 15 seconds.
    const Ended session = execute({"gdb", "-q", "-iex", "set sysroot /", "-x", server.connect, sample("deadlock/abba")},
                                  typing({"continue", "raddle bt all", "raddle why", "raddle back", "monitor exit"}));
    server.end();
    EXPECT_THAT(said_to("continue", session.out), HasSubstr("raddle: deadlock: ")) << session.errors;
    EXPECT_THAT(said_to("raddle bt all", session.out), ContainsRegex(every_stack_of_abba));
    EXPECT_THAT(said_to("raddle why", session.out),
                HasSubstr("T1 holds mutex a and waits for mutex b; T2 holds mutex b and waits for mutex a"));
    EXPECT_THAT(said_to("raddle back", session.out), HasSubstr("raddle: step 5 of 6: T2 starts"));
    EXPECT_THAT(server.ended.errors, HasSubstr("raddle: to look at it: gdb -x " + server.connect));
    EXPECT_TRUE(fs::is_empty(server.scratch.path())) << "a session leaves nothing behind";
}

// The protocol of editors, as the entry of launch.json in docs/bugs.md leads to it, on a bug in memory accesses.
TEST(Gdbserver, ServesEditorsThroughTheMachineInterface) {
    const PrivateDirectory place;
    Server server(build_of_counter(place, "-O2"));
    const std::string script = fs::path(server.connect).replace_filename("raddle.py");
    Conditions conditions{};
    conditions.input =
        "-interpreter-exec console \"source " + script +
        "\"\n-target-select extended-remote localhost:" + std::to_string(server.port) +
        "\n-break-insert node.c:7\n-exec-continue\n-stack-list-frames 0 1\n-exec-continue\n-break-delete 1\n"
        "-exec-continue\n-interpreter-exec console \"raddle why\"\n-interpreter-exec console \"raddle back 3\"\n"
        "-interpreter-exec console \"monitor exit\"\n-gdb-exit\n";
    const Ended session =
        execute({"gdb", "-q", "-nx", "--interpreter=mi3", "-iex", "set sysroot /", place / "node"}, conditions);
    server.end();
    EXPECT_THAT(session.out,
                AllOf(HasSubstr("reason=\"breakpoint-hit\""), ContainsRegex("frame=.level=\"0\".*line=\"7\""),
                      HasSubstr("T0 failed here: main (node.c:20)"), HasSubstr("raddle: step 13 of 16"),
                      Not(HasSubstr("^error"))))
        << session.errors;
}

TEST(Gdb, IsRequestedInOneLineIfItIsNotInstalled) {
    for (const std::string debugger : {"gdb", "gdbserver"}) {
        std::vector<std::string> words = {"replay", bug_of("deadlock/abba"), "--" + debugger};
        if (debugger == "gdbserver") words.emplace_back(":1234");
        const Ended outcome = raddle(words, with("PATH=/nowhere"));
        EXPECT_EQ(outcome.status, 2);
        EXPECT_EQ(
            outcome.errors,
            "raddle: " + debugger + " is not installed, or not in PATH; on Debian: apt-get install " + debugger + "\n");
    }
}

// Two breakpoints, one of them on an instruction that raddle changes: hit as often as natively, and the stacks of all
// threads lead through the changed code to the lines and variables of the program.
TEST(Gdb, FollowsBugsInMemoryAccessesOfOrdinaryBuilds) {
    for (const std::string level : {"-O0", "-O2"}) {
        const PrivateDirectory place;
        const std::string bug = build_of_counter(place, level);
        const Ended native = execute({"gdb", "-q", "-nx", place / "node"},
                                     typing({"break node.c:7", "break node.c:12", "run", "continue", "continue",
                                             "continue", "info breakpoints"}));
        const std::string session =
            in_gdb(bug, {"break node.c:7", "break node.c:12", "run", "continue", "continue", "continue",
                         "info breakpoints", "continue", "raddle why", "raddle back 3", "raddle goto 8",
                         "raddle bt all", "info locals", "raddle back"});
        EXPECT_THAT(said_to("info breakpoints", native.out),
                    ContainsRegex("node.c:7.*already hit 2 times.*node.c:12.*already hit 2 times"))
            << level;
        EXPECT_THAT(said_to("info breakpoints", session),
                    ContainsRegex("node.c:7.*already hit 2 times.*node.c:12.*already hit 2 times"))
            << level;
        EXPECT_THAT(said_to("run", session), HasSubstr("Breakpoint 1, ")) << level;
        EXPECT_THAT(session, HasSubstr("assertion failed: shared.value == 2, after 16 steps, as recorded")) << level;
        EXPECT_THAT(said_to("raddle why", session), HasSubstr("T0 failed here: main (node.c:20)")) << level;
        EXPECT_THAT(said_to("raddle back 3", session), HasSubstr("raddle: step 13 of 16: T0 joins T1")) << level;
        EXPECT_THAT(said_to("raddle goto 8", session), HasSubstr("n->seen = 1;")) << level;
        EXPECT_THAT(said_to("raddle bt all", session),
                    ContainsRegex("in main \\(.*at .*node.c:18.*writes variable shared.value at node.c:7.*"
                                  "node.c:7.*T2 runs.*node.c:8"))
            << level;
        EXPECT_THAT(said_to("raddle back", session), HasSubstr("raddle: step 7 of 16: ")) << level;
    }
}

// next and step know nothing of jumps and traps in between, and stop where another thread comes to a breakpoint.
TEST(Gdb, StepsByLinesThroughChangedCode) {
    for (const std::string level : {"-O0", "-O2"}) {
        const PrivateDirectory place;
        const std::string session = in_gdb(build_of_counter(place, level),
                                           {"break node.c:7", "run", "next", "info breakpoints", "next 1", "step 2"});
        EXPECT_THAT(said_to("run", session), HasSubstr("raddle: T1 runs")) << level;
        EXPECT_THAT(said_to("next", session), AllOf(HasSubstr("Breakpoint 1, "), HasSubstr("raddle: T2 runs")))
            << level << ": the schedule switches at the write";
        EXPECT_THAT(said_to("info breakpoints", session), HasSubstr("already hit 2 times")) << level;
        EXPECT_THAT(said_to("next 1", session), HasSubstr("n->seen = 1;")) << level;
        EXPECT_THAT(said_to("step 2", session), HasSubstr("return p;")) << level;
    }
}

// Disassembly shows the program's own bytes where the shim has put jumps and traps.
TEST(Gdb, ShowsTheProgramsOwnCode) {
    const PrivateDirectory place;
    const std::string bug = build_of_counter(place, "-O2");
    const Ended native =
        execute({"gdb", "-q", "-nx", place / "node"}, typing({"break node.c:20", "run", "x/40xb body"}));
    const std::string session = in_gdb(bug, {"run", "x/40xb body"});
    const auto bytes_in = [](const std::string& text) {
        std::vector<std::string> bytes;
        for (std::size_t at = 0; (at = text.find("\t0x", at)) != std::string::npos; ++at)
            bytes.push_back(text.substr(at + 1, 4));
        return bytes;
    };
    EXPECT_EQ(bytes_in(said_to("x/40xb body", native.out)).size(), 40u);
    EXPECT_EQ(bytes_in(said_to("x/40xb body", session)), bytes_in(said_to("x/40xb body", native.out)));
}

TEST(Gdb, ShowsBugsInMemoryAccessesOfTsanBuilds) {
    const PrivateDirectory place;
    const std::string source = place / "count.c", program = place / "count", bugs = place / "bugs";
    std::ofstream(source)
        << "#include <assert.h>\n#include <pthread.h>\nstatic int x;\n"
           "static void* body(void* p) {\n    int now = x;\n    x = now + 1;\n    return p;\n}\n"
           "int main(void) {\n    pthread_t a, b;\n    pthread_create(&a, 0, body, 0);\n    pthread_create(&b, 0, body, 0);\n"
           "    pthread_join(a, 0);\n    pthread_join(b, 0);\n    assert(x == 2);\n    return 0;\n}\n";
    ASSERT_EQ(execute({"gcc", "-g", "-O1", "-fsanitize=thread", "-pthread", "-o", program, source}).status, 0);
    ASSERT_EQ(raddle({"run", "--quiet", "--no-store", "--races", "explore", "--bugs", bugs, "--", program}).status, 1);
    const std::string session = in_gdb(fs::directory_iterator(bugs)->path().string(),
                                       {"run", "raddle why", "raddle bt all", "break count.c:6", "run", "print now"});
    EXPECT_THAT(said_to("run", session), HasSubstr("assertion failed: x == 2, after"));
    EXPECT_THAT(said_to("raddle why", session), HasSubstr("T0 failed here: main (count.c:15)"));
    EXPECT_THAT(said_to("raddle bt all", session), HasSubstr("in main () at ")) << "of the thread that failed, too";
    EXPECT_THAT(said_to("print now", session), HasSubstr("= 0"));
}

}  // namespace
}  // namespace raddle::testing
