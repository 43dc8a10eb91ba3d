// The arguments that a format reads and writes, compared with what libc does with random formats.
#include "preload/memory/calls/formats.h"

#include <gtest/gtest.h>

#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace raddle::memory::formats {

namespace {

// Through pointers, as the compiler wants to see the formats of direct calls.
int (*const scan)(const char*, const char*, ...) = std::sscanf;
int (*const print)(char*, std::size_t, const char*, ...) = std::snprintf;

Uses printed(const char* format, ...) {
    Uses uses;
    va_list list;
    va_start(list, format);
    find_printed(format, list, uses);
    va_end(list);
    return uses;
}
Uses scanned(const char* format, ...) {
    Uses uses;
    va_list list;
    va_start(list, format);
    find_scanned(format, list, uses);
    va_end(list);
    return uses;
}
std::uint64_t at(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

constexpr int most = 6;
constexpr std::size_t room = 64;
constexpr char untouched = '\x55';

// Memory for the targets of one scanf.
struct Targets {
    char memory[most][room];
    Targets() { std::memset(memory, untouched, sizeof memory); }
};

std::string random_scan_format(std::mt19937& random, std::string& input) {
    static const char* const conversions[] = {"%d",      "%hhd",  "%hd",   "%ld", "%lld", "%*d", "%3s",  "%s",
                                              "%5[a-z]", "%[^ ]", "%[]x]", "%c",  "%4c",  "%n",  "%f",   "%lf",
                                              "%Lf",     "%*s",   "%%",    "%i",  "%zu",  "%jx", "%hhn", "%tx",
                                              "%2d",     "%o",    "%*3c",  "%x",  "%hn",  "%u"};
    static const char* const inputs[] = {"12 ", "abc ", "x1 ", "-7 ", "%", "3.5e2 ", "]x ", "0x1f ", " "};
    std::string format;
    const int count = static_cast<int>(random() % 5) + 1;
    for (int i = 0; i < count; ++i) {
        format += conversions[random() % std::size(conversions)];
        if (random() % 2 != 0) format += ' ';
        input += inputs[random() % std::size(inputs)];
    }
    return format;
}

bool may_write(const Uses& uses, const char* byte) {
    for (std::uint32_t i = 0; i < uses.count; ++i) {
        const Use& use = uses.row[i];
        const std::uint64_t end = use.target == Target::text ? (use.limit < room ? use.limit + 1 : room) : use.limit;
        if (use.is_written && at(byte) >= use.address && at(byte) < use.address + end) return true;
    }
    return false;
}

}  // namespace

TEST(Formats, TextsAndCountsOfPrintf) {
    const char* const text = "abc";
    int written = 0;
    const Uses uses = printed("%5.2s %-*d %n %Lf %g %.*s", text, 7, 3, &written, 1.0L, 2.0, 2, text);
    ASSERT_EQ(uses.count, 3u);
    EXPECT_TRUE(uses.is_complete);
    EXPECT_EQ(uses.row[0].address, at(text));
    EXPECT_EQ(uses.row[0].limit, 2u);
    EXPECT_EQ(uses.row[1].address, at(&written));
    EXPECT_TRUE(uses.row[1].is_written);
    EXPECT_EQ(uses.row[1].limit, sizeof(int));
    EXPECT_EQ(uses.row[2].address, at(text));
}

TEST(Formats, NumberedArguments) {
    const char *const one = "one", *const two = "two";
    const Uses uses = printed("%2$s %1$s %3$*4$d", one, two, 5, 6);
    ASSERT_EQ(uses.count, 2u);
    EXPECT_EQ(uses.row[0].address, at(two));
    EXPECT_EQ(uses.row[1].address, at(one));
}

TEST(Formats, AnUnknownConversionIsNotComplete) {
    EXPECT_FALSE(printed("%Y %s", 1, "text").is_complete);
    EXPECT_FALSE(printed("%99999999999$s", "text").is_complete);
    EXPECT_FALSE(scanned("%&", nullptr).is_complete);
}

// Every byte that the real sscanf changes lies in a target that the format tells, and what it assigned is told in
// order.
TEST(Formats, RandomScansWriteOnlyWhatIsTold) {
    std::mt19937 random(1);
    for (int round = 0; round < 200000; ++round) {
        std::string input;
        const std::string format = random_scan_format(random, input);
        Targets targets;
        auto& m = targets.memory;
        const Uses uses = scanned(format.c_str(), m[0], m[1], m[2], m[3], m[4], m[5]);
        ASSERT_TRUE(uses.is_complete) << format;
        const int assigned = scan(input.c_str(), format.c_str(), m[0], m[1], m[2], m[3], m[4], m[5]);
        for (const auto& target : targets.memory)
            for (const char& byte : target)
                ASSERT_TRUE(byte == untouched || may_write(uses, &byte)) << format << " of \"" << input << '"';
        for (std::uint32_t i = 0; i < uses.count; ++i) {
            const Use& use = uses.row[i];
            ASSERT_EQ(use.address, at(m[i])) << format;
            if (use.counts && assigned > use.assignments) {
                ASSERT_NE(*reinterpret_cast<const char*>(use.address), untouched) << format << " of \"" << input << '"';
            }
        }
    }
}

// Each text is printed where the format tells, in order. Words and numbers with a point are passed apart.
TEST(Formats, RandomPrintsReadWhatIsTold) {
    static const char* const texts[] = {"<A>", "<B>", "<C>", "<D>", "<E>", "<F>"};
    static const char* const conversions[] = {"%s",    "%-8s", "%.2s", "%d", "%5ld", "%f",
                                              "%8.3g", "%%",   "%c",   "%x", "%p",   "%lc"};
    std::mt19937 random(2);
    for (int round = 0; round < 100000; ++round) {
        std::string format;
        std::uint64_t word[most];
        std::vector<std::string> expected;
        std::size_t words = 0, reals = 0;
        while (words < most) {
            const std::string conversion = conversions[random() % std::size(conversions)];
            const bool is_real = conversion == "%f" || conversion == "%8.3g";
            if (is_real && ++reals > 8) continue;  // further ones would not be passed apart
            format += conversion + ' ';
            if (conversion == "%%" || is_real) continue;
            const bool is_text = conversion.back() == 's';
            if (is_text)
                expected.push_back(conversion == "%.2s" ? std::string(texts[words]).substr(0, 2) : texts[words]);
            word[words] = is_text ? at(texts[words]) : 'a' + words;
            ++words;
        }
        const Uses uses = printed(format.c_str(), word[0], word[1], word[2], word[3], word[4], word[5], 1.0, 2.0, 3.0,
                                  4.0, 5.0, 6.0, 7.0, 8.0);
        ASSERT_EQ(uses.count, expected.size()) << format;
        char output[4096];
        print(output, sizeof output, format.c_str(), word[0], word[1], word[2], word[3], word[4], word[5], 1.0, 2.0,
              3.0, 4.0, 5.0, 6.0, 7.0, 8.0);
        std::string rest = output;
        for (std::uint32_t i = 0; i < uses.count; ++i) {
            const std::string told =
                std::string(reinterpret_cast<const char*>(uses.row[i].address)).substr(0, uses.row[i].limit);
            ASSERT_EQ(told, expected[i]) << format;
            const std::size_t place = rest.find(told);
            ASSERT_NE(place, std::string::npos) << format;
            rest = rest.substr(place + told.size());
        }
    }
}

// The text comes from the program: anything may stand in it.
TEST(Formats, NonsenseIsReadWithinItsBounds) {
    static const char letters[] = "%%%%0123456789$*.-+ #'ILhljztqmsSnncCdifgaexX[]^&Y\x80\xff";
    std::mt19937 random(3);
    const std::uint64_t words[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int round = 0; round < 300000; ++round) {
        std::string format;
        for (std::uint32_t length = random() % 24; length > 0; --length)
            format += letters[random() % (sizeof letters - 1)];
        // The real functions would read arguments that are not there, and so would the list: numbers stay small.
        bool has_large_number = false;
        for (std::size_t i = 0; i + 1 < format.size(); ++i)
            has_large_number |= std::isdigit(static_cast<unsigned char>(format[i])) != 0 && format[i + 1] != '.';
        if (has_large_number) continue;
        const Uses as_printed = printed(format.c_str(), words[0], words[1], words[2], words[3], words[4], words[5],
                                        words[6], words[7], 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        ASSERT_LE(as_printed.count, most_arguments);
        const Uses as_scanned = scanned(format.c_str(), words[0], words[1], words[2], words[3], words[4], words[5],
                                        words[6], words[7], 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        ASSERT_LE(as_scanned.count, most_arguments);
        for (std::uint32_t i = 0; i < as_scanned.count; ++i) ASSERT_LE(as_scanned.row[i].address, 8u) << format;
    }
    std::string many;
    for (int i = 0; i < 200; ++i) many += "%";
    EXPECT_LE(printed(many.c_str()).count, most_arguments);
}

}  // namespace raddle::memory::formats
