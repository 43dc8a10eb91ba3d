// The oracle itself: programs whose outcomes are known, and differences that it must notice.
#include <gtest/gtest.h>

#include "tests/differential/comparison.h"

namespace raddle::differential {
namespace {

Statement does(Do what, std::uint8_t object = 0, std::uint32_t value = 0) {
    return {.what = what, .object = object, .second = 0, .value = value, .guard = {}};
}

// Main creates two threads, joins them, and shows the first variable.
Program with_threads(const std::vector<Statement>& first, const std::vector<Statement>& second) {
    Program program;
    program.threads[0] = {does(Do::create, 1), does(Do::create, 2), does(Do::join, 1),
                          does(Do::join, 2),   does(Do::read),      does(Do::show)};
    program.threads[1] = first;
    program.threads[2] = second;
    return program;
}

std::vector<Statement> nested(std::uint8_t outer) {
    const auto inner = static_cast<std::uint8_t>(1 - outer);
    return {does(Do::lock, outer), does(Do::lock, inner), does(Do::unlock, inner), does(Do::unlock, outer)};
}

const std::vector<Statement> adds_one = {does(Do::read), does(Do::write_more, 0, 1)};

TEST(Enumeration, OfALostUpdate) {
    EXPECT_EQ(every_outcome(with_threads(adds_one, adds_one)), (Outcomes{{"ok: 2", 0}, {"ok: 1", 1}}));
}

TEST(Enumeration, OfALockOrderThatDeadlocks) {
    EXPECT_EQ(every_outcome(with_threads(nested(0), nested(1))), (Outcomes{{"ok: 0", 0}, {"deadlock", 1}}));
    EXPECT_EQ(every_outcome(with_threads(nested(0), nested(0))), (Outcomes{{"ok: 0", 0}}));
}

TEST(Enumeration, OfASignalThatIsLost) {
    const std::vector<Statement> waits = {does(Do::lock), does(Do::cond_wait), does(Do::unlock)};
    EXPECT_EQ(every_outcome(with_threads(waits, {does(Do::cond_signal)})), (Outcomes{{"ok: 0", 0}, {"deadlock", 0}}));
}

TEST(Enumeration, OfARobustMutexWhoseOwnerDies) {
    Program program = with_threads({does(Do::lock)}, {does(Do::lock), does(Do::write_more, 0)});
    EXPECT_EQ(every_outcome(program), (Outcomes{{"deadlock", 0}}));
    program.robust[0] = true;
    EXPECT_EQ(every_outcome(program), (Outcomes{{"ok: 2", 0}, {"ok: 0", 0}}));
}

TEST(Enumeration, OfAWriterThatGoesBeforeReaders) {
    // While the reader waits for main and the writer for the reader, main reads too.
    Program program = with_threads({does(Do::rdlock), does(Do::sem_wait), does(Do::rwunlock)},
                                   {does(Do::wrlock), does(Do::rwunlock)});
    auto& main = program.threads[0];
    main.insert(main.begin() + 2, {does(Do::rdlock), does(Do::rwunlock), does(Do::sem_post)});
    EXPECT_EQ(every_outcome(program), (Outcomes{{"ok: 0", 0}}));
    program.prefers_writers[0] = true;
    EXPECT_EQ(every_outcome(program), (Outcomes{{"ok: 0", 0}, {"deadlock", 1}}));
}

TEST(Enumeration, OfAFutexThatNobodyWakes) {
    const std::vector<Statement> waits = {does(Do::futex_wait, 0, 0)};
    EXPECT_EQ(every_outcome(with_threads(waits, {does(Do::write, 0, 1), does(Do::futex_wake, 0, 1)})),
              (Outcomes{{"ok: 1", 0}}));
    EXPECT_EQ(every_outcome(with_threads(waits, {does(Do::write, 0, 1)})), (Outcomes{{"ok: 1", 0}, {"deadlock", 0}}));
}

TEST(Enumeration, OfAHandlerBetweenTwoAccesses) {
    Program program;
    program.threads[0] = {does(Do::set_handler), does(Do::create, 1), does(Do::kill, 1),
                          does(Do::join, 1),     does(Do::read),      does(Do::show)};
    program.threads[1] = program.handlers[0] = adds_one;
    const int any = unknown_preemptions;
    EXPECT_EQ(every_outcome(program), (Outcomes{{"ok: 1", any}, {"ok: 2", any}}));
    program.threads[0][0] = does(Do::ignore);
    EXPECT_EQ(every_outcome(program), (Outcomes{{"ok: 1", any}}));
    program.threads[0].erase(program.threads[0].begin());
    EXPECT_EQ(every_outcome(program), (Outcomes{{"ok: 1", any}, {"crash", any}}));
}

TEST(Enumeration, OfAHandlerThatInterruptsAWait) {
    Program program;
    program.threads[0] = {does(Do::set_handler), does(Do::create, 1), does(Do::kill, 1),
                          does(Do::sem_post),    does(Do::join, 1),   does(Do::show)};
    program.threads[1] = {does(Do::sem_wait)};
    const int any = unknown_preemptions;
    EXPECT_EQ(every_outcome(program), (Outcomes{{"ok: 0", any}, {"ok: 1", any}}));
    program.threads[0][0].value = 1;  // SA_RESTART
    EXPECT_EQ(every_outcome(program), (Outcomes{{"ok: 0", any}}));
}

TEST(Enumeration, OfCallsAlone) {
    EXPECT_EQ(every_outcome(with_threads(adds_one, adds_one), Level::calls), (Outcomes{{"ok: 2", 0}}));
}

TEST(Enumeration, LeavesOutWhatPosixDoesNotDefine) {
    EXPECT_EQ(every_outcome(with_threads({does(Do::unlock)}, {})), std::nullopt);
    EXPECT_EQ(every_outcome(with_threads({does(Do::detach, 2)}, {})), std::nullopt);
    EXPECT_EQ(every_outcome(with_threads({does(Do::join, 3)}, {})), std::nullopt);
}

TEST(Comparison, NoticesWhatIsMissingAndWhatIsTooMuch) {
    const Program program = with_threads(adds_one, adds_one);
    const Executable executable({program});
    const Way& way = ways_to_run()[0];
    EXPECT_EQ(difference({{"ok: 2", 0}, {"ok: 1", 1}}, executable, 0, way), "");
    EXPECT_NE(difference({{"ok: 2", 0}}, executable, 0, way), "");
    EXPECT_NE(difference({{"ok: 2", 0}, {"ok: 1", 1}, {"deadlock", 1}}, executable, 0, way), "");
}

}  // namespace
}  // namespace raddle::differential
