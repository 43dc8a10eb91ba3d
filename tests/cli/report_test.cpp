// raddle report on campaigns of real programs, and what show says of a campaign.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/command_line.h"
#include "tests/elements.h"

namespace raddle::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

// A directory with the campaign of a program in it.
class Explored {
public:
    explicit Explored(const std::string& name, std::vector<std::string> options = {}) : program_(*this / "prog") {
        fs::copy_file(sample(name), program_);
        std::vector<std::string> words = {"run", "--quiet"};
        words.insert(words.end(), options.begin(), options.end());
        words.insert(words.end(), {"--", program_});
        run_ = (*this)(words);
    }
    Ended operator()(const std::vector<std::string>& words) const { return raddle(words, {.input = {}, .environment = {}, .directory = own_.path()}); }
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
    EXPECT_THAT(html.out, HasSubstr("It passes if T1 locks mutex b at abba.c:12 before T2 locks mutex b at abba.c:22."));
    EXPECT_THAT(html.out, HasSubstr("The first 5 steps are the same in both."));
    EXPECT_NO_THROW(elements_of(html.out));

    const nlohmann::json json = place.report();
    EXPECT_EQ(json["verdict"], "bug");
    const nlohmann::json& explanation = json["bugs"][0]["explanation"];
    EXPECT_EQ(explanation["verdict"], "deadlock");
    EXPECT_EQ(explanation["locks"].size(), 2u);
    EXPECT_EQ(explanation["nearest_passing"]["steps_shared"], 5);
    EXPECT_EQ(explanation["nearest_passing"]["taken"][5]["place"], "abba.c:12") << "what passes is explained, too";

    EXPECT_THAT(place({"report", "--junit"}).out, HasSubstr("<testcase name=\"0001-deadlock\" classname=\"raddle.prog\""));
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
    const Explored place("ok/abba");
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

TEST(Report, SaysWhatIsMissingOrWrong) {
    const Ended none = raddle({"report"});
    EXPECT_EQ(none.status, 2);
    EXPECT_THAT(none.errors, HasSubstr("the format is missing; expected one of --html, --junit, --sarif, --perfetto, --json"));
    EXPECT_THAT(raddle({"report", "--html", "--json"}).errors, HasSubstr("--html and --json do not go together"));
    EXPECT_EQ(raddle({"report", "--html"}).status, 6) << "there is no campaign";
}

TEST(Report, IsKeptOfEveryBug) {
    const Explored place("crash/null_after_check");
    const fs::path bug = fs::path(place / "raddle.out/latest/bugs/0001-crash");
    for (const char* name : {"report.txt", "report.html", "schedule", "minimal.schedule", "stacks.json", "stdout", "stderr", "repro.sh"})
        EXPECT_TRUE(fs::exists(bug / name)) << name;
    const std::string page = content_of(bug / "report.html");
    EXPECT_THAT(page, HasSubstr("at the end, T1: accesses null at null_after_check.c:19"));
    EXPECT_NO_THROW(elements_of(page));
}

TEST(Report, IsAliveInABrowser) {
    if (!is_installed("chromium")) GTEST_SKIP() << "there is no chromium";
    const Explored place("deadlock/abba");
    place({"report", "--html", "-o", place / "report.html"});
    const Ended shown = execute({"chromium", "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + (place / "browser"), "--dump-dom",
                                 "file://" + (place / "report.html")});
    // The page's own script ran, so its policy lets it: one step is reached with Tab, the others from there.
    EXPECT_THAT(shown.out, HasSubstr("tabindex=\"-1\" data-lane")) << shown.errors;
    EXPECT_THAT(shown.errors, Not(HasSubstr("Content Security Policy")));
}

TEST(ShowOfACampaign, SaysWhatWasExploredAndWhatWasNot) {
    const Explored place("deadlock/abba", {"--keep-going"});
    const Ended shown = place({"show", "1"});
    EXPECT_THAT(shown.out, HasSubstr("explored\n  every schedule (3 graphs, 3 executions)\n"));
    EXPECT_THAT(shown.out, HasSubstr("  not explored: the order of plain and atomic memory accesses between calls"));
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
