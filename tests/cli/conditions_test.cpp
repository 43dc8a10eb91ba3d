// Campaigns of which something changes that is no other question: the rules of judging, the environment, the machine
// that did a part of the work. At every memory level.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/cli/place.h"

namespace raddle::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Two threads that lock a mutex twice each and touch a variable between: six graphs with calls alone.
constexpr const char* program_text = R"(
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first;
static void* work(void* number) {
    for (int i = 0; i < 2; ++i) {
        pthread_mutex_lock(&lock);
        if (first == 0) first = (int)(long)number;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}
int main(void) {
    const char* wanted = getenv("RUN_ID");
    if (wanted != 0 && wanted[0] != '1') abort();
    pthread_t one, two;
    pthread_create(&one, 0, work, (void*)1);
    pthread_create(&two, 0, work, (void*)2);
    pthread_join(one, 0);
    pthread_join(two, 0);
    if (first == 2) fputs("the second was first\n", stderr);
    return first == 2 ? 3 : 0;
}
)";

class Conditioned : public ::testing::TestWithParam<std::string> {
protected:
    Ended run(const std::string& directory, std::vector<std::string> options,
              const std::vector<std::string>& environment = {}) const {
        options.insert(options.begin(), {"run", "--json", "--memory", GetParam(), "-j", "1", "-C", directory});
        options.insert(options.end(), {"--", program_});
        return place_.raddle(options, {.input = {}, .environment = environment});
    }
    const Place place_{};
    const std::string program_ = place_.compiled(program_text);
};

INSTANTIATE_TEST_SUITE_P(MemoryLevels, Conditioned, ::testing::Values("sync", "atomics", "races", "all", "auto"),
                         [](const auto& level) { return level.param; });

TEST_P(Conditioned, TwoCampaignsAreMergedAndGoOn) {
    const std::vector<std::string> rules = {"--expect-exit", "any"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.end(), rules.begin(), rules.end());
        return more;
    };
    const auto whole = json_of(run("whole", rules));
    ASSERT_EQ(whole["exhausted"], true);
    ASSERT_EQ(run("a", with({"--max-execs", "2"})).status, 3);
    ASSERT_EQ(run("b", with({"--max-execs", "4"})).status, 3);
    const Ended merged = place_.raddle({"campaign", "merge", "a", "b"});
    EXPECT_EQ(merged.status, 0) << merged.errors;
    EXPECT_THAT(merged.out, HasSubstr("2 were in a, 4 in b"));
    EXPECT_EQ(place_.raddle({"campaign", "verify", "a"}).status, 0);
    const auto end = json_of(run("a", rules));
    EXPECT_EQ(end["exhausted"], true);
    EXPECT_EQ(end["graphs"], whole["graphs"]);
    EXPECT_EQ(end["executions"], whole["executions"]);
    // Both have everything: nothing is added.
    EXPECT_EQ(place_.raddle({"campaign", "merge", "a", "whole"}).status, 0);
    EXPECT_EQ(json_of(run("a", rules))["executions"], whole["executions"]);
}

TEST_P(Conditioned, WeakerRulesJudgeTheBugsAnew) {
    ASSERT_EQ(run("c", {}).status, 1);
    const Ended weaker = run("c", {"--expect-exit", "0", "--expect-exit", "3"});
    EXPECT_EQ(weaker.status, 0) << weaker.out << weaker.errors;
    EXPECT_THAT(weaker.errors,
                AllOf(HasSubstr("exit status found before (exit status 3)"),
                      HasSubstr("is no bug by the rules of this run (--expect-exit 0 --expect-exit 3)")));
    EXPECT_EQ(json_of(weaker)["exhausted"], true);
    EXPECT_THAT(json_of(weaker)["bugs"], IsEmpty());
    // Executions that passed by weaker rules are no answer to a stricter question.
    const Ended stricter = run("c", {});
    EXPECT_EQ(stricter.status, 3);
    EXPECT_THAT(json_of(stricter)["incomplete_because"],
                Contains(AllOf(HasSubstr("passed by other rules"), HasSubstr("--resume never judges all anew"))));
    EXPECT_EQ(run("c", {"--resume", "never"}).status, 1);
}

TEST_P(Conditioned, AStricterRuleHoldsFromNowOnAndIsSaid) {
    const std::vector<std::string> weak = {"--expect-exit", "any", "--output-order", "stderr"};
    std::vector<std::string> begun = weak, strict = weak;
    begun.insert(begun.end(), {"--max-execs", "1"});
    strict.insert(strict.end(), {"--fail-on", "stderr=second was"});
    ASSERT_EQ(run("c", begun).status, 3);
    const Ended found = run("c", strict);
    EXPECT_EQ(found.status, 1) << found.errors;
    EXPECT_EQ(json_of(found)["bugs"][0]["kind"], "output");
    EXPECT_THAT(json_of(found)["incomplete_because"],
                Contains(HasSubstr("1 execution passed by other rules (--expect-exit any;")));
    EXPECT_EQ(json_of(place_.raddle({"status", "--json", "c"}))["judged_otherwise"].size(), 1u);
    // Without the rule it is no bug, and the campaign goes on to its end.
    const Ended weaker = run("c", weak);
    EXPECT_EQ(weaker.status, 0) << weaker.out << weaker.errors;
    EXPECT_EQ(json_of(weaker)["exhausted"], true);
}

TEST_P(Conditioned, TheEnvironmentIsThatOfTheFirstRun) {
    const std::vector<std::string> any = {"--expect-exit", "any"};
    ASSERT_EQ(run("c", {"--expect-exit", "any", "--max-execs", "1"}, {"RUN_ID=1"}).status, 3);
    const Ended second = run("c", any, {"RUN_ID=2"});
    EXPECT_EQ(second.status, 0) << second.out << second.errors;  // with 2 the program would abort
    EXPECT_THAT(second.errors, AllOf(HasSubstr("the environment of the campaign's first run; RUN_ID differs now"),
                                     HasSubstr("--env NAME=VALUE")));
    EXPECT_EQ(json_of(second)["exhausted"], true);
    EXPECT_THAT(run("c", {"--expect-exit", "any", "-q"}, {"RUN_ID=2"}).errors, Not(HasSubstr("RUN_ID")));
    const Ended other = run("c", {"--expect-exit", "any", "--env", "RUN_ID=1x"});
    EXPECT_EQ(other.status, 6);
    EXPECT_THAT(other.errors, HasSubstr("the environment variable RUN_ID had another value"));
    EXPECT_THAT(json_of(place_.raddle({"status", "--json", "c"}))["environment"], Contains("RUN_ID"));
    // A new campaign takes the environment there is now.
    EXPECT_EQ(run("c", {"--rebase"}, {"RUN_ID=2"}).status, 1);
}

TEST_P(Conditioned, ABugIsReplayedInTheEnvironmentOfItsCampaign) {
    ASSERT_EQ(run("c", {}, {"RUN_ID=1"}).status, 1);
    const Ended replayed = place_.raddle({"replay", "1", "-C", "c"}, {.input = {}, .environment = {"RUN_ID=2"}});
    EXPECT_EQ(replayed.status, 1) << replayed.out << replayed.errors;
    EXPECT_THAT(replayed.out, HasSubstr("reproduced: exit_status"));
}

// The database has the environment, which may hold secrets.
TEST(Environment, IsForItsUserAlone) {
    const Place place;
    std::filesystem::create_directory(place / "c");  // as a user makes one
    ASSERT_EQ(place.raddle({"run", "-C", "c", "--", sample("ok/locks"), "2", "2"}).status, 0);
    ASSERT_EQ(place.raddle({"campaign", "export", "c", "c.campaign"}).status, 0);
    ASSERT_EQ(place.raddle({"campaign", "import", "c.campaign", "d"}).status, 0);
    for (const char* file : {"c/campaign.db", "c.campaign", "d/campaign.db"}) {
        struct stat status = {};
        ASSERT_EQ(::stat((place / file).c_str(), &status), 0) << file;
        EXPECT_EQ(status.st_mode & 0777, 0600u) << file;
    }
}

// Every row of the table is used by what it says it belongs to.
TEST(Settings, JudgingOptionsAreNoOtherCampaign) {
    const Place place;
    ASSERT_EQ(place.run(sample("ok/locks"), {"--max-execs", "1"}).status, 3);
    for (const std::vector<std::string>& rule : std::vector<std::vector<std::string>>{
             {"--expect-exit", "0", "--expect-exit", "3"}, {"--fail-on", "exit"}, {"--expect-exit", "any"}, {}}) {
        std::vector<std::string> options = rule;
        options.insert(options.end(), {"--max-execs", "1"});
        EXPECT_EQ(place.run(sample("ok/locks"), options).status, 3) << ::testing::PrintToString(rule);
    }
}

// Rules about output ask for its order, which other campaigns do not explore.
TEST(Settings, RulesAboutOutputAreAnotherCampaign) {
    const Place place;
    const std::vector<std::string> first = {"--max-execs", "1"};
    ASSERT_EQ(place.run(sample("ok/locks"), first).status, 3);
    for (const std::string rule : {"stderr=x", "stdout-differs"}) {
        const Ended refused = place.run(sample("ok/locks"), {"--max-execs", "1", "--fail-on", rule});
        EXPECT_EQ(refused.status, 6) << rule;
        EXPECT_THAT(refused.errors, HasSubstr("--output-order")) << rule;
    }
}

}  // namespace
}  // namespace raddle::testing
