// Every sample, as its user would run it: the folder is the verdict, and line 1 says how many preemptions it takes.
#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "tests/command_line.h"
#include "tests/sources.h"

namespace raddle::testing {
namespace {

// The folder of a sample is the verdict; what raddle calls it, or nothing if nothing is wrong with it.
const std::map<std::string, std::string>& kinds() {
    static const std::map<std::string, std::string> table = {
        {"ok", ""},           {"deadlock", "deadlock"}, {"assert", "assertion"},  {"crash", "crash"},
        {"misuse", "misuse"}, {"exit", "exit_status"},  {"livelock", "livelock"}, {"sanitizer", "sanitizer"},
    };
    return table;
}

std::vector<std::string> samples() {
    std::vector<std::string> folders;
    for (const auto& [folder, kind] : kinds()) folders.push_back(folder);
    return samples_in(folders);
}

class EverySample : public ::testing::TestWithParam<std::string> {};

TEST_P(EverySample, HasTheVerdictOfItsFolder) {
    const std::string& name = GetParam();
    const std::string kind = kinds().at(name.substr(0, name.find('/')));
    const bool buggy = !kind.empty();
    std::vector<std::string> words = {"run", "--json", "--quiet"};
    for (const std::string& option : options_of_sample(name)) words.push_back(option);
    if (!buggy) words.insert(words.end(), {"--max-time", "5s"});
    words.insert(words.end(), {"--", sample(name)});
    const Ended ended = raddle(words);
    const nlohmann::json found = json_of(ended);
    if (!buggy) {
        EXPECT_EQ(found["bugs"].size(), 0u) << found.dump(2);
        const bool ran_out = found["incomplete_because"].dump().find("the budget of time ended") != std::string::npos;
        EXPECT_TRUE(found["verdict"] == "ok" || ran_out) << found.dump(2);
        return;
    }
    ASSERT_EQ(found["verdict"], "bug") << found.dump(2);
    EXPECT_EQ(found["bugs"][0]["kind"], kind) << found.dump(2);
    const std::optional<int> preemptions = preemptions_of_sample(name);
    ASSERT_TRUE(preemptions) << "line 1 does not say how many preemptions it takes";
    EXPECT_EQ(found["bugs"][0]["preemptions"], *preemptions) << found.dump(2);
    EXPECT_EQ(ended.status, 1);
    // The schedule shows it again, with what says which accesses to memory are among its steps.
    std::vector<std::string> once_more = {"run", "--json", "--quiet"};
    for (const std::string option : found["target_options"]) once_more.push_back(option);
    once_more.insert(once_more.end(), {"--schedule", found["bugs"][0]["schedule"], "--", sample(name)});
    const Ended again = raddle(once_more);
    EXPECT_EQ(json_of(again)["bugs"][0]["kind"], kind) << again.out;
}

INSTANTIATE_TEST_SUITE_P(Samples, EverySample, ::testing::ValuesIn(samples()),
                         [](const auto& one) { return test_name_of(one.param); });

// ---- the numbers of graphs that calls alone decide: as many on a compiled program as in memory

struct Count {
    std::string name;
    std::vector<std::string> arguments;
    std::uint64_t graphs;
    std::vector<std::uint64_t> by_bound;  // with at most 0, 1, 2 … preemptions
};

const std::vector<Count>& counts() {
    static const std::vector<Count> table = {
        {"ok/locks", {"2", "2"}, 6, {2, 4, 6}},
        {"ok/locks", {"2", "4"}, 70, {2, 8, 26, 44, 62, 68, 70}},
        {"ok/locks", {"3", "2"}, 90, {6, 24, 60, 90}},
        {"ok/locks", {"3", "3"}, 1680, {6, 42, 192, 552}},
        {"ok/locks", {"4", "2"}, 2520, {24, 168, 672}},
        {"ok/philosophers", {"2"}, 2, {2}},
        {"ok/philosophers", {"3"}, 6, {6}},
        {"ok/philosophers", {"4"}, 14, {14}},
        {"ok/philosophers", {"5"}, 30, {30}},
        {"deadlock/philosophers_left", {"2"}, 3, {2, 3}},
        {"deadlock/philosophers_left", {"3"}, 7, {6, 7}},
        {"deadlock/philosophers_left", {"4"}, 15, {14, 15}},
        {"deadlock/philosophers_left", {"5"}, 31, {30, 31}},
        {"ok/cond_queue", {"1"}, 2, {}},
        {"ok/cond_queue", {"2"}, 8, {}},
        {"ok/cond_queue", {"3"}, 32, {}},
        {"ok/cond_queue", {"4"}, 128, {}},
        {"ok/sem_queue", {"2", "1"}, 4, {4}},
        {"ok/sem_queue", {"2", "2"}, 36, {36}},
        {"ok/filesystem", {"13"}, 1, {1}},
        {"ok/filesystem", {"14"}, 2, {2}},
        {"ok/filesystem", {"16"}, 8, {8}},
        {"ok/filesystem", {"18"}, 32, {32}},
    };
    return table;
}

nlohmann::json explore(const Count& count, const std::string& bound) {
    std::vector<std::string> words = {"run",   "--json",  "--quiet", "--keep-going", "--independence",
                                      "plain", "--bound", bound,     "--",           sample(count.name)};
    words.insert(words.end(), count.arguments.begin(), count.arguments.end());
    return json_of(raddle(words));
}

class EveryCount : public ::testing::TestWithParam<Count> {};

TEST_P(EveryCount, IsWhatTheSearchInMemoryHas) {
    const nlohmann::json all = explore(GetParam(), "none");
    EXPECT_EQ(all["graphs"], GetParam().graphs) << all.dump(2);
    EXPECT_EQ(all["executions"], GetParam().graphs);
    EXPECT_EQ(all["abandoned"], 0);
    EXPECT_EQ(all["exhausted"], true);
    for (std::size_t bound = 0; bound < GetParam().by_bound.size(); ++bound) {
        const nlohmann::json bounded = explore(GetParam(), std::to_string(bound));
        EXPECT_EQ(bounded["graphs"], GetParam().by_bound[bound]) << "at bound " << bound << bounded.dump(2);
        EXPECT_GE(bounded["bound_complete"], bound);
        EXPECT_LE(bounded["executions"], GetParam().by_bound[bound]);
    }
}

INSTANTIATE_TEST_SUITE_P(Counts, EveryCount, ::testing::ValuesIn(counts()), [](const auto& param_info) {
    std::string name = param_info.param.name.substr(param_info.param.name.find('/') + 1);
    for (const std::string& argument : param_info.param.arguments) name += "_" + argument;
    return name;
});

}  // namespace
}  // namespace raddle::testing
