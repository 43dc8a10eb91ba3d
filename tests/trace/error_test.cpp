#include "supervisor/base/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace raddle {
namespace {

TEST(Check, NamesTheFailedConditionAndItsLocation) {
    try {
        CHECK(1 + 1 == 3);
        FAIL() << "nothing was thrown";
    } catch (const BrokenInvariant& error) {
        EXPECT_THAT(error.what(), ::testing::MatchesRegex("1 \\+ 1 == 3 does not hold at error_test\\.cpp:[0-9]+"));
    }
}

TEST(Check, IsSilentOtherwise) { EXPECT_NO_THROW(CHECK(1 + 1 == 2)); }

}  // namespace
}  // namespace raddle
