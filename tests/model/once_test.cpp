// Once-controls: one thread runs the initialisation, the others wait for its end.
#include "tests/model/script.h"

namespace raddle::testing {
namespace {

constexpr Thing o = thing(1);
const Action begin = action(Operation::once_begin, o);
const Action end = action(Operation::once_end, o);
const Action give_up = action(Operation::once_end, o, 1);

TEST(Once, OneRunsItTheOthersWaitForIt) {
    Script s(3);
    EXPECT_EQ(s.does(1, begin).result, 1);
    EXPECT_BLOCKED(s, 2, begin);
    s.does(1, end);
    EXPECT_EQ(s.goes_on(2).result, 0);
    EXPECT_EQ(s.does(3, begin).result, 0);
}

TEST(Once, ExceptionLeavesItToTheNext) {
    Script s(2);
    s.does(1, begin);
    EXPECT_BLOCKED(s, 2, begin);
    s.does(1, give_up);
    EXPECT_EQ(s.goes_on(2).result, 1);
    s.does(2, end);
    EXPECT_EQ(s.does(1, begin).result, 0);
}

TEST(Once, WithinItselfIsADeadlock) {
    Script s(0);
    s.does(0, begin);
    EXPECT_BLOCKED(s, 0, begin);
    EXPECT_EQ(s.machine.ending(), Ending::deadlock);
}

TEST(Once, FindingItDoneIsSharedUnderTheFineRelation) {
    Script s(1);
    s.does(1, begin);
    s.does(1, end);
    EXPECT_EQ(s.does(1, begin).uses[0].mode, Mode::shared);
}

}  // namespace
}  // namespace raddle::testing
