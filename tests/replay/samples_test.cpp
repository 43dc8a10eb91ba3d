// A user's steps with the bug of every sample: found, proven, as simple as line 1 says, and shown again by its script
// in another directory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/command_line.h"
#include "tests/sources.h"

namespace raddle::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::vector<std::string> folders_with_bugs = {"deadlock", "assert", "crash", "misuse", "exit", "livelock"};

nlohmann::json explored(const std::string& name, const PrivateDirectory& place,
                        const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"run", "--json", "--quiet", "-j1", "--no-store", "--bugs", place / "bugs"};
    words.insert(words.end(), more.begin(), more.end());
    for (const std::string& option : options_of_sample(name)) words.push_back(option);
    words.insert(words.end(), {"--", sample(name)});
    return json_of(raddle(words));
}

const char* times() { return std::getenv("RADDLE_NIGHTLY") != nullptr ? "250" : "10"; }

class EveryBug : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryBug, IsProvenMinimalAndReplayableFromAnyDirectory) {
    const PrivateDirectory place;
    const nlohmann::json found = explored(GetParam(), place);
    ASSERT_EQ(found["bugs"].size(), 1u) << found.dump(2);
    const nlohmann::json bug = found["bugs"][0];
    EXPECT_EQ(bug["reproduced"], "3/3") << bug.dump(2);
    EXPECT_EQ(bug["preemptions"], preemptions_of_sample(GetParam()).value_or(-1));
    EXPECT_EQ(bug["fewest_preemptions_proven"], true);
    const fs::path directory = bug["directory"];
    for (const char* file : {"report.txt", "schedule", "minimal.schedule", "stdout", "stderr", "repro.sh"})
        EXPECT_TRUE(fs::exists(directory / file)) << file;
    EXPECT_THAT(content_of(directory / "report.txt"), HasSubstr("reproduced  3/3"));

    const Ended script = execute({"env", "-i", "-C", "/", "RADDLE=" RADDLE_BUILD_DIR "/bin/raddle",
                                  "PATH=/usr/bin:/bin", (directory / "repro.sh").string()});
    EXPECT_EQ(script.status, 1) << script.out << script.errors;
    EXPECT_THAT(script.out, StartsWith("reproduced: " + std::string(bug["kind"])));

    // Nightly: 10,000 replays in all.
    const Ended again = raddle({"replay", "--json", "--times", times(), directory.string()});
    EXPECT_EQ(again.status, 1) << again.out;
    EXPECT_EQ(json_of(again)["reproduced"], std::string(times()) + "/" + times()) << again.out;

    // A token does not store the visible memory accesses.
    const std::vector<std::string> options = options_of_sample(GetParam());
    if (std::find(options.begin(), options.end(), "--memory") != options.end()) return;
    const Ended token = raddle({"replay", bug["token"], "--", sample(GetParam())});
    EXPECT_EQ(token.status, 1) << token.out << token.errors;
}

INSTANTIATE_TEST_SUITE_P(Samples, EveryBug, ::testing::ValuesIn(samples_in(folders_with_bugs)),
                         [](const auto& one) { return test_name_of(one.param); });

TEST(Bugs, AreTheSameIfOnlyTheThreadsDiffer) {
    const PrivateDirectory place;
    const nlohmann::json found = json_of(raddle({"run", "--json", "--quiet", "--no-store", "--keep-going", "--bugs",
                                                 place / "bugs", "--", sample("deadlock/queue_signal")}));
    ASSERT_EQ(found["bugs"].size(), 1u) << found.dump(2);
    EXPECT_GT(found["bugs"][0]["times"], 1) << "different threads are left waiting";
    EXPECT_EQ(found["bugs"][0]["preemptions"], 0);
}

TEST(Bugs, AreReplayedByNumberFromTheCampaign) {
    const PrivateDirectory place;
    ASSERT_EQ(raddle({"run", "--quiet", "--chdir", "/", "-C", place / "c", "--", sample("deadlock/abba")}).status, 1);
    EXPECT_EQ(raddle({"replay", "1", "-C", place / "c"}).status, 1);
    EXPECT_EQ(raddle({"replay", "0001-deadlock", "-C", place / "c"}).status, 1);
    const Ended unknown = raddle({"replay", "7", "-C", place / "c"});
    EXPECT_EQ(unknown.status, 2);
    EXPECT_THAT(unknown.errors, HasSubstr("there is no bug '7'"));
    EXPECT_THAT(unknown.errors, HasSubstr("(0001-deadlock)"));
    // A second run does not count it as a new bug.
    const Ended more =
        raddle({"run", "--quiet", "--keep-going", "--chdir", "/", "-C", place / "c", "--", sample("deadlock/abba")});
    ASSERT_EQ(more.status, 1) << more.errors;
    EXPECT_FALSE(fs::exists(place / "c/bugs/0002-deadlock"));
}

TEST(Bugs, CanBeSuppressed) {
    const PrivateDirectory place;
    const nlohmann::json found = explored("deadlock/abba", place);
    const Ended block = raddle({"show", "--gen-suppression", found["bugs"][0]["directory"]});
    ASSERT_EQ(block.status, 0);
    EXPECT_THAT(block.out, HasSubstr("place = mutex_lock abba!a_to_b held since mutex_lock abba!b_to_a; "));
    std::ofstream(place / "known") << block.out;
    const Ended outcome = raddle(
        {"run", "--json", "--quiet", "--no-store", "--suppressions", place / "known", "--", sample("deadlock/abba")});
    EXPECT_EQ(outcome.status, 0) << outcome.out;
    EXPECT_EQ(json_of(outcome)["bugs"].size(), 0u);
    EXPECT_EQ(json_of(outcome)["suppressed"][0]["kind"], "deadlock");

    std::ofstream(place / "by offset") << "kind = deadlock\nplace = " << found["bugs"][0]["place"].get<std::string>()
                                       << "\n";
    EXPECT_EQ(
        raddle({"run", "--quiet", "--no-store", "--suppressions", place / "by offset", "--", sample("deadlock/abba")})
            .status,
        0);

    std::string expired = block.out;
    expired.replace(expired.find("# expires = "), 22, "expires = 2020-01-01");
    std::ofstream(place / "known") << expired;
    const Ended again =
        raddle({"run", "--quiet", "--no-store", "--suppressions", place / "known", "--", sample("deadlock/abba")});
    EXPECT_EQ(again.status, 1);
    EXPECT_THAT(again.errors, HasSubstr("expired on 2020-01-01"));
}

TEST(ReplayCommand, ShowsStepsAndStopsAtTheGivenStep) {
    const PrivateDirectory place;
    const std::string bug = explored("deadlock/abba", place)["bugs"][0]["directory"];
    const Ended traced = raddle({"replay", bug, "--trace"});
    EXPECT_THAT(traced.out, StartsWith("1  T0 thread_create thread:T1 at main (abba.c:"));
    EXPECT_EQ(lines_in(traced.out), 8u) << traced.out;
    const Ended stopped = raddle({"replay", bug, "--until", "4"});
    EXPECT_EQ(stopped.status, 0);
    EXPECT_THAT(stopped.out, StartsWith("stopped after step 4 of 6"));
    EXPECT_THAT(stopped.out, HasSubstr("\n  T1        mutex_lock b at a_to_b (abba.c:12)\n"));
    EXPECT_EQ(raddle({"replay", bug, "--until", "7"}).status, 2);
}

TEST(ReplayCommand, ReportsAnotherProgram) {
    const PrivateDirectory place;
    const std::string bug = explored("deadlock/abba", place)["bugs"][0]["directory"];
    const std::string other = std::filesystem::canonical(sample("ok/abba"));
    const Ended fixed = raddle({"replay", bug, "--", other});
    EXPECT_EQ(fixed.status, 4) << fixed.out;
    EXPECT_THAT(fixed.out, HasSubstr("changed     " + other + " is another: build-id"));
    EXPECT_THAT(fixed.out, HasSubstr("which cannot go on here"));
}

TEST(ReplayCommand, RefusesADamagedFile) {
    const PrivateDirectory place;
    const fs::path bug = explored("deadlock/abba", place)["bugs"][0]["directory"];
    std::string text = content_of(bug / "minimal.schedule");
    text[text.find("T1*2") + 3] = '3';
    std::ofstream(place / "damaged") << text;
    const Ended outcome = raddle({"replay", place / "damaged"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(lines_in(outcome.errors), 1u) << outcome.errors;
}

TEST(MinimizeCommand, SimplifiesARandomSchedule) {
    const PrivateDirectory place;
    const nlohmann::json drawn =
        explored("assert/bank", place, {"--strategy", "random", "--samples", "2000", "--no-minimize"});
    ASSERT_EQ(drawn["verdict"], "bug") << drawn.dump(2);
    const fs::path bug = drawn["bugs"][0]["directory"];
    const Ended simple = raddle({"minimize", bug.string(), "--max-execs", "2000"});
    EXPECT_EQ(simple.status, 1) << simple.errors;
    EXPECT_THAT(simple.errors, HasSubstr("after       1 preemption"));
    EXPECT_THAT(content_of(bug / "minimal.schedule"), HasSubstr("\npreemptions 1\n"));
    EXPECT_EQ(raddle({"replay", bug.string()}).status, 1);
}

TEST(Proof, IsUnstableForABugThatComesAndGoes) {
    const PrivateDirectory place;
    const std::string program = moody_program(place);
    const Ended outcome = raddle({"run", "--json", "--quiet", "--no-store", "--memory", "sync", "--naps", "never", "--",
                                  program, place / "memory"});
    EXPECT_EQ(outcome.status, 4) << outcome.out;
    const nlohmann::json found = json_of(outcome);
    EXPECT_EQ(found["bugs"].size(), 0u);
    ASSERT_EQ(found["unstable"].size(), 1u) << found.dump(2);
    EXPECT_EQ(found["unstable"][0]["reproduced"], "0/3");
    EXPECT_NE(found["unstable"][0]["divergence"], "");
}

}  // namespace
}  // namespace raddle::testing
