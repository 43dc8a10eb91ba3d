// The HTML report: its structure, and its safety against markup in the program's texts.
#include "replay/report/html_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "replay/report/markup.h"
#include "tests/elements.h"
#include "tests/replay/reports.h"

namespace raddle::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using Elements = std::vector<MarkupElement>;

Elements with_class(const Elements& all, const std::string& name) {
    Elements found;
    std::copy_if(all.begin(), all.end(), std::back_inserter(found),
                 [&](const MarkupElement& one) { return one.has_class(name); });
    return found;
}

std::size_t count(const Elements& all, const std::string& tag) {
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [&](const MarkupElement& one) { return one.tag == tag; }));
}

TEST(HtmlReport, EveryStepIsInItsThreadsColumnAndReachableByKey) {
    const CampaignReport report = deadlock_report();
    const Elements all = elements_of(html_of(report, "n0"));
    const Explanation& explanation = *report.bugs[0].explanation();
    const Elements steps = with_class(all, "step");
    ASSERT_EQ(steps.size(), explanation.steps.size());
    for (const MarkupElement& step : steps) {
        EXPECT_EQ(step.at("tabindex"), "0");
        EXPECT_THAT(step.at("aria-label"), HasSubstr(": "));
        EXPECT_THAT(step.at("style"), HasSubstr("grid-area:"));
    }
    EXPECT_EQ(with_class(all, "lane-head").size(), 3u);
    EXPECT_EQ(with_class(all, "pending").size(), 3u);
    EXPECT_THAT(steps[0].at("aria-label"), HasSubstr("step 1, T0: creates T1 at transfer.c:1"));
}

TEST(HtmlReport, LocksAreBarsAndOrderIsArrows) {
    const Elements all = elements_of(html_of(deadlock_report(), "n0"));
    const Elements bars = with_class(all, "bar");
    ASSERT_EQ(bars.size(), 2u);
    EXPECT_EQ(bars[0].at("aria-label"), "T1 holds mutex transfer from step 4 on, and still at the end");
    EXPECT_EQ(with_class(all, "order").size(), 2u) << "a thread's creation comes before its start";
    EXPECT_EQ(with_class(all, "wait").size(), 2u) << "each waits for the other's bar";
}

TEST(HtmlReport, AllLinksLeadSomewhereAndNoNameIsTakenTwice) {
    const Elements all = elements_of(html_of(deadlock_report(), "n0"));
    std::set<std::string> ids;
    for (const MarkupElement& one : all)
        if (const std::string id = one.at("id"); !id.empty()) {
            EXPECT_TRUE(ids.insert(id).second) << id;
        }
    for (const MarkupElement& one : all) {
        const std::string link = one.at("href");
        EXPECT_TRUE(link.empty() || ids.contains(link.substr(1))) << link;
        for (const char* way : {"aria-labelledby", "data-from", "data-to"})
            EXPECT_TRUE(one.at(way).empty() || ids.contains(one.at(way))) << one.at(way);
    }
}

TEST(HtmlReport, NeedsNoOtherFiles) {
    const std::string page = html_of(deadlock_report(), "n0");
    EXPECT_THAT(page, HasSubstr("default-src &#39;none&#39;"));
    for (const char* outside : {"http:", "https:", "url(", "@import", "src=", "<link"})
        EXPECT_THAT(page, Not(HasSubstr(outside)));
    EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
    EXPECT_THAT(page, HasSubstr("@media print"));
}

// The program decides names of functions and files, sources, output and command lines.
TEST(HtmlReport, NothingOfTheProgramBecomesMarkup) {
    const Elements plain = elements_of(html_of(deadlock_report(), "n0"));
    for (const char* evil : {"<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'onfocus='alert(1)' x='",
                             "</style><svg/onload=alert(1)>", "--><b>", "]]><b>", "</pre></li></script>", "&lt;b&gt;",
                             "\033[2J\007", "\xff\xfe<b>",
                             "a\xe2\x80\xae"
                             "b<b>"}) {
        const std::string page = html_of(deadlock_report(evil), "n0");
        const Elements all = elements_of(page);
        ASSERT_EQ(all.size(), plain.size()) << evil;
        for (std::size_t i = 0; i < all.size(); ++i) {
            EXPECT_EQ(all[i].tag, plain[i].tag) << evil;
            EXPECT_EQ(all[i].attributes.size(), plain[i].attributes.size()) << evil;
            for (const auto& [name, value] : all[i].attributes)
                EXPECT_TRUE(plain[i].attributes.contains(name)) << evil << ": " << name;
            EXPECT_TRUE((all[i].tag != "script" && all[i].tag != "style") || all[i].text == plain[i].text);
        }
        EXPECT_EQ(page.find('\033'), std::string::npos);
        EXPECT_EQ(page.find("\xe2\x80\xae"), std::string::npos) << "a text that turns the direction of writing";
    }
    EXPECT_EQ(count(plain, "script"), 1u);
}

TEST(HtmlReport, ShowsTheExploredPartIfThereAreNoBugs) {
    const std::string page = html_of(clean_report(), "n0");
    EXPECT_THAT(page, HasSubstr("<h1>no bug with at most 1 preemption; not explored beyond</h1>"));
    EXPECT_THAT(page, HasSubstr("<li>schedules with more than 1 preemption</li>"));
    EXPECT_TRUE(with_class(elements_of(page), "step").empty());
}

TEST(HtmlReport, ThousandsOfStepsAreFolded) {
    CampaignReport report = deadlock_report();
    Explanation explanation = *report.bugs[0].explanation();
    constexpr std::size_t more = 5000;
    explanation.taken.insert(explanation.taken.begin(), more, {main_thread, "yields", "", false});
    explanation.all_steps += more;
    for (ExplainedStep& step : explanation.steps) step.event += more;
    report.bugs[0].explained->explanation = std::make_shared<const Explanation>(explanation);
    const std::string page = html_of(report, "n0");
    EXPECT_THAT(page, HasSubstr("… 5000 steps of T0"));
    EXPECT_THAT(page, HasSubstr("all 5006 steps"));
    EXPECT_THAT(page, HasSubstr("the first 3006 steps left out"));
    EXPECT_LT(page.size(), 600u << 10);
}

TEST(HtmlReport, FoldedStepsOpen) {
    CampaignReport report = deadlock_report();
    Explanation explanation = *report.bugs[0].explanation();
    explanation.taken.insert(explanation.taken.begin() + 4, 3, {main_thread, "yields often", "", false});
    explanation.all_steps += 3;
    for (ExplainedStep& step : explanation.steps)
        if (step.event >= 4) step.event += 3;
    report.bugs[0].explained->explanation = std::make_shared<const Explanation>(explanation);
    const Elements all = elements_of(html_of(report, "n0"));
    const Elements folds = with_class(all, "fold");
    ASSERT_EQ(folds.size(), 1u);
    EXPECT_EQ(folds[0].children, std::vector<std::string>{"details"});
    const auto of_fold = std::count_if(all.begin(), all.end(), [](const MarkupElement& one) {
        return one.has_class("step-row") && one.parent == "table";
    });
    EXPECT_EQ(of_fold, 3 + 9) << "in the fold, and in the list of all steps";
}

// An arrow runs beside the cards and between the rows: each of its lines lies in a column of arrows, or above a card.
TEST(HtmlReport, ArrowsAvoidCards) {
    const Elements all = elements_of(html_of(deadlock_report(), "n0"));
    const auto column = [](const MarkupElement& one) {
        const std::string style = one.at("style"), area = style.substr(style.find("grid-area:") + 10);
        return std::stoi(area.substr(area.find('/') + 1));
    };
    std::set<int> columns_of_cards;
    for (const MarkupElement& step : with_class(all, "step")) columns_of_cards.insert(column(step));
    const Elements down = with_class(all, "down");
    ASSERT_EQ(down.size(), 2u);
    for (const MarkupElement& line : down) EXPECT_FALSE(columns_of_cards.contains(column(line)));
}

TEST(HtmlReport, ShowsTheNearestPassingExecutionBeside) {
    const Elements all = elements_of(html_of(deadlock_report(), "n0"));
    EXPECT_EQ(with_class(all, "equal").size(), 5u);
    EXPECT_EQ(with_class(all, "alone").size(), 2u) << "T2 locks b here, T1 locks b there";
    EXPECT_EQ(with_class(all, "decisive-pair").size(), 2u);
}

TEST(HtmlReport, ShowsTheValuesOfVariablesOverTime) {
    CampaignReport report = deadlock_report();
    EXPECT_TRUE(with_class(elements_of(html_of(report, "n0")), "chip").empty());
    Explanation explanation = *report.bugs[0].explanation();
    const auto reads = [](const std::string& value) {
        TakenStep step{main_thread, "reads variable x", "x.c:1", false};
        step.variable = "x";
        step.value = value;
        return step;
    };
    explanation.taken = {reads("0"), reads("0"), reads("7")};
    explanation.passing = {reads("0"), reads("3")};
    explanation.steps.clear();
    report.bugs[0].explained->explanation = std::make_shared<const Explanation>(explanation);
    const Elements chips = with_class(elements_of(html_of(report, "n0")), "chip");
    ASSERT_EQ(chips.size(), 4u) << "a value that stays is not repeated";
    EXPECT_EQ(chips[1].at("data-at"), "3");
    EXPECT_EQ(chips[1].at("title"), "step 3, T0 reads variable x at x.c:1");
    EXPECT_EQ(chips[3].at("data-side"), "passing");
}

TEST(Escaped, KeepsOrdinaryText) {
    EXPECT_EQ(escaped("a < b && \"c\" 'd' é ✓ 𝄞\n\t"), "a &lt; b &amp;&amp; &quot;c&quot; &#39;d&#39; é ✓ 𝄞\n\t");
    EXPECT_EQ(escaped("\xc0\xaf"), "\xef\xbf\xbd\xef\xbf\xbd") << "an overlong slash";
    EXPECT_EQ(escaped("\xed\xa0\x80\xc3"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd")
        << "half a pair, half a character";
}

}  // namespace
}  // namespace raddle::testing
