// Shared variables and their values.
#include "tests/model/script.h"

namespace raddle::testing {
namespace {

constexpr Thing x = thing(1);

Action update(Update how, std::int64_t operand) {
    Action made = action(Operation::memory_update, x, operand);
    made.update = how;
    return made;
}
Action exchange(std::int64_t expected, std::int64_t wanted) {
    Action made = action(Operation::memory_exchange, x, expected);
    made.set_desired(wanted);
    return made;
}

TEST(Memory, HoldsWhatWasWrittenLastAndZeroBefore) {
    Script s(2);
    EXPECT_EQ(s.does(1, read(x)).result, 0);
    s.does(1, write(x, 5));
    EXPECT_EQ(s.does(2, read(x)).result, 5);
}

TEST(Memory, UpdatesGiveTheOldValue) {
    struct Row {
        Update how;
        std::int64_t before, operand, after;
    };
    for (const Row& row :
         {Row{Update::add, 5, -7, -2}, Row{Update::exchange, 5, 9, 9}, Row{Update::bit_and, 6, 3, 2},
          Row{Update::bit_or, 6, 3, 7}, Row{Update::bit_xor, 6, 3, 5}, Row{Update::add, INT64_MAX, 1, INT64_MIN}}) {
        Script s(0);
        s.does(0, write(x, row.before));
        EXPECT_EQ(s.does(0, update(row.how, row.operand)).result, row.before);
        EXPECT_EQ(s.does(0, read(x)).result, row.after);
    }
}

TEST(Memory, ExchangeHappensOnlyAtTheExpectedValue) {
    Script s(0);
    EXPECT_EQ(s.does(0, exchange(0, 4)).effect, Effect::done);
    const ActionOutcome failed = s.does(0, exchange(0, 9));
    EXPECT_EQ(failed.effect, Effect::failed);
    EXPECT_EQ(failed.result, 4) << "what it found";
    EXPECT_EQ(failed.uses[0].mode, Mode::shared);
    EXPECT_EQ(s.does(0, read(x)).result, 4);
}

TEST(Memory, ReadsCommuteUnderBothRelations) {
    for (const Independence relation : {Independence::fine, Independence::plain}) {
        Script s(0, {.independence = relation});
        EXPECT_EQ(s.does(0, read(x)).uses[0].mode, Mode::shared);
        EXPECT_EQ(s.does(0, write(x, 1)).uses[0].mode, Mode::exclusive);
    }
}

TEST(Memory, ValuesOfTheTargetAreNotKept) {
    Script s(0);
    const ActionOutcome outside = s.does(0, with(write(x, 5), flag::contents_unknown));
    EXPECT_EQ(outside.use_count, 1);
    EXPECT_EQ(s.does(0, read(x)).result, 0);
}

// ---- variables in the memory of a process

Action of_width(Action made, std::uint64_t bytes) {
    made.attributes = width_attribute(bytes);
    return made;
}
Action with_initial_value(Action made, std::uint64_t value) {
    made.set_initial_value(value);
    return made;
}

TEST(Memory, IsWhatItIsToldToBeUntilItIsKnown) {
    Script s(0);
    EXPECT_EQ(s.does(0, with_initial_value(read(x), 7)).result, 7);
    s.does(0, write(x, 5));
    EXPECT_EQ(s.does(0, with_initial_value(read(x), 7)).result, 5);
    EXPECT_EQ(s.does(0, with_initial_value(exchange(5, 6), 7)).effect, Effect::done);
}

TEST(Memory, ThatWasCorrectedIsAsToldAgain) {
    Script s(0);
    s.does(0, write(x, 5));
    Action corrected = with_initial_value(read(x), 9);
    corrected.attributes |= attribute::memory::replaces_value;
    EXPECT_EQ(s.does(0, corrected).result, 9);
    EXPECT_EQ(s.does(0, with_initial_value(read(x), 7)).result, 9);
}

TEST(Memory, AWriteOfNoKnownValueLeavesNone) {
    Script s(0);
    s.does(0, write(x, 5));
    Action unknown = write(x, 0);
    unknown.flags |= flag::contents_unknown;
    s.does(0, unknown);
    EXPECT_EQ(s.does(0, with_initial_value(read(x), 7)).result, 0) << "what it was told to be it was before";
    const ActionOutcome exchanged = s.does(0, with_initial_value(exchange(1, 2), 7));
    EXPECT_EQ(exchanged.effect, Effect::done) << "it may have succeeded";
    EXPECT_EQ(exchanged.uses[0].mode, Mode::exclusive);
}

TEST(Memory, NarrowAccessesLeaveTheRestAlone) {
    Script s(0);
    s.does(0, write(x, 0x1111111111111111));
    s.does(0, of_width(write(x, 0xabcd), 1));
    EXPECT_EQ(s.does(0, of_width(read(x), 2)).result, 0x11cd);
    EXPECT_EQ(s.does(0, of_width(update(Update::add, 0xff), 1)).result, 0xcd);
    EXPECT_EQ(s.does(0, read(x)).result, 0x11111111111111cc);
    EXPECT_EQ(s.does(0, of_width(exchange(0x111111cc, 2), 4)).effect, Effect::done);
    EXPECT_EQ(s.does(0, read(x)).result, 0x1111111100000002);
}

TEST(Memory, AWideAccessIsToldOnlyWhatNarrowOnesDoNotKnow) {
    Script s(0);
    EXPECT_EQ(s.does(0, with_initial_value(of_width(update(Update::add, 1), 4), 1)).result, 1);
    EXPECT_EQ(s.does(0, with_initial_value(read(x), 0x300000001)).result, 0x300000002);
    EXPECT_EQ(s.does(0, with_initial_value(of_width(read(x), 4), 1)).result, 2);
}

TEST(Memory, ANarrowCorrectionLeavesTheRestAlone) {
    Script s(0);
    s.does(0, write(x, 0x300000001));
    Action corrected = with_initial_value(of_width(read(x), 4), 9);
    corrected.attributes |= attribute::memory::replaces_value;
    EXPECT_EQ(s.does(0, corrected).result, 9);
    EXPECT_EQ(s.does(0, with_initial_value(read(x), 0x700000007)).result, 0x300000009);
}

TEST(Memory, OfALockIsNotTakenForAVariable) {
    Script s(0);
    s.does(0, action(Operation::mutex_lock, x));
    s.does(0, write(x, 5));
    EXPECT_EQ(s.does(0, action(Operation::mutex_unlock, x)).misuse, Misuse::none);
}

}  // namespace
}  // namespace raddle::testing
