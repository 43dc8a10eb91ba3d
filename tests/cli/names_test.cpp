// Names of the program in place of offsets: in steps, in fingerprints and in progress messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/place.h"

namespace raddle::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

Ended run(const Place& place, const std::string& program, std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"--memory", "sync"});
    return place.run(program, options);
}

const std::string given_up = R"(#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int width;
static void *draw(void *arg)
{
    pthread_mutex_lock(&lock);
    int now = width;
    pthread_mutex_unlock(&lock);
    if (now == 0) abort();
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, draw, 0);
    pthread_mutex_lock(&lock);
    width = 800;
    pthread_mutex_unlock(&lock);
    pthread_join(t, 0);
    return 0;
}
)";

TEST(AFingerprint, OutlastsANewBuild) {
    const Place place;
    const auto fingerprint = [&](const std::string& source) {
        EXPECT_EQ(run(place, place.compiled(source), {"--resume", "never"}).status, 1);
        const auto log = nlohmann::json::parse(place.raddle({"report", "--sarif", "c"}).out);
        return std::string(log["runs"][0]["results"][0]["partialFingerprints"].dump());
    };
    // A new function in front moves all others.
    EXPECT_EQ(fingerprint(given_up), fingerprint("int more(int a, int b) { return a * 7 / (b + 3); }\n" + given_up));
}

TEST(Steps, AreShownInNamesOfTheProgram) {
    const Place place;
    ASSERT_EQ(run(place, place.compiled(given_up)).status, 1);
    EXPECT_THAT(place.raddle({"replay", "c", "--trace"}).out,
                AllOf(HasSubstr("T1 mutex_lock lock at draw (prog.c:7)\n"), HasSubstr("\nreproduced: ")));
    EXPECT_THAT(place.raddle({"replay", "c", "--until", "1"}).out,
                HasSubstr("\n  T0        mutex_lock lock at main (prog.c:17)\n"));
}

TEST(StatusOfACampaignThatHasNothingLeftToDo, SaysNothingTwice) {
    const Place place;
    ASSERT_EQ(run(place, sample("deadlock/abba"), {"-k"}).status, 1);
    const std::string page = place.raddle({"status", "c"}).out;
    EXPECT_THAT(page, AllOf(Not(HasSubstr("\nprogress")),
                            HasSubstr("\nbug         deadlock, 1 preemption, seen 1 time, found by "),
                            HasSubstr(": T1 holds mutex a")));
}

TEST(FindingsAsTheyComeUp, AreInNamesToo) {
    const Ended told =
        raddle({"run", "-v", "--no-store", "--memory", "races", "--races", "report", "--", sample("race/published")});
    EXPECT_THAT(told.errors, AllOf(HasSubstr("raddle: race, "), HasSubstr(" (published.c:"), Not(HasSubstr("+0x"))));
}

}  // namespace
}  // namespace raddle::testing
