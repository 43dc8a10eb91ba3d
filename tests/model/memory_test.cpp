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
    made.argument2 = wanted;
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
    const Outcome failed = s.does(0, exchange(0, 9));
    EXPECT_EQ(failed.effect, Effect::failed);
    EXPECT_EQ(failed.result, 4) << "what it found";
    EXPECT_EQ(failed.access[0].mode, Mode::shared);
    EXPECT_EQ(s.does(0, read(x)).result, 4);
}

TEST(Memory, ReadsCommuteUnderBothRelations) {
    for (const Independence relation : {Independence::fine, Independence::plain}) {
        Script s(0, {.independence = relation});
        EXPECT_EQ(s.does(0, read(x)).access[0].mode, Mode::shared);
        EXPECT_EQ(s.does(0, write(x, 1)).access[0].mode, Mode::exclusive);
    }
}

TEST(Memory, ValuesOfTheTargetAreNotKept) {
    Script s(0);
    const Outcome outside = s.does(0, with(write(x, 5), flag::external));
    EXPECT_EQ(outside.access_count, 1);
    EXPECT_EQ(s.does(0, read(x)).result, 0);
}

}  // namespace
}  // namespace raddle::testing
