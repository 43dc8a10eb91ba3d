// What is shown while a campaign runs: on a terminal, elsewhere, and by raddle status.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "tests/command_line.h"

namespace raddle::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Far more schedules than there is time for.
const std::string endless = "-- '" + sample("ok/locks") + "' 4 4";

// As somebody sees it who sits at a terminal of so many columns.
std::string on_terminal(const std::string& options, const std::string& environment = "TERM=xterm", int columns = 150) {
    const std::string run = "stty cols " + std::to_string(columns) + "; env -u CI -u NO_COLOR " + environment +
                            " " RADDLE_BUILD_DIR "/bin/raddle run --no-store --max-time 1500ms " + options + " " + endless;
    return execute({"script", "-qec", run, "/dev/null"}).out;
}

TEST(Progress, IsALineDrawnAgainOnATerminalAndGoneInTheEnd) {
    const std::string shown = on_terminal("");
    EXPECT_THAT(shown, ContainsRegex("\r[^\r\n]*of 1.50 s, [^\r\n]*execution[^\r\n]*/s\\)[^\r\n]*no bug so far\033\\[K"));
    EXPECT_THAT(shown, HasSubstr("\r\033[K"));
    EXPECT_LT(shown.rfind("so far\033[K"), shown.rfind("\r\033[K")) << "the line is still there";
}

TEST(Progress, FitsTheTerminal) {
    std::string shown = on_terminal("", "TERM=xterm", 40);
    shown = shown.substr(0, shown.rfind("\r\033[K"));
    int lines = 0;
    for (std::size_t from = 0; from < shown.size(); ++lines) {
        const std::size_t to = std::min(shown.find('\r', from), shown.size());
        std::string line = shown.substr(from, to - from);
        if (const auto escape = line.find("\033["); escape != std::string::npos) line.resize(escape);
        EXPECT_LT(line.size(), 40u) << line;
        from = to + 1;
    }
    EXPECT_GT(lines, 2);
}

TEST(Progress, IsNotDrawnWhereItCannotOrShallNotBe) {
    for (const char* environment : {"TERM=dumb", "TERM=xterm CI=true", "TERM="})
        EXPECT_THAT(on_terminal("", environment), Not(HasSubstr("\033"))) << environment;
    EXPECT_THAT(on_terminal("--quiet", "TERM=xterm NO_COLOR=1"), Not(HasSubstr("\033")));
    const Ended piped = raddle({"run", "--no-store", "--max-time", "300ms", "--", sample("ok/locks"), "4", "4"});
    EXPECT_THAT(piped.errors, IsEmpty());
}

// A campaign in a directory that is run for so long in the background while the test looks at it.
class Background {
public:
    explicit Background(double seconds)
        : directory_(::testing::TempDir() + "watched-" + std::to_string(::getpid())), thread_([this, seconds] {
              const std::string time = std::to_string(static_cast<int>(seconds * 1000)) + "ms";
              raddle({"run", "-q", "-C", directory_, "--max-time", time, "--", sample("ok/locks"), "4", "4"});
          }) {
        for (int i = 0; i < 200 && status({}).status != 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    ~Background() {
        thread_.join();
        execute({"rm", "-rf", directory_});
    }
    Ended status(std::vector<std::string> options) const {
        options.insert(options.begin(), "status");
        options.push_back(directory_);
        return raddle(options);
    }

private:
    std::string directory_;
    std::thread thread_;
};

TEST(Status, TellsOfARunWhileItRunsAndAfter) {
    // What remains is estimated in a small part of the time, and said only when there is enough to go by.
    const Background campaign(4 * slowness);
    const Ended watched = campaign.status({"--watch"});
    EXPECT_EQ(watched.status, 0) << watched.errors;
    EXPECT_GT(lines_in(watched.out), 2u) << watched.out;
    EXPECT_THAT(watched.out, HasSubstr("/s), "));
    EXPECT_THAT(watched.out, Not(HasSubstr("\033")));

    const auto after = json_of(campaign.status({"--json"}));
    EXPECT_EQ(after["running"], false);
    EXPECT_GT(after["executions_per_second"], 0);
    ASSERT_TRUE(after["remaining_in_all"].is_object()) << after;
    // 16!/(4!)^4, less what was done, within a factor of three; and the band is one.
    EXPECT_GT(after["remaining_in_all"]["likely"], 63'063'000 / 3);
    EXPECT_LT(after["remaining_in_all"]["likely"], 63'063'000 * 3.0);
    EXPECT_LT(after["remaining_in_all"]["low"], after["remaining_in_all"]["high"]);
    EXPECT_THAT(campaign.status({}).out, HasSubstr("\nprogress    "));
}

TEST(Status, StopsWatchingWhenInterrupted) {
    const Background campaign(4);
    const Ended watched = raddle({"status", "--watch", "--json", ::testing::TempDir() + "watched-" + std::to_string(::getpid())},
                                 {.input = {}, .environment = {}, .signal = SIGINT, .after_seconds = 1.5});
    EXPECT_EQ(watched.status, 130);
    EXPECT_THAT(watched.out, HasSubstr("\"running\":true"));
}

}  // namespace
}  // namespace raddle::testing
