#include "supervisor/trace/standing.h"

#include <gtest/gtest.h>

namespace raddle::testing {
namespace {

Standing some() {
    Standing standing;
    standing.threads = {
        {"T1", "runs", {{"spin", "/src/hang.c", 7, "hang", 0x120, true}, {"body", "", 0, "hang", 0x130, false}}},
        {"child process 1", "is blocked in system call 130", {}}};
    standing.gap = "1 thread cannot be stopped";
    return standing;
}

TEST(Standing, HasALineForEachThreadAndOneForTheGap) {
    const std::vector<std::string> lines = lines_of(some());
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[0], "T1 runs: spin at hang.c:7 < body at hang+0x130");
    EXPECT_EQ(lines[1], "child process 1 is blocked in system call 130");
    EXPECT_EQ(lines[2], "1 thread cannot be stopped");
}

TEST(Standing, OfALongStackTheInnermostFramesAreShown) {
    Standing standing;
    standing.threads = {{"T1", "runs", Stack(40, Frame{"f", "a.c", 1, "a", 0, false})}};
    EXPECT_NE(lines_of(standing).at(0).find(" < ... (28 more frames)"), std::string::npos);
}

TEST(Standing, SurvivesSavingAndLoading) {
    Writer out;
    save(some(), out);
    Reader in(out.bytes());
    const Standing loaded = load_standing(in);
    EXPECT_EQ(lines_of(loaded), lines_of(some()));
    EXPECT_EQ(loaded.threads.at(0).stack, some().threads.at(0).stack);
}

TEST(Standing, DamagedBytesAreRefusedAtEveryLength) {
    Writer out;
    save(some(), out);
    for (std::size_t bytes = 0; bytes < out.bytes().size(); ++bytes) {
        Reader in(std::string_view(out.bytes()).substr(0, bytes));
        EXPECT_THROW(load_standing(in), BadInput) << bytes;
    }
}

}  // namespace
}  // namespace raddle::testing
