// The one-line name of a bug: the program's functions and data, the same in every output.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/place.h"

namespace raddle::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// The linker adds its own symbol at the address of `counter`.
constexpr const char* racing = R"(#include <pthread.h>
static int counter;
static int balance = 100;
static void *add(void *arg)
{
    counter = counter + 1;
    return arg;
}
static void *audit(void *arg)
{
    if (counter == 1)
        balance -= 1;
    return arg;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, audit, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
)";

const std::string race = "data race on counter: add (prog.c:6) and audit (prog.c:11)";

Ended run(const Place& place, const std::string& program, std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"--memory", "races", "--races", "report"});
    return place.run(program, options);
}

TEST(AMessageOfARace, NamesTheVariableTheFunctionsAndTheLines) {
    const Place place;
    EXPECT_THAT(run(place, place.compiled(racing)).out, AllOf(StartsWith("bug: race, 1 preemption: " + race + "\n"),
                                                              HasSubstr("\n  what      " + race + "\n")));
}

TEST(AMessageOfARace, IsTheSameWhereverItIsSaid) {
    const Place place;
    const std::string program = place.compiled(racing);
    EXPECT_EQ(json_of(run(place, program, {"--json"}))["bugs"][0]["message"], race);
    const std::string bug = "c/bugs/0001-race";
    EXPECT_THAT(place.raddle({"show", "c"}).out, HasSubstr("\n  " + race + "\n"));
    EXPECT_THAT(place.raddle({"status", "c"}).out, HasSubstr(": " + race + "\n"));
    EXPECT_EQ(json_of(place.raddle({"status", "c", "--json"}))["bugs"][0]["message"], race);
    EXPECT_THAT(place.raddle({"replay", bug}).out, StartsWith("reproduced: race: " + race + "\n"));
    EXPECT_EQ(json_of(place.raddle({"report", "--json", "c"}))["bugs"][0]["message"], race);
    EXPECT_THAT(content_of(place / bug / "report.txt"), HasSubstr("\nrace, 1 preemption: " + race + "\n"));
    ASSERT_EQ(place.raddle({"minimize", bug}).status, 1);
    EXPECT_THAT(place.raddle({"show", "c"}).out, HasSubstr("\n  " + race + "\n"))
        << "simpler or not, it is the same bug";
}

TEST(AMessageOfARace, HasWhatThereIsOfAProgramWithoutDebugInformation) {
    const Place place;
    EXPECT_THAT(run(place, place.compiled(racing, {"-O1"})).out,
                StartsWith("bug: race, 1 preemption: data race on counter: add (prog+0x"));
}

TEST(AMessageOfARace, HasPlacesOfAStrippedProgram) {
    const Place place;
    EXPECT_THAT(run(place, place.compiled(racing, {"-O1", "-s"})).out,
                StartsWith("bug: race, 1 preemption: data race on the variable at prog+0x"));
}

TEST(NamesInMessages, DoNotTellBugsApart) {
    // A resumed campaign finds the bug again and counts it as the same, although its addresses have no names now.
    const Place place;
    const std::string program = place.compiled(racing);
    ASSERT_EQ(run(place, program).status, 1);
    const Ended again = run(place, program, {"-k", "--json"});
    EXPECT_EQ(json_of(again)["bugs"].size(), 1u);
    EXPECT_THAT(std::string(json_of(again)["bugs"][0]["place"]), AllOf(HasSubstr("prog+0x"), Not(HasSubstr("add"))));
    EXPECT_EQ(json_of(place.raddle({"show", "c", "--json"}))["bugs"].size(), 1u);
}

TEST(AMessage, OfADeadlockSaysWhoHoldsWhatAndWaitsForWhat) {
    const std::string out = raddle({"run", "--no-store", "--", sample("deadlock/abba")}).out;
    EXPECT_THAT(
        out,
        StartsWith(
            "bug: deadlock, 1 preemption: T1 holds mutex a and waits for mutex b; T2 holds mutex b and waits for mutex a\n"));
}

TEST(AMessage, OfACrashSaysWhatWasAccessedAndWhere) {
    const std::string out =
        raddle({"run", "--no-store", "--memory", "races", "--", sample("crash/null_after_check")}).out;
    EXPECT_THAT(
        out, StartsWith("bug: crash, 1 preemption: T1 accesses null (SIGSEGV), in use() at null_after_check.c:19\n"));
}

TEST(AMessage, OfOneScheduleHasNamesToo) {
    const std::string shown = "T1 holds mutex a and waits for mutex b; T2 holds mutex b and waits for mutex a";
    EXPECT_THAT(raddle({"run", "--schedule", "T0*2 T1*2 T2*2", "--", sample("deadlock/abba")}).out, HasSubstr(shown));
    EXPECT_EQ(json_of(raddle({"run", "--json", "--schedule", "T0*2 T1*2 T2*2", "--",
                              sample("deadlock/abba")}))["bugs"][0]["message"],
              shown);
}

}  // namespace
}  // namespace raddle::testing
