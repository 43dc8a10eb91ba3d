#include "supervisor/base/text.h"

#include <gtest/gtest.h>

namespace raddle::testing {
namespace {

TEST(Text, CountsWithTheRightNoun) {
    EXPECT_EQ(counted(0, "bug"), "0 bugs");
    EXPECT_EQ(counted(1, "bug"), "1 bug");
    EXPECT_EQ(counted(2, "bug"), "2 bugs");
    EXPECT_EQ(counted(2, "process", "processes"), "2 processes");
}

TEST(Text, WritesHexadecimalNumbers) {
    EXPECT_EQ(hexadecimal(0), "0x0");
    EXPECT_EQ(hexadecimal(0x1f), "0x1f");
    EXPECT_EQ(hexadecimal(~std::uint64_t{0}), "0xffffffffffffffff");
    EXPECT_EQ(hexadecimal_digits(0x1f), "1f");
    EXPECT_EQ(hexadecimal_digits(0x1f, 2), "1f");
    EXPECT_EQ(hexadecimal_digits(0x1f, 4), "001f");
    EXPECT_EQ(hexadecimal_digits(0, 16), "0000000000000000");
    EXPECT_EQ(hexadecimal_bytes(std::string("\0\x7f\xff", 3)), "007fff");
    EXPECT_EQ(hexadecimal_bytes(""), "");
}

TEST(Text, JoinsParts) {
    EXPECT_EQ(joined({}, ", "), "");
    EXPECT_EQ(joined({"a"}, ", "), "a");
    EXPECT_EQ(joined({"", "b", ""}, ", "), ", b, ");
    EXPECT_EQ(listed({}), "");
    EXPECT_EQ(listed({"a"}), "a");
    EXPECT_EQ(listed({"a", "b"}), "a and b");
    EXPECT_EQ(listed({"a", "b", "c"}), "a, b and c");
}

TEST(Text, QuotesShortly) {
    EXPECT_EQ(quoted("abc", 3), "'abc'");
    EXPECT_EQ(quoted("abcd", 3), "'abc…'");
    EXPECT_EQ(quoted("", 3), "''");
    EXPECT_EQ(quoted("a\x1b[1m", 9), "'a?[1m'");
    EXPECT_EQ(quoted("aéé", 4), "'aé…'") << "not within a character";
    EXPECT_EQ(quoted("éé", 1), "'…'");
}

TEST(Text, QuotesForShells) {
    EXPECT_EQ(shell_word("a-b_c/d.e"), "a-b_c/d.e");
    EXPECT_EQ(shell_word(""), "''");
    EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
    EXPECT_EQ(shell_quoted("plain"), "'plain'");
    EXPECT_EQ(shell_line({"a", "b c", "$d"}), "a 'b c' '$d'");
    EXPECT_EQ(shell_line({}), "");
}

TEST(Text, IsMadePrintable) {
    EXPECT_EQ(printable("a\nb\n"), "a / b");
    EXPECT_EQ(printable("a\tb\x01\x7f"), "a b??");
    EXPECT_EQ(printable("\xc2\x9b"
                        "31m é"),
              "?31m é");
}

TEST(Text, NamesDurations) {
    EXPECT_EQ(duration_text(0.25), "250 ms");
    EXPECT_EQ(duration_text(2.5), "2.50 s");
    EXPECT_EQ(duration_text(12.3), "12.3 s");
    EXPECT_EQ(duration_text(245), "4:05");
    EXPECT_EQ(duration_text(3723), "1:02:03");
}

}  // namespace
}  // namespace raddle::testing
