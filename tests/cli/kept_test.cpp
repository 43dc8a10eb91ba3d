// Stored campaigns from the user's view: stored by default, resumed, and refused if they belong to another run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/cli/place.h"
#include "tests/patience.h"

namespace raddle::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Kept, WithoutBeingAskedAndForItsUserAlone) {
    const Place place;
    const Ended first = place.raddle({"run", "--", sample("ok/locks"), "3", "2"});
    EXPECT_EQ(first.status, 0);
    EXPECT_THAT(first.errors, IsEmpty());
    const fs::path latest = fs::canonical(place / "raddle.out/latest");
    EXPECT_THAT(latest.filename().string(), StartsWith("locks-"));
    for (const fs::path& path : {place / "raddle.out", latest}) {
        struct stat status = {};
        ASSERT_EQ(::stat(path.c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 0777, 0700u) << path;
    }
    EXPECT_EQ(place.status()["executions"], 90);
}

TEST(Kept, NothingIsRunTwice) {
    const Place place;
    const std::vector<std::string> words = {"run", "--json", "--", sample("deadlock/abba")};
    const Ended first = place.raddle(words), second = place.raddle(words);
    EXPECT_EQ(second.status, 1);
    EXPECT_EQ(json_of(second)["bugs"], json_of(first)["bugs"]);
    EXPECT_EQ(json_of(second)["executions"], json_of(first)["executions"]);
    EXPECT_THAT(second.errors, AllOf(HasSubstr("nothing was left to run"), HasSubstr("--resume never")));
    EXPECT_EQ(place.raddle({"run", "--resume", "never", "--", sample("deadlock/abba")}).status, 1);
    EXPECT_EQ(std::distance(fs::directory_iterator(place / "raddle.out"), {}), 3);  // both, and latest
}

TEST(Kept, BudgetsJobsBoundAndOutputMayChange) {
    const Place place;
    const auto run = [&](std::vector<std::string> options) {
        options.insert(options.begin(), {"run", "-C", "c", "--json"});
        options.insert(options.end(), {"--", sample("ok/locks"), "3", "2"});
        return json_of(place.raddle(options));
    };
    EXPECT_EQ(run({"--bound", "1", "--max-execs", "5", "-j", "1"})["executions"], 5);
    EXPECT_EQ(run({"--bound", "1", "-q"})["graphs"], 24);  // locks(3,2): 6 24 60 90
    EXPECT_EQ(run({"--bound", "2", "-j", "2", "--max-time", "60s"})["graphs"], 60);
    const auto all = run({"-v", "--keep-going"});
    EXPECT_EQ(all["graphs"], 90);
    EXPECT_EQ(all["executions"], 90);
    EXPECT_EQ(all["exhausted"], true);
}

TEST(Kept, ACampaignThatBeganWithoutPatienceGoesOnWithoutIt) {
    const Place place;
    const auto run = [&](const std::string& directory, std::vector<std::string> options) {
        options.insert(options.begin(), {"run", "-C", directory, "--json"});
        options.insert(options.end(), {"--", sample("assert/timed_wait")});
        return place.raddle(options);
    };
    EXPECT_EQ(run("without", {"--patience", "none", "--max-execs", "1"}).status, 3);
    const Ended gone_on = run("without", {});
    EXPECT_EQ(gone_on.status, 1) << gone_on.errors;
    EXPECT_THAT(std::string(json_of(gone_on)["assumed"]), HasSubstr("--patience none"));
    EXPECT_THAT(run("without", {"--patience", "1s"}).errors, HasSubstr("--patience"));

    EXPECT_EQ(run("with", {"--max-execs", "1"}).status, 3);
    EXPECT_EQ(run("with", {"--patience", "1s"}).status, 0) << "the same";
    EXPECT_EQ(run("with", {"--patience", "none"}).status, 6) << "another";
    EXPECT_EQ(run("with", {}).status, 0);
    EXPECT_THAT(std::string(json_of(place.raddle({"status", "--json", "with"}))["assumed"]),
                StartsWith("no thread is held up for 1 s or more"));
}

TEST(Kept, WhatChangesTheMeaningIsRefusedWithBothValues) {
    const Place place;
    ASSERT_EQ(place.raddle({"run", "-C", "c", "--", sample("ok/locks"), "2", "2"}).status, 0);
    const auto refusal = [&](std::vector<std::string> options, std::vector<std::string> arguments = {"2", "2"}) {
        options.insert(options.begin(), {"run", "-C", "c"});
        options.insert(options.end(), {"--", sample("ok/locks")});
        options.insert(options.end(), arguments.begin(), arguments.end());
        const Ended ended = place.raddle(options);
        EXPECT_EQ(ended.status, 6);
        EXPECT_THAT(ended.out, IsEmpty());
        EXPECT_EQ(lines_in(ended.errors), 1u);
        return ended.errors;
    };
    EXPECT_THAT(refusal({"--max-steps", "777"}), HasSubstr("--max-steps was 400000, now it is 777"));
    EXPECT_THAT(refusal({"--strategy", "dpor"}), HasSubstr("--strategy was portfolio, now it is dpor"));
    EXPECT_THAT(refusal({"--strategy", "bounded"}), HasSubstr("--strategy was portfolio, now it is bounded"));
    EXPECT_THAT(refusal({"--independence", "plain"}), HasSubstr("--independence was fine, now it is plain"));
    EXPECT_THAT(refusal({"--spurious"}), HasSubstr("--spurious was none, now it is given"));
    EXPECT_THAT(refusal({"--fork-at", "exec"}), HasSubstr("--fork-at was auto, now it is exec"));
    EXPECT_THAT(refusal({"--chdir", "/"}), HasSubstr("the working directory was "));
    EXPECT_THAT(refusal({"--env", "NEW=1"}), HasSubstr("variable NEW was not set, now it is"));
    EXPECT_THAT(refusal({"--stdin", "/proc/sys/kernel/ostype"}), HasSubstr("--stdin was none"));
    EXPECT_THAT(refusal({}, {"2", "3"}), AllOf(HasSubstr("the command line was"), HasSubstr("locks 2 2, now")));
    // Without a named directory, other options get another directory.
    EXPECT_EQ(place.raddle({"run", "--", sample("ok/locks"), "2", "2"}).status, 0);
    EXPECT_EQ(place.raddle({"run", "--independence", "plain", "--", sample("ok/locks"), "2", "2"}).status, 0);
}

TEST(Kept, AChangedProgramIsRefusedUntilItIsRebased) {
    const Place place;
    const std::string program = place.program("deadlock/abba");
    ASSERT_EQ(place.raddle({"run", "--memory", "sync", "--", program}).status, 1);
    place.program("deadlock/philosophers_left");
    const Ended refused = place.raddle({"run", "--memory", "sync", "--", program});
    EXPECT_EQ(refused.status, 6);
    EXPECT_THAT(refused.errors, AllOf(HasSubstr("prog has changed: it was build-id "),
                                      HasSubstr(", now it is build-id "), HasSubstr("--rebase")));
    const std::string old_directory = fs::canonical(place / "raddle.out/latest");

    const Ended rebased = place.raddle({"run", "--memory", "sync", "--rebase", "--", program});
    EXPECT_EQ(rebased.status, 1);
    EXPECT_THAT(rebased.errors,
                AllOf(HasSubstr("deadlock found before"), HasSubstr("is gone: its schedule was followed to its end")));
    EXPECT_TRUE(fs::exists(old_directory + ".1/campaign.db"));
    // Nothing has changed since then: there is nothing to rebase.
    EXPECT_THAT(place.raddle({"run", "--memory", "sync", "--rebase", "--", program}).errors,
                AllOf(HasSubstr("nothing was left to run"), Not(HasSubstr("found before"))));
}

TEST(Kept, ABugThatIsStillThereAfterRebaseIsFoundAtOnce) {
    const Place place;
    const std::string program = place.program("deadlock/abba");
    ASSERT_EQ(place.raddle({"run", "-C", "c", "--", program}).status, 1);
    // The same program with different contents.
    execute({"objcopy", "--add-section", ".other=/etc/hostname", "--remove-section", ".note.gnu.build-id", program});
    const Ended rebased = place.raddle({"run", "-C", "c", "--json", "--rebase", "--", program});
    EXPECT_EQ(rebased.status, 1);
    EXPECT_THAT(rebased.errors, HasSubstr("is still there"));
    EXPECT_EQ(json_of(rebased)["executions"], 0);
    EXPECT_EQ(json_of(rebased)["bugs"].size(), 1u);
    EXPECT_EQ(json_of(rebased)["bugs"][0]["preemptions"], 1);
    // A higher bound resumes from there.
    const Ended more = place.raddle({"run", "-C", "c", "--json", "--keep-going", "--", program});
    EXPECT_EQ(json_of(more)["exhausted"], true);
    EXPECT_EQ(json_of(more)["bugs"].size(), 1u);
}

TEST(Kept, ResumeMustAndNeverMeanIt) {
    const Place place;
    const auto run = [&](const char* when) {
        return place.raddle(
            {"run", "-C", "c", "--resume", when, "--max-execs", "3", "-j", "1", "--", sample("ok/locks")});
    };
    const Ended nothing = run("must");
    EXPECT_EQ(nothing.status, 6);
    EXPECT_THAT(nothing.errors, HasSubstr("no campaign to go on with"));
    EXPECT_THAT(run("auto").out, HasSubstr("3 executions"));
    EXPECT_THAT(run("must").out, HasSubstr("6 executions"));
    const Ended anew = run("never");
    EXPECT_THAT(anew.out, HasSubstr("3 executions"));
    EXPECT_THAT(anew.errors, HasSubstr("is in c.1 now"));
}

TEST(Kept, ADirectoryThatIsRemovedMeanwhileIsNotSaidToBeKept) {
    const Place place;
    const Ended ended =
        place.raddle({"run", "-C", "c", "--quiet", "--memory", "sync", "--reset", "rm -rf " + (place / "c").string(),
                      "--max-execs", "3", "--", sample("ok/locks"), "3", "2"});
    EXPECT_EQ(ended.status, 3) << ended.out;
    EXPECT_THAT(ended.errors, AllOf(HasSubstr("c was removed while the campaign ran"), Not(HasSubstr("kept in"))));
}

TEST(Kept, NotIfAskedNotTo) {
    const Place place;
    EXPECT_EQ(place.raddle({"run", "--no-store", "--", sample("ok/abba")}).status, 0);
    EXPECT_FALSE(fs::exists(place / "raddle.out"));
    EXPECT_EQ(place.raddle({"run", "--no-store", "-C", "c", "--", sample("ok/abba")}).status, 2);
}

TEST(Kept, AProgramThatCannotRunLeavesNoCampaign) {
    const Place place;
    EXPECT_EQ(place.raddle({"run", "--", "/etc/passwd"}).status, 126);
    EXPECT_FALSE(fs::exists(place / "raddle.out"));
}

TEST(Kept, ADirectoryThatCannotBeWrittenIsSaidWithWhatToDo) {
    Conditions nowhere;
    nowhere.directory = "/proc";
    const Ended ended = raddle({"run", "--", sample("ok/abba")}, nowhere);
    EXPECT_EQ(ended.status, 6);
    EXPECT_EQ(lines_in(ended.errors), 1u) << ended.errors;
    EXPECT_THAT(ended.errors, AllOf(HasSubstr("-C"), HasSubstr("--no-store")));
    EXPECT_EQ(raddle({"run", "--no-store", "--", sample("ok/abba")}, nowhere).status, 0);
}

// A campaign that continues until it is stopped.
class Running {
public:
    explicit Running(const Place& place)
        : thread_([&place, this] {
              ended_ = place.raddle({"run", "-C", "c", "--max-time", "1h", "--", sample("ok/locks"), "6", "6"});
          }) {
        EXPECT_TRUE(eventually([&] { return has_executed(place / "c"); }));
        std::ifstream(place / "c/lock") >> process_;
    }
    Ended end_with(int signal) {
        ::kill(process_, signal);
        thread_.join();
        return ended_;
    }

private:
    pid_t process_ = 0;
    Ended ended_;
    std::thread thread_;
};

TEST(Kept, OfTwoProcessesTheSecondIsToldWhoTheFirstIs) {
    const Place place;
    Running first(place);
    const Ended second = place.raddle({"run", "-C", "c", "--", sample("ok/locks"), "6", "6"});
    EXPECT_EQ(second.status, 6);
    EXPECT_THAT(second.errors, AllOf(HasSubstr("in use by process "), HasSubstr("ok/locks 6 6")));
    const Ended status = place.raddle({"status", "c"});
    EXPECT_EQ(status.status, 0);
    EXPECT_THAT(status.out, HasSubstr("running, process "));
    EXPECT_EQ(first.end_with(SIGKILL).status, 128 + SIGKILL);
    EXPECT_THAT(place.raddle({"status", "c"}).out, HasSubstr("not running"));
}

TEST(Kept, AfterASignalItIsConsistentAndSaysHowToGoOn) {
    for (const auto& [signal, status] : {std::pair{SIGINT, 130}, {SIGTERM, 143}}) {
        const Place place;
        Running run(place);
        const Ended ended = run.end_with(signal);
        EXPECT_EQ(ended.status, status);
        EXPECT_THAT(ended.errors, HasSubstr("kept in c; the same command goes on"));
        const Ended verified = place.raddle({"campaign", "verify", "c"});
        EXPECT_EQ(verified.status, 0);
        // The stored numbers equal the reported ones, and the next run resumes from there.
        const std::uint64_t before = json_of(place.raddle({"status", "--json", "c"}))["executions"];
        EXPECT_THAT(ended.out, HasSubstr(" " + std::to_string(before) + " executions"));
        const auto more = json_of(
            place.raddle({"run", "-C", "c", "--json", "--max-execs", "10", "--", sample("ok/locks"), "6", "6"}));
        EXPECT_EQ(more["executions"], before + 10);
    }
}

}  // namespace
}  // namespace raddle::testing
