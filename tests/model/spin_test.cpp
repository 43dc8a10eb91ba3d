// Spin locks: a thread that would spin is blocked.
#include "tests/model/script.h"

namespace raddle::testing {
namespace {

constexpr Thing l = thing(1);
const Action take = action(Operation::spin_lock, l);
const Action try_it = action(Operation::spin_trylock, l);
const Action give = action(Operation::spin_unlock, l);

TEST(Spin, LockExcludes) {
    Script s(2);
    EXPECT_EQ(s.does(1, take).result, 0);
    EXPECT_EQ(s.does(2, try_it).result, EBUSY);
    EXPECT_BLOCKED(s, 2, take);
    s.does(1, give);
    EXPECT_EQ(s.goes_on(2).result, 0);
}

TEST(Spin, LockedAgainByItsOwnerIsADeadlock) {
    Script s(1);
    EXPECT_EQ(s.does(1, try_it).result, 0);
    EXPECT_EQ(s.does(1, try_it).result, EBUSY);
    EXPECT_BLOCKED(s, 1, take);
}

TEST(Spin, UnlockByAStrangerIsMisuse) {
    Script s(2);
    EXPECT_MISUSE(unlock_unlocked, s.does(2, give));
    s.does(1, take);
    EXPECT_MISUSE(unlock_not_owner, s.does(2, give));
    EXPECT_EQ(s.does(2, try_it).result, 0) << "as glibc, which only stores";
}

TEST(Spin, InitAndDestroyWhileHeldAreMisuse) {
    for (const bool destroys : {true, false}) {
        Script s(1);
        s.does(1, take);
        const ActionOutcome told = s.does(0, action(destroys ? Operation::spin_destroy : Operation::spin_init, l));
        EXPECT_EQ(told.misuse, destroys ? Misuse::destroy_locked : Misuse::init_in_use);
    }
}

TEST(Spin, WaiterOfADestroyedOneIsToldRatherThanLeft) {
    Script s(2);
    s.does(1, take);
    EXPECT_BLOCKED(s, 2, take);
    s.does(1, action(Operation::spin_destroy, l));
    EXPECT_MISUSE(use_after_destroy, s.goes_on(2));
}

}  // namespace
}  // namespace raddle::testing
