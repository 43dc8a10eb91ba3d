// The rules for bugs, and the different endings of a program, as the command line shows them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/command_line.h"

namespace raddle::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Two threads that write one line each, in either order.
std::string two_lines() { return sample("ok/two_lines"); }

TEST(Outcomes, AreListedWithHowOftenAndASchedule) {
    const auto json = json_of(raddle({"run", "--outcomes", "--json", "--", two_lines()}));
    ASSERT_EQ(json["outcomes"].size(), 2U);
    std::set<std::string> written;
    std::uint64_t times = 0;
    for (const auto& outcome : json["outcomes"]) {
        written.insert(outcome["stdout"]);
        times += outcome["times"].get<std::uint64_t>();
        EXPECT_EQ(outcome["kind"], "ok");
        EXPECT_FALSE(outcome["schedule"].get<std::string>().empty());
    }
    EXPECT_EQ(written, (std::set<std::string>{"one\ntwo\n", "two\none\n"}));
    EXPECT_EQ(times, json["executions"].get<std::uint64_t>());
}

TEST(FailOn, OtherOutputThanTheFirst) {
    const auto result = raddle({"run", "--fail-on", "stdout-differs", "--json", "--", two_lines()});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(json_of(result)["bugs"][0]["kind"], "output");
}

TEST(FailOn, AnExitStatusThatIsNotExpected) {
    EXPECT_EQ(raddle({"run", "--expect-exit", "3", "--", "/bin/sh", "-c", "exit 3"}).status, 0);
    EXPECT_EQ(raddle({"run", "--expect-exit", "3", "--", "/bin/true"}).status, 1);
    EXPECT_EQ(raddle({"run", "--expect-exit", "any", "--", "/bin/false"}).status, 0);
}

TEST(FailOn, ALineOfStandardError) {
    const auto result = raddle({"run", "--fail-on", "stderr=cannot", "--", "/bin/sh", "-c", "echo cannot >&2"});
    EXPECT_EQ(result.status, 1);
    EXPECT_THAT(result.out, HasSubstr("on standard error: cannot"));
}

TEST(FailOn, RefusesAnExpressionThatIsNone) {
    const auto result = raddle({"run", "--fail-on", "stderr=(", "--", "/bin/true"});
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.errors, HasSubstr("no extended regular expression"));
}

TEST(Setup, ThatFailsIsNamed) {
    const auto result = raddle({"run", "--setup", "exit 4", "--", "/bin/true"});
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.errors, HasSubstr("--setup 'exit 4' ended with status 4"));
}

// Five executions of a program that fails on leftovers of an earlier execution; gives the JSON result.
nlohmann::json five_that_leave_a_file(const PrivateDirectory& place, std::vector<std::string> options) {
    std::vector<std::string> words = {"run",    "--json",    "-k", "-j1",     "--strategy",
                                      "random", "--samples", "5",  "--chdir", place.path()};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", "/bin/sh", "-c", "test -e needed && test ! -e left && touch left"});
    return json_of(raddle(words));
}

TEST(Reset, TakesAwayWhatTheExecutionBeforeLeft) {
    const PrivateDirectory place, other;
    EXPECT_FALSE(five_that_leave_a_file(place, {"--setup", "touch needed"})["bugs"].empty());
    const auto json = five_that_leave_a_file(other, {"--setup", "touch needed", "--reset", "rm left"});
    EXPECT_TRUE(json["bugs"].empty()) << json.dump(2);
    EXPECT_EQ(json["executions"], 5);
}

TEST(WorkdirCopy, IsAsItWasBeforeEachExecution) {
    const PrivateDirectory place;
    std::ofstream(place / "needed") << "here";
    const auto json = five_that_leave_a_file(place, {"--workdir-copy"});
    EXPECT_TRUE(json["bugs"].empty()) << json.dump(2);
    EXPECT_EQ(json["executions"], 5);
    EXPECT_TRUE(std::filesystem::exists(place / "needed"));
    EXPECT_FALSE(std::filesystem::exists(place / "left"));
}

TEST(FollowForks, TestsTheChild) {
    const std::vector<std::string> words = {"--", "/bin/sh", "-c", sample("deadlock/abba") + "; exit 0"};
    std::vector<std::string> followed = {"run", "--follow-forks"}, left_alone = {"run"};
    followed.insert(followed.end(), words.begin(), words.end());
    left_alone.insert(left_alone.end(), words.begin(), words.end());
    EXPECT_THAT(raddle(followed).out, HasSubstr("bug: deadlock"));
    EXPECT_THAT(raddle(left_alone).out, Not(HasSubstr("bug: deadlock")));
}

}  // namespace
}  // namespace raddle::testing
