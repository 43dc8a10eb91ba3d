// What is put around a program before it runs, and what it is expected to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "supervisor/process/expectations.h"
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

TEST(DirectoryCopy, IsPutBackAsItWas) {
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

    std::ofstream(copy.path() / "changed") << "after!";  // as long as before
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

TEST(Surroundings, RunSetupOnceAndResetBeforeEachLaterExecution) {
    const Folder folder;
    Surroundings around({.setup = "echo setup >> log", .reset = "echo reset >> log"}, folder.path, {});
    for (int i = 0; i < 3; ++i) around.before_execution();
    EXPECT_EQ(folder.read("log"), "setup\nreset\nreset\n");
}

TEST(Surroundings, EndWhatACommandLeftInTheBackground) {
    const Folder folder;
    {
        Surroundings around({.setup = "sleep 1000 & echo $! > first", .reset = "sleep 1000 & echo $! > second"},
                            folder.path, {});
        around.before_execution();
        around.before_execution();
        EXPECT_EQ(::kill(std::stoi(folder.read("second")), 0), 0);
    }
    for (const char* name : {"first", "second"}) {
        const int process = std::stoi(folder.read(name));
        bool gone = false;
        // Killed at once, buried whenever its new parent gets round to it.
        for (int i = 0; i < 500 && !gone; ++i) {
            std::string state;
            std::getline(std::ifstream("/proc/" + std::to_string(process) + "/stat"), state);
            gone = state.empty() || state.find(") Z") != std::string::npos;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        EXPECT_TRUE(gone) << name;
    }
}

TEST(Surroundings, SayWhichCommandFailed) {
    Surroundings around({.setup = "exit 3", .reset = ""}, "", {});
    try {
        around.before_execution();
        FAIL() << "did not fail";
    } catch (const BadInput& error) {
        EXPECT_STREQ(error.what(), "--setup 'exit 3' ended with status 3; run it by hand to see why");
    }
}

TEST(ProcessTarget, RunsInAWorkingDirectoryThatIsPutBack) {
    const Folder folder;
    folder.write("counter", "0");
    // Says what it found, and changes it.
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
    options.surroundings.copy_directory = true;
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

TEST(Expectations, SayWhichExitStatusIsNoBug) {
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

TEST(Expectations, RefuseWhatIsNoRegularExpression) {
    Expectations expectations;
    EXPECT_THROW(expectations.forbid_in_errors("(unclosed"), BadInput);
}

TEST(Expectations, SayWhereOutputDiffers) {
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
