// What POSIX and glibc promise, under raddle: every program of programs/ ends as it does natively, whatever the
// schedule, and the bug planted in each of programs/planted/ is found. A program that is known to be different says so
// in a comment of its own:
//   raddle: misuse       it does on purpose what raddle reports as misuse
//   raddle: gap: WHY     it is not under control yet; it must still end in time, and not be called right
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "tests/command_line.h"

namespace raddle::testing {
namespace {

struct Program {
    std::string name;
    std::string planted;  // what is planted in it
    bool misuse = false;
    bool gap = false;
};

bool nightly() { return std::getenv("RADDLE_NIGHTLY") != nullptr; }

std::vector<Program> programs(const std::string& folder) {
    std::vector<Program> all;
    for (const auto& entry : std::filesystem::directory_iterator(std::string(RADDLE_SOURCE_DIR) + "/tests/conformance/programs" + folder)) {
        if (entry.path().extension() != ".c" && entry.path().extension() != ".cpp") continue;
        std::ifstream source(entry.path());
        std::stringstream text;
        text << source.rdbuf();
        const std::string code = text.str();
        Program program{entry.path().stem(), "", code.find("raddle: misuse") != std::string::npos,
                        code.find("raddle: gap: ") != std::string::npos};
        std::smatch match;
        if (std::regex_search(code, match, std::regex("planted: ([a-z]+):"))) program.planted = match[1];
        all.push_back(program);
    }
    std::sort(all.begin(), all.end(), [](const Program& a, const Program& b) { return a.name < b.name; });
    return all;
}

std::string binary(const Program& program) {
    return std::string(RADDLE_BUILD_DIR) + "/conformance/" + (program.planted.empty() ? "" : "planted/") + program.name;
}

nlohmann::json run(const Program& program, std::vector<std::string> options) {
    std::vector<std::string> words = {"run", "--json", "--quiet", "--exec-timeout", "5s"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", binary(program)});
    const Ended ended = raddle(words);
    EXPECT_LT(ended.seconds, 60);
    return json_of(ended);
}

std::string name_of(const ::testing::TestParamInfo<Program>& info) { return info.param.name; }

class Conformance : public ::testing::TestWithParam<Program> {};

TEST_P(Conformance, HoldsUnderEverySchedule) {
    const nlohmann::json found = run(GetParam(), {"--max-time", nightly() ? "20s" : "2s", "--max-execs", nightly() ? "20000" : "40"});
    if (GetParam().gap) {
        EXPECT_NE(found["verdict"], "ok") << "it is under control: take away its line 'raddle: gap'";
        return;
    }
    if (GetParam().misuse) {
        ASSERT_FALSE(found["bugs"].empty()) << "it is not reported any more: take away its line 'raddle: misuse'";
        EXPECT_EQ(found["bugs"][0]["kind"], "misuse") << found.dump(2);
        return;
    }
    EXPECT_TRUE(found["bugs"].empty()) << found.dump(2);
    EXPECT_TRUE(found["verdict"] == "ok" || found["verdict"] == "incomplete") << found.dump(2);
    // Children have their own speed, and who looks whether they have ended is told so.
    for (const nlohmann::json& cut : found["cut"]) EXPECT_EQ(cut["kind"], "outside") << found.dump(2);
    EXPECT_GE(found["executions"], 1);
}

INSTANTIATE_TEST_SUITE_P(Programs, Conformance, ::testing::ValuesIn(programs("")), name_of);

class Planted : public ::testing::TestWithParam<Program> {};

TEST_P(Planted, IsFound) {
    static const std::map<std::string, std::string> kinds = {{"deadlock", "deadlock"}, {"assert", "assertion"},
                                                             {"crash", "crash"},       {"misuse", "misuse"},
                                                             {"exit", "exit_status"}};
    const auto kind = kinds.find(GetParam().planted);
    ASSERT_NE(kind, kinds.end()) << "line 1 does not say what is planted";
    const nlohmann::json found = run(GetParam(), {"--max-time", nightly() ? "60s" : "20s"});
    if (GetParam().gap) {
        EXPECT_NE(found["verdict"], "ok");
        return;
    }
    ASSERT_FALSE(found["bugs"].empty()) << found.dump(2);
    EXPECT_EQ(found["bugs"][0]["kind"], kind->second) << found.dump(2);
}

INSTANTIATE_TEST_SUITE_P(Programs, Planted, ::testing::ValuesIn(programs("/planted")), name_of);

}  // namespace
}  // namespace raddle::testing
