// Different outputs, which are no bugs; files that differ; and native runs of a program that fails at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/command_line.h"

namespace raddle::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Compiles it with the options of the samples.
std::string compiled(const PrivateDirectory& place, const std::string& code) {
    const std::string program = place / "program";
    std::ofstream(place / "program.c") << code;
    const Ended built = execute({"gcc", "-O1", "-g", "-pthread", place / "program.c", "-o", program});
    EXPECT_EQ(built.status, 0) << built.errors;
    return program;
}

// Two threads draw a number under a lock; main prints who was first.
constexpr const char* prints_the_first = R"(
    #include <pthread.h>
    #include <stdio.h>
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int first;
    static void* draw(void* number) {
        pthread_mutex_lock(&lock);
        if (first == 0) first = (int)(long)number;
        pthread_mutex_unlock(&lock);
        return NULL;
    }
    int main(void) {
        pthread_t thread[2];
        for (long i = 0; i < 2; ++i) pthread_create(&thread[i], NULL, draw, (void*)(i + 1));
        for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
        printf("first %d\n", first);
        return 0;
    })";

TEST(Outputs, ThatDifferAreListedAndAreNoBugs) {
    const PrivateDirectory place;
    const std::string program = compiled(place, prints_the_first);
    const Ended result = raddle({"run", "--no-store", "-j1", "--", program});
    EXPECT_EQ(result.status, 0) << result.out;
    EXPECT_THAT(result.out, HasSubstr("2 different outputs in 2 executions; no bugs"));
    EXPECT_THAT(result.out, HasSubstr("8 bytes: 'first 1', schedule T0"));
    const auto json = json_of(raddle({"run", "--no-store", "-j1", "--json", "--", program}));
    EXPECT_EQ(json["outputs"]["different"], 2);
    EXPECT_EQ(json["outputs"]["executions"], json["executions"]);
    EXPECT_EQ(json["outputs"]["order_explored"], true);
    // The schedule of each shows it again.
    for (const auto& row : json["outputs"]["rows"]) {
        std::vector<std::string> words = {"run", "--output", "inherit"};
        for (const std::string option : json["target_options"]) words.push_back(option);
        words.insert(words.end(), {"--schedule", row["schedule"], "--", program});
        EXPECT_THAT(raddle(words).out, HasSubstr(row["begins"].get<std::string>()));
    }
}

TEST(Outputs, ThatAreAllEqualAreNotMentioned) {
    const Ended result = raddle({"run", "--no-store", "-j1", "--", sample("ok/bank")});
    EXPECT_THAT(result.out, Not(HasSubstr("different output")));
}

TEST(Outputs, WhoseOrderIsNotExploredSaySo) {
    const PrivateDirectory place;
    const std::string program = compiled(place, R"(
        #include <pthread.h>
        #include <unistd.h>
        static void* put(void* line) { return (void*)(write(1, line, 4) - 4); }
        int main(void) {
            pthread_t thread[2];
            pthread_create(&thread[0], NULL, put, "one\n");
            pthread_create(&thread[1], NULL, put, "two\n");
            for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
            return 0;
        })");
    const auto json = json_of(raddle({"run", "--no-store", "-j1", "--json", "--", program}));
    EXPECT_EQ(json["executions"], 1) << "the order of output is not explored for its own sake";
    EXPECT_EQ(json["outputs"]["order_explored"], false);
    EXPECT_THAT(json["output_order"].get<std::string>(), HasSubstr("not explored"));
}

TEST(Outputs, OfAProgramThatWritesMoreThanAPipeHoldsAreRead) {
    const PrivateDirectory place;
    const std::string program = compiled(place, R"(
        #include <stdio.h>
        int main(void) {
            for (int i = 0; i < 300000; ++i) puts("0123456789");
            return 0;
        })");
    const auto json = json_of(raddle({"run", "--no-store", "-j1", "--json", "--", program}));
    EXPECT_EQ(json["verdict"], "ok") << json.dump(2);
    EXPECT_EQ(json["outputs"]["only_beginnings_compared"], true);
}

TEST(Outputs, AreKeptAndReported) {
    const PrivateDirectory place;
    const std::string program = compiled(place, prints_the_first), campaign = place / "campaign";
    Conditions here;
    here.directory = place.path();
    EXPECT_EQ(raddle({"run", "-q", "-j1", "-C", campaign, "--", program}, here).status, 0);
    EXPECT_THAT(raddle({"report", "--json", campaign}, here).out, HasSubstr("2 different outputs in 2 executions"));
    // Another run of the finished campaign executes nothing and still knows them.
    const auto json = json_of(raddle({"run", "-q", "-j1", "--json", "-C", campaign, "--", program}, here));
    EXPECT_EQ(json["outputs"]["different"], 2);
    EXPECT_EQ(json["outputs"]["executions"], 2);
}

// ---- files

// Two threads append a line each to a file.
constexpr const char* writes_two_lines = R"(
    #include <fcntl.h>
    #include <pthread.h>
    #include <unistd.h>
    static int file;
    static void* append(void* line) { return (void*)(write(file, line, 4) - 4); }
    int main(void) {
        pthread_t thread[2];
        file = open("lines", O_WRONLY | O_CREAT | O_APPEND, 0644);
        pthread_create(&thread[0], NULL, append, "one\n");
        pthread_create(&thread[1], NULL, append, "two\n");
        for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
        return 0;
    })";

TEST(FileDiffers, IsABugThatIsReplayed) {
    const PrivateDirectory place, work;
    const std::string program = compiled(place, writes_two_lines);
    const Ended result = raddle(
        {"run", "--no-store", "--json", "--chdir", work.path(), "--fail-on", "file-differs=lines", "--", program});
    const auto json = json_of(result);
    ASSERT_EQ(json["bugs"].size(), 1U) << json.dump(2);
    EXPECT_EQ(json["bugs"][0]["kind"], "output");
    EXPECT_EQ(json["bugs"][0]["message"],
              "the file lines differs from that of the first execution from byte 0 on, in line 1");
    EXPECT_EQ(json["bugs"][0]["reproduced"], "3/3");
    // Each execution has its own copy of the directory.
    EXPECT_EQ(content_of(work / "lines"), "");
}

TEST(FileDiffers, IsNoBugWhereTheFileIsAlwaysTheSame) {
    const PrivateDirectory place, work;
    const std::string program = compiled(place, writes_two_lines);
    const Ended result =
        raddle({"run", "--no-store", "--chdir", work.path(), "--fail-on", "file-differs=others", "--", program});
    EXPECT_EQ(result.status, 0) << result.out;
}

TEST(FileDiffers, LooksThroughAbsolutePathsWithAResetOnly) {
    const PrivateDirectory place, work;
    const std::string program = compiled(place, writes_two_lines);
    const std::string rule = "file-differs=" + (work / "lines");
    const Ended refused = raddle({"run", "--no-store", "--chdir", work.path(), "--fail-on", rule, "--", program});
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.errors, HasSubstr("needs executions that start alike"));
    const Ended result =
        raddle({"run", "--no-store", "--chdir", work.path(), "--reset", "rm lines", "--fail-on", rule, "--", program});
    EXPECT_EQ(result.status, 1) << result.out << result.errors;
}

TEST(FileDiffers, RefusesALink) {
    const PrivateDirectory place, work;
    const std::string program = compiled(place, R"(
        #include <unistd.h>
        int main(void) { return symlink("/etc/passwd", "lines"); })");
    const Ended result =
        raddle({"run", "--no-store", "--chdir", work.path(), "--fail-on", "file-differs=lines", "--", program});
    EXPECT_NE(result.status, 0);
    EXPECT_THAT(result.out + result.errors, HasSubstr("it is a symbolic link"));
}

// ---- native runs

constexpr const char* fails_under_raddle = R"(
    #include <assert.h>
    #include <stdlib.h>
    int main(void) { assert(getenv("RADDLE_ACTIVE") == NULL); return 0; })";

TEST(NativeRuns, TellThatAFirstFailureIsNewsUnderRaddle) {
    const PrivateDirectory place;
    const std::string program = compiled(place, fails_under_raddle);
    const Ended result = raddle({"run", "--no-store", "-j1", "--", program});
    EXPECT_EQ(result.status, 1);
    EXPECT_THAT(result.out, HasSubstr("the first execution fails under raddle, two native runs did not"));
    const Ended without = raddle({"run", "--no-store", "-j1", "--no-native-runs", "--", program});
    EXPECT_THAT(without.out, Not(HasSubstr("native runs")));
}

TEST(NativeRuns, TellThatTheProgramAlwaysFails) {
    const auto json = json_of(raddle({"run", "--no-store", "-j1", "--json", "--", "/bin/false"}));
    EXPECT_EQ(json["native_runs"]["failed"], 2);
    EXPECT_THAT(json["native_runs"]["text"].get<std::string>(), HasSubstr("and so did two native runs"));
}

TEST(NativeRuns, AreNotMadeForABugThatNeedsAPreemption) {
    const auto json = json_of(raddle({"run", "--no-store", "-j1", "--json", "--", sample("assert/bank")}));
    EXPECT_EQ(json["verdict"], "bug");
    EXPECT_TRUE(json["native_runs"].is_null());
}

}  // namespace
}  // namespace raddle::testing
