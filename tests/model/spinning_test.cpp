// Threads that wait for a variable to change.
#include "tests/model/script.h"

namespace raddle::testing {
namespace {

constexpr Thing x = thing(1), y = thing(2), z = thing(3);

Action unless(Action look, std::initializer_list<std::uint64_t> values) {
    look.flags |= flag::spins;
    for (const std::uint64_t value : values) EXPECT_TRUE(add_spin_value(look.spin_values, value));
    return look;
}
Action wait_for_change(std::int64_t reads) {
    Action wait;
    wait.operation = Operation::spin_wait;
    wait.set_awaited_reads(reads);
    return wait;
}
Action exchange(std::int64_t expected, std::int64_t wanted) {
    Action made = action(Operation::memory_exchange, x, expected);
    made.set_desired(wanted);
    return made;
}

TEST(Spinning, ALookWaitsForAValueThatIsNotFutile) {
    Script s(2);
    EXPECT_BLOCKED(s, 1, unless(read(x), {0, 7}));
    s.does(2, write(x, 7));
    EXPECT_FALSE(s.ready(1));
    s.does(2, write(x, 3));
    EXPECT_EQ(s.goes_on(1).result, 3);
}

TEST(Spinning, AnExchangeWaitsAsALockDoes) {
    Script s(2);
    s.does(1, unless(exchange(0, 1), {1}));
    EXPECT_BLOCKED(s, 2, unless(exchange(0, 1), {1}));
    s.does(1, write(x, 0));
    EXPECT_EQ(s.goes_on(2).effect, Effect::done);
}

TEST(Spinning, WhatNobodyKnowsIsLookedAt) {
    Script s(1);
    Action unknown = unless(read(x), {0});
    unknown.flags |= flag::contents_unknown;
    s.does(1, unknown);
}

TEST(Spinning, AWaitEndsWhenOneOfTheLastLooksHasChanged) {
    Script s(2);
    s.does(1, read(x));
    s.does(1, read(y));
    EXPECT_BLOCKED(s, 1, wait_for_change(2));
    s.does(2, write(z, 1));
    EXPECT_FALSE(s.ready(1));
    s.does(2, write(x, 1));
    const ActionOutcome outcome = s.goes_on(1);
    ASSERT_EQ(outcome.use_count, 2u);
    EXPECT_EQ(outcome.uses[0].mode, Mode::shared);
}

TEST(Spinning, AWaitIsAboutVariablesAndWhatTheyHeldLast) {
    Script s(2);
    s.does(1, read(y));
    s.does(1, read(x));
    s.does(2, write(x, 1));
    s.does(2, write(y, 1));
    s.does(1, read(x));
    EXPECT_BLOCKED(s, 1, wait_for_change(1));  // y is not among its last reads
    s.does(2, write(x, 0));
    s.goes_on(1);
}

TEST(Spinning, NobodyGoesOnAndSomebodySpinsIsALivelock) {
    Script s(1);
    EXPECT_BLOCKED(s, 1, unless(read(x), {0}));
    EXPECT_BLOCKED(s, 0, Script::join(1));
    EXPECT_EQ(s.machine.ending(), Ending::livelock);
}

TEST(Spinning, ValuesAreKeptAsTwoRanges) {
    ValueRange spin_values[2];
    for (const std::uint64_t value : {5u, 4u, 6u, 9u}) EXPECT_TRUE(add_spin_value(spin_values, value));
    EXPECT_EQ(spin_values[0], (ValueRange{4, 6}));
    EXPECT_EQ(spin_values[1], (ValueRange{9, 9}));
    EXPECT_FALSE(add_spin_value(spin_values, 20));
    EXPECT_TRUE(add_spin_value(spin_values, 8));
    ValueRange ends[2];
    EXPECT_TRUE(add_spin_value(ends, 0));
    EXPECT_TRUE(add_spin_value(ends, ~std::uint64_t{0})) << "not beside 0";
    EXPECT_EQ(ends[1], (ValueRange{~std::uint64_t{0}, ~std::uint64_t{0}}));
}

}  // namespace
}  // namespace raddle::testing
