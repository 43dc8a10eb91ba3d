// The lines in which a program says why it fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "replay/explain/printed.h"

namespace raddle::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(TellingLines, AreThoseOfAFailedCheckOfGoogleTest) {
    const TellingLines told = telling_lines(
        "[ RUN      ] Counter.Two\nsuite.cpp:9: Failure\nExpected equality of these values:\n  c\n    Which is: 1\n  2\n"
        "[  FAILED  ] Counter.Two (0 ms)\n[==========] 1 test ran.\n",
        "");
    EXPECT_TRUE(told.is_check);
    EXPECT_THAT(told.lines, ElementsAre("suite.cpp:9: Failure", "Expected equality of these values:", "  c",
                                        "    Which is: 1", "  2"));
}

TEST(TellingLines, AreThoseOfAPanicInRust) {
    const TellingLines told = telling_lines(
        "running 1 test\n\nthread 'adds' (9) panicked at src/a.rs:2:20:\nassertion `left == right` failed\n  left: 2\n right: 3\n"
        "note: run with `RUST_BACKTRACE=1`\n",
        "");
    EXPECT_THAT(told.lines, ElementsAre("thread 'adds' (9) panicked at src/a.rs:2:20:",
                                        "assertion `left == right` failed", "  left: 2", " right: 3"));
}

TEST(TellingLines, HaveNoEscapeSequences) {
    EXPECT_THAT(telling_lines("\033[1;31ma.cpp:3: FAILED:\033[0m\n  CHECK( x )\n\n===============\n", "").lines,
                ElementsAre("a.cpp:3: FAILED:", "  CHECK( x )"));
    EXPECT_THAT(telling_lines("a\033[\n\033\nb\033[1", "").lines, ElementsAre("a", "b"));
}

TEST(TellingLines, AreTheLastOnesElsewhere) {
    const TellingLines told = telling_lines("ready\n", "one\ntwo\n\nthree\nfour\n");
    EXPECT_FALSE(told.is_check);
    EXPECT_TRUE(told.is_errors);
    EXPECT_THAT(told.lines, ElementsAre("two", "three", "four"));
    EXPECT_THAT(telling_lines("ready\nwrong sum 3\n", " \n").lines, ElementsAre("ready", "wrong sum 3"));
    EXPECT_THAT(telling_lines("", "").lines, IsEmpty());
}

TEST(TellingLines, AreFewAndShort) {
    std::string output = "a.cpp:1: Failure\n";
    for (int i = 0; i < 100; ++i) output += std::string(1000, 'x') + "\n";
    const TellingLines told = telling_lines(output, "");
    EXPECT_EQ(told.lines.size(), 6u);
    for (const std::string& line : told.lines) EXPECT_LE(line.size(), 160u);
}

}  // namespace
}  // namespace raddle::testing
