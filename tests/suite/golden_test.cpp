// The text of raddle test, word for word.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <regex>

#include "tests/cli/place.h"

namespace raddle::testing {
namespace {

// Times differ; so does the order of lines where tests run in parallel.
TEST(SuiteText, IsTheGoldenOne) {
    const Place place;
    const std::string program = std::string(RADDLE_BUILD_DIR) + "/suite/gtest";
    const Ended ended = place.raddle({"test", "-j", "1", "--test-time", "10m", "-C", "c", "--", program});
    EXPECT_EQ(ended.status, 1) << ended.errors;
    std::string text = std::regex_replace(ended.out, std::regex(R"(\[ *[0-9.]+ s\])"), "[TIME]");
    const std::string sources = std::string(RADDLE_SOURCE_DIR) + "/";
    for (std::size_t at; (at = text.find(sources)) != std::string::npos;) text.erase(at, sources.size());
    const std::string file = std::string(RADDLE_SOURCE_DIR) + "/tests/suite/golden/gtest.txt";
    if (std::getenv("RADDLE_GOLDEN") != nullptr) std::ofstream(file) << text;
    EXPECT_EQ(text, content_of(file));
}

}  // namespace
}  // namespace raddle::testing
