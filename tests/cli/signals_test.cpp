// Signals to raddle itself: the result is printed whatever ends the run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/command_line.h"

namespace raddle::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Ended shell(const std::string& command) { return execute({"/bin/sh", "-c", command}); }

const std::string kRaddle = RADDLE_BUILD_DIR "/bin/raddle run --json --quiet --no-store";

// timeout(1) signals the command and then the whole process group.
TEST(Signals, TheResultIsPrintedAfterTwoInARow) {
    const Ended ended = shell(kRaddle + " --memory sync -k -- " + sample("ok/locks") +
                              " 8 8 & pid=$!; sleep 2; kill -TERM $pid; kill -TERM $pid; wait $pid");
    EXPECT_EQ(ended.status, 128 + 15) << ended.errors;
    const nlohmann::json found = json_of(ended);
    EXPECT_EQ(found["verdict"], "incomplete");
    EXPECT_EQ(found["incomplete_because"][0], "interrupted");
}

TEST(Signals, AKilledGuardianIsReplaced) {
    // Launches a process for each execution, so the guardian is told of many.
    const Ended ended = shell(kRaddle + " --memory sync --fork-at exec -k -- " + sample("ok/locks") +
                              " 4 2 & pid=$!; until pkill -KILL -P $pid raddle-guardian; do :; done; wait $pid");
    EXPECT_EQ(ended.status, 0) << ended.out << ended.errors;
    EXPECT_EQ(json_of(ended)["graphs"], 2520);
}

TEST(Signals, ALimitOnFilesIsAnErrorOfTheStore) {
    const PrivateDirectory place;
    const Ended ended = execute(
        {"/bin/sh", "-c",
         "ulimit -f 64; exec " RADDLE_BUILD_DIR "/bin/raddle run --quiet -C c -k -- " + sample("ok/locks") + " 4 3"},
        {.input = {}, .environment = {}, .directory = place.path()});
    EXPECT_NE(ended.status, 128 + 25);
    EXPECT_THAT(ended.errors, Not(HasSubstr("internal error")));
    EXPECT_THAT(ended.errors, HasSubstr("raddle: "));
}

}  // namespace
}  // namespace raddle::testing
