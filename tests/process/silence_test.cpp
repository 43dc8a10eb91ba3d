// The time without progress counts the target's processor time, whatever the machine does meanwhile.
#include "supervisor/process/silence.h"

#include <gtest/gtest.h>

namespace raddle {
namespace {

using std::chrono::milliseconds;
using Time = std::chrono::steady_clock::time_point;

TEST(Silence, OfAProcessThatComputesIsItsProcessorTime) {
    Silence silence;
    for (int i = 0; i <= 10; ++i) silence.look(Activity{milliseconds(10 * i), true, {}}, Time{} + milliseconds(50 * i));
    EXPECT_TRUE(silence.lasts(milliseconds(100)));
    EXPECT_FALSE(silence.lasts(milliseconds(101)));
    EXPECT_TRUE(silence.computes());
}

TEST(Silence, DoesNotGrowWhileOtherProcessesHaveTheProcessor) {
    Silence silence;
    for (int i = 0; i <= 1000; ++i) silence.look(Activity{milliseconds(5), true, {}}, Time{} + milliseconds(50 * i));
    EXPECT_FALSE(silence.lasts(milliseconds(1)));
}

TEST(Silence, OfAProcessThatSleepsIsRealTimeInSmallSteps) {
    Silence silence;
    for (int i = 0; i <= 10; ++i) silence.look(Activity{milliseconds(5), false, {}}, Time{} + milliseconds(20 * i));
    EXPECT_TRUE(silence.lasts(milliseconds(200)));
    EXPECT_FALSE(silence.computes());
    // The supervisor had no processor for an hour: that counts little.
    silence.begin_anew();
    silence.look(Activity{milliseconds(5), false, {}}, Time{});
    silence.look(Activity{milliseconds(5), false, {}}, Time{} + std::chrono::hours(1));
    EXPECT_FALSE(silence.lasts(milliseconds(200)));
}

TEST(Silence, OfAProcessThatPollsIsTheTimeOfItsSleeps) {
    Silence silence;
    for (int i = 0; i <= 10; ++i)
        silence.look(Activity{milliseconds(i), false, milliseconds(4 * i)}, Time{} + milliseconds(20 * i));
    EXPECT_TRUE(silence.lasts(milliseconds(150)));
    EXPECT_FALSE(silence.lasts(milliseconds(151)));
    EXPECT_FALSE(silence.computes());
}

}  // namespace
}  // namespace raddle
