// raddle report on campaigns of real programs, and raddle show on a campaign.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/cli/place.h"
#include "tests/elements.h"

namespace raddle::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

// A directory with a program's campaign in it.
class Explored {
public:
    explicit Explored(const std::string& name, std::vector<std::string> options = {},
                      std::vector<std::string> arguments = {})
        : program_(*this / "prog") {
        fs::copy_file(sample(name), program_);
        std::vector<std::string> words = {"run", "--quiet"};
        words.insert(words.end(), options.begin(), options.end());
        words.insert(words.end(), {"--", program_});
        words.insert(words.end(), arguments.begin(), arguments.end());
        run_ = (*this)(words);
    }
    Ended operator()(const std::vector<std::string>& words) const {
        return raddle(words, {.input = {}, .environment = {}, .directory = own_.path()});
    }
    nlohmann::json report() const { return json_of((*this)({"report", "--json"})); }
    std::string operator/(const std::string& name) const { return own_ / name; }
    const std::string& program() const { return program_; }
    int status() const { return run_.status; }

private:
    PrivateDirectory own_;
    std::string program_;
    Ended run_;
};

TEST(Report, OfADeadlockIsWholeInEveryFormat) {
    const Explored place("deadlock/abba");
    ASSERT_EQ(place.status(), 1);
    const Ended html = place({"report", "--html"});
    EXPECT_EQ(html.status, 0) << html.errors;
    EXPECT_THAT(html.out, HasSubstr("T1 holds mutex a and waits for mutex b"));
    EXPECT_THAT(
        html.out,
        HasSubstr("It passes if T1 locks mutex b at abba.c:12 before T2 locks it at abba.c:22; here T2 came first."));
    EXPECT_THAT(html.out, HasSubstr("The first 5 steps are the same in both."));
    EXPECT_NO_THROW(elements_of(html.out));

    const nlohmann::json json = place.report();
    EXPECT_EQ(json["verdict"], "bug");
    const nlohmann::json& explanation = json["bugs"][0]["explanation"];
    EXPECT_EQ(explanation["verdict"], "deadlock");
    EXPECT_EQ(explanation["locks"].size(), 2u);
    EXPECT_EQ(explanation["nearest_passing"]["steps_shared"], 5);
    EXPECT_EQ(explanation["nearest_passing"]["taken"][5]["place"], "abba.c:12") << "what passes is explained, too";

    EXPECT_THAT(place({"report", "--junit"}).out,
                HasSubstr("<testcase name=\"0001-deadlock\" classname=\"raddle.prog\""));
    EXPECT_THAT(place({"report", "--sarif"}).out, HasSubstr("/abba.c\""));
    EXPECT_THAT(place({"report", "--perfetto"}).out, HasSubstr("\"T1 holds mutex a\""));
}

TEST(Report, GoesToAFileAsAWhole) {
    const Explored place("ok/abba");
    const Ended written = place({"report", "--html", "-o", place / "report.html"});
    EXPECT_EQ(written.status, 0);
    EXPECT_THAT(written.out, IsEmpty());
    EXPECT_THAT(content_of(place / "report.html"), StartsWith("<!DOCTYPE html>"));
    EXPECT_EQ(place({"report", "--json", "-o", "/dev/null"}).status, 0);
    const Ended refused = place({"report", "--json", "-o", place / "no/where"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.errors, HasSubstr("--output: "));
    EXPECT_EQ(lines_in(refused.errors), 1u);
}

TEST(Report, WithoutBugsSaysSo) {
    const Explored place("ok/abba", {"--memory", "sync"});
    const nlohmann::json json = place.report();
    EXPECT_EQ(json["verdict"], "ok");
    EXPECT_EQ(json["exhausted"], true);
    EXPECT_TRUE(json["bugs"].empty());
    EXPECT_THAT(json["not_explored"][0].get<std::string>(), HasSubstr("memory accesses"));
    EXPECT_THAT(place({"report", "--html"}).out, HasSubstr("no bug: every schedule was explored"));
}

TEST(Report, OfAProgramThatIsGoneTellsWhatWasRecorded) {
    const Explored place("deadlock/abba");
    fs::remove(place.program());
    const nlohmann::json bug = place.report()["bugs"][0];
    EXPECT_THAT(bug["not_explained_because"].get<std::string>(), HasSubstr("prog"));
    EXPECT_EQ(bug["explanation"]["taken"].size(), 6u);
    EXPECT_THAT(bug["explanation"]["taken"][3]["text"].get<std::string>(), StartsWith("mutex_lock prog+0x"));
    EXPECT_NO_THROW(elements_of(place({"report", "--html"}).out));
}

TEST(Report, LeavesOutWhatIsSuppressedAndSaysSo) {
    const Explored place("deadlock/abba");
    std::ofstream(place / "known") << place({"show", "1", "--gen-suppression"}).out;
    const nlohmann::json json = json_of(place({"report", "--json", "--suppressions", place / "known"}));
    EXPECT_TRUE(json["bugs"].empty());
    EXPECT_THAT(json["not_explored"].back().get<std::string>(), HasSubstr("1 known bug is suppressed"));
}

TEST(Report, OfADataRaceExplainsTheRace) {
    const Explored place("race/balance_peeked", {"--memory", "races"});
    ASSERT_EQ(place.status(), 1);
    const nlohmann::json bug = place.report()["bugs"][0];
    EXPECT_EQ(bug["kind"], "race");
    EXPECT_EQ(bug["not_explained_because"], nullptr);
    EXPECT_EQ(bug["explanation"]["verdict"], "race");
    EXPECT_THAT(bug["explanation"]["sentence"].get<std::string>(),
                HasSubstr("writes variable balance at balance_peeked.c:12"));
}

TEST(Report, JudgesByWhatWasAskedFor) {
    // locks(3,2) with 0 … preemptions: 6 24 60 90 graphs
    const Explored bounded("ok/locks", {"--bound", "1"}, {"3", "2"});
    ASSERT_EQ(bounded.status(), 0);
    const nlohmann::json done = bounded.report();
    EXPECT_EQ(done["verdict"], "ok");
    EXPECT_EQ(done["bound_asked"], 1);
    EXPECT_EQ(done["complete"], true);
    EXPECT_EQ(done["headline"], "no bug with at most 1 preemption, as was asked; not explored beyond");
    EXPECT_THAT(done["not_explored"][0].get<std::string>(), HasSubstr("more than 1 preemption (not asked for)"));

    const Explored cut("ok/locks", {"--bound", "2", "--max-execs", "30"}, {"3", "2"});
    ASSERT_EQ(cut.status(), 3);
    const nlohmann::json rest = cut.report();
    EXPECT_EQ(rest["verdict"], "incomplete");
    EXPECT_EQ(rest["bound_asked"], 2);
    EXPECT_EQ(rest["complete"], false);
    EXPECT_THAT(rest["headline"].get<std::string>(),
                StartsWith("no bug with at most 1 preemption; incomplete: schedules with more than 1 preemption"));
    EXPECT_THAT(rest["not_explored"][0].get<std::string>(), HasSubstr("(the budget of executions ended)"));
    EXPECT_EQ(json_of(cut({"status", "--json"}))["bound_asked"], 2);
}

TEST(Report, SetsUnstableBugsApartInEveryFormat) {
    const PrivateDirectory own;
    const std::string program = moody_program(own);
    const auto raddle_here = [&](const std::vector<std::string>& words) {
        return raddle(words, {.input = {}, .environment = {}, .directory = own.path()});
    };
    ASSERT_EQ(
        raddle_here({"run", "--quiet", "--memory", "sync", "--naps", "never", "--", program, own / "memory"}).status,
        4);
    const nlohmann::json json = json_of(raddle_here({"report", "--json"}));
    EXPECT_EQ(json["verdict"], "diverged");
    EXPECT_TRUE(json["bugs"].empty());
    ASSERT_EQ(json["unstable"].size(), 1u) << json.dump(2);
    EXPECT_EQ(json["unstable"][0]["reproduced"], 0);
    const std::string divergence = json["unstable"][0]["divergence"];
    EXPECT_FALSE(divergence.empty());
    const Ended html = raddle_here({"report", "--html"});
    EXPECT_THAT(html.out, HasSubstr("assertion, unstable"));
    EXPECT_THAT(html.out, HasSubstr("No replay of its schedule showed it again (0 of 3): "));
    EXPECT_THAT(raddle_here({"report", "--junit"}).out, HasSubstr("<error message=\"unstable: "));
    EXPECT_THAT(raddle_here({"report", "--sarif"}).out, HasSubstr("\"Unstable: "));
    EXPECT_EQ(raddle_here({"report", "--perfetto"}).status, 0);
    EXPECT_THAT(raddle_here({"status"}).out, HasSubstr("\nunstable    assertion, "));
}

TEST(Report, SaysWhatIsMissingOrWrong) {
    const Ended none = raddle({"report"});
    EXPECT_EQ(none.status, 2);
    EXPECT_THAT(none.errors,
                HasSubstr("the format is missing; expected one of --html, --junit, --sarif, --perfetto, --json"));
    EXPECT_THAT(raddle({"report", "--html", "--json"}).errors, HasSubstr("--html and --json do not go together"));
    EXPECT_EQ(raddle({"report", "--html"}).status, 6) << "there is no campaign";
}

TEST(Report, IsKeptOfEveryBug) {
    const Explored place("crash/null_after_check");
    const fs::path bug = fs::path(place / "raddle.out/latest/bugs/0001-crash");
    for (const char* name :
         {"report.txt", "report.html", "schedule", "minimal.schedule", "stacks.json", "stdout", "stderr", "repro.sh"})
        EXPECT_TRUE(fs::exists(bug / name)) << name;
    const std::string page = content_of(bug / "report.html");
    EXPECT_THAT(page, HasSubstr("at the end, T1: accesses null at null_after_check.c:19"));
    EXPECT_NO_THROW(elements_of(page));
}

TEST(Report, IsAliveInABrowser) {
    if (!is_installed("chromium")) GTEST_SKIP() << "there is no chromium";
    const Explored place("deadlock/abba");
    place({"report", "--html", "-o", place / "report.html"});
    const Ended shown =
        execute({"chromium", "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + (place / "browser"),
                 "--dump-dom", "file://" + (place / "report.html")});
    // The page's own script ran, so the page's policy allows it: only one step is reached by Tab, the others by arrow
    // keys.
    EXPECT_THAT(shown.out, HasSubstr("tabindex=\"-1\" data-lane")) << shown.errors;
    EXPECT_THAT(shown.errors, Not(HasSubstr("Content Security Policy")));
}

TEST(ShowOfACampaign, WithoutANameMeansTheBugFoundLast) {
    const Explored place("deadlock/abba");
    for (const char* command : {"show", "replay", "minimize"}) {
        const Ended newest = place({command});
        EXPECT_EQ(newest.status, 1) << command << newest.errors;
        EXPECT_THAT(newest.errors, StartsWith("raddle: raddle.out/prog-")) << command;
        EXPECT_THAT(newest.errors, HasSubstr("/bugs/0001-deadlock, the bug found last\n")) << command;
    }
    EXPECT_THAT(place({"show"}).out, HasSubstr("run again\n  raddle replay raddle.out/prog-"));
    const Explored clean("ok/abba");
    EXPECT_EQ(clean({"show"}).status, 2);
    EXPECT_THAT(clean({"show"}).errors, HasSubstr("there is no bug in raddle.out/prog-"));
}

TEST(ShowOfACampaign, ALongScheduleIsNoName) {
    const Explored place("deadlock/abba");
    std::string schedule = "T0*2";
    while (schedule.size() < 5000) schedule += " T1 T2";
    for (const std::string& word : {schedule, std::string(300, 'x'), std::string(300, 'x') + "/y"})
        for (const char* command : {"show", "replay", "minimize"}) {
            const Ended refused = place({command, word});
            EXPECT_EQ(refused.status, 2) << command << refused.errors;
            EXPECT_EQ(lines_in(refused.errors), 1u) << command;
            EXPECT_THAT(refused.errors, Not(HasSubstr("internal"))) << command;
        }
    EXPECT_THAT(place({"replay", schedule}).errors, HasSubstr("expected raddle run --schedule SCHEDULE -- prog"));
}

TEST(ShowOfACampaign, SaysWhatWasExploredAndWhatWasNot) {
    const Explored place("deadlock/abba", {"--keep-going", "--memory", "sync"});
    const Ended shown = place({"show", "1"});
    EXPECT_THAT(shown.out, HasSubstr("explored\n  every schedule (3 graphs, 3 executions)\n"));
    EXPECT_THAT(shown.out, HasSubstr("  not explored: the order of plain and atomic memory accesses between calls"));
}

// Such a thread waits inside the shim, before an access of the program.
TEST(ShowOfACampaign, NamesTheLineOfALoopThatWaitsForMemory) {
    const Place place;
    const Ended run = place.run(place.compiled(R"(
        #include <pthread.h>
        struct node { struct node* next; } shared, *list;
        static void* put(void* unused) { shared.next = list; list = &shared; return unused; }
        int main(void) {
            pthread_t one, other;
            pthread_create(&one, 0, put, 0), pthread_create(&other, 0, put, 0);
            pthread_join(one, 0), pthread_join(other, 0);
            int length = 0;
            for (struct node* node = list; node; node = node->next) length = (length + 1) % 1000;
            return length != 1;
        })",
                                               {"-O2", "-g"}),
                                {"--quiet"});
    ASSERT_EQ(run.status, 1) << run.out << run.errors;
    const std::string shown = place.raddle({"show", "-C", "c", "1"}).out;
    EXPECT_THAT(shown, HasSubstr("livelock"));
    EXPECT_THAT(shown, HasSubstr(" changes at prog.c:10\n"));
}

TEST(ShowOfACampaign, WhatPassesIsWhatIsJudgedToPass) {
    const Explored place("ok/two_lines", {"--fail-on", "stdout-differs"});
    ASSERT_EQ(place.status(), 1);
    const Ended shown = place({"show", "1"});
    EXPECT_EQ(shown.status, 1) << shown.out << shown.errors;
    EXPECT_THAT(shown.out, HasSubstr("passes if T"));
}

}  // namespace
}  // namespace raddle::testing
