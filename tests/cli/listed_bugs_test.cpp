// The list of a campaign's bugs, and commands that get a campaign's directory in place of a bug.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "tests/cli/place.h"

namespace raddle::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// A campaign in c with two bugs.
void find_two(const Place& place) {
    const Ended run =
        place.raddle({"run", "-C", "c", "-k", "--memory", "sync", "--json", "--", sample("misuse/unlock_not_owner")});
    ASSERT_EQ(json_of(run)["bugs"].size(), 2u);
}

TEST(ListedBugs, HaveNameKindMessageCountsAndTheCommandThatExplainsThem) {
    const Place place;
    find_two(place);
    const Ended list = place.raddle({"show", "c"});
    EXPECT_EQ(list.status, 0);
    EXPECT_THAT(list.errors, IsEmpty());
    EXPECT_THAT(list.out, StartsWith("2 bugs in c\n\n0001-misuse  misuse, "));
    EXPECT_THAT(list.out, AllOf(HasSubstr(" preemption, seen "), HasSubstr("\n  T2 unlocks a lock "),
                                HasSubstr("\n  raddle show c/bugs/0002-misuse\n")));
    EXPECT_EQ(place.raddle({"show", "c/bugs/0002-misuse"}).status, 1);
}

TEST(ListedBugs, AreTheSameByTheFolderTheyAreIn) {
    const Place place;
    find_two(place);
    const std::string list = place.raddle({"show", "c"}).out;
    for (const char* name : {"c/", "c/bugs", "c/bugs/", "./c/../c/bugs"})
        EXPECT_EQ(lines_in(place.raddle({"show", name}).out), lines_in(list)) << name;
    EXPECT_EQ(place.raddle({"show", "c/bugs"}).out, list);
}

TEST(ListedBugs, HaveAnObjectForMachines) {
    const Place place;
    find_two(place);
    const auto list = json_of(place.raddle({"show", "--json", "c"}));
    EXPECT_EQ(list["schema"], 1);
    EXPECT_EQ(list["campaign"], "c");
    ASSERT_EQ(list["bugs"].size(), 2u);
    const auto& bug = list["bugs"][0];
    EXPECT_EQ(bug["name"], "0001-misuse");
    EXPECT_EQ(bug["kind"], "misuse");
    EXPECT_EQ(bug["directory"], "c/bugs/0001-misuse");
    EXPECT_EQ(bug["show"], "raddle show c/bugs/0001-misuse");
    EXPECT_EQ(bug["unstable"], false);
    EXPECT_GE(bug["times"], 1);
    EXPECT_TRUE(bug["preemptions"].is_number() && bug["message"].is_string());
}

TEST(ListedBugs, HaveExactlyTheKeysThatAreDocumented) {
    const Place place;
    find_two(place);
    const auto list = json_of(place.raddle({"show", "--json", "c"}));
    std::set<std::string> keys, documented;
    for (const auto& [key, value] : list.items()) keys.insert("| `" + key + "`");
    for (const auto& [key, value] : list["bugs"][0].items()) keys.insert("| `bugs[]." + key + "`");
    const std::string page = content_of(RADDLE_SOURCE_DIR "/docs/report.md");
    std::istringstream section(page.substr(page.find("## The list of bugs")));
    for (std::string line; std::getline(section, line);)
        if (line.starts_with("| `")) documented.insert(line.substr(0, line.find('`', 3) + 1));
    EXPECT_EQ(keys, documented);
}

TEST(ListedBugs, ThatThereAreNoneIsOneLine) {
    const Place place;
    ASSERT_EQ(place.raddle({"run", "-C", "c", "--", sample("ok/abba")}).status, 0);
    const Ended list = place.raddle({"show", "c"});
    EXPECT_EQ(list.status, 0);
    EXPECT_EQ(list.out, "no bugs in c; raddle status c shows the explored part\n");
    EXPECT_EQ(json_of(place.raddle({"show", "c", "--json"}))["bugs"].size(), 0u);
}

TEST(ListedBugs, ThatNoCampaignCountedAreListedAllTheSame) {
    const Place place;
    ASSERT_EQ(place.raddle({"run", "--no-store", "--bugs", "found", "--", sample("deadlock/abba")}).status, 1);
    const Ended list = place.raddle({"show", "found"});
    EXPECT_THAT(list.out, StartsWith("1 bug in found\n\n0001-deadlock  deadlock, 1 preemption\n"));
    EXPECT_EQ(json_of(place.raddle({"show", "found", "--json"}))["bugs"][0]["times"], nullptr);
}

TEST(ListedBugs, OfWhichNothingWasWrittenAreListedWithWhatToDo) {
    const Place place;
    ASSERT_EQ(
        place.raddle({"run", "-C", "c", "-s", "bounded", "--bugs", "elsewhere", "--", sample("deadlock/abba")}).status,
        1);
    EXPECT_THAT(place.raddle({"show", "c"}).out,
                AllOf(StartsWith("1 bug in c\n\n(not written)  deadlock, 1 preemption, seen 1 time\n"),
                      HasSubstr("raddle run goes on with the campaign")));
}

TEST(ACampaignWhereABugIsExpected, IsItsOnlyBug) {
    const Place place;
    ASSERT_EQ(place.raddle({"run", "-C", "c", "--", sample("deadlock/abba")}).status, 1);
    for (const char* name : {"c", "c/", "c/bugs"})
        EXPECT_THAT(place.raddle({"replay", name}).out, StartsWith("reproduced: deadlock: ")) << name;
    const Ended minimal = place.raddle({"minimize", "c"});
    EXPECT_EQ(minimal.status, 1);
    EXPECT_THAT(minimal.out, IsEmpty()) << "it has a directory to be written to";
}

TEST(ACampaignWhereABugIsExpected, IsNotGuessedAtIfThereAreSeveral) {
    const Place place;
    find_two(place);
    for (const char* command : {"replay", "minimize"}) {
        const Ended ended = place.raddle({command, "c"});
        EXPECT_EQ(ended.status, 2);
        EXPECT_EQ(lines_in(ended.errors), 1u);
        EXPECT_THAT(ended.errors, AllOf(HasSubstr("0001-misuse, 0002-misuse"), HasSubstr("as in c/bugs/0001-misuse")));
    }
    EXPECT_THAT(place.raddle({"replay", "-C", "c"}).errors, HasSubstr("c/bugs/0002-misuse, the bug found last"))
        << "no bug named is the newest";
}

TEST(ACampaignWhereABugIsExpected, MayHaveNone) {
    const Place place;
    ASSERT_EQ(place.raddle({"run", "--", sample("ok/abba")}).status, 0);
    const Ended ended = place.raddle({"replay", "raddle.out/latest"});
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.errors, HasSubstr("there is no bug in raddle.out/abba-"));
}

TEST(ADirectoryWhereABugIsExpected, IsRefusedWithWhatItHolds) {
    const Place place;
    ASSERT_EQ(place.raddle({"run", "--", sample("ok/abba")}).status, 0);
    const Ended home = place.raddle({"show", "raddle.out"});
    EXPECT_EQ(home.status, 2);
    EXPECT_THAT(home.errors, HasSubstr("holds campaigns, not bugs; expected one of them (abba-"));
    fs::create_directory(place / "empty");
    const Ended empty = place.raddle({"show", "empty"});
    EXPECT_EQ(empty.status, 2);
    EXPECT_THAT(empty.errors, HasSubstr("'empty' is neither a bug's directory nor a campaign's"));
}

TEST(AWordWhereABugIsExpected, MeansTheSameToEveryCommand) {
    const Place place;
    for (const char* command : {"replay", "minimize"}) {
        const Ended ended = place.raddle({command, "T0*2 T1", "--", sample("ok/abba")});
        EXPECT_EQ(ended.status, 2);
        EXPECT_THAT(ended.errors, HasSubstr("a schedule alone names no bug"));
    }
    EXPECT_EQ(place.raddle({"show", "T0*2 T1", "--", sample("ok/abba")}).status, 0);
}

}  // namespace
}  // namespace raddle::testing
