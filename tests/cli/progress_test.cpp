// The progress shown during a campaign: on a terminal, elsewhere, and by raddle status.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "tests/command_line.h"
#include "tests/patience.h"

namespace raddle::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Far more schedules than the time allows.
const std::string endless = "-- '" + sample("ok/locks") + "' 4 4";

// The output on a terminal with that many columns.
std::string on_terminal(const std::string& options, const std::string& environment = "TERM=xterm", int columns = 150) {
    const std::string run = "stty cols " + std::to_string(columns) + "; env -u CI -u NO_COLOR " + environment +
                            " " RADDLE_BUILD_DIR "/bin/raddle run --no-store --max-time 1500ms " + options + " " +
                            endless;
    return execute({"script", "-qec", run, "/dev/null"}).out;
}

TEST(Progress, IsALineDrawnAgainOnATerminalAndGoneInTheEnd) {
    const std::string shown = on_terminal("");
    EXPECT_THAT(shown,
                ContainsRegex("\r[^\r\n]*of 1.50 s, [^\r\n]*execution[^\r\n]*/s\\)[^\r\n]*no bug so far\033\\[K"));
    EXPECT_THAT(shown, HasSubstr("\r\033[K"));
    EXPECT_LT(shown.rfind("so far\033[K"), shown.rfind("\r\033[K")) << "the line is still there";
}

TEST(Progress, FitsTheTerminal) {
    std::string shown = on_terminal("", "TERM=xterm", 40);
    shown = shown.substr(0, shown.rfind("\r\033[K"));
    int lines = 0;
    for (std::size_t from = 0; from < shown.size();) {
        const std::size_t to = std::min(shown.find('\r', from), shown.size());
        std::string line = shown.substr(from, to - from);
        if (const auto escape = line.find("\033["); escape != std::string::npos) line.resize(escape);
        EXPECT_LT(line.size(), 40u) << line;
        lines += line.empty() ? 0 : 1;
        from = to + 1;
    }
    EXPECT_GE(lines, 1);
}

TEST(Progress, IsNotDrawnWhereItCannotOrShallNotBe) {
    for (const char* environment : {"TERM=dumb", "TERM=xterm CI=true", "TERM="})
        EXPECT_THAT(on_terminal("", environment), Not(HasSubstr("\033"))) << environment;
    EXPECT_THAT(on_terminal("--quiet", "TERM=xterm NO_COLOR=1"), Not(HasSubstr("\033")));
    const Ended piped = raddle({"run", "--no-store", "--max-time", "300ms", "--", sample("ok/locks"), "4", "4"});
    EXPECT_THAT(piped.errors, IsEmpty());
}

// A campaign without end in a directory, run in the background while the test looks at it.
class Background {
public:
    Background()
        : directory_(place_ / "c"), thread_([this] {
              raddle({"run", "-q", "-C", directory_, "--max-time", "1h", "--", sample("ok/locks"), "4", "4"});
          }) {
        EXPECT_TRUE(eventually([this] { return has_executed(directory_); }));
    }
    ~Background() { end(); }
    void end() {
        if (!thread_.joinable()) return;
        pid_t process = 0;
        if (std::ifstream(directory_ + "/lock") >> process) ::kill(process, SIGINT);
        thread_.join();
    }
    Ended status(std::vector<std::string> options, const Conditions& conditions = {}) const {
        options.insert(options.begin(), "status");
        options.push_back(directory_);
        return raddle(options, conditions);
    }
    nlohmann::json state() const { return json_of(status({"--json"})); }

private:
    PrivateDirectory place_;
    std::string directory_;
    std::thread thread_;
};

TEST(Status, TellsOfARunWhileItRunsAndAfter) {
    Background campaign;
    // Ends the run after three lines, and after enough executions to estimate well how much is left.
    Conditions watching;
    watching.when = [&](const std::string& out) {
        if (lines_in(out) < 3) return false;
        const nlohmann::json state = campaign.state();
        if (state["executions"] < 10'000 || !state["remaining_in_all"].is_object()) return false;
        campaign.end();
        return true;
    };
    const Ended watched = campaign.status({"--watch"}, watching);
    EXPECT_EQ(watched.status, 0) << watched.errors;
    EXPECT_THAT(watched.out, HasSubstr("/s), "));
    EXPECT_THAT(watched.out, Not(HasSubstr("\033")));

    const nlohmann::json after = campaign.state();
    EXPECT_EQ(after["running"], false);
    EXPECT_GT(after["executions_per_second"], 0);
    ASSERT_TRUE(after["remaining_in_all"].is_object()) << after;
    // The remainder of 16!/(4!)^4 is right within a factor of three, and the range is a range.
    EXPECT_GT(after["remaining_in_all"]["likely"], 63'063'000 / 3);
    EXPECT_LT(after["remaining_in_all"]["likely"], 63'063'000 * 3.0);
    EXPECT_LT(after["remaining_in_all"]["low"], after["remaining_in_all"]["high"]);
    EXPECT_THAT(campaign.status({}).out, HasSubstr("\nprogress    "));
}

TEST(Status, StopsWatchingWhenInterrupted) {
    const Background campaign;
    Conditions interrupted;
    interrupted.when = [](const std::string& out) { return lines_in(out) > 0; };
    interrupted.signal = SIGINT;
    const Ended watched = campaign.status({"--watch", "--json"}, interrupted);
    EXPECT_EQ(watched.status, 130);
    EXPECT_THAT(watched.out, HasSubstr("\"running\":true"));
}

}  // namespace
}  // namespace raddle::testing
