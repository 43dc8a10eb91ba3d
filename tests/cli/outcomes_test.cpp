// What counts as a bug, and the different ways a program ends, as the command line has them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/command_line.h"

namespace raddle::testing {
namespace {

using ::testing::HasSubstr;

// Two threads that write a line each: whichever is first.
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

}  // namespace
}  // namespace raddle::testing
