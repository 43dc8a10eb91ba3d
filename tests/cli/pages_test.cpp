// raddle's pages about itself: help, completion, the manual page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include <sstream>

#include "tests/command_line.h"

namespace raddle::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Help, ListsEveryCommand) {
    const std::vector<std::string> names = command_names();
    for (const char* expected : {"run", "doctor", "strategies", "completion", "man", "version", "help"})
        EXPECT_THAT(names, Contains(expected));
}

TEST(Help, OfEveryCommandHasExamplesAndGoesToStdout) {
    for (const std::string& name : command_names()) {
        const Ended outcome = raddle({name, "--help"});
        EXPECT_EQ(outcome.status, 0) << name;
        EXPECT_THAT(outcome.out, StartsWith("raddle " + name + ": "));
        EXPECT_THAT(outcome.out, HasSubstr("usage: raddle " + name)) << name;
        EXPECT_THAT(outcome.out, HasSubstr("\nexamples:\n  ")) << name;
        EXPECT_THAT(outcome.errors, IsEmpty()) << name;
        EXPECT_EQ(raddle({"help", name}).out, outcome.out) << name;
    }
}

TEST(Help, FitsOnTheScreen) {
    for (const std::string& name : command_names()) {
        std::istringstream page(raddle({name, "--help"}).out);
        for (std::string line; std::getline(page, line);) EXPECT_LE(line.size(), 100u) << line;
    }
}

TEST(Help, OfACommandIsOneScreenAndNamesTheRest) {
    for (const std::string& name : command_names()) {
        const std::string page = raddle({name, "--help"}).out, all = raddle({name, "--help-all"}).out;
        EXPECT_LE(lines_in(page), 70u) << name;
        EXPECT_EQ(std::ranges::count(page, '('), std::ranges::count(page, ')')) << "an option's text is cut: " << page;
        EXPECT_EQ(page.find(" more option") != std::string::npos, all != page) << name;
        EXPECT_THAT(all, Not(HasSubstr(" more option"))) << name;
    }
    EXPECT_THAT(raddle({"run", "--help"}).out, HasSubstr(": raddle run --help-all\n"));
    EXPECT_THAT(raddle({"run", "--help"}).out, Not(HasSubstr("--independence")));
    EXPECT_EQ(raddle({"help", "run", "--help-all"}).out, raddle({"run", "--help-all"}).out);
}

TEST(Help, TellsEveryExitStatus) {
    const std::string page = raddle({"--help"}).out;
    for (const char* status : {"\n  0 ", "\n  1 ", "\n  2 ", "\n  3 ", "\n  4 ", "\n  5 ", "\n  6 ", "\n  70 ",
                               "\n  126 ", "\n  127 ", "\n  130 ", "\n  143 "})
        EXPECT_THAT(page, HasSubstr(status));
}

TEST(Help, IsGivenToWhoeverAsksForItInTheMiddle) { EXPECT_EQ(raddle({"run", "--bound", "2", "-h"}).status, 0); }

TEST(Version, IsOneLine) {
    EXPECT_THAT(raddle({"--version"}).out, StartsWith("raddle "));
    EXPECT_EQ(lines_in(raddle({"version"}).out), 1u);
}

TEST(Version, SaysVerboselyWhatItConsistsOf) {
    const std::string about = raddle({"version", "--verbose"}).out;
    EXPECT_THAT(about, StartsWith(raddle({"version"}).out));
    for (const char* part :
         {"\nexecutable    ", "\nshim          ", "\ntsan runtime  ", "\ncompiler      ", "\nglibc         ",
          "\nSQLite        ", "\nelfutils      ", "\nZydis         ", "\nsolver        ", "\nkernel        Linux "})
        EXPECT_THAT(about, HasSubstr(part));
    EXPECT_THAT(about, HasSubstr("/libraddle-preload.so (build-id "));
}

TEST(Strategies, AreThoseOfTheRegistry) {
    const std::string list = raddle({"strategies"}).out;
    for (const char* name : {"bounded", "optimal", "random"})
        EXPECT_THAT(list, HasSubstr(std::string("  ") + name + " "));
}

TEST(Completion, OfBashIsABashScript) {
    const Ended script = raddle({"completion", "bash"});
    EXPECT_EQ(script.status, 0);
    const Ended checked = execute({"bash", "-n"}, {.input = script.out, .environment = {}});
    EXPECT_EQ(checked.status, 0) << checked.errors;
}

std::string completed_by_bash(const std::string& words, int at) {
    const std::string script = raddle({"completion", "bash"}).out + "COMP_WORDS=(" + words +
                               ")\nCOMP_CWORD=" + std::to_string(at) +
                               "\n_raddle\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n";
    return "\n" + execute({"bash"}, {.input = script, .environment = {}}).out;
}

TEST(Completion, OfBashKnowsCommandsOptionsAndValues) {
    EXPECT_THAT(completed_by_bash("raddle do", 1), HasSubstr("\ndoctor\n"));
    EXPECT_THAT(completed_by_bash("raddle run --max-", 2), HasSubstr("\n--max-time\n"));
    EXPECT_THAT(completed_by_bash("raddle run --strategy opt", 3), HasSubstr("\noptimal\n"));
    EXPECT_THAT(completed_by_bash("raddle run --strategy opt", 3), Not(HasSubstr("bounded")));
    EXPECT_THAT(completed_by_bash("raddle completion ''", 2), HasSubstr("\nfish\n"));
}

TEST(Completion, OfZshAndFishAreTheirScripts) {
    EXPECT_THAT(raddle({"completion", "zsh"}).out, StartsWith("#compdef raddle\n"));
    EXPECT_THAT(raddle({"completion", "fish"}).out, HasSubstr("complete -c raddle "));
    for (const char* shell : {"zsh", "fish"}) {
        if (!is_installed(shell)) continue;
        EXPECT_EQ(execute({shell, "-n", "/dev/stdin"}, {.input = raddle({"completion", shell}).out, .environment = {}})
                      .status,
                  0)
            << shell;
    }
}

TEST(Completion, KnowsEveryOptionOfTheHelp) {
    std::istringstream page(raddle({"run", "--help-all"}).out);
    const std::string bash = raddle({"completion", "bash"}).out, zsh = raddle({"completion", "zsh"}).out,
                      fish = raddle({"completion", "fish"}).out, man = raddle({"man"}).out;
    int options = 0;
    for (std::string word; page >> word && word != "examples:";) {
        if (!word.starts_with("--") || word.size() < 4 || word.starts_with("--help")) continue;
        const std::string name = word.substr(2, word.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", 2) - 2);
        std::string troff = "\\-\\-";
        for (const char c : name) troff += c == '-' ? "\\-" : std::string(1, c);
        EXPECT_TRUE(bash.find(" --" + name + " ") != std::string::npos) << name;
        EXPECT_TRUE(zsh.find("--" + name + "[") != std::string::npos) << name;
        EXPECT_TRUE(fish.find(" -l " + name + " ") != std::string::npos) << name;
        EXPECT_TRUE(man.find(troff) != std::string::npos) << name;
        ++options;
    }
    EXPECT_GT(options, 15);
}

TEST(Man, FormatsWithoutAWarning) {
    if (!is_installed("groff")) GTEST_SKIP() << "there is no groff";
    const Ended page =
        execute({"groff", "-man", "-Tutf8", "-ww", "-z"}, {.input = raddle({"man"}).out, .environment = {}});
    EXPECT_EQ(page.status, 0);
    EXPECT_THAT(page.errors, IsEmpty());
}

}  // namespace
}  // namespace raddle::testing
