// A visible access changes no register of the thread, whatever runs before the thread goes on.
#include <gtest/gtest.h>

#include "tests/command_line.h"
#include "tests/memory/explore.h"

namespace raddle {
namespace {

void expect_kept(const std::string& width, const std::vector<std::string>& options) {
    std::vector<std::string> words = {"run",     "--json",   "--quiet", "--no-store",    "-k",      "--races",
                                      "explore", "--memory", "races",   "--no-minimize", "--bound", "none"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", lockless_program("O2", "registers"), width});
    const testing::Ended ended = testing::raddle(words);
    EXPECT_EQ(ended.status, 0) << ended.out.substr(0, 2000) << ended.errors;
    const nlohmann::json result = testing::json_of(ended);
    EXPECT_EQ(result["exhausted"], true);
    EXPECT_EQ(result["executions"], 8);  // two threads read, write and read one variable: others come in between
}

void expect_kept_in_all_ways(const std::string& width) {
    for (const char* threads : {"fibers", "kernel"})
        for (const char* restart : {"restore", "fork"}) {
            if (std::string(threads) == "kernel" && std::string(restart) == "restore") continue;
            SCOPED_TRACE(std::string(threads) + ", " + restart);
            expect_kept(width, {"--threads", threads, "--restart", restart});
        }
}

TEST(Registers, AreKeptAcrossVisibleAccesses) { expect_kept_in_all_ways("0"); }

TEST(Registers, OfTwiceTheWidthAreKept) {
    if (!__builtin_cpu_supports("avx")) GTEST_SKIP() << "this processor has none";
    expect_kept_in_all_ways("1");
}

TEST(Registers, OfFourTimesTheWidthAndMasksAreKept) {
    if (!__builtin_cpu_supports("avx512f")) GTEST_SKIP() << "this processor has none";
    expect_kept_in_all_ways("2");
}

}  // namespace
}  // namespace raddle
