// raddle.toml: the accepted keys, their precedence, and the messages about mistakes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "tests/command_line.h"

namespace raddle::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// A working directory with this raddle.toml.
class Folder {
public:
    explicit Folder(const std::string& configuration = "")
        : path_(::testing::TempDir() + "configured-" + std::to_string(::getpid())) {
        std::filesystem::create_directories(path_);
        if (!configuration.empty()) write("raddle.toml", configuration);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    void write(const std::string& name, const std::string& text) const { std::ofstream(path_ + "/" + name) << text; }
    // Splits the words like a shell.
    Ended raddle(const std::string& words) const {
        return execute({"sh", "-c", "cd '" + path_ + "' && " RADDLE_BUILD_DIR "/bin/raddle " + words});
    }
    nlohmann::json holds(const std::string& words = "") const {
        const Ended printed = raddle("run --print-config --json " + words);
        EXPECT_EQ(printed.status, 0) << printed.errors;
        return json_of(printed);
    }
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

const std::string program = "program = [\"" + sample("ok/locks") + "\", \"3\", \"2\"]\n";

TEST(Configuration, IsReadFromTheWorkingDirectory) {
    const Folder folder(program + "no-store = true\nbound = 1  # not more\n");
    const Ended run = folder.raddle("run --json");
    EXPECT_EQ(run.status, 0) << run.errors;
    EXPECT_EQ(json_of(run)["bound"], 1);
    EXPECT_EQ(json_of(run)["graphs"], 24);  // locks(3,2): 6 24 60 90
    std::filesystem::create_directories(folder.path() + "/below");
    const Ended below = folder.raddle("version >/dev/null && cd below && exec " RADDLE_BUILD_DIR "/bin/raddle run");
    EXPECT_EQ(below.status, 2) << "it was read from above";
}

TEST(Configuration, IsOverriddenByItsProfileAndTheCommandLine) {
    const Folder folder(
        "bound = 1\nseed = 7\nmax-time = '9s'\nkeep-going = true\n[profile.ci]\nbound = 2\nkeep-going = false\n"
        "[profile.long]\nmax-time = \"2h\"\n");
    const auto plain = folder.holds()["options"];
    EXPECT_EQ(plain["bound"], (nlohmann::json{{"value", "1"}, {"from", "raddle.toml"}}));
    EXPECT_EQ(plain["keep-going"], (nlohmann::json{{"value", true}, {"from", "raddle.toml"}}));
    EXPECT_EQ(plain["fork-at"], (nlohmann::json{{"value", "auto"}, {"from", "built in"}}));
    EXPECT_EQ(plain["strategy"], (nlohmann::json{{"value", nullptr}, {"from", "not given"}}));
    const auto ci = folder.holds("--profile ci --max-time 1m")["options"];
    EXPECT_EQ(ci["bound"], (nlohmann::json{{"value", "2"}, {"from", "raddle.toml, profile ci"}}));
    EXPECT_EQ(ci["keep-going"], (nlohmann::json{{"value", false}, {"from", "raddle.toml, profile ci"}}));
    EXPECT_EQ(ci["max-time"], (nlohmann::json{{"value", "1m"}, {"from", "command line"}}));
    EXPECT_EQ(ci["seed"]["from"], "raddle.toml");
}

TEST(Configuration, IsPrintedSoThatItCanBeReadAgain) {
    const Folder folder(program + "env = [\"A=1\", \"B='x\\\\y'\"]\nquiet = true\n");
    const Ended printed = folder.raddle("run --print-config --bound 3");
    EXPECT_THAT(printed.out,
                AllOf(HasSubstr("bound = \"3\" "), HasSubstr("# command line\n"), HasSubstr("# built in\n")));
    folder.write("again.toml", printed.out);
    auto before = folder.holds("--bound 3"), again = folder.holds("--config again.toml");
    EXPECT_EQ(again["program"]["value"], before["program"]["value"]);
    for (const auto& [option, what] : before["options"].items())
        EXPECT_EQ(again["options"][option]["value"], what["value"]) << option;
}

TEST(Configuration, HasFlagsThatCanBeTurnedOff) {
    const Folder folder("keep-going = true\nno-store = true\n");
    EXPECT_EQ(folder.holds("--no-keep-going")["options"]["keep-going"],
              (nlohmann::json{{"value", false}, {"from", "command line"}}));
    EXPECT_EQ(folder.holds("--no-no-store")["options"]["no-store"]["value"], false);
    EXPECT_EQ(folder.holds("--no-keep-going --keep-going")["options"]["keep-going"]["value"], true);
    EXPECT_EQ(folder.holds("--keep-going --no-keep-going")["options"]["keep-going"]["value"], false);
}

TEST(Configuration, NamesAProgramIfTheCommandLineNamesNone) {
    const Folder folder(program);
    EXPECT_EQ(folder.holds()["program"]["from"], "raddle.toml");
    EXPECT_EQ(folder.holds("-- ./other arg")["program"],
              (nlohmann::json{{"value", {"./other", "arg"}}, {"from", "command line"}}));
    EXPECT_EQ(folder.raddle("doctor --no-run").status, 0);
    EXPECT_EQ(folder.raddle("run ./other").status, 2);
}

TEST(Configuration, IsNotReadWithNoConfig) {
    const Folder folder("nonsense");
    EXPECT_EQ(folder.raddle("run --print-config").status, 2);
    EXPECT_EQ(folder.raddle("run --print-config --no-config").status, 0);
}

TEST(Configuration, LeavesOtherRunsAlone) {
    const Folder folder("bound = 2\nkeep-going = true\njobs = 2\ncampaign = \"kept\"\n");
    const std::string deadlock = sample("deadlock/abba");
    EXPECT_EQ(folder.raddle("run --schedule 'T0*2 T1*2 T2*2' -- '" + deadlock + "'").status, 1);
    EXPECT_EQ(folder.raddle("run --strategy random --samples 3 --no-store -- '" + sample("ok/abba") + "'").status, 3);
    EXPECT_FALSE(std::filesystem::exists(folder.path() + "/kept"));
}

// ---- all of TOML

// Different ways to write one configuration.
TEST(Configuration, TakesDottedKeysInlineTablesAndSubtables) {
    for (const std::string text :
         {"[profile.ci]\nbound = 2\nenv = ['A=1', 'B=2']\n", "profile.ci.bound = 2\nprofile.ci.env = ['A=1', 'B=2']\n",
          "[profile]\nci.bound = 2\nci.\"env\" = ['A=1', 'B=2']\n",
          "profile = { ci = { bound = 2, env = ['A=1', 'B=2'] } }\n",
          "profile.ci = { bound = 0x2, env = [\n  'A=1',  # one\n  'B=2',\n] }\n",
          "\xef\xbb\xbf[ profile . 'ci' ]\r\nbound = +2\r\nenv = [\"A=1\", '''B=2''']\r\n"}) {
        const Folder folder(text);
        const auto held = folder.holds("--profile ci")["options"];
        EXPECT_EQ(held["bound"]["value"], "2") << text;
        EXPECT_EQ(held["env"]["value"], (nlohmann::json{"A=1", "B=2"})) << text;
        EXPECT_EQ(held["bound"]["from"], "raddle.toml, profile ci");
        EXPECT_EQ(folder.holds()["options"]["bound"]["from"], "not given") << "without --profile";
    }
}

TEST(Configuration, TakesTextsOfSeveralLines) {
    const Folder folder(
        "program = ['sh', '-c', \"\"\"\necho \"one\" \\\n     é\necho 'two'\"\"\"\"]\nenv = ['''A='x'\ny''']\nseed = 1_000\n");
    const auto held = folder.holds();
    EXPECT_EQ(held["program"]["value"], (nlohmann::json{"sh", "-c", "echo \"one\" é\necho 'two'\""}));
    EXPECT_EQ(held["options"]["env"]["value"], nlohmann::json::array({"A='x'\ny"}));
    EXPECT_EQ(held["options"]["seed"]["value"], "1000");
}

TEST(Configuration, PrintsControlCharactersAsEscapes) {
    const Folder folder("program = [\"./prog\", \"\\u001b[31m\\t\\u007f\"]\n");
    const Ended printed = folder.raddle("run --print-config");
    EXPECT_THAT(printed.out, HasSubstr("program = [\"./prog\", \"\\u001b[31m\\t\\u007f\"]"));
    folder.write("again.toml", printed.out);
    EXPECT_EQ(folder.holds("--config again.toml")["program"]["value"], (nlohmann::json{"./prog", "\x1b[31m\t\x7f"}));
}

// ---- mistakes

struct Wrong {
    std::string configuration;
    std::string says;
};
void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.configuration; }

class WrongConfiguration : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongConfiguration, IsReportedInOneLineWithItsPosition) {
    const Folder folder(GetParam().configuration);
    const Ended run = folder.raddle("run --print-config");
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_EQ(lines_in(run.errors), 1u) << run.errors;
    EXPECT_THAT(run.errors, StartsWith("raddle.toml:" + GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongConfiguration,
    ::testing::Values(Wrong{"max-tme = '5m'", "1:1: there is no option 'max-tme'; did you mean max-time?"},
                      Wrong{"\n[profile.ci]\n  bund = 2", "3:3: there is no option 'bund'; did you mean bound?"},
                      Wrong{"config = 'x'", "1:1: 'config' is for the command line only"},
                      Wrong{"bound = 'many'", "1:9: 'bound': expected a number of preemptions, or none, found 'many'"},
                      Wrong{"bound = -1", "1:9: 'bound': expected a number"},
                      Wrong{"bound = true", "1:9: 'bound': expected"},
                      Wrong{"keep-going = 1", "1:14: 'keep-going' is on or off: expected true or false"},
                      Wrong{"keep-going = \"true\"", "1:14: 'keep-going' is on or off"},
                      Wrong{"bound = ['1']", "1:9: 'bound' takes one value"},
                      Wrong{"program = './prog'", "1:11: expected the program and its arguments"},
                      Wrong{"program = []", "1:11: expected the program"},
                      Wrong{"[profiles.ci]", "1:2: the only tables here are [profile.NAME]"},
                      Wrong{"a.b = 1", "1:1: the only tables here are [profile.NAME]"},
                      Wrong{"bound = { most = 1 }", "1:1: the only tables here are [profile.NAME]"},
                      Wrong{"[profile.ci.deep]", "1:13: the only tables here are [profile.NAME]"},
                      Wrong{"[[profile]]", "1:3: the only tables here are [profile.NAME]"},
                      Wrong{"[profile]\nbound = 1", "2:1: a profile is a table"},
                      Wrong{"profile = 'ci'", "1:1: 'profile' is for the command line only"},
                      Wrong{"\"a\\nb\" = 1", "1:1: there is no option 'a / b'"},
                      Wrong{"bound = 1.5", "1:9: expected a text in quotes, a whole number"},
                      Wrong{"max-time = 07:32:00", "1:12: expected a text in quotes, a whole number"},
                      Wrong{"env = [\"A\"]", "1:7: 'env': expected NAME=VALUE"},
                      Wrong{"env = [1]", "1:8: expected a text in quotes"},
                      Wrong{"env = [['A=1']]", "1:8: expected a text in quotes"},
                      Wrong{"program = [\"a\\u0000b\"]", "1:12: a text here cannot hold a zero byte"},
                      Wrong{"profile.ci.bound = 1\nprofile.ci.bund = 2", "2:12: there is no option 'bund'"}));

// The wording is the parser's own, apart from the position and the advice.
INSTANTIATE_TEST_SUITE_P(
    NotToml, WrongConfiguration,
    ::testing::Values(Wrong{"[profile.a]\n[profile.a]", "2:1: not valid TOML: "},
                      Wrong{"bound = 1\nbound = 2", "2:9: not valid TOML: "}, Wrong{"bound", "1:6: not valid TOML: "},
                      Wrong{"bound =", "1:8: not valid TOML: "}, Wrong{"bound = 1 2", "1:11: not valid TOML: "},
                      Wrong{"bound = 01", "1:11: not valid TOML: "}, Wrong{"bound = none", "1:10: not valid TOML: "},
                      Wrong{"max-time = \"5m", "1:15: not valid TOML: "},
                      Wrong{"max-time = \"\\q\"", "1:14: not valid TOML: "},
                      Wrong{"env = [\"A=1\"; ]", "1:13: not valid TOML: "}, Wrong{"= 1", "1:1: not valid TOML: "},
                      Wrong{"[profile.]", "1:10: not valid TOML: "}, Wrong{"[#", "1:2: not valid TOML: "},
                      Wrong{"é = 1", "1:1: not valid TOML: "}, Wrong{"bound = \xff", "1:8: not valid TOML: "}));

// Parsers that recurse once per level end in a stack overflow here.
TEST(Configuration, RefusesAnyDepthInOneShortLine) {
    const auto repeated = [](const std::string& begin, const std::string& part, const std::string& end) {
        std::string text = begin;
        while (text.size() < 900'000) text += part;
        return text + end;
    };
    for (const std::string& text :
         {repeated("[", "a.", "a]"), repeated("", "a.", "a = 1"), repeated("", "'a' . ", "a = 1"),
          repeated("a = ", "[", ""), repeated("a = ", "{ a = ", ""), repeated("a = ", "{ a.b.c.d.e.f = ", ""),
          repeated("a = { b = \"\"\"x\"\"\"\", ", "a.", "a = 1 }"), repeated("a = { b = \"\\\"\", ", "a.", "a = 1 }"),
          repeated("", "a", " = 1"), repeated("\"", "\\u001b", "\" = 1")}) {
        const Folder folder(text);
        const Ended run = folder.raddle("run --print-config");
        EXPECT_EQ(run.status, 2) << text.substr(0, 40);
        EXPECT_THAT(run.errors, StartsWith("raddle.toml:1:")) << text.substr(0, 40);
        EXPECT_EQ(lines_in(run.errors), 1u);
        EXPECT_LT(run.errors.size(), 600u);
    }
    const Folder large(repeated("# ", "more than a configuration", "\n") + repeated("# ", "of one megabyte ", "\n"));
    EXPECT_THAT(large.raddle("run --print-config").errors, HasSubstr("too large for a configuration"));
}

// Pieces of TOML in random order: the answer is a configuration or one line with a position.
TEST(Configuration, ReadsOrRefusesRandomPieces) {
    const char* const pieces[] = {"a",       "bound", "profile", ".",        "=",
                                  " = ",     "\"",    "\"\"\"",  "'",        "'''",
                                  "[",       "]",     "{",       "}",        ",",
                                  "\n",      "#",     "\\",      "1",        "true",
                                  "-",       "+",     "_",       "0x",       "1979-05-27T07:32:00Z",
                                  "\\u0000", " ",     "\t",      "\r\n",     "é",
                                  "ひ",      "\\\n",  "\\é",     "\xc2\x85", "\xff",
                                  "[[",      "]]",    "inf",     "1e5",      ".."};
    std::mt19937 random(1);
    for (int round = 0; round < 60; ++round) {
        std::string text;
        for (unsigned left = random() % 30; left > 0; --left) text += pieces[random() % std::size(pieces)];
        const Folder folder(text + "\n");
        const Ended run = folder.raddle("run --print-config");
        ASSERT_TRUE(run.status == 0 || run.status == 2) << text;
        if (run.status == 0) continue;
        EXPECT_THAT(run.errors, ::testing::ContainsRegex("^raddle.toml:[0-9]+:[0-9]+: [^\n]*\n$")) << text;
    }
}

TEST(Configuration, ReportsAMissingFileOrProfile) {
    const Folder folder;
    EXPECT_THAT(folder.raddle("run --config none.toml -- true").errors,
                StartsWith("raddle: none.toml: cannot be read"));
    EXPECT_THAT(folder.raddle("run --profile ci -- true").errors, HasSubstr("there is no raddle.toml"));
    folder.write("raddle.toml", "[profile.night]\n[profile.ci]\n");
    EXPECT_THAT(folder.raddle("run --profile cj -- true").errors,
                StartsWith("raddle.toml: there is no [profile.cj]; there are night, ci"));
    EXPECT_EQ(folder.raddle("run --config raddle.toml --no-config -- true").status, 2);
}

}  // namespace
}  // namespace raddle::testing
