// Bugs that a list of suppressions covers.
#include "replay/schedule/suppressions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "supervisor/base/error.h"

namespace raddle::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Suppressions parsed(const std::string& text) { return Suppressions::parse(text, "FILE", "2026-06-15"); }

std::string refusal_of(const std::string& text) {
    try {
        parsed(text);
    } catch (const BadInput& error) {
        return error.what();
    }
    return "";
}

TEST(Suppressions, CoverAKindAtAPlace) {
    const Suppressions known = parsed("# why\nkind = deadlock\nplace = mutex_lock a+0x1*\n\n\nkind = crash\n");
    EXPECT_TRUE(known.covering(Verdict::deadlock, "mutex_lock a+0x12 held since b"));
    EXPECT_FALSE(known.covering(Verdict::deadlock, "mutex_lock a+0x22"));
    EXPECT_FALSE(known.covering(Verdict::misuse, "mutex_lock a+0x12"));
    EXPECT_TRUE(known.covering(Verdict::crash, "anywhere")) << "a block without a place";
    EXPECT_TRUE(parsed("").empty());
}

// In another build, the functions have other offsets and another order.
TEST(Suppressions, CoverADeadlockInAnyOrderOfItsFunctions) {
    const Suppressions known =
        parsed("kind = deadlock\nplace = lock p!b held since lock p!a; lock p!a held since lock p!d and lock p!c\n");
    for (const char* place : {"lock p!b held since lock p!a; lock p!a held since lock p!d and lock p!c",
                              "lock p!a held since lock p!c and lock p!d; lock p!b held since lock p!a"})
        EXPECT_TRUE(known.covering(Verdict::deadlock, "lock p+1; lock p+2", [&](const std::string&) { return place; }))
            << place;
    EXPECT_FALSE(known.covering(Verdict::deadlock, "x", [](const std::string&) {
        return "lock p!a held since lock p!b; lock p!a held since lock p!d and lock p!c";
    }));
    EXPECT_THAT(suppression_for(Verdict::deadlock,
                                "lock p!b held since lock p!a; lock p!a held since lock p!d and lock p!c", ""),
                HasSubstr("\nplace = lock p!a held since lock p!c and lock p!d; lock p!b held since lock p!a\n"));
}

TEST(Suppressions, ExpireAfterTheirDay) {
    const Suppressions known = parsed("kind = crash\nexpires = 2026-06-14\n\nkind = misuse\nexpires = 2026-06-15\n");
    EXPECT_FALSE(known.covering(Verdict::crash, "x"));
    EXPECT_TRUE(known.covering(Verdict::misuse, "x"));
    EXPECT_THAT(known.complaints(),
                ElementsAre("FILE, line 1: this suppression expired on 2026-06-14 and holds no more"));
}

TEST(Suppressions, AreMadeForABug) {
    const std::string place = "a.c:3: f: assertion failed: *p == 3 prog+0x5\nx";
    const Suppressions known = parsed(suppression_for(Verdict::assertion, place, "what\nit says"));
    EXPECT_TRUE(known.covering(Verdict::assertion, place));
    EXPECT_FALSE(known.covering(Verdict::assertion, "b.c"));
}

TEST(Suppressions, NameTheMistakeAndItsLine) {
    EXPECT_THAT(refusal_of("\nkind = bad\n"), HasSubstr("FILE, line 2: found 'bad', expected a kind of bug"));
    EXPECT_THAT(refusal_of("kind = ok\n"), HasSubstr("expected a kind of bug"));
    EXPECT_THAT(refusal_of("kind = crash\nexpires = tomorrow\n"),
                HasSubstr("line 2: found 'tomorrow', expected a date"));
    EXPECT_THAT(refusal_of("kind = crash\nexpires = 2026-13-01\n"), HasSubstr("expected a date"));
    EXPECT_THAT(refusal_of("place = x\n"), HasSubstr("the block has no kind"));
    EXPECT_THAT(refusal_of("hello\n"), HasSubstr("expected kind = …"));
}

TEST(Suppressions, MatchStars) {
    EXPECT_TRUE(matches("*", ""));
    EXPECT_TRUE(matches("a*c*", "abcd"));
    EXPECT_TRUE(matches("a**b", "ab"));
    EXPECT_FALSE(matches("a*b", "abc"));
    EXPECT_FALSE(matches("", "a"));
}

}  // namespace
}  // namespace raddle::testing
