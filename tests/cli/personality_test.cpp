// A system that does not let raddle switch address randomisation off (Docker's default profile): one process is forked
// for all executions, so pointers are equal in all of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/place.h"

namespace raddle::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The output shows where everything lies. The order of the threads' blocks depends on the schedule, their addresses do
// not.
constexpr const char* program_text = R"(
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void* shown;
static void* work(void* unused) {
    pthread_mutex_lock(&lock);
    if (shown == NULL) shown = malloc(100);
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(int count, char** values) {
    pthread_t one, two;
    void* block = malloc(100);
    if (count > 1) {
        pthread_create(&one, 0, work, 0);
        pthread_create(&two, 0, work, 0);
        pthread_join(one, 0);
        pthread_join(two, 0);
    }
    printf("%p %p %p %p %p\n", (void*)&one, block, (void*)main, (void*)puts, (void*)values[0]);
    return 0;
}
)";

class WithoutPersonality : public ::testing::Test {
protected:
    void SetUp() override {
        if (execute({RADDLE_WITHOUT_PERSONALITY, "true"}).status != 0) GTEST_SKIP() << "seccomp is not available";
    }
    Ended raddle_with(std::vector<std::string> words) const {
        words.insert(words.begin(), {RADDLE_WITHOUT_PERSONALITY, RADDLE_BUILD_DIR "/bin/raddle"});
        words.insert(words.end(), {"--", program_, "threads"});
        return execute(words, {.input = {}, .environment = {}, .directory = place_.path()});
    }
    const PrivateDirectory place_;
    const Place compiler_{};
    const std::string program_ = compiler_.compiled(program_text);
};

// The test would show nothing if addresses were equal anyway.
TEST_F(WithoutPersonality, AddressesDifferBetweenTwoLaunches) {
    EXPECT_NE(execute({RADDLE_WITHOUT_PERSONALITY, program_}).out, execute({RADDLE_WITHOUT_PERSONALITY, program_}).out);
}

TEST_F(WithoutPersonality, AddressesAreEqualInAllExecutions) {
    for (const char* way : {"exec", "fork", "restore"})
        for (const char* level : {"sync", "races", "auto"}) {
            SCOPED_TRACE(std::string(way) + " " + level);
            const Ended ended =
                raddle_with({"run", "--json", "-C", place_ / (way + std::string(level)), "-j", "2", "--bound", "none",
                             "--restart", way, "--memory", level, "--fail-on", "stdout-differs"});
            const nlohmann::json result = json_of(ended);
            EXPECT_EQ(ended.status, 0) << ended.out << ended.errors;
            EXPECT_EQ(result["exhausted"], true);
            EXPECT_GT(result["graphs"].get<int>(), 1);
            EXPECT_EQ(result["addresses_of_this_run"], true);
            EXPECT_EQ(result["addresses_differ"], false);
        }
}

TEST_F(WithoutPersonality, IsSaidInTheResultAndByDoctor) {
    EXPECT_THAT(raddle_with({"run", "-C", place_ / "said"}).out, HasSubstr("are equal in all executions of this run"));
    const Ended doctor = raddle_with({"doctor"});
    EXPECT_THAT(doctor.out + doctor.errors, HasSubstr("one process is forked for all executions"));
}

TEST_F(WithoutPersonality, IsNotSaidElsewhere) {
    const Ended ended =
        execute({RADDLE_BUILD_DIR "/bin/raddle", "run", "-C", place_ / "fixed", "--", program_, "threads"});
    EXPECT_THAT(ended.out, Not(HasSubstr("addresses")));
}

}  // namespace
}  // namespace raddle::testing
