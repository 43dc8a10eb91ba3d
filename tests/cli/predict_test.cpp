// raddle predict: what it finds in the samples, and how the command behaves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/command_line.h"
#include "tests/sources.h"

namespace raddle::testing {
namespace {

using ::testing::HasSubstr;

// Within three executions, except for these: the events that the bug needs are not all in the first ones, or other
// suspicions come before.
const std::map<std::string, int>& later_ones() {
    static const std::map<std::string, int> table = {
        {"deadlock/barrier_count", 40},
        {"deadlock/cancel_locked", 40},
        {"deadlock/queue_signal", 40},
        {"misuse/double_join", 8},
    };
    return table;
}

class EveryPredictableSample : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryPredictableSample, HasItsBugPredicted) {
    const std::string& name = GetParam();
    const bool is_race = name.starts_with("race/");
    const auto later = later_ones().find(name);
    const int most = later == later_ones().end() ? 3 : later->second;
    std::vector<std::string> words = {"predict",    "--json",    "--quiet",           "-j1",
                                      "--no-store", "--samples", std::to_string(most)};
    const std::vector<std::string> options = options_of_sample(name);
    for (std::size_t i = 0; i < options.size(); ++i) {
        if (options[i] == "--bound")
            ++i;  // predictions have none
        else
            words.push_back(options[i]);
    }
    if (is_race) words.insert(words.end(), {"--memory", "races", "--races", "report"});
    words.insert(words.end(), {"--", sample(name)});
    const Ended ended = raddle(words);
    const nlohmann::json found = json_of(ended);
    ASSERT_EQ(found["verdict"], "bug") << found.dump(2);
    EXPECT_EQ(ended.status, 1);
    EXPECT_EQ(found["bugs"][0]["kind"], name.substr(0, name.find('/'))) << found.dump(2);
    EXPECT_LE(found["executions"], most);
    EXPECT_EQ(found["unstable"].size(), 0u) << "each bug was shown by three replays";
    EXPECT_LE(found["predictions"]["came_true"], found["predictions"]["executed"]);
}

INSTANTIATE_TEST_SUITE_P(Samples, EveryPredictableSample,
                         ::testing::ValuesIn(samples_in({"deadlock", "misuse", "race"})),
                         [](const auto& one) { return test_name_of(one.param); });

TEST(Predict, IsRunWithItsStrategy) {
    const auto result_of = [](const std::string& command, const std::string& option, const std::string& value) {
        return json_of(
            raddle({command, option, value, "--json", "--quiet", "-j1", "--no-store", "--", sample("deadlock/abba")}));
    };
    const nlohmann::json predict = result_of("predict", "--samples", "9"),
                         run = result_of("run", "--strategy", "predict");
    EXPECT_EQ(predict["strategy"], "predict");
    EXPECT_EQ(predict["bugs"][0]["schedule"], run["bugs"][0]["schedule"]);
    EXPECT_EQ(predict["predictions"], (nlohmann::json{{"executed", 1}, {"came_true", 1}}));
}

TEST(Predict, TakesTheSameSchedulesWithAnyNumberOfWorkers) {
    const auto bugs_with = [](const std::string& workers) {
        const Ended ended = raddle({"predict", "--json", "--quiet", "--keep-going", "--samples", "40", workers,
                                    "--no-store", "--", sample("deadlock/rwlock_upgrade")});
        const nlohmann::json found = json_of(ended);
        return nlohmann::json{found["executions"], found["graphs"], found["predictions"], found["bugs"][0]["schedule"]};
    };
    EXPECT_EQ(bugs_with("-j1"), bugs_with("-j4"));
}

TEST(Predict, CountsPredictionsVerbosely) {
    const std::string text =
        raddle({"predict", "--verbose", "--samples", "20", "--no-store", "-j1", "--", sample("ok/abba")}).out;
    EXPECT_THAT(text, HasSubstr("\npredicted   "));
    EXPECT_THAT(text, HasSubstr(" 0 came true, "));
    EXPECT_THAT(text, HasSubstr("predictions see only what the recorded executions did"));
}

TEST(Predict, ClaimsNothing) {
    EXPECT_EQ(raddle({"predict", "--samples", "5", "--no-store", "--", sample("ok/hello")}).status, 3);
}

TEST(Predict, RefusesOtherStrategiesAndSingleSchedules) {
    const Ended other = raddle({"predict", "--strategy", "pct", "--", sample("ok/hello")});
    EXPECT_EQ(other.status, 2);
    EXPECT_THAT(other.errors, HasSubstr("use raddle run --strategy pct"));
    const Ended schedule = raddle({"predict", "--schedule", "T0", "--", sample("ok/hello")});
    EXPECT_EQ(schedule.status, 2);
    EXPECT_THAT(schedule.errors, HasSubstr("use raddle run"));
}

}  // namespace
}  // namespace raddle::testing
