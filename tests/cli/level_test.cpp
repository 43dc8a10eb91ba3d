// The level that --memory auto chooses, and the message about it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/command_line.h"

namespace raddle::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

std::string compiled(const PrivateDirectory& place, const std::string& text,
                     const std::vector<std::string>& options = {}) {
    std::ofstream(place / "prog.c") << text;
    std::vector<std::string> words = {"gcc", "-O2", "-pthread", "-o", place / "prog", place / "prog.c"};
    words.insert(words.end(), options.begin(), options.end());
    EXPECT_EQ(execute(words).status, 0);
    return place / "prog";
}

// Two plain increments, and the functions around them.
std::string counting(const std::string& before, const std::string& in_thread) {
    return R"(
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static volatile int counter, other;
static void* work(void* unused) { )" +
           in_thread + R"( ++counter; return unused; }
int main(void) {
    pthread_t one, two;
    )" + before +
           R"(
    pthread_create(&one, 0, work, 0);
    pthread_create(&two, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(counter == 2);
})";
}

TEST(Level, IsRacesWhereThatIsAffordable) {
    const PrivateDirectory place;
    const std::string program = compiled(place, counting("", ""));
    const Ended ended = raddle({"run", "--json", "--", program});
    EXPECT_EQ(ended.status, 1) << ended.out;
    const nlohmann::json found = json_of(ended);
    EXPECT_EQ(found["level"], "races");
    EXPECT_EQ(found["races_reported"], false);
    EXPECT_EQ(found["bugs"][0]["kind"], "assertion");
    EXPECT_EQ(found["bugs"][0]["preemptions"], 1);
    EXPECT_THAT(found["target_options"], Contains("--visible"));
    // --quiet: prints only the result.
    EXPECT_EQ(ended.errors, "");
    EXPECT_THAT(raddle({"run", "-v", "--", program}).errors, HasSubstr("explored: calls and shared memory\n"));
}

// One shows which accesses are shared, and one repeats another in a new process.
TEST(Level, ExecutionsOfItsTrialAreTheFirstOfTheCampaign) {
    const PrivateDirectory place;
    const std::string program = compiled(place, counting("", ""));
    const nlohmann::json found = json_of(raddle({"run", "--json", "--no-store", "--", program}));
    EXPECT_EQ(found["trial_executions"], 2);
}

TEST(Level, OfAskedForRacesIsRaces) {
    const PrivateDirectory place;
    const nlohmann::json found = json_of(
        raddle({"run", "--json", "--races", "report", "--keep-going", "--", compiled(place, counting("", ""))}));
    EXPECT_EQ(found["level"], "races");
    EXPECT_EQ(found["races_reported"], true);
}

// More words than raddle remembers of a thread: each access is noted anew.
const char* const noted_again_and_again =
    "volatile int* words = malloc(1 << 18); for (int i = 0; i < 20000000; ++i) ++words[i & 65535];";

TEST(Level, IsCallsWhereAnExecutionAccessesMemoryTooOften) {
    const PrivateDirectory place;
    const nlohmann::json found =
        json_of(raddle({"run", "--json", "--", compiled(place, counting("", noted_again_and_again), {"-O0"})}));
    EXPECT_EQ(found["level"], "sync");
    EXPECT_EQ(found["level_because"], "an execution makes more than 33554432 accesses to memory");
    // Only calls were explored, so nothing is claimed.
    EXPECT_EQ(found["verdict"], "incomplete");
    EXPECT_EQ(found["exit_code"], 3);
}

TEST(Level, IsRacesWhereMainComputesBeforeItsFirstThread) {
    const PrivateDirectory place;
    const nlohmann::json found = json_of(
        raddle({"run", "--json", "--", compiled(place, counting("for (int i = 0; i < 100000000; ++i) ++other;", ""))}));
    EXPECT_EQ(found["level"], "races");
    EXPECT_EQ(found["bugs"][0]["kind"], "assertion");
}

TEST(Level, IsRacesWhereAThreadSpinsAtFirst) {
    const PrivateDirectory place;
    const nlohmann::json found = json_of(raddle(
        {"run", "--json", "-k", "--",
         compiled(place, counting("", "if (other == 0) { other = 1; while (other != 2) {} } else other = 2;"))}));
    EXPECT_EQ(found["level"], "races");
}

TEST(Level, IsCallsWhereThereIsOneThread) {
    const nlohmann::json found = json_of(raddle({"run", "--json", "--", "/bin/true"}));
    EXPECT_EQ(found["level"], "sync");
    EXPECT_EQ(found["level_because"], "no second thread was seen");
    EXPECT_EQ(found["verdict"], "ok");
}

TEST(Level, IsCallsWhereMemoryIsAnotherInEachProcess) {
    const PrivateDirectory place;
    const nlohmann::json found =
        json_of(raddle({"run", "--json", "--",
                        compiled(place, counting("other = getpgrp();", "if (other == 1) abort(); other = other;"))}));
    EXPECT_EQ(found["level"], "sync");
    EXPECT_EQ(found["level_because"], "what it has in memory differs from process to process");
}

TEST(Level, IsRacesWhereAProgramKnowsItsNumber) {
    const PrivateDirectory place;
    const std::string check = "if (other != getpid() || kill(other, 0) != 0) abort();";
    const nlohmann::json found = json_of(
        raddle({"run", "--json", "--",
                compiled(place, "#include <signal.h>\n" + counting("other = getpid();", check + " other = other;"))}));
    EXPECT_EQ(found["level"], "races");
    EXPECT_EQ(found["bugs"][0]["kind"], "assertion");
}

TEST(Level, IsKeptWithTheCampaign) {
    const PrivateDirectory place;
    const std::string program = compiled(place, counting("", ""));
    const Conditions there{.input = {}, .environment = {}, .directory = place.path()};
    ASSERT_EQ(json_of(raddle({"run", "--json", "-C", "calls", "--memory", "sync", "--max-execs", "1", "--", program},
                             there))["level"],
              "sync");
    const nlohmann::json more = json_of(raddle({"run", "--json", "-C", "calls", "--", program}, there));
    EXPECT_EQ(more["level"], "sync");
    EXPECT_EQ(more["level_because"], "as when the campaign began");
    // Without a named directory, another level gets another directory.
    EXPECT_EQ(json_of(raddle({"run", "--json", "--memory", "sync", "--", program}, there))["verdict"], "incomplete");
    EXPECT_EQ(json_of(raddle({"run", "--json", "--", program}, there))["verdict"], "bug");
}

TEST(Level, ReasonIsKeptWithTheCampaign) {
    const PrivateDirectory place;
    const std::string program = compiled(place, counting("", noted_again_and_again), {"-O0"});
    const Conditions there{.input = {}, .environment = {}, .directory = place.path()};
    const std::string why = "an execution makes more than 33554432 accesses to memory";
    for (int time = 0; time < 2; ++time) {
        const nlohmann::json found = json_of(raddle({"run", "--json", "-C", "c", "--", program}, there));
        EXPECT_EQ(found["level_because"], why);
        EXPECT_EQ(found["exit_code"], 3);
        EXPECT_EQ(found["incomplete_because"].size(), 1u) << found;
    }
    EXPECT_THAT(raddle({"status", "c"}, there).out, HasSubstr("calls (" + why + ")"));
    EXPECT_EQ(json_of(raddle({"status", "--json", "c"}, there))["level_because"], why);
    EXPECT_THAT(raddle({"report", "--json", "c"}, there).out, HasSubstr(why));
    EXPECT_THAT(raddle({"report", "--html", "c"}, there).out, HasSubstr(why));
}

// The linker keeps a path with a slash as it is given, so the loader reads it from the working directory.
TEST(Level, ALibraryNamedByARelativePathIsLookedAt) {
    const PrivateDirectory place;
    const Conditions there{.input = {}, .environment = {}, .directory = place.path()};
    std::ofstream(place / "flag.c")
        << "static volatile int taken; int take(void) { if (taken) return 0; taken = 1; return 1; }";
    std::ofstream(place / "main.c") << R"(
#include <pthread.h>
#include <stdlib.h>
int take(void);
static void* work(void* unused) { return take() ? unused : 0; }
int main(void) {
    int mark;
    pthread_t one, two;
    void *first, *second;
    pthread_create(&one, 0, work, &mark);
    pthread_create(&two, 0, work, &mark);
    pthread_join(one, &first);
    pthread_join(two, &second);
    if (first && second) abort();
})";
    ASSERT_EQ(execute({"gcc", "-O2", "-shared", "-fPIC", "-o", "libflag.so", "flag.c"}, there).status, 0);
    ASSERT_EQ(execute({"gcc", "-pthread", "-o", "main", "main.c", "./libflag.so"}, there).status, 0);
    const nlohmann::json found = json_of(raddle({"run", "--json", "--", "./main"}, there));
    EXPECT_EQ(found["bugs"][0]["kind"], "assertion");
    EXPECT_EQ(found["bugs"][0]["reproduced"], "3/3");
    EXPECT_EQ(raddle({"replay", "1"}, there).status, 1);
}

TEST(Level, ALargeLibraryIsFollowedOnceTwoThreadsRunIt) {
    const PrivateDirectory place;
    const std::string library = place / "liblarge.so";
    std::ofstream text(place / "large.c");
    text << "volatile int large; int in_large(int i) { return i; }\n";
    for (int i = 0; i < 300; ++i) {
        text << "int f" << i << "(int n) { int s = n;";
        for (int j = 0; j < 400; ++j) text << " s = s * " << i + j + 3 << " + large;";
        text << " return s; }\n";
    }
    text.close();
    ASSERT_EQ(execute({"gcc", "-O0", "-shared", "-fPIC", "-o", library, place / "large.c"}).status, 0);
    std::ofstream(place / "main.c") << R"(
#include <pthread.h>
int in_large(int);
static void* work(void* unused) { in_large(1); return unused; }
int main(int count, char** words) {
    (void)words;
    pthread_t one, two;
    in_large(count);
    pthread_create(&one, 0, work, 0);
    pthread_join(one, 0);
    if (count < 2) return 0;
    pthread_create(&two, 0, work, 0);
    return pthread_join(two, 0);
})";
    const std::string program = place / "with_library";
    ASSERT_EQ(execute({"gcc", "-pthread", "-o", program, place / "main.c", library}).status, 0);
    // Main calls the library before there is another thread, so one thread meets nobody there.
    const auto instructions = [&](const std::vector<std::string>& words) {
        const nlohmann::json found = json_of(raddle(words));
        EXPECT_EQ(found["exit_code"], 0) << found.dump(2);
        return found["memory_instructions"].get<int>();
    };
    constexpr int in_library = 300 * 400;
    EXPECT_LT(instructions({"run", "--json", "--", program}), in_library);
    EXPECT_GE(instructions({"run", "--json", "--", program, "two"}), in_library);
    // Where it may not be followed, two threads met there unseen.
    const nlohmann::json found =
        json_of(raddle({"run", "--json", "--no-instrument", "liblarge.so", "--", program, "two"}));
    EXPECT_EQ(found["exit_code"], 3);
    EXPECT_THAT(found["incomplete_because"][0].get<std::string>(),
                ::testing::AllOf(HasSubstr("threads met where raddle did not look"), HasSubstr(library)));
}

TEST(Level, LibrariesAreLookedAt) {
    const PrivateDirectory place;
    const std::string library = place / "libcount.so";
    std::ofstream(place / "count.c")
        << "static volatile int counter; void count(void) { ++counter; } int counted(void) { return counter; }";
    ASSERT_EQ(execute({"gcc", "-O2", "-shared", "-fPIC", "-o", library, place / "count.c"}).status, 0);
    std::ofstream(place / "main.c") << R"(
#include <assert.h>
#include <pthread.h>
void count(void);
int counted(void);
static void* work(void* unused) { count(); return unused; }
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, work, 0);
    pthread_create(&two, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(counted() == 2);
})";
    const std::string program = place / "with_library";
    ASSERT_EQ(execute({"gcc", "-pthread", "-o", program, place / "main.c", library}).status, 0);
    EXPECT_EQ(json_of(raddle({"run", "--json", "--", program}))["bugs"][0]["kind"], "assertion");
    EXPECT_EQ(json_of(raddle({"run", "--json", "--instrument", library, "--", program}))["bugs"][0]["kind"],
              "assertion");
}

}  // namespace
}  // namespace raddle::testing
