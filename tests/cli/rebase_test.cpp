// raddle run --rebase: the old bugs of a program after it was built again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cli/place.h"

namespace raddle::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Two threads that count without a lock; the text in the comments changes from build to build.
std::string counting(const std::string& before, const std::string& after) {
    return R"(#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static void *add(void *arg)
{
    )" + before +
           R"(
    int seen = counter;
    counter = seen + 1;
    )" + after +
           R"(
    return arg;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_mutex_lock(&lock);
    assert(counter == 2);
    pthread_mutex_unlock(&lock);
    return 0;
}
)";
}

const std::string plain = counting("", "");
const std::string longer = counting("static int calls; __atomic_fetch_add(&calls, 1, __ATOMIC_SEQ_CST);", "");
const std::string fixed = counting("pthread_mutex_lock(&lock);", "pthread_mutex_unlock(&lock);");

Ended run(const Place& place, const std::string& program, std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"-k", "--json", "--memory", "races"});
    if (std::find(options.begin(), options.end(), "--races") == options.end())
        options.insert(options.end(), {"--races", "explore"});
    return place.run(program, options);
}

TEST(Rebased, ABugIsStillThereThoughItsThreadsTakeMoreSteps) {
    const Place place;
    ASSERT_EQ(run(place, place.compiled(plain)).status, 1);
    const Ended rebased = run(place, place.compiled(longer), {"--rebase", "--max-execs", "1"});
    const auto old = json_of(rebased)["old_bugs"];
    ASSERT_EQ(old.size(), 1u);
    EXPECT_EQ(old[0]["kind"], "assertion");
    EXPECT_EQ(old[0]["outcome"], "still_there") << rebased.errors;
    EXPECT_THAT(
        rebased.errors,
        AllOf(HasSubstr("assertion found before (T0: prog.c:21: main: assertion failed: counter == 2) is still there"),
              HasSubstr("steps added")));
    EXPECT_EQ(json_of(rebased)["bugs"].size(), 1u) << "found before anything was explored";
}

TEST(Rebased, ABugIsGoneWhereItsScheduleShowsNothing) {
    const Place place;
    ASSERT_EQ(run(place, place.compiled(plain)).status, 1);
    const Ended rebased = run(place, place.compiled(fixed), {"--rebase"});
    EXPECT_EQ(rebased.status, 0);
    EXPECT_EQ(json_of(rebased)["old_bugs"][0]["outcome"], "gone") << rebased.errors;
    EXPECT_THAT(rebased.errors, HasSubstr("is gone: its schedule was followed to its end"));
    EXPECT_THAT(std::string(json_of(run(place, place.compiled(fixed), {"--rebase"}))["old_bugs"].dump()), "[]")
        << "it is tried once";
}

TEST(Rebased, ARaceIsKnownAgainByItsFunctions) {
    const Place place;
    ASSERT_EQ(run(place, place.compiled(plain), {"--races", "report"}).status, 1);
    const auto outcomes = [&](const std::string& source) {
        const nlohmann::json rebased = json_of(run(place, place.compiled(source), {"--races", "report", "--rebase"}));
        std::string text;
        for (const auto& bug : rebased["old_bugs"])
            text += std::string(bug["kind"]) + " " + std::string(bug["outcome"]) + "; ";
        return text;
    };
    EXPECT_THAT(outcomes(longer), HasSubstr("race still_there; "));
    EXPECT_THAT(outcomes(fixed), HasSubstr("race gone; "));
}

TEST(Rebased, DataThatLiesElsewhereIsKnownByItsName) {
    const Place place;
    ASSERT_EQ(run(place, place.compiled(plain)).status, 1);
    // Another counter now has the address of the first one.
    std::string moved = plain;
    moved.replace(moved.find("static int counter;"), 0, "static int others[100]; ");
    moved.replace(moved.find("pthread_t a, b;"), 0, "others[0] = 1; ");
    const Ended rebased = run(place, place.compiled(moved), {"--rebase"});
    EXPECT_EQ(json_of(rebased)["old_bugs"][0]["outcome"], "still_there") << rebased.errors;
    EXPECT_THAT(rebased.errors, HasSubstr("is still there: T0: prog.c:21"));
}

TEST(ABugOfAnotherBuild, IsReplayedAndExplainedAsFarAsItCanBeFollowed) {
    const Place place;
    ASSERT_EQ(run(place, place.compiled(plain)).status, 1);
    place.compiled(longer);
    const std::string bug = "c/bugs/0001-assertion";
    const Ended again = place.raddle({"replay", bug});
    EXPECT_EQ(again.status, 1);
    EXPECT_THAT(again.out, AllOf(HasSubstr("reproduced: assertion"),
                                 HasSubstr("\nfollowed    as well as could be: 2 steps added and 0 left out\n")));
    const Ended shown = place.raddle({"show", bug});
    EXPECT_EQ(shown.status, 1);
    EXPECT_THAT(shown.out,
                AllOf(HasSubstr("assertion failed: counter == 2"), HasSubstr("the program is not the one recorded")));
    EXPECT_EQ(json_of(place.raddle({"report", "--json", "c"}))["bugs"][0]["not_explained_because"], nullptr);
}

TEST(Rebased, ARaceIsNotTriedWhereRacesAreNotReported) {
    const Place place;
    ASSERT_EQ(run(place, place.compiled(plain), {"--races", "report"}).status, 1);
    EXPECT_THAT(run(place, place.compiled(longer), {"--rebase"}).errors,
                HasSubstr("is not tried: data races are not reported (--races report)"));
}

TEST(Rebased, AScheduleThatCannotBeFollowedIsSaidWithHowFarItCame) {
    const Place place;
    const std::string program = place.program("deadlock/abba");
    ASSERT_EQ(run(place, program).status, 1);
    place.program("ok/abba");
    const Ended rebased = run(place, program, {"--rebase"});
    EXPECT_EQ(rebased.status, 0) << rebased.out;
    EXPECT_EQ(json_of(rebased)["old_bugs"][0]["outcome"], "not_followed") << rebased.errors;
    EXPECT_THAT(rebased.errors, AllOf(HasSubstr("could not be followed beyond step "), HasSubstr(" of 6"),
                                      HasSubstr("gone on from there, the program ended as it should")));
}

}  // namespace
}  // namespace raddle::testing
