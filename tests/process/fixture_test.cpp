// The preparations for a program's run (directory copy, setup and reset commands), and the expectations about its end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "supervisor/process/expectations.h"
#include "supervisor/trace/replay_machine.h"
#include "tests/patience.h"
#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

struct Folder {
    fs::path path;
    Folder() {
        std::string name = fs::temp_directory_path() / "raddle-around-XXXXXX";
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
        path = name;
    }
    ~Folder() { fs::remove_all(path); }
    void write(const std::string& name, const std::string& text) const { std::ofstream(path / name) << text; }
    std::string read(const std::string& name) const {
        std::ifstream file(path / name);
        return {std::istreambuf_iterator<char>(file), {}};
    }
};

TEST(DirectoryCopy, IsRestored) {
    const Folder original;
    original.write("kept", "kept");
    original.write("changed", "before");
    fs::create_directory(original.path / "folder");
    original.write("folder/inside", "inside");
    fs::create_symlink("kept", original.path / "link");
    fs::create_directory(original.path / "left-out");

    DirectoryCopy copy(original.path, "left-out");
    EXPECT_FALSE(fs::exists(copy.path() / "left-out"));
    EXPECT_EQ(copy.restore(), 0U);

    std::ofstream(copy.path() / "changed") << "after!";  // the same size as before
    fs::remove_all(copy.path() / "folder");
    fs::remove(copy.path() / "link");
    fs::create_directory(copy.path() / "new");
    std::ofstream(copy.path() / "new" / "file") << "new";
    EXPECT_EQ(copy.restore(), 5U);
    EXPECT_EQ(copy.restore(), 0U);

    std::string text;
    std::ifstream changed(copy.path() / "changed");
    std::getline(changed, text);
    EXPECT_EQ(text, "before");
    EXPECT_TRUE(fs::exists(copy.path() / "folder" / "inside"));
    EXPECT_EQ(fs::read_symlink(copy.path() / "link"), "kept");
    EXPECT_FALSE(fs::exists(copy.path() / "new"));
    EXPECT_EQ(original.read("changed"), "before");
}

TEST(DirectoryCopy, HasTheTimesOfTheOriginal) {
    const Folder original;
    fs::create_directory(original.path / "folder");
    original.write("folder/inside", "inside");
    const fs::file_time_type long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1000);
    for (const char* name : {"folder/inside", "folder", "."}) fs::last_write_time(original.path / name, long_ago);
    DirectoryCopy copy(original.path, "");
    std::ofstream(copy.path() / "folder" / "inside") << "after!";
    std::ofstream(copy.path() / "folder" / "more") << "more";
    copy.restore();
    for (const char* name : {"folder/inside", "folder", "."})
        EXPECT_EQ(fs::last_write_time(copy.path() / name), fs::last_write_time(original.path / name)) << name;
}

TEST(DirectoryCopy, LeavesNothingBehind) {
    const Folder original;
    fs::path where;
    {
        DirectoryCopy copy(original.path, "");
        where = copy.path();
        EXPECT_EQ(fs::status(where.parent_path()).permissions(), fs::perms::owner_all);
    }
    EXPECT_FALSE(fs::exists(where.parent_path()));
}

TEST(Fixture, RunsSetupOnceAndResetBeforeEachLaterExecution) {
    const Folder folder;
    Fixture around({.setup = "echo setup >> log", .reset = "echo reset >> log"}, folder.path, {});
    for (int i = 0; i < 3; ++i) around.before_execution();
    EXPECT_EQ(folder.read("log"), "setup\nreset\nreset\n");
}

TEST(Fixture, GivesCommandsTheProgramsEnvironmentWithoutThePreload) {
    const Folder folder;
    Fixture around({.setup = "echo \"$A$LD_PRELOAD\" > log", .reset = ""}, folder.path,
                   std::vector<std::string>{"PATH=/usr/bin:/bin", "A=1", "LD_PRELOAD=/no/such/library.so"});
    around.before_execution();
    EXPECT_EQ(folder.read("log"), "1\n");
}

TEST(Fixture, EndsBackgroundProcessesOfCommands) {
    const Folder folder;
    {
        Fixture around({.setup = "sleep 1000 & echo $! > first", .reset = "sleep 1000 & echo $! > second"}, folder.path,
                       {});
        around.before_execution();
        around.before_execution();
        EXPECT_EQ(::kill(std::stoi(folder.read("second")), 0), 0);
    }
    for (const char* name : {"first", "second"}) {
        const int process = std::stoi(folder.read(name));
        // Killed at once; its new parent reaps it later.
        const auto is_gone = [&] {
            std::string state;
            std::getline(std::ifstream("/proc/" + std::to_string(process) + "/stat"), state);
            return state.empty() || state.find(") Z") != std::string::npos;
        };
        EXPECT_TRUE(eventually(is_gone)) << name;
    }
}

TEST(Fixture, NamesTheCommandThatFailed) {
    Fixture around({.setup = "exit 3", .reset = ""}, "", {});
    try {
        around.before_execution();
        FAIL() << "did not fail";
    } catch (const BadInput& error) {
        EXPECT_STREQ(error.what(), "--setup 'exit 3' ended with status 3; run it by hand to see why");
    }
}

TEST(ProcessTarget, RunsInAWorkingDirectoryThatIsRestored) {
    const Folder folder;
    folder.write("counter", "0");
    // Prints the counter it found, and changes it.
    ProcessOptions options = running(program(R"(
        #include <stdio.h>
        int main(void) {
            int n = -1;
            FILE* file = fopen("counter", "r+");
            fscanf(file, "%d", &n);
            rewind(file);
            fprintf(file, "%d", n + 1);
            fclose(file);
            printf("%d\n", n);
        })"));
    options.directory = folder.path;
    options.fixture.copy_directory = true;
    ProcessTarget target(options);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(target.run(run_on()).output, "0\n");
    EXPECT_EQ(folder.read("counter"), "0");
}

Execution ended(std::int64_t status, const std::string& output = "", const std::string& errors = "") {
    Execution execution;
    execution.exit_status = status;
    execution.verdict = status == 0 ? Verdict::ok : Verdict::exit_status;
    execution.output = output;
    execution.errors = errors;
    return execution;
}

TEST(Expectations, NameTheExpectedExitStatus) {
    Expectations expectations;
    expectations.accept_exit_status(3);
    Execution three = ended(3), zero = ended(0);
    expectations.apply(three);
    expectations.apply(zero);
    EXPECT_EQ(three.verdict, Verdict::ok);
    EXPECT_EQ(zero.verdict, Verdict::exit_status);
    EXPECT_EQ(zero.message, "exit status 0");
}

TEST(Expectations, NeverExcuseADeadlock) {
    Expectations expectations;
    expectations.accept_every_exit_status();
    Execution execution = ended(0);
    execution.verdict = Verdict::deadlock;
    expectations.apply(execution);
    EXPECT_EQ(execution.verdict, Verdict::deadlock);
}

TEST(Expectations, FindALineOfStandardError) {
    Expectations expectations;
    expectations.forbid_in_errors("^warning: .*lost");
    Execution clean = ended(0, "", "a warning: lost\nfine\n"), bad = ended(0, "", "fine\nwarning: 3 items lost\n");
    expectations.apply(clean);
    expectations.apply(bad);
    EXPECT_EQ(clean.verdict, Verdict::ok);
    EXPECT_EQ(bad.verdict, Verdict::output);
    EXPECT_EQ(bad.message, "on standard error: warning: 3 items lost");
}

TEST(Expectations, EveryExpressionCounts) {
    for (const char* errors : {"a is lost\n", "b is late\n"}) {
        Expectations expectations;
        expectations.forbid_in_errors("lost");
        expectations.forbid_in_errors("late");
        Execution execution = ended(0, "", errors);
        expectations.apply(execution);
        EXPECT_EQ(execution.verdict, Verdict::output) << errors;
    }
}

// A server: its main thread runs `wait`, which sets `client`, while a worker waits for a condition.
std::string server(const std::string& wait) {
    return program(
        "#include <assert.h>\n#include <poll.h>\n#include <pthread.h>\n#include <stdio.h>\n#include <string.h>\n"
        "#include <sys/epoll.h>\n#include <sys/socket.h>\n#include <sys/un.h>\n#include <unistd.h>\n"
        "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
        "static int served;\n"
        "static void* worker(void* p) { pthread_mutex_lock(&m); while (!served) pthread_cond_wait(&c, &m);\n"
        "  pthread_mutex_unlock(&m); return p; }\n"
        "int main(void) { struct sockaddr_un a = {AF_UNIX, \"s\"}; pthread_t t; char byte = 0; int client = -1;\n"
        "  int fd = socket(AF_UNIX, SOCK_STREAM, 0); unlink(\"s\");\n"
        "  assert(bind(fd, (void*)&a, sizeof a) == 0 && listen(fd, 4) == 0);\n"
        "  pthread_create(&t, 0, worker, 0);\n  " +
        wait +
        "\n"
        "  assert(client >= 0 && read(client, &byte, 1) == 1 && write(1, &byte, 1) == 1);\n"
        "  pthread_mutex_lock(&m); served = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);\n"
        "  pthread_join(t, 0); return 0; }\n");
}

std::string client() {
    return program(
        "#include <sys/socket.h>\n#include <sys/un.h>\n#include <unistd.h>\n"
        "int main(void) { struct sockaddr_un a = {AF_UNIX, \"s\"}; int fd = socket(AF_UNIX, SOCK_STREAM, 0);\n"
        "  while (connect(fd, (void*)&a, sizeof a) != 0) usleep(1000);\n"
        "  return write(fd, \"x\", 1) == 1 && read(fd, &a, 1) == 0 ? 0 : 1; }\n");
}

TEST(Fixture, WaitsForABackgroundClientOfACommand) {
    for (const char* wait :
         {"client = accept(fd, 0, 0);",
          "struct pollfd p = {fd, POLLIN, 0}; assert(poll(&p, 1, -1) == 1); client = accept(fd, 0, 0);",
          "struct epoll_event e = {EPOLLIN}, got; int all = epoll_create1(0); epoll_ctl(all, EPOLL_CTL_ADD, fd, &e);"
          "while (epoll_wait(all, &got, 1, 50) == 0) {} client = accept(fd, 0, 0);"}) {
        const Folder folder;
        ProcessOptions options = running(server(wait));
        options.directory = folder.path;
        options.fork_at = ForkAt::start;
        options.check_every = 0;  // the client connects at a random time, so a repetition may differ
        options.fixture.setup = options.fixture.reset = "rm -f s; " + client() + " &";
        ProcessTarget target(options);
        for (int i = 0; i < 3; ++i) {
            const Execution execution = target.run(i == 0 ? run_on() : random_plan(i));
            EXPECT_EQ(execution.verdict, Verdict::ok) << wait << ": " << execution.message;
            EXPECT_EQ(target.output(), "x");
            ReplayMachine replay{MachineOptions{}};
            replay.begin(execution);
            replay.feed_all();
            EXPECT_FALSE(replay.mismatch()) << replay.mismatch()->text;
        }
    }
}

TEST(Fixture, LeavesAServerWithoutAClientStuck) {
    const Folder folder;
    ProcessOptions options = running(server("client = accept(fd, 0, 0);"));
    options.directory = folder.path;
    options.fixture.setup = "true";
    EXPECT_EQ(ProcessTarget(options).run(run_on()).verdict, Verdict::deadlock);
}

TEST(Expectations, RefuseAMalformedRegularExpression) {
    Expectations expectations;
    EXPECT_THROW(expectations.forbid_in_errors("(unclosed"), BadInput);
}

TEST(Expectations, NameTheFirstDifferenceOfTheOutput) {
    Expectations expectations;
    expectations.expect_output("one\ntwo\n");
    Execution same = ended(0, "one\ntwo\n"), other = ended(0, "one\nthree\n");
    expectations.apply(same);
    expectations.apply(other);
    EXPECT_EQ(same.verdict, Verdict::ok);
    EXPECT_EQ(other.verdict, Verdict::output);
    EXPECT_THAT(other.message, HasSubstr("in line 2"));
}

}  // namespace
}  // namespace raddle::testing
