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
