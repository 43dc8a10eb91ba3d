// The failing execution beside the passing one, as rows and as text; and a bug as Markdown.
#include "replay/report/side_by_side.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <sstream>

#include "replay/explain/text_layout.h"
#include "replay/report/alignment.h"
#include "replay/report/markdown_report.h"
#include "tests/replay/reports.h"

namespace raddle::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

const ThreadId one_thread = child_of(main_thread, 1), other_thread = child_of(main_thread, 2);

TakenStep step(ThreadId thread, const std::string& text, const std::string& value = {}) {
    TakenStep made{thread, text, "", false};
    made.value = value;
    return made;
}

// The number of failing steps whose partners lie in order, at best: tries all choices.
std::size_t most_in_order(const std::vector<std::size_t>& partners, std::size_t from, std::size_t least) {
    if (from == partners.size()) return 0;
    const std::size_t without = most_in_order(partners, from + 1, least);
    if (partners[from] < least) return without;
    return std::max(without, 1 + most_in_order(partners, from + 1, partners[from] + 1));
}

// Against brute force: the order of both sides is kept, nothing is lost, and no other choice has more equal rows.
TEST(Aligned, KeepsBothOrdersAndPutsAsManyStepsBesideEachOtherAsPossible) {
    std::mt19937 random(7);
    for (int round = 0; round < 400; ++round) {
        std::vector<TakenStep> failing;
        for (std::size_t i = 0, count = random() % 9; i < count; ++i)
            failing.push_back(step(random() % 2 == 0 ? one_thread : other_thread, "acts"));
        std::vector<TakenStep> passing = failing;
        std::shuffle(passing.begin(), passing.end(), random);
        passing.resize(passing.size() - std::min<std::size_t>(passing.size(), random() % 3));
        std::vector<std::size_t> partners;
        std::map<ThreadId, std::size_t> counts;
        for (const TakenStep& one : failing) {
            std::size_t wanted = counts[one.thread]++, at = 0;
            while (at < passing.size() && !(passing[at].thread == one.thread && wanted-- == 0)) ++at;
            if (at < passing.size()) partners.push_back(at);
        }
        std::size_t left = 0, right = 0, together = 0;
        for (const AlignedStep& row : aligned(failing, passing)) {
            if (row.failing) {
                EXPECT_EQ(*row.failing, left++);
            }
            if (row.passing) {
                EXPECT_EQ(*row.passing, right++);
            }
            together += row.failing && row.passing ? 1 : 0;
        }
        EXPECT_EQ(left, failing.size());
        EXPECT_EQ(right, passing.size());
        EXPECT_EQ(together, most_in_order(partners, 0, 0));
    }
}

TEST(Aligned, TellsEqualDifferentMovedAndLonelySteps) {
    const std::vector<AlignedStep> rows =
        aligned({step(one_thread, "reads x", "0"), step(other_thread, "writes x", "1"), step(one_thread, "writes y")},
                {step(other_thread, "writes x", "1"), step(one_thread, "reads x", "1")});
    std::vector<Likeness> found;
    for (const AlignedStep& row : rows) found.push_back(row.likeness);
    EXPECT_EQ(found.size(), 4u);
    EXPECT_EQ(std::count(found.begin(), found.end(), Likeness::only_here), 1) << "T1 does not get to its second step";
    EXPECT_EQ(std::count(found.begin(), found.end(), Likeness::moved), 2);
    const std::vector<AlignedStep> other =
        aligned({step(one_thread, "reads x", "0")}, {step(one_thread, "reads x", "1")});
    ASSERT_EQ(other.size(), 1u);
    EXPECT_EQ(other[0].likeness, Likeness::differs) << "the same action with another value";
}

TEST(SideBySide, MarksTheDecisiveSwitchAndFitsThePage) {
    const std::string text = side_by_side_text(*deadlock_report().bugs[0].explanation());
    EXPECT_THAT(text, ContainsRegex("6\\*  T2 locks mutex b at transfer.c:21 +<"));
    EXPECT_THAT(text, ContainsRegex(">  +6\\*  T1 locks mutex b"));
    EXPECT_THAT(text, HasSubstr("… 3 equal steps"));
    std::istringstream lines(side_by_side_text(*deadlock_report(std::string(300, 'x')).bugs[0].explanation()));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(width_of(line), 100u) << line;
    EXPECT_EQ(side_by_side_text({}), "no execution nearby that passes was found\n");
}

TEST(Markdown, HasTheStepsTheSwitchAndTheCommandLine) {
    const std::string text = markdown_of(*deadlock_report().bugs[0].explanation());
    EXPECT_TRUE(text.starts_with("### deadlock: T1 holds mutex transfer")) << text;
    for (const char* part :
         {"**The decisive switch:** it passes if T1 locks mutex b", "```text\n", "**who waits**\n\n- ",
          "<summary>beside the nearest execution that passes</summary>", "raddle replay 1"})
        EXPECT_THAT(text, HasSubstr(part));
}

// A tracker would tell people, link other issues, or show what a program wrote as markup.
TEST(Markdown, NothingOfTheProgramBecomesMarkup) {
    EXPECT_EQ(markdown_escaped("@all fixes #12 <b>[a](http://b)*c*"),
              "@<!-- -->all fixes #<!-- -->12 &lt;b&gt;\\[a\\]\\(http:<!-- -->//b\\)\\*c\\*");
    EXPECT_EQ(markdown_escaped("a\nb"), "a b");
    EXPECT_EQ(markdown_block("a\n````\nb"), "`````text\na\n````\nb\n`````\n");
    const std::string text = markdown_of(*deadlock_report("```\n# @me <script>").bugs[0].explanation());
    std::istringstream lines(text);
    std::string fence;
    for (std::string line; std::getline(lines, line);) {
        if (fence.empty() && line.starts_with("```"))
            fence = line.substr(0, line.find_first_not_of('`'));
        else if (line == fence)
            fence.clear();
        else if (fence.empty()) {
            EXPECT_THAT(line, Not(HasSubstr("@me")));
            EXPECT_THAT(line, Not(HasSubstr("<script>")));
        }
    }
    EXPECT_EQ(fence, "") << "every block ends";
}

}  // namespace
}  // namespace raddle::testing
