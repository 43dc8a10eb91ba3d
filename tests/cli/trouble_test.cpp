// Trouble during a campaign, or before it: clocks that jump, databases that are locked, targets that hang.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>

#include "store/database.h"
#include "tests/command_line.h"

namespace raddle::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Trouble : public ::testing::Test {
protected:
    Ended run(std::vector<std::string> options, std::vector<std::string> program, Conditions conditions = {}) const {
        options.insert(options.begin(), {"run", "-C", "c"});
        options.emplace_back("--");
        options.insert(options.end(), program.begin(), program.end());
        conditions.directory = place_.path();
        return raddle(options, conditions);
    }
    nlohmann::json status(const std::vector<std::string>& environment = {}) const {
        return json_of(
            raddle({"status", "--json", "c"}, {.input = {}, .environment = environment, .directory = place_.path()}));
    }
    fs::path directory() const { return fs::path(place_.path()) / "c"; }

private:
    PrivateDirectory place_;
};

TEST_F(Trouble, AClockThatJumpsMovesNothing) {
    Conditions jumping;
    // Address sanitizer insists on being the first library; these runs do not need its checks.
    jumping.environment = {"LD_PRELOAD=" RADDLE_JUMPING_CLOCK, "ASAN_OPTIONS=verify_asan_link_order=0"};
    const std::string now = execute({"date", "+%s"}, jumping).out, real = execute({"date", "+%s"}).out;
    constexpr double an_hour = 3600;
    ASSERT_GT(static_cast<double>(std::abs(std::stol(now) - std::stol(real))), an_hour) << "it does not jump";

    const std::vector<std::string> endless = {sample("ok/locks"), "6", "6"};
    for (int session = 1; session <= 2; ++session) {
        const Ended ended = run({"-q", "--json", "--max-time", "700ms"}, endless, jumping);
        EXPECT_EQ(ended.status, 3) << ended.errors;
        EXPECT_GT(ended.seconds, 0.6);
        EXPECT_LT(ended.seconds, an_hour);
        const nlohmann::json told = json_of(ended), kept = status(jumping.environment);
        EXPECT_EQ(kept["executions"], told["executions"]);
        EXPECT_GE(kept["seconds"], 0.6 * session);
        EXPECT_LT(kept["seconds"], an_hour);
        EXPECT_GE(kept["executions_per_second"], 0);
    }
    // The result is correct on the steady clock.
    const Ended all = raddle({"run", "--no-store", "--json", "--", sample("ok/locks"), "3", "2"}, jumping);
    EXPECT_EQ(json_of(all)["graphs"], 90);
    EXPECT_EQ(json_of(all)["exhausted"], true);
}

TEST_F(Trouble, ADatabaseThatAnotherProgramHoldsIsSaid) {
    ASSERT_EQ(run({"--max-execs", "20", "-j", "1"}, {sample("ok/locks"), "3", "2"}).status, 3);
    {
        Database other(directory() / "campaign.db", Database::Access::write);
        other.execute("BEGIN EXCLUSIVE");
        const Ended refused = run({}, {sample("ok/locks"), "3", "2"});
        EXPECT_EQ(refused.status, 6);
        EXPECT_THAT(refused.out, IsEmpty());
        EXPECT_EQ(lines_in(refused.errors), 1u) << refused.errors;
        EXPECT_THAT(refused.errors, AllOf(HasSubstr("campaign.db"), HasSubstr("another program holds it: try again")));
        EXPECT_EQ(status()["executions"], 20);  // a reader is not in its way
    }
    const nlohmann::json all = json_of(run({"--json"}, {sample("ok/locks"), "3", "2"}));
    EXPECT_EQ(all["graphs"], 90);
    EXPECT_EQ(all["executions"], 90);
}

TEST_F(Trouble, ADamagedPageIsSaid) {
    ASSERT_EQ(run({"--max-execs", "60", "-j", "1"}, {sample("ok/locks"), "3", "2"}).status, 3);
    fs::resize_file(directory() / "campaign.db", 3 * 4096);
    const Ended refused = run({}, {sample("ok/locks"), "3", "2"});
    EXPECT_EQ(refused.status, 6);
    EXPECT_EQ(lines_in(refused.errors), 1u) << refused.errors;
    EXPECT_THAT(refused.errors, HasSubstr("damaged"));
}

// A target in an endless computation, next to another that is restored again and again.
TEST_F(Trouble, AnInterruptionDoesNotWaitForTargets) {
    int round = 0;
    for (const auto& [signal, status] : {std::pair{SIGINT, 130}, {SIGTERM, 143}}) {
        for (const std::vector<std::string>& program :
             {std::vector<std::string>{sample("hang/list_cycle")}, {sample("ok/locks"), "6", "6"}}) {
            fs::remove_all(directory());
            // A copy with a name of its own: other tests run the same sample, and the target of the round before may
            // still be ending.
            const fs::path own = directory().parent_path() / ("interrupted" + std::to_string(++round));
            fs::copy_file(program[0], own);
            std::vector<std::string> words = program;
            words[0] = own;
            Conditions interrupted;
            interrupted.when = [&](const std::string&) {
                return fs::exists(directory() / "campaign.db") && execute({"pgrep", "-f", "^" + words[0]}).status == 0;
            };
            interrupted.signal = signal;
            // A target that was waited for would be waited for until the test is ended. At level calls nothing shows
            // that the list is a circle.
            const Ended ended =
                run({"-j", "2", "--keep-going", "--exec-timeout", "1h", "--memory", "sync"}, words, interrupted);
            EXPECT_EQ(ended.status, status) << program[0] << ": " << ended.out << ended.errors;
            EXPECT_THAT(ended.errors, HasSubstr("kept in c; the same command goes on"));
            EXPECT_EQ(raddle({"campaign", "verify", directory()}).status, 0);
        }
    }
}

}  // namespace
}  // namespace raddle::testing
