// Reports on programs that give up: the reason, the location, and the program's own message.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/place.h"

namespace raddle::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Ended run(const Place& place, const std::string& program, std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"--memory", "sync"});
    return place.run(program, options);
}

constexpr const char* drawing = R"(#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int width;
static void *draw(void *arg)
{
    pthread_mutex_lock(&lock);
    int now = width;
    pthread_mutex_unlock(&lock);
    if (now == 0) {
        fprintf(stderr, "\ndraw: bad width %d\n", now);
        ENDING;
    }
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

std::string ending(const std::string& how) {
    std::string source = drawing;
    return source.replace(source.find("ENDING"), 6, how);
}

TEST(AWrongExitStatus, IsSaidWithWhereExitWasCalledAndWhatWasWritten) {
    const Place place;
    const Ended ended = run(place, place.compiled(ending("exit(3)")));
    EXPECT_THAT(ended.out, AllOf(StartsWith("bug: exit status, 1 preemption: exit status 3, in draw() at prog.c:13\n"),
                                 HasSubstr("\n  the last it wrote to standard error is: draw: bad width 0\n")));
}

TEST(AWrongExitStatus, OfMainHasNoPlace) {
    EXPECT_THAT(
        raddle({"run", "--no-store", "--memory", "races", "--races", "explore", "--", sample("exit/lost_update")}).out,
        StartsWith("bug: exit status, 1 preemption: exit status 1\n"));
}

TEST(AnAbort, IsSaidWithWhereAndWhatWasWritten) {
    const Place place;
    const Ended ended = run(place, place.compiled(ending("abort()")));
    EXPECT_THAT(ended.out,
                AllOf(StartsWith("bug: assertion, 1 preemption: T1: abort was called, in draw() at prog.c:13\n"),
                      HasSubstr("standard error is: draw: bad width 0\n")));
}

TEST(AnAssertion, SaysItAllItself) {
    const std::string out =
        raddle({"run", "--no-store", "--memory", "races", "--races", "explore", "--", sample("assert/bank")}).out;
    EXPECT_THAT(out,
                AllOf(ContainsRegex(": (main|int main\\(void\\)): assertion failed: a.balance \\+ b.balance == 200\n"),
                      Not(HasSubstr("standard error"))));
}

TEST(AnExceptionThatNobodyCatches, IsCalledThatWithWhereItIsThrown) {
    const Place place;
    const std::string path = place / "thrower", source = place / "thrower.cpp";
    std::ofstream(source) << R"(#include <mutex>
#include <stdexcept>
#include <thread>
std::mutex lock;
int value;
void reader()
{
    std::lock_guard<std::mutex> guard(lock);
    if (value == 0) throw std::runtime_error("no value");
}
int main()
{
    std::thread thread(reader);
    { std::lock_guard<std::mutex> guard(lock); value = 1; }
    thread.join();
}
)";
    execute({"g++", "-O1", "-g", "-pthread", "-o", path, source});
    const Ended ended = run(place, path);
    EXPECT_THAT(
        ended.out,
        StartsWith(
            "bug: assertion, 1 preemption: T1: an exception is thrown that nobody catches, in reader() at thrower.cpp:9\n"));
    EXPECT_THAT(ended.out, HasSubstr("no value"));
}

TEST(ADeadlock, IsPointedAtWhereAThreadOfItWaitsNotWhereMainJoins) {
    const Place place;
    ASSERT_EQ(run(place, sample("deadlock/condition_variable")).status, 1);
    const auto result = nlohmann::json::parse(place.raddle({"report", "--sarif", "c"}).out)["runs"][0]["results"][0];
    EXPECT_NE(result["locations"][0]["logicalLocations"][0]["name"], "main");
}

}  // namespace
}  // namespace raddle::testing
