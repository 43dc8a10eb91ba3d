// raddle test on small suites of each framework, and on the tests of ctest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "tests/cli/place.h"
#include "tests/elements.h"

namespace raddle::testing {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

std::string suite_program(const std::string& name) { return std::string(RADDLE_BUILD_DIR) + "/suite/" + name; }

json suite_of(const Ended& ended) {
    EXPECT_EQ(ended.errors, "");
    return json_of(ended);
}

std::map<std::string, std::string> results_in(const json& suite) {
    std::map<std::string, std::string> results;
    for (const json& test : suite["tests"]) results[test["name"]] = test["result"];
    return results;
}

const json& test_named(const json& suite, const std::string& name) {
    for (const json& test : suite["tests"])
        if (test["name"] == name) return test;
    throw std::runtime_error("no test " + name);
}

// ---- frameworks

struct Known {
    const char* program;
    const char* framework;
    // The first that passes has one thread, unless libtest runs it: that has a thread for each test, with many
    // schedules.
    std::vector<std::string> passing, failing;
};

void PrintTo(const Known& known, std::ostream* out) { *out << known.framework; }

class Frameworks : public ::testing::TestWithParam<Known> {};

TEST_P(Frameworks, FindTheTwoPlantedBugs) {
    const Known& known = GetParam();
    if (!std::filesystem::exists(suite_program(known.program)))
        GTEST_SKIP() << "no " << known.framework << " on this machine";
    const Place place;
    std::vector<std::string> words = {"test", "--json", "--test-time", "10m"};
    for (const std::vector<std::string>* const names : {&known.passing, &known.failing})
        for (const std::string& name : *names) words.insert(words.end(), {"-f", name});
    words.insert(words.end(), {"--", suite_program(known.program)});
    const json suite = suite_of(place.raddle(words));
    EXPECT_EQ(suite["framework"], known.framework);
    EXPECT_EQ(suite["exit_code"], 1);
    EXPECT_EQ(suite["tests"].size(), known.passing.size() + known.failing.size());
    for (const std::string& name : known.passing) EXPECT_EQ(test_named(suite, name)["result"], "passed") << name;
    for (const std::string& name : known.failing) {
        const json& test = test_named(suite, name);
        EXPECT_EQ(test["result"], "failed") << name;
        ASSERT_EQ(test["bugs"].size(), 1u) << name;
        EXPECT_TRUE(std::filesystem::is_directory(place / test["bugs"][0]["directory"].get<std::string>()));
    }
    if (known.passing.empty()) return;
    EXPECT_TRUE(test_named(suite, known.passing[0])["one_thread"].get<bool>());
    EXPECT_FALSE(test_named(suite, known.passing[1])["one_thread"].get<bool>());
}

INSTANTIATE_TEST_SUITE_P(
    All, Frameworks,
    ::testing::Values(Known{"gtest",
                            "GoogleTest",
                            {"Plain.Adds", "Transfer.InOrder", "Counter.OneStep"},
                            {"Transfer.BothWays", "Counter.TwoSteps"}},
                      Known{"catch2",
                            "Catch2",
                            {"adds, [even] here", "moves in order", "counts in one step"},
                            {"moves both ways", "counts in two steps"}},
                      Known{"doctest",
                            "doctest",
                            {"adds, [even] here", "moves in order", "counts in one step"},
                            {"moves both ways", "counts in two steps"}},
                      Known{"boost",
                            "Boost.Test",
                            {"adds", "moves/in_order", "counts/in_one_step"},
                            {"moves/both_ways", "counts/in_two_steps"}},
                      Known{"libtest", "Rust's libtest", {}, {"moves::both_ways", "counts::in_two_steps"}}));

TEST(Suite, OfAnotherProgramIsRefused) {
    const Place place;
    const Ended ended = place.raddle({"test", "--", sample("deadlock/abba")});
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.errors, HasSubstr("lists no tests as CTest (--ctest DIR), GoogleTest, Catch2, doctest"));
    EXPECT_THAT(ended.out, IsEmpty());
}

// ---- one suite in detail

TEST(Suite, HasALineForEachTestAndASummary) {
    const Place place;
    const Ended ended = place.raddle({"test", "--", suite_program("gtest")});
    EXPECT_EQ(ended.status, 1);
    EXPECT_THAT(ended.errors, IsEmpty());
    EXPECT_THAT(ended.out, HasSubstr("s] Plain.Adds: one thread, so one schedule (1 graph, 1 execution)\n"));
    EXPECT_THAT(ended.out,
                HasSubstr("s] Transfer.BothWays: deadlock, 1 preemption: T0 holds mutex from_lock and waits for "));
    EXPECT_THAT(ended.out, HasSubstr("s] Counter.DISABLED_Off: disabled\n"));
    EXPECT_THAT(ended.out, HasSubstr("a death test: its child processes run outside raddle\n"));
    EXPECT_THAT(ended.out, HasSubstr("\nTransfer.BothWays\n  deadlock, 1 preemption\n"));
    EXPECT_THAT(ended.out, HasSubstr("  explain   raddle show raddle.out/gtest-"));
    EXPECT_THAT(ended.out, HasSubstr("GoogleTest, 9 tests: 6 passed, 2 failed, 1 skipped\n"));
}

TEST(Suite, GoesOnWithItsCampaignsAndTheirBugs) {
    const Place place;
    const std::vector<std::string> words = {"test", "--json",    "-f", "*.BothWays",
                                            "-f",   "*.InOrder", "--", suite_program("gtest")};
    const json first = suite_of(place.raddle(words)), second = suite_of(place.raddle(words));
    EXPECT_EQ(results_in(first), results_in(second));
    EXPECT_EQ(first["tests"][0]["executions"], second["tests"][0]["executions"]);
    EXPECT_EQ(second["tests"].size(), 2u);
    const std::string bug = test_named(second, "Transfer.BothWays")["bugs"][0]["directory"];
    EXPECT_EQ(place.raddle({"replay", bug}).status, 1);
    EXPECT_THAT(place.raddle({"show", bug}).out, HasSubstr("mutex from_lock"));
}

TEST(Suite, ListsWithoutRunning) {
    const Place place;
    const Ended ended = place.raddle({"test", "--list", "-f", "Counter.*", "--", suite_program("gtest")});
    EXPECT_EQ(ended.status, 0);
    EXPECT_EQ(ended.out, "Counter.OneStep\nCounter.TwoSteps\nCounter.DISABLED_Off  (disabled)\n");
    EXPECT_FALSE(std::filesystem::exists(place / "raddle.out"));
}

TEST(Suite, IsIncompleteIfATestIs) {
    const Place place;
    const Ended ended =
        place.raddle({"test", "--max-execs", "1", "-f", "Transfer.InOrder", "--", suite_program("gtest")});
    EXPECT_EQ(ended.status, 3);
    EXPECT_THAT(ended.out, HasSubstr("  incomplete ["));
    EXPECT_THAT(ended.out, HasSubstr("Transfer.InOrder: because "));
}

TEST(Suite, SaysSoIfNoTestPassesTheFilter) {
    const Place place;
    const Ended ended = place.raddle({"test", "-f", "Nothing", "--", suite_program("gtest")});
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.errors, HasSubstr("no test passes --filter and --exclude"));
}

TEST(Suite, GivesUnchangedTestsTheirEarlierResult) {
    const Place place;
    const auto run = [&](const std::string& program) {
        return suite_of(place.raddle(
            {"test", "--json", "--changed", "-C", "c", "-f", "Transfer.*", "-f", "Plain.Adds", "--", program}));
    };
    const std::string program = place / "prog";
    std::filesystem::copy_file(suite_program("gtest"), program);
    const json first = run(program), second = run(program);
    EXPECT_FALSE(test_named(first, "Plain.Adds")["unchanged"].get<bool>());
    EXPECT_TRUE(test_named(second, "Plain.Adds")["unchanged"].get<bool>());
    EXPECT_EQ(results_in(first), results_in(second));
    EXPECT_EQ(second["exit_code"], 1);  // the bug is still there
    // Another build-id, without another build: the note itself is changed.
    ASSERT_EQ(execute({"objcopy", "--remove-section=.note.gnu.build-id", program}).status, 0);
    const json third = run(program);
    EXPECT_FALSE(test_named(third, "Plain.Adds")["unchanged"].get<bool>());
    EXPECT_EQ(results_in(first), results_in(third));
    EXPECT_THAT(test_named(third, "Transfer.BothWays")["remarks"].dump(),
                HasSubstr("deadlock found before is still there: "));
}

// ---- reports

TEST(SuiteReports, HaveEveryTest) {
    const Place place;
    const Ended ended = place.raddle({"test", "-q", "--junit", "j.xml", "--sarif", "s.json", "--html", "h.html", "-f",
                                      "Transfer.*", "-f", "Counter.*", "--", suite_program("gtest")});
    ASSERT_EQ(ended.status, 1) << ended.errors;
    const std::vector<MarkupElement> junit = elements_of(content_of(place / "j.xml"));
    EXPECT_EQ(junit.at(1).at("tests"), "5");
    EXPECT_EQ(junit.at(1).at("failures"), "2");
    EXPECT_EQ(junit.at(1).at("skipped"), "1");
    std::vector<std::string> cases;
    for (const MarkupElement& one : junit)
        if (one.tag == "testcase") cases.push_back(one.at("classname") + " " + one.at("name"));
    EXPECT_THAT(cases,
                UnorderedElementsAre("gtest.Transfer InOrder", "gtest.Transfer BothWays", "gtest.Counter OneStep",
                                     "gtest.Counter TwoSteps", "gtest.Counter DISABLED_Off"));
    const json sarif = json::parse(content_of(place / "s.json"));
    ASSERT_EQ(sarif["runs"].size(), 1u);
    EXPECT_EQ(sarif["runs"][0]["results"].size(), 2u);
    EXPECT_EQ(sarif["runs"][0]["invocations"].size(), 3u);  // the suite, and each test with a bug
    const std::string page = content_of(place / "h.html");
    EXPECT_THAT(page, HasSubstr(">Transfer.InOrder</code>"));
    EXPECT_THAT(page, HasSubstr("<a href=\"#test2\">Transfer.BothWays</a>"));
    EXPECT_THAT(page, HasSubstr("id=\"test2-bug1\""));
    EXPECT_NO_THROW(elements_of(page));
}

TEST(SuiteReports, AsJsonHaveExactlyTheKeysThatAreDocumented) {
    const Place place;
    const json suite = suite_of(place.raddle({"test", "--json", "-f", "Plain.Adds", "--", suite_program("gtest")}));
    std::set<std::string> keys, documented;
    for (const auto& [key, value] : suite.items())
        if (key != "tests") keys.insert("| `" + key + "`");
    for (const auto& [key, value] : suite["tests"][0].items()) keys.insert("| `tests[]." + key + "`");
    const std::string page = content_of(std::string(RADDLE_SOURCE_DIR) + "/docs/suites.md");
    std::istringstream lines(page.substr(page.find("## The object of")));
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("| `")) documented.insert(line.substr(0, line.find('`', 3) + 1));
    EXPECT_EQ(keys, documented);
}

TEST(SuiteReports, ThatCannotBeWrittenAreAnError) {
    const Place place;
    const Ended ended = place.raddle(
        {"test", "-q", "--junit", "/there/is/none/j.xml", "-f", "Plain.Adds", "--", suite_program("gtest")});
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.errors, HasSubstr("--junit: /there/is/none/j.xml cannot be written"));
}

// ---- ctest

class CTest : public ::testing::Test {
protected:
    Ended run(const std::string& tests, std::vector<std::string> words = {"test", "--json", "--ctest", "build"}) const {
        std::filesystem::create_directories(place / "build");
        std::ofstream(place / "build/CTestTestfile.cmake") << tests;
        return place.raddle(std::move(words));
    }
    const Place place{};
};

TEST_F(CTest, TestsAreCampaigns) {
    if (!is_installed("ctest")) GTEST_SKIP() << "there is no ctest";
    const json suite = suite_of(run("add_test(\"locks both ways\" \"" + sample("deadlock/abba") +
                                    "\")\nadd_test(fine \"" + sample("ok/abba") + "\")\n"));
    EXPECT_EQ(suite["framework"], "CTest");
    EXPECT_EQ(test_named(suite, "locks both ways")["result"], "failed");
    EXPECT_EQ(test_named(suite, "fine")["result"], "passed");
}

TEST_F(CTest, WhatRaddleCannotJudgeIsSkippedWithTheReason) {
    if (!is_installed("ctest")) GTEST_SKIP() << "there is no ctest";
    const std::string program = sample("deadlock/abba");
    const json suite =
        suite_of(run("add_test(fails \"" + program + "\")\nset_tests_properties(fails PROPERTIES WILL_FAIL 1)\n" +
                     "add_test(says \"" + program + "\")\n" +
                     "set_tests_properties(says PROPERTIES PASS_REGULAR_EXPRESSION \"done\")\n" + "add_test(off \"" +
                     program + "\")\nset_tests_properties(off PROPERTIES DISABLED TRUE)\n"));
    EXPECT_EQ(test_named(suite, "fails")["because"], "expected to fail (WILL_FAIL)");
    EXPECT_EQ(test_named(suite, "says")["because"], "judged by its output (PASS_REGULAR_EXPRESSION)");
    EXPECT_EQ(test_named(suite, "off")["because"], "disabled");
    EXPECT_EQ(suite["exit_code"], 0);
}

TEST_F(CTest, ItsPropertiesHold) {
    if (!is_installed("ctest")) GTEST_SKIP() << "there is no ctest";
    const std::string program = place.compiled(
        "#include <stdlib.h>\n#include <unistd.h>\n"
        "int main(void) { return getenv(\"MOOD\") != NULL && access(\"here\", F_OK) == 0 ? 7 : 1; }\n");
    std::filesystem::create_directories(place / "inner");
    std::ofstream(place / "inner/here") << "";
    const std::string inner = place / "inner";
    const json suite =
        suite_of(run("add_test(moody \"" + program +
                     "\")\nset_tests_properties(moody PROPERTIES ENVIRONMENT \"MOOD=good\" WORKING_DIRECTORY \"" +
                     inner + "\" SKIP_RETURN_CODE 7)\n"));
    EXPECT_EQ(test_named(suite, "moody")["result"], "passed") << suite.dump();
}

TEST_F(CTest, NeedsABuildDirectory) {
    const Ended ended = place.raddle({"test", "--ctest", "nowhere"});
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.errors, HasSubstr("nowhere has no CTestTestfile.cmake"));
}

}  // namespace
}  // namespace raddle::testing
