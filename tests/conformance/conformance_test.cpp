// Promises of POSIX and glibc, under raddle: every program of programs/ ends as it does natively, in every schedule,
// and raddle finds the bug in each program of planted/. A program with another outcome has one of these remarks in a
// comment:
//   raddle: misuse       it does on purpose something that raddle reports as misuse
//   raddle: unseen calls raddle says that it did not look at memory that functions of libc use
//   raddle: calls only   raddle explores its calls, and says that it did not look at its memory
//   raddle: gap: WHY     raddle does not control it yet; the run must end in time, and the verdict must not be "ok"
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "tests/command_line.h"
#include "tests/sources.h"

namespace raddle::testing {
namespace {

struct Program {
    std::string name;
    bool planted;

    std::string binary() const {
        return std::string(RADDLE_BUILD_DIR "/conformance/") + (planted ? "planted/" : "") + name;
    }
    std::string source() const {
        return source_of(std::string("tests/conformance/") + (planted ? "planted/" : "programs/") + name);
    }
};

const char* const gap = "raddle: gap: ";

bool nightly() { return std::getenv("RADDLE_NIGHTLY") != nullptr; }

std::vector<Program> programs(bool planted) {
    std::vector<Program> all;
    for (const std::string& name : programs_in(planted ? "tests/conformance/planted" : "tests/conformance/programs"))
        all.push_back({name, planted});
    return all;
}

// A remark for this test in the program's source.
bool says(const Program& program, const std::string& remark) {
    return program.source().find(remark) != std::string::npos;
}

// The word between "planted: " and the next colon; empty if the source does not say it.
std::string planted_kind(const Program& program) {
    const std::string mark = "planted: ", code = program.source();
    const std::size_t at = code.find(mark);
    if (at == std::string::npos) return {};
    const std::size_t begin = at + mark.size();
    return code.substr(begin, code.find(':', begin) - begin);
}

nlohmann::json run(const Program& program, std::vector<std::string> options) {
    std::vector<std::string> words = {"run", "--json", "--quiet", "--exec-timeout", "20s"};
    words.insert(words.end(), options.begin(), options.end());
    for (const std::string& option : options_in(program.source())) words.push_back(option);
    words.insert(words.end(), {"--", program.binary()});
    return json_of(raddle(words));
}

std::string name_of(const ::testing::TestParamInfo<Program>& info) { return info.param.name; }

class Conformance : public ::testing::TestWithParam<Program> {};

TEST_P(Conformance, HoldsUnderEverySchedule) {
    const nlohmann::json found =
        run(GetParam(), {"--max-time", nightly() ? "20s" : "10s", "--max-execs", nightly() ? "20000" : "40"});
    if (says(GetParam(), gap)) {
        EXPECT_NE(found["verdict"], "ok") << "it is under control: take away its line 'raddle: gap'";
        return;
    }
    if (says(GetParam(), "raddle: misuse")) {
        ASSERT_FALSE(found["bugs"].empty()) << "it is not reported any more: take away its line 'raddle: misuse'";
        EXPECT_EQ(found["bugs"][0]["kind"], "misuse") << found.dump(2);
        return;
    }
    EXPECT_TRUE(found["bugs"].empty()) << found.dump(2);
    EXPECT_TRUE(found["verdict"] == "ok" || found["verdict"] == "incomplete") << found.dump(2);
    // The speed of children is outside raddle's control, and a wait for their end is reported as such.
    const bool is_seen = !says(GetParam(), "raddle: calls only") && !says(GetParam(), "raddle: unseen calls");
    const char* const cut_kind = is_seen ? "outside" : "not_looked_at";
    for (const nlohmann::json& cut : found["cut"]) EXPECT_EQ(cut["kind"], cut_kind) << found.dump(2);
    if (says(GetParam(), "raddle: calls only")) {
        EXPECT_EQ(found["level"], "sync") << "its memory is looked at: take away its line 'raddle: calls only'";
        EXPECT_EQ(found["cut"].size(), 1u) << found.dump(2);
    }
    EXPECT_GE(found["executions"], 1);
}

INSTANTIATE_TEST_SUITE_P(Programs, Conformance, ::testing::ValuesIn(programs(false)), name_of);

class Planted : public ::testing::TestWithParam<Program> {};

TEST_P(Planted, IsFound) {
    static const std::map<std::string, std::string> kinds = {{"deadlock", "deadlock"},
                                                             {"assert", "assertion"},
                                                             {"crash", "crash"},
                                                             {"misuse", "misuse"},
                                                             {"exit", "exit_status"}};
    const auto kind = kinds.find(planted_kind(GetParam()));
    ASSERT_NE(kind, kinds.end()) << "line 1 does not say what is planted";
    const nlohmann::json found = run(GetParam(), {"--max-execs", nightly() ? "20000" : "5000"});
    if (says(GetParam(), gap)) {
        EXPECT_NE(found["verdict"], "ok");
        return;
    }
    ASSERT_FALSE(found["bugs"].empty()) << found.dump(2);
    EXPECT_EQ(found["bugs"][0]["kind"], kind->second) << found.dump(2);
}

INSTANTIATE_TEST_SUITE_P(Programs, Planted, ::testing::ValuesIn(programs(true)), name_of);

}  // namespace
}  // namespace raddle::testing
