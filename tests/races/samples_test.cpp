// The whole use of a race: found, proven, shown, replayed and suppressed, with each value of --races.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/command_line.h"
#include "tests/sources.h"

namespace raddle::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Ended run(const std::string& name, const PrivateDirectory& place, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"run",   "--json",     "--quiet", "--memory",
                                      "races", "--no-store", "--bugs",  place / "bugs"};
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"--", sample(name)});
    return raddle(words);
}

class EveryRace : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryRace, IsProvenExplainedAndReplayed) {
    const PrivateDirectory place;
    const Ended ended = run("race/" + GetParam(), place);
    EXPECT_EQ(ended.status, 1);
    const nlohmann::json found = json_of(ended);
    ASSERT_EQ(found["bugs"].size(), 1u) << found.dump(2);
    const nlohmann::json bug = found["bugs"][0];
    EXPECT_EQ(bug["kind"], "race");
    EXPECT_EQ(bug["reproduced"], "3/3") << bug.dump(2);
    EXPECT_EQ(bug["preemptions"], preemptions_of_sample("race/" + GetParam()).value_or(-1)) << bug.dump(2);
    EXPECT_EQ(found["exhausted"], true) << "a race ends nothing";
    EXPECT_EQ(found["weaker_orders_not_explored"], true);

    const std::string directory = bug["directory"];
    const Ended again = raddle({"replay", directory});
    EXPECT_EQ(again.status, 1) << again.out;
    EXPECT_THAT(again.out, StartsWith("reproduced: race"));
    const Ended token = raddle({"replay", bug["token"], "--", sample("race/" + GetParam())});
    EXPECT_EQ(token.status, 1) << token.out << token.errors;
    const Ended shown = raddle({"show", directory});
    EXPECT_EQ(shown.status, 1) << shown.out;
    EXPECT_THAT(shown.out, AllOf(StartsWith("race: T"), HasSubstr("holding no lock"), HasSubstr("\nstacks\n")));
    EXPECT_THAT(shown.out, Not(HasSubstr("the decisive switch")));
}

TEST_P(EveryRace, IsAbsentFromTheCorrectProgram) {
    const PrivateDirectory place;
    const Ended ended = run("ok/" + GetParam(), place);
    EXPECT_EQ(ended.status, 0) << ended.out;
    EXPECT_EQ(json_of(ended)["bugs"].size(), 0u) << ended.out;
    EXPECT_EQ(json_of(ended)["exhausted"], true);
}

INSTANTIATE_TEST_SUITE_P(Samples, EveryRace, ::testing::ValuesIn(programs_in("samples/race")),
                         [](const auto& one) { return one.param; });

TEST(Races, AreExploredButNoBugsWithRacesExplore) {
    const PrivateDirectory place;
    const nlohmann::json reported = json_of(run("race/balance_peeked", place));
    const Ended ended = run("race/balance_peeked", place, {"--races", "explore"});
    EXPECT_EQ(ended.status, 0) << ended.out;
    EXPECT_EQ(json_of(ended)["graphs"], reported["graphs"]);
    EXPECT_EQ(json_of(ended)["races_reported"], false);
}

TEST(Races, AreInvisibleWithRacesIgnore) {
    const PrivateDirectory place;
    const Ended ended = run("race/balance_peeked", place, {"--races", "ignore"});
    // The race may steer the program, so nothing is claimed.
    EXPECT_EQ(ended.status, 3) << ended.out;
    EXPECT_THAT(json_of(ended)["incomplete_because"][0].get<std::string>(),
                HasSubstr("no call orders the accesses to"));
    EXPECT_EQ(json_of(ended)["memory_visible"], 0);
    EXPECT_EQ(json_of(ended)["graphs"], 1);
    EXPECT_EQ(raddle({"run", "--memory", "all", "--races", "ignore", "--", sample("ok/hello")}).status, 2);
    EXPECT_EQ(raddle({"run", "--memory", "sync", "--races", "explore", "--", sample("ok/hello")}).status, 2);
}

TEST(Races, CanBeSuppressed) {
    const PrivateDirectory place;
    const nlohmann::json found = json_of(run("race/balance_peeked", place));
    const Ended block = raddle({"show", "--gen-suppression", found["bugs"][0]["directory"]});
    ASSERT_EQ(block.status, 0);
    std::ofstream(place / "known") << block.out;
    const Ended ended = run("race/balance_peeked", place, {"--suppressions", place / "known"});
    EXPECT_EQ(ended.status, 0) << ended.out;
    EXPECT_EQ(json_of(ended)["suppressed"][0]["kind"], "race");
}

TEST(Races, AreStoredWithTheirCampaignAndResumed) {
    const PrivateDirectory place;
    const std::vector<std::string> words = {"run",
                                            "--json",
                                            "--quiet",
                                            "--memory",
                                            "races",
                                            "-C",
                                            place / "c",
                                            "--chdir",
                                            "/",
                                            "--",
                                            sample("race/balance_peeked")};
    ASSERT_EQ(raddle(words).status, 1);
    const Ended again = raddle(words);
    EXPECT_EQ(again.status, 1) << again.out;
    EXPECT_EQ(json_of(again)["bugs"][0]["kind"], "race");
    EXPECT_EQ(raddle({"replay", "1", "-C", place / "c"}).status, 1);
}

}  // namespace
}  // namespace raddle::testing
