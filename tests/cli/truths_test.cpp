// Small truths: what raddle prints holds and is short.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/cli/place.h"

namespace raddle::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string line_after(const std::string& text, const std::string& head) {
    const std::size_t begin = text.find(head);
    if (begin == std::string::npos) return "";
    return text.substr(begin + head.size(), text.find('\n', begin + head.size()) - begin - head.size());
}

TEST(Truths, ShowPrintsAReplayLineThatWorksAnywhere) {
    const Place place;
    ASSERT_EQ(place.run(sample("deadlock/abba"), {"-q"}).status, 1);
    const std::string again = line_after(place.raddle({"show", "-C", "c", "1"}).out, "run again\n  raddle ");
    std::istringstream words(again);
    std::vector<std::string> command{std::istream_iterator<std::string>(words), {}};
    EXPECT_EQ(place.raddle(command).status, 1) << again;
}

TEST(Truths, TwoSuppressionsInOneFileAreTwo) {
    const Place place;
    ASSERT_EQ(place.run(sample("deadlock/abba"), {"-q"}).status, 1);
    const std::string one = place.raddle({"show", "-C", "c", "1", "--gen-suppression"}).out;
    std::ofstream(place / "known") << "kind = assertion\nplace = nowhere\n\n" << one << one;
    const Ended ended =
        place.raddle({"run", "-q", "--no-store", "--suppressions", "known", "--", sample("deadlock/abba")});
    EXPECT_NE(ended.status, 1) << ended.out << ended.errors;
    EXPECT_NE(ended.status, 2) << ended.errors;
    EXPECT_THAT(ended.out, HasSubstr("suppressed"));
}

TEST(Truths, ABugByExitStatusShowsWhatTheProgramPrinted) {
    const Place place;
    const std::string program = place.compiled(
        "#include <pthread.h>\n#include <stdio.h>\n"
        "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\nstatic int sum;\n"
        "static void* add(void* unused) { (void)unused; int seen; pthread_mutex_lock(&lock); seen = sum;\n"
        "  pthread_mutex_unlock(&lock); pthread_mutex_lock(&lock); sum = seen + 1; pthread_mutex_unlock(&lock); return NULL; }\n"
        "int main(void) { pthread_t other; pthread_create(&other, NULL, add, NULL); add(NULL); pthread_join(other, NULL);\n"
        "  if (sum != 2) printf(\"sum.c:9: Failure\\n  expected 2, found %d\\n\", sum); return sum != 2; }\n");
    const Ended run = place.run(program, {"-q"});
    EXPECT_EQ(run.status, 1);
    for (const std::string& text : {run.out, place.raddle({"show", "-C", "c", "1"}).out})
        EXPECT_THAT(text,
                    AllOf(HasSubstr("it printed:"), HasSubstr("sum.c:9: Failure"), HasSubstr("expected 2, found 1")));
}

TEST(Truths, CampaignInfoIsAboutTheNewestAndHidesHashes) {
    const Place place;
    ASSERT_EQ(place.raddle({"run", "-q", "--", sample("deadlock/abba")}).status, 1);
    const Ended info = place.raddle({"campaign", "info"});
    EXPECT_EQ(info.status, 0) << info.errors;
    EXPECT_THAT(info.out, AllOf(HasSubstr("the campaign: raddle.out/abba-"), HasSubstr("\nthe command line: "),
                                HasSubstr(", kept as hashes\n"), Not(HasSubstr("environment PATH"))));
}

TEST(Truths, EveryScheduleAndStoppedAtTheFirstBugNeverStandTogether) {
    for (const char* name : {"deadlock/abba", "deadlock/lock_cycle3", "deadlock/relock_self", "assert/abort"}) {
        const std::string out = raddle({"run", "-q", "--no-store", "--", sample(name)}).out;
        if (out.find("stopped at the first bug") != std::string::npos) {
            EXPECT_THAT(line_after(out, "explored    "), Not(HasSubstr("every schedule"))) << name;
        }
    }
}

TEST(Truths, ABugTakesFewLines) {
    const Place place;
    std::string body;
    for (int i = 0; i < 60; ++i) body += "  pthread_create(&one, NULL, wait, NULL);\n";
    const std::string program = place.compiled(
        "#include <pthread.h>\nstatic pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n"
        "static void* wait(void* unused) { pthread_mutex_lock(&lock); return unused; }\n"
        "int main(void) { pthread_t one; pthread_mutex_lock(&lock);\n" +
        body + "  pthread_join(one, NULL); return 0; }\n");
    const std::string out = place.run(program, {"-q"}).out;
    EXPECT_THAT(out, HasSubstr("more lines (--verbose prints them)"));
    EXPECT_LE(lines_in(out.substr(out.find("\n\n"))), 46u) << out;
}

}  // namespace
}  // namespace raddle::testing
