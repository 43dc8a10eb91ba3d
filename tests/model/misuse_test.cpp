// Each row of RADDLE_MISUSES has a scene that provokes it; a row without one fails here.
#include <climits>
#include <map>

#include "tests/model/script.h"

namespace raddle::testing {
namespace {

constexpr Thing o = thing(1), m = thing(2), robust_m = thing(4, attribute::mutex::robust);

Misuse told(Script& s, const Action& a) { return s.does(0, a).misuse; }

using Scene = Misuse (*)(Script&);  // with two threads beside main

const std::map<Misuse, Scene> scenes = {
    {Misuse::none, [](Script& s) { return told(s, lock(o)); }},
    {Misuse::unlock_not_owner,
     [](Script& s) {
         s.does(1, lock(o));
         return told(s, unlock(o));
     }},
    {Misuse::unlock_unlocked, [](Script& s) { return told(s, unlock(o)); }},
    {Misuse::destroy_locked,
     [](Script& s) {
         s.does(1, lock(o));
         return told(s, action(Operation::mutex_destroy, o));
     }},
    {Misuse::destroy_waited,
     [](Script& s) {
         s.does(1, lock(m));
         s.does(1, wait(o, m));
         return told(s, action(Operation::cond_destroy, o));
     }},
    {Misuse::use_after_destroy,
     [](Script& s) {
         s.does(1, action(Operation::cond_destroy, o));
         return told(s, signal(o));
     }},
    {Misuse::use_uninitialised, [](Script& s) { return told(s, action(Operation::barrier_wait, o)); }},
    {Misuse::init_in_use,
     [](Script& s) {
         s.does(1, lock(o));
         return told(s, action(Operation::mutex_init, o));
     }},
    {Misuse::wait_unheld_mutex, [](Script& s) { return told(s, wait(o, m)); }},
    {Misuse::wait_other_mutex,
     [](Script& s) {
         s.does(1, lock(m));
         s.does(1, wait(o, m));
         s.does(0, lock(thing(3)));
         return told(s, wait(o, thing(3)));
     }},
    {Misuse::semaphore_overflow,
     [](Script& s) {
         s.does(1, action(Operation::sem_init, o, INT_MAX));
         return told(s, action(Operation::sem_post, o));
     }},
    {Misuse::semaphore_negative, [](Script& s) { return told(s, action(Operation::sem_init, o, -1)); }},
    {Misuse::barrier_bad_count, [](Script& s) { return told(s, action(Operation::barrier_init, o, 0)); }},
    {Misuse::join_twice,
     [](Script& s) {
         s.does(1, thread_exit());
         s.does(2, Script::join(1));
         return told(s, Script::join(1));
     }},
    {Misuse::join_detached,
     [](Script& s) {
         s.does(1, Script::detach(1));
         return told(s, Script::join(1));
     }},
    {Misuse::join_self, [](Script& s) { return told(s, Script::join(0)); }},
    {Misuse::detach_twice,
     [](Script& s) {
         s.does(1, Script::detach(1));
         return told(s, Script::detach(1));
     }},
    {Misuse::consistent_unneeded,
     [](Script& s) {
         s.does(0, lock(robust_m));
         return told(s, consistent(robust_m));
     }},
    // The owner of the memory reports it, and learns which object is still in use there.
    {Misuse::freed_memory,
     [](Script& s) {
         s.does(1, rdlock(o));
         return s.machine.forget(o.id, m.id) != no_slot ? Misuse::freed_memory : Misuse::none;
     }},
    {Misuse::relock_held,
     [](Script& s) {
         s.does(0, wrlock(o));
         return told(s, wrlock(o));
     }},
    {Misuse::cancel_ended,
     [](Script& s) {
         s.does(1, thread_exit());
         s.does(2, Script::join(1));
         return told(s, Script::cancel(1));
     }},
};

class EveryMisuse : public ::testing::TestWithParam<Misuse> {};

TEST_P(EveryMisuse, IsProvoked) {
    const auto scene = scenes.find(GetParam());
    ASSERT_NE(scene, scenes.end()) << "no scene for '" << text_of(GetParam()) << "'";
    Script s(2);
    EXPECT_STREQ(name_of(scene->second(s)), name_of(GetParam()));
}

constexpr Misuse rows[] = {
#define RADDLE_ROW(name, text) Misuse::name,
    RADDLE_MISUSES(RADDLE_ROW)
#undef RADDLE_ROW
};
INSTANTIATE_TEST_SUITE_P(Table, EveryMisuse, ::testing::ValuesIn(rows),
                         [](const auto& row) { return std::string(name_of(row.param)); });

TEST(Misuse, FirstOneIsKept) {
    Script s(1);
    s.does(1, unlock(o));
    s.does(1, Script::join(1));
    s.does(1, lock(m));
    EXPECT_EQ(s.record(1).misuse, Misuse::unlock_unlocked);
}

// ---- freed memory

TEST(Forget, TellsWhatIsStillInUse) {
    const Thing end = thing(9);
    {
        Script s(1);
        s.does(1, lock(o));
        EXPECT_EQ(s.machine.forget(thing(0).id, end.id), s.machine.object_slot(o.id));
    }
    {
        Script s(1);
        s.does(1, action(Operation::barrier_init, o, 2));
        s.does(1, action(Operation::barrier_wait, o));
        EXPECT_NE(s.machine.forget(thing(0).id, end.id), no_slot);
    }
    {
        Script s(1);
        s.does(1, lock(m));
        s.does(1, wait(o, m));
        EXPECT_NE(s.machine.forget(o.id, m.id), no_slot);
    }
}

TEST(Forget, MakesObjectsAsIfNeverSeen) {
    Script s(1);
    s.does(1, write(o, 5));
    s.does(1, action(Operation::mutex_destroy, m));
    EXPECT_EQ(s.machine.forget(o.id, thing(3).id), no_slot);
    EXPECT_EQ(s.does(1, read(o)).result, 0);
    EXPECT_MISUSE(none, s.does(1, lock(m)));
}

TEST(Forget, LeavesOtherMemoryAlone) {
    Script s(1);
    s.does(1, write(o, 5));
    s.does(1, write(m, 6));
    s.machine.forget(m.id, thing(3).id);
    s.machine.forget(object_in(Space::heap, 0, 0), object_in(Space::heap, 0, 99));
    EXPECT_EQ(s.does(1, read(o)).result, 5);
    EXPECT_EQ(s.does(1, read(m)).result, 0);
}

}  // namespace
}  // namespace raddle::testing
