// raddle run and raddle doctor on real programs: verdicts, exit statuses, the JSON object.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>

#include "tests/command_line.h"
#include "tests/patience.h"

namespace raddle::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Run, ExploresEverySchedule) {
    const Ended outcome = raddle({"run", "--", sample("ok/locks"), "3", "2"});
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_THAT(outcome.out,
                StartsWith("no bug: every schedule explored (90 graphs, 90 executions)\n"));  // 6!/(2!2!2!)
    EXPECT_THAT(outcome.errors, IsEmpty());
}

TEST(Run, StopsAtTheBoundAndSaysSo) {
    const Ended outcome = raddle({"run", "--bound", "1", "--", sample("ok/locks"), "3", "2"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out,
                StartsWith("no bug with at most 1 preemption (24 graphs, 24 executions); not explored beyond\n"));
}

TEST(Run, HasTheSameResultWithTwoWorkers) {
    for (const char* bound : {"none", "9"}) {
        const auto one =
            json_of(raddle({"run", "--json", "--bound", bound, "-j", "1", "--", sample("ok/locks"), "3", "2"}));
        const auto two =
            json_of(raddle({"run", "--json", "--bound", bound, "-j", "2", "--", sample("ok/locks"), "3", "2"}));
        EXPECT_EQ(one["graphs"], 90);
        EXPECT_EQ(two["graphs"], 90);
        EXPECT_EQ(two["exhausted"], true);
    }
}

TEST(Run, FindsTheDeadlockAndItsScheduleShowsItAgain) {
    const Ended outcome = raddle({"run", "--json", "--", sample("deadlock/abba")});
    EXPECT_EQ(outcome.status, 1);
    const auto bug = json_of(outcome)["bugs"].at(0);
    EXPECT_EQ(bug["kind"], "deadlock");
    EXPECT_EQ(bug["preemptions"], 1);

    const Ended again = raddle({"run", "--schedule", bug["schedule"], "--", sample("deadlock/abba")});
    EXPECT_EQ(again.status, 1);
    EXPECT_THAT(again.out, StartsWith("bug: deadlock, 1 preemption: " + std::string(bug["message"]) + "\n"));
}

constexpr const char* nobody_is_held_up =
    "\npatience    no thread is held up for 1 s or more: such waits run out only when nothing else can happen (--patience)\n";

TEST(Run, LetsLongWaitsRunOutEarlyOnlyWithoutPatience) {
    const std::vector<std::string> program = {"--", sample("assert/timed_wait")};  // waits for 5 s
    const auto with = [&](std::vector<std::string> options) {
        options.insert(options.begin(), "run");
        options.insert(options.end(), program.begin(), program.end());
        return raddle(options);
    };
    const Ended hasty = with({"--patience", "none"});
    EXPECT_EQ(hasty.status, 1);
    EXPECT_THAT(hasty.out, HasSubstr("the 5 s that T1 waits at timed_wait.c:26"));
    EXPECT_THAT(hasty.out, HasSubstr("(--patience 5s leaves that out)"));
    EXPECT_THAT(hasty.out, HasSubstr("\npatience    waits may run out early, as if the other threads were held up "
                                     "for so long: --patience none\n"));
    EXPECT_EQ(with({"--patience", "6s"}).status, 1);
    EXPECT_EQ(with({"--patience", "5s"}).status, 0);
    const Ended patient = with({});
    EXPECT_EQ(patient.status, 0) << patient.out;
    EXPECT_THAT(patient.out, StartsWith("no bug: every schedule explored"));
    EXPECT_THAT(patient.out, HasSubstr(nobody_is_held_up));
    EXPECT_THAT(with({}).out, HasSubstr(nobody_is_held_up)) << "a kept campaign knows it, too";
    EXPECT_EQ(with({"--patience", "1s", "--bound", "none"}).status, 0);
    EXPECT_EQ(with({"--strategy", "random", "--samples", "200"}).status, 3) << "nothing found, nothing claimed";
}

TEST(Run, SaysWhereAStrategyKnowsNoPatience) {
    const Ended hasty = raddle({"run", "--strategy", "optimal", "--", sample("assert/timed_wait")});
    EXPECT_EQ(hasty.status, 1);
    EXPECT_THAT(hasty.out, HasSubstr(": --strategy optimal knows no patience\n"));
    EXPECT_EQ(raddle({"run", "--strategy", "optimal", "--patience", "none", "--", sample("assert/timed_wait")}).status,
              1);
    const Ended short_waits = raddle({"run", "--strategy", "optimal", "--", sample("assert/sleep_order")});
    EXPECT_THAT(short_waits.out, Not(HasSubstr("\npatience")));
    EXPECT_THAT(raddle({"run", "--", sample("assert/sleep_order")}).out, Not(HasSubstr("\npatience")))
        << "no wait is so long";
}

// A test's wait for a result, with the time limit that turns a hang into a failure.
TEST(Run, TakesAWaitOfAUnitTestAsItsAuthorDoes) {
    const PrivateDirectory place;
    const std::string path = place / "prog";
    const std::string code = R"(
        #include <cassert>
        #include <chrono>
        #include <condition_variable>
        #include <thread>
        using namespace std::chrono_literals;
        int main(int words, char**) {
            std::mutex m; std::condition_variable c; int done = 0;
            const auto finish = [&] {
                if (words == 1) std::this_thread::sleep_for(100ms);
                std::lock_guard l(m);
                ++done;
                c.notify_one();
            };
            std::thread one(finish), two(finish);
            {
                std::unique_lock l(m);
                const bool is_done = words > 1 ? c.wait_for(l, 1s) == std::cv_status::no_timeout
                                               : c.wait_for(l, 1s, [&] { return done == 2; });
                assert(is_done);
            }
            one.join(); two.join();
        })";
    std::ofstream(path + ".cpp") << code;
    ASSERT_EQ(execute({"c++", "-std=c++20", "-O1", "-g", "-pthread", "-o", path, path + ".cpp"}).status, 0);
    const Ended with_predicate = raddle({"run", "--no-store", "--bound", "2", "--", path});
    EXPECT_EQ(with_predicate.status, 0) << with_predicate.out << "the second wait is the rest of the first";
    EXPECT_THAT(with_predicate.out, HasSubstr(nobody_is_held_up));
    EXPECT_EQ(raddle({"run", "--no-store", "--bound", "2", "--", path, "without"}).status, 1)
        << "both may be done before it waits: that is a real bug";
}

// Stands for Rust's runtime: with RUST_BACKTRACE=1 it would read all of its debug information at a panic.
TEST(Run, DoesNotWishForBacktracesInRustUnlessItIsAskedTo) {
    const PrivateDirectory place;
    const std::string path = place / "prog";
    execute(
        {"sh", "-c",
         "echo '#include <stdlib.h>\nint main(void) { const char* v = getenv(\"RUST_BACKTRACE\"); return v ? atoi(v) : 7; }' | cc -x c -o '" +
             path + "' -"});
    const auto status_with = [&](const std::vector<std::string>& options, const std::vector<std::string>& environment) {
        std::vector<std::string> words = {"run", "--json", "--no-store"};
        words.insert(words.end(), options.begin(), options.end());
        words.insert(words.end(), {"--", path});
        const auto bugs = json_of(raddle(words, {.input = "", .environment = environment}))["bugs"];
        return bugs.empty() ? "exit status 0" : bugs[0]["message"].get<std::string>();
    };
    EXPECT_EQ(status_with({}, {"RUST_BACKTRACE=1"}), "exit status 0");
    EXPECT_THAT(status_with({"--env", "RUST_BACKTRACE=1"}, {"RUST_BACKTRACE=2"}), StartsWith("exit status 1"));
}

TEST(Run, TellsHowToRunABugAgain) {
    const std::string out = raddle({"run", "--env", "SOME=thing else", "--", sample("deadlock/abba")}).out;
    EXPECT_THAT(out, HasSubstr("raddle run --env 'SOME=thing else' --schedule 'T0*2 T1*2 T2*2' -- " +
                               sample("deadlock/abba") + "\n"));
}

TEST(Run, ReadsAScheduleFromAFile) {
    const std::string path = ::testing::TempDir() + "schedule";
    execute({"sh", "-c", "echo 'T0*2 T1*2' > '" + path + "'; echo 'T2*2' >> '" + path + "'"});
    EXPECT_EQ(raddle({"run", "--schedule", "@" + path, "--", sample("deadlock/abba")}).status, 1);
}

TEST(Run, SaysThatAScheduleDoesNotFit) {
    const Ended outcome = raddle({"run", "--schedule", "T0*2 T9", "--", sample("deadlock/abba")});
    EXPECT_EQ(outcome.status, 4);
    EXPECT_THAT(outcome.out, StartsWith("diverged: at step 3 of 3, T9: "));
}

TEST(Run, GivesAllKeysOfTheSchema) {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"run", "--json", "--", sample("ok/abba")},
          {"run", "--json", "--", sample("deadlock/abba")},
          {"run", "--json", "--strategy", "random", "--samples", "3", "--seed", "9", "--", sample("ok/abba")}}) {
        const Ended outcome = raddle(words);
        const auto object = json_of(outcome);
        EXPECT_EQ(lines_in(outcome.out), 1u);
        EXPECT_EQ(object["schema"], 1);
        EXPECT_EQ(object["exit_code"], outcome.status);
        EXPECT_TRUE(object["verdict"].is_string());
        EXPECT_TRUE(object["exhausted"].is_boolean());
        EXPECT_TRUE(object["bound_complete"].is_null() || object["bound_complete"].is_number_unsigned());
        for (const char* count : {"executions", "graphs", "abandoned", "seed"})
            EXPECT_TRUE(object[count].is_number_unsigned()) << count;
        for (const char* time : {"seconds", "cpu_seconds", "executions_per_second"})
            EXPECT_TRUE(object[time].is_number()) << time;
        EXPECT_TRUE(object["incomplete_because"].is_array());
        EXPECT_TRUE(object["strategy"].is_string());
        EXPECT_EQ(object["program"].at(0), words.back());
        ASSERT_TRUE(object["bugs"].is_array());
        for (const auto& bug : object["bugs"])
            for (const char* key : {"kind", "preemptions", "message", "schedule"})
                EXPECT_TRUE(bug.contains(key)) << key;
    }
}

TEST(Run, EndsWithItsBudgetAndSaysWhichOne) {
    const auto by_count = json_of(raddle({"run", "--json", "--max-execs", "5", "--", sample("ok/locks"), "3", "2"}));
    EXPECT_EQ(by_count["verdict"], "incomplete");
    EXPECT_EQ(by_count["exit_code"], 3);
    EXPECT_EQ(by_count["executions"], 5);
    EXPECT_THAT(by_count["incomplete_because"], Contains("the budget of executions ended"));

    const Ended by_time = raddle({"run", "--json", "--max-time", "500ms", "--", sample("ok/locks"), "6", "6"});
    EXPECT_EQ(by_time.status, 3);
    EXPECT_THAT(json_of(by_time)["incomplete_because"], Contains("the budget of time ended"));
}

TEST(Run, IsIncompleteIfItOnlySampled) {
    const Ended outcome = raddle({"run", "--strategy", "random", "--samples", "3", "--", sample("ok/abba")});
    EXPECT_EQ(outcome.status, 3);
    EXPECT_THAT(outcome.out, HasSubstr("sampling never sees everything"));
}

TEST(Run, StopsWhenInterrupted) {
    for (const auto& [signal, status] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
        const PrivateDirectory place;
        Conditions interrupted;
        interrupted.when = [&](const std::string&) { return has_executed(place / "c"); };
        interrupted.signal = signal;
        const Ended outcome =
            raddle({"run", "--json", "-C", place / "c", "--", sample("ok/locks"), "6", "6"}, interrupted);
        EXPECT_EQ(outcome.status, status);
        EXPECT_EQ(json_of(outcome)["exit_code"], status);
        EXPECT_THAT(json_of(outcome)["incomplete_because"], Contains("interrupted"));
    }
}

TEST(Run, DoesNotWaitForAProgramThatHangsWhenInterrupted) {
    const auto hangs = [](const std::string&) { return execute({"pgrep", "-fx", "sleep 36061"}).status == 0; };
    Conditions interrupted;
    interrupted.when = hangs;
    interrupted.signal = SIGTERM;
    const Ended outcome = raddle({"run", "--exec-timeout", "10h", "--", "sh", "-c", "sleep 36061"}, interrupted);
    EXPECT_EQ(outcome.status, 143);
    EXPECT_TRUE(eventually([&] { return !hangs(""); })) << "something was left running";
}

TEST(Run, NamesWhatItCannotControl) {
    const Ended outcome =
        raddle({"run", "--json", "--exec-timeout", short_watchdog_option, "--", "sh", "-c", "sleep 62"});
    EXPECT_EQ(outcome.status, 5);
    EXPECT_EQ(json_of(outcome)["verdict"], "uncontrollable");
    EXPECT_THAT(json_of(outcome)["incomplete_because"], Not(IsEmpty()));
}

TEST(Run, PassesEnvironmentDirectoryInputAndOutput) {
    const Ended outcome = raddle({"run", "--output", "inherit", "--env", "A=1", "--env", "B=2", "--chdir", "/usr",
                                  "--stdin", "/proc/sys/kernel/ostype", "--", "sh", "-c", "echo $A$B; pwd; cat"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out, StartsWith("12\n/usr\nLinux\n"));
    EXPECT_THAT(raddle({"run", "--", "sh", "-c", "echo hidden"}).out, Not(HasSubstr("hidden")));
}

TEST(Run, FindsAProgramByARelativePathInspiteOfChdir) {
    const Ended outcome =
        execute({"sh", "-c", "cd '" RADDLE_BUILD_DIR "/samples' && ../bin/raddle run --no-store --chdir / -- ok/abba"});
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
}

TEST(Run, SaysHowTheProgramIsStartedAgainAndWhy) {
    const auto of = [](const std::string& place, const std::string& name) {
        return raddle({"run", "-v", "--fork-at", place, "--max-execs", "3", "--", sample(name)}).out;
    };
    EXPECT_THAT(of("auto", "ok/abba"), HasSubstr("\nrestart     forked at its first new thread\n"));
    EXPECT_THAT(of("start", "ok/abba"), HasSubstr("\nrestart     forked at its start: as was asked for\n"));
    EXPECT_THAT(of("exec", "ok/abba"), HasSubstr("\nrestart     executed anew each time: as was asked for\n"));
    EXPECT_THAT(of("auto", "ok/pipes"),
                HasSubstr("\nrestart     forked at its start: at its first new thread it has a pipe"));
}

TEST(Run, WritesNoEscapesWhereNobodyLooks) {
    const Ended outcome = raddle({"run", "-v", "--", sample("deadlock/abba")});
    EXPECT_THAT(outcome.out + outcome.errors, Not(HasSubstr("\033")));
}

TEST(Doctor, SaysWhetherAProgramCanBeControlled) {
    const Ended good = raddle({"doctor", "--", sample("ok/abba")});
    EXPECT_EQ(good.status, 0);
    EXPECT_THAT(good.out, StartsWith("controllable: "));
    EXPECT_THAT(good.out, HasSubstr("3 threads"));
    EXPECT_THAT(raddle({"doctor", "--no-run", "--", sample("ok/abba")}).out, Not(HasSubstr("threads,")));
}

TEST(Doctor, SaysWhyNotAndWhatToDo) {
    const std::string program = ::testing::TempDir() + "static_program";
    const Ended built =
        execute({"sh", "-c", "echo 'int main(void) { return 0; }' | cc -static -x c - -o '" + program + "'"});
    if (built.status != 0) GTEST_SKIP() << built.errors;
    for (const char* command : {"doctor", "run"}) {
        const Ended outcome = raddle({command, "--", program});
        EXPECT_EQ(outcome.status, 5) << command;
        EXPECT_THAT(outcome.out, StartsWith("not controllable: "));
        EXPECT_THAT(outcome.out, HasSubstr("link it dynamically"));
    }
    EXPECT_EQ(json_of(raddle({"run", "--json", "--", program}))["verdict"], "uncontrollable");
}

}  // namespace
}  // namespace raddle::testing
