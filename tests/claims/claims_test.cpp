// raddle claims of each program in programs/ exactly what is true: no bug less, none more, and no search called
// complete that was not. The comments at the head of a program say what is true (claim.h).
#include "tests/claims/claim.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/command_line.h"
#include "tests/sources.h"

namespace raddle::testing {
namespace {

const char* const kFolder = "tests/claims/programs/";

const std::map<std::string, std::vector<std::string>>& options_of_modes() {
    static const std::map<std::string, std::vector<std::string>> modes = {
        {"default", {}}, {"races", {"--memory", "races"}}, {"kernel", {"--threads", "kernel"}}, {"tsan", {}}};
    return modes;
}

Ended run(const std::string& program, const std::string& mode, const Claim& claim) {
    std::vector<std::string> words = {"run", "--json", "--quiet", "-k", "--bound", "none", "--max-execs", "20000"};
    const std::vector<std::string>& more = options_of_modes().at(mode);
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), claim.options.begin(), claim.options.end());
    words.push_back("--");
    words.push_back(std::string(RADDLE_BUILD_DIR "/claims/") + (mode == "tsan" ? "tsan/" : "") + program);
    words.insert(words.end(), claim.arguments.begin(), claim.arguments.end());
    return raddle(words);
}

// Each verdict once. A program that claims nothing about data races may have some: raddle reports them only in some
// modes.
std::set<std::string> verdicts_of(const nlohmann::json& result, const Claim& claim) {
    std::set<std::string> kinds;
    for (const nlohmann::json& bug : result["bugs"]) kinds.insert(bug["kind"].get<std::string>());
    if (!std::binary_search(claim.expected.begin(), claim.expected.end(), "race")) kinds.erase("race");
    return kinds;
}

// "ok", "crash", "exit_status 3"; followed by ": " and the standard output, if there is any.
std::set<std::string> outcomes_of(const nlohmann::json& result) {
    std::set<std::string> all;
    for (const nlohmann::json& outcome : result["outcomes"]) {
        std::string text = outcome["kind"].get<std::string>();
        if (text == "exit_status") text += " " + std::to_string(outcome["exit_status"].get<int>());
        const std::string out = outcome["stdout"].get<std::string>();
        all.insert(out.empty() ? text : text + ": " + out);
    }
    return all;
}

void expect_texts(const Ended& ended, const Claim& claim) {
    for (const std::string& text : claim.expected)
        EXPECT_NE((ended.out + ended.errors).find(text), std::string::npos) << "it does not say: " << text;
}

void check(const Ended& ended, const Claim& claim) {
    const std::set<std::string> expected(claim.expected.begin(), claim.expected.end());
    if (claim.kind == Claim::Kind::refused) {
        EXPECT_EQ(ended.status, 5);
        expect_texts(ended, claim);
        return;
    }
    const nlohmann::json result = json_of(ended);
    if (claim.kind == Claim::Kind::incomplete) {
        EXPECT_EQ(ended.status, 3);
        expect_texts(ended, claim);
        return;
    }
    if (claim.kind == Claim::Kind::bounded)
        EXPECT_FALSE(result["bound_complete"].is_null()) << "every schedule within the bound can be explored";
    else
        EXPECT_EQ(result["exhausted"], true) << "every schedule can be explored";
    EXPECT_TRUE(result["unstable"].empty());
    if (claim.kind == Claim::Kind::outcomes) {
        EXPECT_EQ(outcomes_of(result), expected);
        return;
    }
    EXPECT_EQ(verdicts_of(result, claim), expected);
    for (const std::string& text : claim.says)
        EXPECT_NE(ended.out.find(text), std::string::npos) << "it does not say: " << text;
    for (const std::string& text : claim.is_silent_about)
        EXPECT_EQ(ended.out.find(text), std::string::npos) << "it says: " << text;
    const bool only_races = expected.empty() && !result["bugs"].empty();
    EXPECT_EQ(ended.status, expected.empty() && !only_races ? 0 : 1);
}

// A test for each program and mode, so that no test is long. An empty mode: the program's comments make no sense.
struct ProgramInMode {
    std::string program, mode;
};

std::vector<ProgramInMode> programs_in_their_modes() {
    std::vector<ProgramInMode> all;
    for (const std::string& program : programs_in(kFolder)) {
        const Claims claims = claims_in(source_of(kFolder + program));
        if (!claims.mistake.empty()) all.push_back({program, ""});
        for (const std::string& mode : claims.modes) all.push_back({program, mode});
    }
    return all;
}

class Claimed : public ::testing::TestWithParam<ProgramInMode> {};

TEST_P(Claimed, IsTrue) {
    const auto& [program, mode] = GetParam();
    const Claims claims = claims_in(source_of(kFolder + program));
    ASSERT_TRUE(claims.mistake.empty()) << claims.mistake;
    for (const Claim& claim : claims.claims) {
        SCOPED_TRACE(mode + ": " + claim.line);
        const Ended ended = run(program, mode, claim);
        check(ended, claim);
        if (HasFailure()) FAIL() << ended.out << ended.errors;
    }
}

INSTANTIATE_TEST_SUITE_P(Programs, Claimed, ::testing::ValuesIn(programs_in_their_modes()), [](const auto& one) {
    return test_name_of(one.param.program) + (one.param.mode.empty() ? "" : "_" + one.param.mode);
});

TEST(ClaimLines, AreReadWordByWord) {
    const Claims read = claims_in(
        "// modes: default tsan\n// expect --fail-on stdout-differs -- 8 0: crash, assertion\n"
        "// expect: ok\n// expect --bound 1: bounded crash\n// expect: outcomes \"exit_status 3\" \"ok: ab\"\n"
        "// expect: ok \"a level\"\n// expect: ok without \"a b\" \"c\"\n");
    ASSERT_EQ(read.mistake, "");
    EXPECT_EQ(read.modes, (std::vector<std::string>{"default", "tsan"}));
    ASSERT_EQ(read.claims.size(), 6u);
    EXPECT_EQ(read.claims[0].options, (std::vector<std::string>{"--fail-on", "stdout-differs"}));
    EXPECT_EQ(read.claims[0].arguments, (std::vector<std::string>{"8", "0"}));
    EXPECT_EQ(read.claims[0].expected, (std::vector<std::string>{"assertion", "crash"}));
    EXPECT_TRUE(read.claims[1].expected.empty());
    EXPECT_EQ(read.claims[2].kind, Claim::Kind::bounded);
    EXPECT_EQ(read.claims[2].expected, (std::vector<std::string>{"crash"}));
    EXPECT_EQ(read.claims[3].expected, (std::vector<std::string>{"exit_status 3", "ok: ab"}));
    EXPECT_EQ(read.claims[4].says, (std::vector<std::string>{"a level"}));
    EXPECT_EQ(read.claims[5].is_silent_about, (std::vector<std::string>{"a b", "c"}));
}

TEST(ClaimLines, AreRefusedIfTheyMakeNoSense) {
    EXPECT_NE(claims_in("int main() {}\n").mistake, "");
    EXPECT_NE(claims_in("// expect: fine\n").mistake, "");
    EXPECT_NE(claims_in("// expect ok\n").mistake, "");
    EXPECT_NE(claims_in("// expect: incomplete\n").mistake, "");
    EXPECT_NE(claims_in("// expect: ok without\n").mistake, "");
    EXPECT_NE(claims_in("// modes: fast\n// expect: ok\n").mistake, "");
}

}  // namespace
}  // namespace raddle::testing
