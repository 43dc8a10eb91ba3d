// raddle show on real bugs, word for word: tests/cli/show holds the expected pages, which should read well.
// RADDLE_WRITE_GOLDEN=1 writes the files again; read the difference before you keep it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "tests/command_line.h"
#include "tests/patience.h"

namespace raddle::testing {
namespace {

using ::testing::HasSubstr;

namespace fs = std::filesystem;

struct Bug {
    const char* sample;
    const char* schedule;
    int status = 1;
};

const Bug bugs[] = {
    {"deadlock/abba", "T0*2 T1*2 T2*2"},
    {"deadlock/philosophers_left", "T0*3 T1*2 T3*2 T2*2"},
    {"deadlock/lost_wakeup", "T0*2 T2*5 T1*3"},
    {"deadlock/relock_self", "T0*2 T1*3 T2*2"},
    {"deadlock/rwlock_upgrade", "T0*2 T1*3 T2*5 T1*2"},
    {"assert/bank", "T0*2 T1*7 T2*10 T1*3 T0*3"},
    {"assert/read_interrupted", "T0*4 T1*2 T0*3 T1*5 T0*6"},
    {"assert/timer_rearmed", "T0*3 T1*8 T1.1*3"},
    {"crash/null_after_check", "T0*2 T1*3 T2*4 T1"},
    {"misuse/unlock_not_owner", "T0*2 T1*2 T2*4 T1*2 T0*3"},
    {"misuse/freed_mutex", "T0*3 T1*3 T2*7 T1*3 T0*3"},
    {"misuse/double_free", "T0*2 T1*3 T2*5 T1*3 T0"},
    {"exit/lost_update", "T0*2 T1*3 T2*6 T1*3 T0*3"},
    {"hang/list_cycle", "T0*2 T1*3 T2*6 T1*3 T0*2", 3},
};

std::string read(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string without_our_paths(std::string text) {
    const std::string folder = std::string(RADDLE_BUILD_DIR) + "/";
    for (std::size_t at; (at = text.find(folder)) != std::string::npos;) text.erase(at, folder.size());
    return text;
}

// In samples built by clang, assert() prints the function with its type: void bite(union sigval).
std::string with_plain_functions(const std::string& text) {
    static const std::regex typed(R"((: \w+\.\w+:\d+: )[\w ]+ \*?(\w+)\([\w ,*]*\)(: assertion failed: ))");
    return std::regex_replace(text, typed, "$1$2$3");
}

class Show : public ::testing::TestWithParam<Bug> {};

TEST_P(Show, ReadsAsExpected) {
    const Bug& bug = GetParam();
    fs::current_path(RADDLE_SOURCE_DIR);  // makes source paths independent of the build
    const Ended outcome =
        raddle({"show", "--exec-timeout", short_watchdog_option, bug.schedule, "--", sample(bug.sample)});
    EXPECT_EQ(outcome.status, bug.status) << outcome.errors;
    const std::string shown = with_plain_functions(without_our_paths(outcome.out));
    const fs::path golden =
        fs::path(RADDLE_SOURCE_DIR) / "tests/cli/show" / (fs::path(bug.sample).filename().string() + ".txt");
    if (std::getenv("RADDLE_WRITE_GOLDEN") != nullptr) std::ofstream(golden) << shown;
    EXPECT_EQ(shown, read(golden));
}

TEST_P(Show, FitsThePage) {
    fs::current_path(RADDLE_SOURCE_DIR);
    const Bug& bug = GetParam();
    std::istringstream lines(
        raddle({"show", "--exec-timeout", short_watchdog_option, bug.schedule, "--", sample(bug.sample)}).out);
    for (std::string line; std::getline(lines, line) && line != "run again";) {
        const auto characters = std::count_if(line.begin(), line.end(),
                                              [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
        EXPECT_LE(characters, 100) << line;
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, Show, ::testing::ValuesIn(bugs),
                         [](const auto& bug) { return fs::path(bug.param.sample).filename().string(); });

TEST(ShowCommand, AScheduleThatPassesIsNoBug) {
    const Ended outcome = raddle({"show", "T0*2", "--", sample("ok/abba")});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out, HasSubstr("ok: "));
}

TEST(ShowCommand, HasAnObjectForMachines) {
    const auto json = json_of(raddle({"show", "--json", "T0*2 T1*2 T2*2", "--", sample("deadlock/abba")}));
    EXPECT_EQ(json["schema"], 1);
    EXPECT_EQ(json["verdict"], "deadlock");
    EXPECT_EQ(json["steps"].at(3)["stack"].at(0)["function"], "a_to_b");
    EXPECT_EQ(json["steps"].at(3)["stack"].at(0)["line"], 11);
}

TEST(ShowCommand, SaysWhatIsMissingOrWrong) {
    EXPECT_EQ(raddle({"show"}).status, 6) << "there is no campaign";
    EXPECT_THAT(raddle({"show", "1", "2"}).errors,
                HasSubstr("'2' is too much; expected raddle show [options] [BUG|DIR|FILE|TOKEN] [-- prog"));
    EXPECT_THAT(raddle({"show", "T0*2"}).errors, HasSubstr("the program is missing"));
    EXPECT_EQ(raddle({"show", "T0*x", "--", sample("ok/abba")}).status, 2);
}

}  // namespace
}  // namespace raddle::testing
