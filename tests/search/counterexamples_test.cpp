// Programs that were counterexamples once: every strategy that claims completeness must pass them, under both
// relations. They are stored as text, so they stay the same when the generator that found them changes.
#include <gtest/gtest.h>

#include "tests/search/complaints.h"

namespace raddle::testing {
namespace {

struct Counterexample {
    const char* taught;  // the lesson of the bug, or the peculiarity of the program
    const char* text;
};

constexpr Counterexample counterexamples[] = {
    {"WhoCanOnlyRunOutOfTimeCannotGo", R"(program 141 (tries)
  T0: thread_create T1; thread_create T2
  T1: mutex_lock m0 for 6 [!=0: skip 1]; mutex_unlock m0; memory_read x0 [==1: skip 1]; mutex_lock m0 for 5 [!=0: skip 2]; memory_read x1; mutex_unlock m0
  T2: mutex_lock m1 for 3 [!=0: skip 1]; mutex_unlock m1; mutex_trylock m1 [!=0: skip 1]; mutex_unlock m1; memory_read x1; mutex_trylock m0 [!=0: skip 2]; memory_read x0 [==1: skip 1]; mutex_unlock m0)"},
    {"ExhaustionIsKnownAndSeen", R"(program 214 (reader-writer)
  T0: thread_create T1; thread_create T2; thread_create T3; thread_join T1 for 12 (absolute)
  T1: rwlock_wrlock rw1; rwlock_rdunlock rw1
  T2: memory_update x2 exchange 1; rwlock_wrlock rw0; memory_write x0 1; rwlock_rdunlock rw0
  T3: rwlock_wrlock rw0 for 6 [!=0: skip 2]; memory_write x0 1; rwlock_rdunlock rw0)"},
    {"TimedWaitsDependOnTheProcess", R"(program 263 (time)
  m0: errorcheck robust
  rw1: prefers writers
  T0: sem_init s0 1; thread_create T1; thread_create T2
  T1: mutex_lock m1; sem_getvalue s0; mutex_lock m0; cond_wait c1 m0 for 2 (absolute); mutex_unlock m0; mutex_unlock m1
  T2: sleep for 12; sleep for 18; mutex_lock m1 for 11 [!=0: skip 2]; memory_write x1 0; mutex_unlock m1)"},
    {"ABlockBeginsWhereTimeRanOut", R"(program 946 (time)
  m1: robust
  T0: descriptor_open d0 1; thread_create T1; sleep for 18; mutex_lock m0; descriptor_read d0 2 [!=1: skip 1]; sem_post s0; sleep for 5; mutex_unlock m0
  T1: mutex_lock m0; cond_wait c0 m0 for 7; mutex_unlock m0; sem_wait s1)"},
    {"RunningOutOfTimeStartsABlock", R"(program 12969 (time)
  T0: sem_init s0 0; descriptor_open d0 2; thread_create T1; thread_create T3; mutex_lock m0 for 4; memory_write x0 2; mutex_unlock m0; thread_join T1 for 10; thread_join T3 for 4 (absolute)
  T1: mutex_lock m0; cond_wait c0 m0 for 9; thread_create T2; mutex_unlock m0
  T2: sem_wait s0 for 1 (absolute); sleep for 8
  T3: descriptor_read d0 2 [!=1: skip 1]; mutex_lock m1; mutex_unlock m1)"},
    {"TriesSeeWhoHoldsTheLock", R"(program 1409 (tries)
  m0: robust
  rw0: prefers writers
  T0: thread_create T1; thread_create T2; mutex_trylock m0 [!=0: skip 2]; memory_read x0; mutex_unlock m0; thread_join T1; thread_join T2 for 9
  T1: mutex_lock m1; memory_update x1 or 2 [!=1: skip 1]; mutex_unlock m1
  T2: mutex_trylock m1 [!=0: skip 1]; mutex_unlock m1; memory_exchange x1 0->1; mutex_lock m1; mutex_trylock m0 [!=0: skip 2]; memory_read x1; mutex_unlock m0; mutex_unlock m1)"},
    {"MisuseIsMetOnceOnly", R"(program 3996 (misuse)
  m1: robust
  rw0: prefers writers
  T0: thread_create T1; thread_create T2; rwlock_rdlock rw0; rwlock_rdunlock rw0; thread_join T1; thread_join T2
      when cancelled: memory_write x0 2
  T1: once_begin once0 [!=1: skip 2]; memory_update x1 exchange 1 [!=1: skip 1]; once_end once0 1; mutex_init m0; mutex_lock m0; memory_read x0 [!=0: skip 3]; cond_wait c1 m0 cancellable; memory_read x0 [!=0: skip 1]; cond_wait c1 m0 for 8 (absolute); mutex_unlock m0
      when cancelled: mutex_unlock m0
  T2: mutex_trylock m0 [!=0: skip 2]; memory_read x0; mutex_unlock m0; mutex_lock m0; rwlock_destroy rw0; mutex_unlock m0
      when cancelled: memory_write x0 2)"},
    {"CancellingTheEnded", R"(program 4514 (mix)
  rw1: prefers writers
  T0: sem_init s1 0; thread_create T1; thread_create T2; thread_create T3; sem_wait s1 for 5; mutex_lock m1; mutex_unlock m1; thread_join T2
  T1: thread_exit; once_begin once0 [!=1: skip 2]; memory_read x1; once_end once0 0
  T2: thread_cancel T1; once_begin once0 [!=1: skip 2]; memory_write x1 1; once_end once0 0
  T3: mutex_lock m1 for 1 [!=0: skip 1]; mutex_unlock m1; sem_wait s0)"},
    {"JoinsRaceWithTheBlockTheyAreIn", R"(program 4944 (threads), main only ends itself
  T0: thread_create T1; thread_join T1
  T1: thread_create T2; memory_write x0 2
  T2: thread_create T3; thread_join T0
  T3: thread_detach T2)"},
    {"CancellingTwice", R"(program 2934 (cancellation)
  rw0: prefers writers
  T0: sem_init s0 2; sem_init s1 2; thread_create T1; thread_create T2; sem_wait s1; thread_join T1 cancellable; thread_join T2 cancellable
  T1: sem_trywait s0 [!=0: skip 1]; yield; memory_write x0 1; cond_signal c0
  T2: thread_cancel T1; thread_cancel T1)"},
    {"TimedJoinsDependOnTheProcess", R"(program 3132 (threads)
  m0: robust
  m1: robust
  T0: thread_create T1; thread_create T2; thread_cancel T1; thread_join T0
  T1: mutex_lock m1; thread_join T0 for 1; thread_cancel T1; mutex_unlock m1
  T2: thread_join T1; thread_exit; thread_detach T2; memory_read x0; thread_cancel T2)"},
    {"JoinsCanBeCancelled", R"(program 8000103 (cancellation)
  m0: recursive robust
  T0: thread_create T1; thread_create T2; thread_create T3; thread_join T1 cancellable; thread_join T2 for 4 cancellable; thread_join T3
  T1: thread_testcancel
  T2: thread_cancel T0
      when cancelled: memory_write x0 2
  T3: thread_cancel T2)"},
    {"AThreadCancelsItselfAndItsJoiner", R"(program 8000303 (cancellation)
  m1: robust
  T0: sem_init s1 1; thread_create T1; thread_testcancel; memory_write x0 1; cond_broadcast c0; thread_cancel T0; thread_join T1 cancellable
  T1: thread_cancel T1; thread_cancel T1; thread_cancel T1; thread_tryjoin T1; cond_broadcast c0; sem_getvalue s1 [!=0: skip 1]; thread_cancel T0)"},
    {"CancelledJoinsLeaveTheirBlock", R"(program 8000856 (cancellation)
  rw1: prefers writers
  T0: descriptor_open d0 1; thread_create T1; thread_create T2; thread_join T1 cancellable; thread_join T2
  T1: descriptor_wait d0 since -1; descriptor_write d0 1 nonblocking [!=11: skip 2]; descriptor_wait d0 since last for 5; descriptor_write d0 1 nonblocking
  T2: thread_cancel T0; mutex_lock m0; memory_write x0 1; cond_signal c0; mutex_unlock m0)"},
    {"ACancelledCallTouchesItsObject", R"(program 4000478 (futexes)
  T0: thread_create T1; thread_create T2; thread_join T1 cancellable; thread_join T2 for 7
  T1: memory_exchange x2 0->0; thread_join T0 for 11
  T2: mutex_lock m1; thread_cancel T0; memory_write x0 1; futex_wake f0 1; mutex_unlock m1
      when cancelled: memory_write x0 2)"},
    {"WhoCanBeCancelledLeavesTheQueue", R"(program 3011248 (futexes)
  T0: thread_create T1; thread_create T2; futex_enter f0 x0 [!=1: skip 1]; futex_wait f0 bits 1; thread_join T2 for 9 (absolute)
  T1: futex_enter f0 x0 [!=0: skip 1]; futex_wait f0 cancellable; futex_enter f1 x1 cancellable; futex_wait f1 for 2; futex_enter f0 x0 [!=1: skip 1]; futex_wait f0
      when cancelled: memory_write x0 2
  T2: memory_update x1 xor 1 [!=0: skip 1]; thread_cancel T1; futex_enter f1 x1; futex_wait f1; futex_enter f0 x0 [!=1: skip 1]; futex_wait f0
      when cancelled: memory_write x0 2)"},
    {"AChoiceIsCoveredInOneExecutionOnly", R"(program 1 (memory)
  T0: thread_create T1; thread_create T2; thread_create T3; memory_update x0 exchange 0; memory_exchange x1 0->1
  T1: memory_read x1; choose 3 [!=0: skip 1]; memory_exchange x0 1->2
  T2: memory_read x0
  T3: choose 3)"},
    {"ARaceIsEnteredWithWhatWasChosenLater", R"(program 4336 (branches)
  T0: thread_create T1; thread_create T2; thread_create T3; memory_exchange x1 1->0; memory_read x0
  T1: memory_write x0 2; memory_read x1
  T2: memory_exchange x1 0->2
  T3: choose 3)"},
    {"ChoicesOfOneThreadFollowEachOther", R"(program 4487 (branches)
  T0: thread_create T1; thread_create T2 detached; thread_create T3
  T1: memory_write x0 0; memory_write x1 1
  T2: choose 3 [!=0: skip 1]; memory_exchange x1 1->1; memory_read x0
  T3: choose 2; choose 2)"},
    {"ARaceIsCoveredInOneExecutionOnly", R"(program 1989 (branches)
  T0: thread_create T1; thread_create T2; memory_read x0
  T1: thread_create T3; memory_read x1 [!=0: skip 1]; memory_update x0 or 1
  T2: memory_write x1 1; memory_write x1 0
  T3: memory_write x1 1; memory_exchange x0 0->2)"},
    {"WhatCoversARaceComesAfterIt", R"(program 6382 (branches)
  T0: thread_create T1; thread_create T2; thread_create T3; memory_write x0 1
  T1: memory_write x0 1
  T2: memory_write x1 2
  T3: memory_write x1 0; memory_read x1 [==0: skip 1]; memory_read x0)"},
    {"AHandlerEndsTheWaitForALock", R"(program 3625 (mix)
  T0: thread_create T1; thread_create T2
  T1: thread_cancel T1 signal; spin_lock spin1 cancellable interruptible
  T2: spin_trylock spin1; spin_unlock spin1)"},
    {"AHandlerEndsTheWaitForAMutex", R"(program 8453 (cancellation)
  T0: descriptor_open d0 2; thread_create T1
  T1: thread_create T2; mutex_lock m1; thread_cancel T2 signal; mutex_unlock m1
  T2: descriptor_write d0 1 cancellable; mutex_lock m1 cancellable interruptible)"},
    {"AHandlerRunsBeforeAConditionWaitReleasesItsMutex", R"(program 777 (cancellation)
  T0: thread_create T1; thread_create T2
  T1: thread_cancel T1 signal; mutex_lock m0 cancellable interruptible
  T2: mutex_lock m0; cond_wait c0 m0)"},
    {"AHandlerOfAWokenThreadComesBeforeItsMutex", R"(program 10238 (cancellation), main only ends itself
  T0: thread_create T1; cond_wait c0 m0 cancellable interruptible; thread_join T1
  T1: thread_create T2 detached; cond_wait c0 m0; mutex_unlock m0
  T2: cond_broadcast c0; mutex_unlock m0; thread_cancel T0 signal)"},
    {"SeveralReadersTogetherKeepAWriterFromItsLock", R"(program 6508733 (reader-writer)
  T0: thread_create T1; thread_create T2; rwlock_rdlock rw0
  T1: rwlock_rdlock rw0
  T2: rwlock_tryrdlock rw0; rwlock_rdunlock rw0; rwlock_wrlock rw0)"},
    {"WhatIsLeftOutToRunAnActionStillRacesWithIt", R"(program 20038967 (pipes)
  T0: descriptor_open d0 2; thread_create T1; thread_create T2
  T1: descriptor_write d0 2; descriptor_write d0 1 nonblocking
  T2: descriptor_read d1 1 for 1; descriptor_write d0 2 for 1)"},
    {"ARaceIsNotSettledByAnExecutionThatEndedEarlier", R"(program 6506838 (futexes)
  T0: thread_create T1; thread_create T2 detached; thread_create T3; thread_join T1 for 1; thread_join T2
  T1: memory_write x0 0
  T2: sleep for 1
  T3: thread_join T2 for 1 (absolute); memory_write x0 0)"},
    {"TwoChangesTogetherMakeAWaitGoOn", R"(program 30027760 (pipes)
  T0: descriptor_open d0 2; descriptor_open d1 1; thread_create T1; thread_create T2; thread_create T3
  T1: descriptor_write d0 1
  T2: descriptor_write d1 1
  T3: descriptor_wait d0 since 1)"},
    {"AsFewEventsAsNeededAreLeftOut", R"(program 30008288 (reader-writer)
  T0: thread_create T1; thread_create T2; rwlock_rdlock rw0
  T1: rwlock_wrlock rw0
  T2: rwlock_tryrdlock rw0; rwlock_rdunlock rw0; rwlock_tryrdlock rw0)"},
    {"AWaitThatTimedOutAndALockTogetherKeepAThreadFromItsMutex", R"(program 6504772 (time)
  T0: thread_create T1; thread_create T2
  T1: cond_wait c0 m0 for 1
  T2: mutex_lock m0; cond_signal c0)"},
};

class Counterexamples : public ::testing::TestWithParam<Counterexample> {};

TEST_P(Counterexamples, AreHandledByEveryStrategy) {
    const RandomProgram program = parse_program(GetParam().text);
    for (const Independence relation : {Independence::plain, Independence::fine}) {
        const std::optional<Case> known = make_case(program, {.independence = relation});
        ASSERT_TRUE(known) << "too large for the oracle:\n" << to_text(program);
        for (const Claim& claim : claims())
            for (const Complaint complaint : {about_completeness, about_disorder, about_restarts})
                if (!complaint(claim, *known).empty()) ADD_FAILURE() << shrunk(complaint, claim, *known);
    }
}

INSTANTIATE_TEST_SUITE_P(ThatTaught, Counterexamples, ::testing::ValuesIn(counterexamples),
                         [](const auto& param_info) { return std::string(param_info.param.taught); });

TEST(RandomPrograms, AreReadBackFromTheirText) {
    for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
        const std::string text = to_text(random_program(seed));
        ASSERT_EQ(to_text(parse_program(text)), text);
    }
}

TEST(RandomPrograms, AreRefusedWithTheReason) {
    const std::string title = "program 1 (by hand)\n";
    for (const char* wrong : {"", "  T0: fly x0\n", "  T0: memory_read\n", "  T0: memory_read x0 now\n",
                              "  T1: yield\n", "  T0: thread_create T1\n", "  m7: robust\n", "  T0 yield\n"})
        EXPECT_THROW(parse_program(title + wrong + "\n"), BadInput) << wrong;
}

}  // namespace
}  // namespace raddle::testing
