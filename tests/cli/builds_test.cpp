// Samples built with sanitizers, coverage, profiles, hardening and optimisation have the verdicts of their plain
// builds.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/command_line.h"

namespace raddle::testing {
namespace {

class Built : public ::testing::TestWithParam<const char*> {};

TEST_P(Built, LikeThisHasTheVerdictOfThePlainBuild) {
    std::vector<std::string> words = {
        "python3", RADDLE_SOURCE_DIR "/tools/builds", "--raddle", RADDLE_BUILD_DIR "/bin/raddle", "--only", GetParam()};
    if (std::getenv("RADDLE_NIGHTLY") == nullptr) words.emplace_back("--short");
    const Ended ended = execute(words);
    EXPECT_EQ(ended.status, 0) << ended.out << ended.errors;
}

INSTANTIATE_TEST_SUITE_P(Modes, Built,
                         ::testing::Values("gcc-address", "clang-address", "undefined", "leak", "coverage",
                                           "profile-generate", "pg", "lto", "hardened", "stripped"),
                         [](const auto& mode) {
                             std::string name = mode.param;
                             for (char& c : name)
                                 if (c == '-') c = '_';
                             return name;
                         });

}  // namespace
}  // namespace raddle::testing
