#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/suite/programs/transfers.h"

TEST(Plain, Adds) { EXPECT_EQ(1 + 1, 2); }
TEST(Transfer, InOrder) { EXPECT_EQ(moved_in_order(), 2); }
TEST(Transfer, BothWays) { EXPECT_EQ(moved_both_ways(), 2); }
TEST(Counter, OneStep) { EXPECT_EQ(counted_in_one_step(), 2); }
TEST(Counter, TwoSteps) { EXPECT_EQ(counted_in_two_steps(), 2) << "an update was lost"; }
TEST(Counter, DISABLED_Off) { FAIL(); }
TEST(AbortDeathTest, Dies) { EXPECT_DEATH(std::abort(), ""); }

class Sizes : public ::testing::TestWithParam<int> {};
TEST_P(Sizes, ArePositive) { EXPECT_GT(GetParam(), 0); }
INSTANTIATE_TEST_SUITE_P(All, Sizes, ::testing::Values(1, 2));
