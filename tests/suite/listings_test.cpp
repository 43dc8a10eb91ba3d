// The lists of tests that frameworks print, and the choice of tests from them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "supervisor/engine/suite/framework.h"
#include "supervisor/engine/suite/selection.h"

namespace raddle::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> names_in(const Listing& listing) {
    std::vector<std::string> names;
    if (!listing) return {"no list"};
    for (const ListedTest& test : *listing)
        names.push_back(test.name + (test.skipped.empty() ? "" : " " + test.skipped));
    return names;
}

TEST(GoogleTestList, NamesSuiteAndTest) {
    EXPECT_THAT(names_in(read_gtest("Running main() from gtest_main.cc\nPlain.\n  Adds\n  Takes\nOther.\n  Adds\n")),
                ElementsAre("Plain.Adds", "Plain.Takes", "Other.Adds"));
}

TEST(GoogleTestList, LeavesOutParametersAndTypes) {
    EXPECT_THAT(
        names_in(read_gtest("All/Sizes.\n  ArePositive/0  # GetParam() = 1\nTyped/0.  # TypeParam = int\n  Is\n")),
        ElementsAre("All/Sizes.ArePositive/0", "Typed/0.Is"));
}

TEST(GoogleTestList, KnowsWhatIsDisabled) {
    EXPECT_THAT(
        names_in(read_gtest("Plain.\n  DISABLED_Off\nDISABLED_All.\n  Off\nAll/DISABLED_Some.\n  Off/0\n")),
        ElementsAre("Plain.DISABLED_Off disabled", "DISABLED_All.Off disabled", "All/DISABLED_Some.Off/0 disabled"));
}

TEST(GoogleTestList, KnowsDeathTestsByTheNameOfTheSuite) {
    const Listing listing = read_gtest("QueueDeathTest.\n  Dies\nAll/QueueDeathTest/0.\n  Dies\nQueue.\n  Lives\n");
    ASSERT_EQ(listing->size(), 3u);
    EXPECT_TRUE(listing->at(0).is_death_test);
    EXPECT_TRUE(listing->at(1).is_death_test);
    EXPECT_FALSE(listing->at(2).is_death_test);
}

TEST(GoogleTestList, IsNoOtherText) {
    EXPECT_EQ(read_gtest("hello\n  world\n"), std::nullopt);
    EXPECT_EQ(read_gtest(""), std::nullopt);
}

TEST(Catch2List, HasANameOnEachLine) {
    EXPECT_THAT(names_in(read_catch2("adds, [even] here\nsecond one\n")),
                ElementsAre("adds, [even] here", "second one"));
}

TEST(Catch2Selection, TakesSpecialCharactersLiterally) {
    EXPECT_THAT(select_catch2("adds, [even] \\ *"), ElementsAre("adds\\, \\[even] \\\\ \\*"));
}

TEST(DoctestList, StandsBetweenTwoRules) {
    const std::string rule = std::string(79, '=') + "\n";
    EXPECT_THAT(names_in(read_doctest("[doctest] listing all test case names\n" + rule + "adds, too\nsecond one\n" +
                                      rule + "[doctest] unskipped test cases passing the current filters: 2\n")),
                ElementsAre("adds, too", "second one"));
    EXPECT_EQ(read_doctest("adds\nsecond\n"), std::nullopt);
}

TEST(BoostList, IsATreeOfSuites) {
    EXPECT_THAT(
        names_in(read_boost("outer*\n    inner*\n        adds*\n        off \n    after*\ntop*: with a description\n")),
        ElementsAre("outer/inner/adds", "outer/inner/off disabled", "outer/after", "top"));
    EXPECT_EQ(read_boost(""), std::nullopt);
}

TEST(LibtestList, HasTestsAndBenchmarks) {
    EXPECT_THAT(names_in(read_libtest("adds: test\ndeep::counts: test\nfast: benchmark\n")),
                ElementsAre("adds", "deep::counts"));
    EXPECT_EQ(read_libtest("hello\n"), std::nullopt);
}

TEST(Frameworks, HaveDifferentNamesAndMarks) {
    for (const Framework& one : frameworks())
        for (const Framework& other : frameworks())
            if (&one != &other) {
                EXPECT_STRNE(one.name, other.name);
                EXPECT_STRNE(one.mark, other.mark);
            }
}

// ---- selection

TEST(Pattern, MatchesWholeNames) {
    EXPECT_TRUE(matches_pattern("Queue.Stops", "Queue.Stops"));
    EXPECT_FALSE(matches_pattern("Queue", "Queue.Stops"));
    EXPECT_FALSE(matches_pattern("Queue.Stops", "Queue.Stop"));
}

TEST(Pattern, HasStarsAndQuestionMarks) {
    EXPECT_TRUE(matches_pattern("Queue.*", "Queue.Stops"));
    EXPECT_TRUE(matches_pattern("*Stops", "Queue.Stops"));
    EXPECT_TRUE(matches_pattern("*u?ue*S*", "Queue.Stops"));
    EXPECT_TRUE(matches_pattern("*", ""));
    EXPECT_TRUE(matches_pattern("a*b*c", "a-b-b-c"));
    EXPECT_FALSE(matches_pattern("a*b*c", "a-c-b"));
    EXPECT_FALSE(matches_pattern("?", ""));
    // Takes time in proportion to the product of the lengths, not exponential time.
    EXPECT_FALSE(matches_pattern("*a*a*a*a*a*a*a*a*a*a*b", std::string(2000, 'a')));
}

std::vector<std::string> chosen(const std::vector<std::pair<const char*, std::string>>& options) {
    std::vector<TestCase> tests;
    for (const char* name : {"A.a", "A.b", "B.a", "B.b", "C.a"}) tests.push_back({.name = name, .program = {"prog"}});
    Settings settings(command::test);
    for (const auto& [name, value] : options) settings.give(*find_setting(name, command::test), value);
    std::vector<std::string> names;
    for (const TestCase& test : selected(tests, settings)) names.push_back(test.name);
    return names;
}

TEST(Selection, FollowsFiltersAndExclusions) {
    EXPECT_THAT(chosen({{"filter", "A.*"}, {"filter", "C.?"}}), ElementsAre("A.a", "A.b", "C.a"));
    EXPECT_THAT(chosen({{"filter", "A.*"}, {"exclude", "*.b"}}), ElementsAre("A.a"));
    EXPECT_THROW(chosen({{"filter", "D.*"}}), BadInput);
}

TEST(Selection, GivesEachTestToOneShard) {
    EXPECT_THAT(chosen({{"shard", "1/2"}}), ElementsAre("A.a", "B.a", "C.a"));
    EXPECT_THAT(chosen({{"shard", "2/2"}}), ElementsAre("A.b", "B.b"));
    EXPECT_THAT(chosen({{"shard", "9/9"}}), IsEmpty());
}

TEST(Shard, IsAPartOfSome) {
    for (const char* wrong : {"", "2", "0/2", "3/2", "a/b", "1/", "/2", "1/2/3", "-1/2"})
        EXPECT_FALSE(read_shard(wrong).has_value()) << wrong;
    EXPECT_EQ(read_shard("2/5")->part, 2u);
    EXPECT_EQ(read_shard("2/5")->all, 5u);
}

}  // namespace
}  // namespace raddle::testing
