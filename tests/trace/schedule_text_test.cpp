// Names of threads and schedules as text: written text is read back, and malformed text is refused in one line
// that gives the position, the text found and the text expected.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "supervisor/base/error.h"
#include "supervisor/trace/execution.h"

namespace raddle {
namespace {

constexpr ThreadId child(std::uint32_t n) { return child_of(main_thread, n); }
constexpr ThreadId child(std::uint32_t n, std::uint32_t m) { return child_of(child(n), m); }

std::string refusal_of(const std::string& text) {
    try {
        parse_schedule(text);
    } catch (const BadInput& error) {
        return error.what();
    }
    return "accepted";
}

// ---- threads

TEST(ThreadName, IsThePathOfCreation) {
    EXPECT_EQ(name_of(main_thread), "T0");
    EXPECT_EQ(name_of(child(1)), "T1");
    EXPECT_EQ(name_of(child(8)), "T8");
    EXPECT_EQ(name_of(child(64, 7)), "T64.7");
    EXPECT_EQ(name_of(child_of(child(2, 1), 4095)), "T2.1.4095");
}

TEST(ThreadName, IsAHashIfThePathIsTooLong) {
    ThreadId deep = main_thread;
    for (int i = 0; i < 14; ++i) deep = child_of(deep, 1);  // 13 nibbles fit
    EXPECT_THAT(name_of(deep), ::testing::MatchesRegex("T~[0-9a-f]{14}"));
    EXPECT_EQ(parse_thread(name_of(deep)), deep);
    EXPECT_EQ(parse_thread("T1.1.1.1.1.1.1.1.1.1.1.1.1.1"), deep);
}

TEST(ThreadName, IsANumberIfNoThreadHasTheCode) {
    EXPECT_EQ(name_of(ThreadId{8}), "T~8");      // a digit announces another one, and none follows
    EXPECT_EQ(name_of(ThreadId{0x10}), "T~10");  // a child numbered 0
}

TEST(ThreadName, IsReadBack) {
    for (std::uint32_t n : {1u, 7u, 8u, 63u, 64u, 511u, 512u, 4096u, 0xffffffffu}) {
        EXPECT_EQ(parse_thread(name_of(child(n))), child(n)) << n;
        EXPECT_EQ(parse_thread(name_of(child(n, 9))), child(n, 9)) << n;
        EXPECT_EQ(parse_thread(name_of(child(3, n))), child(3, n)) << n;
    }
}

TEST(ThreadName, IsRefusedIfMalformed) {
    for (const char* text : {"", "0", "t1", "T", "T01", "T0.1", "T1.", "T1.0", "T1.x", "T1 ", " T1", "T4294967296",
                             "T~", "T~12", "T~00000000000000", "T~80000000000000x", "T~FFFFFFFFFFFFFF", "T1=1"})
        EXPECT_THROW(parse_thread(text), BadInput) << text;
}

// ---- schedules

TEST(ScheduleText, CountsStepsInARow) {
    const Schedule schedule = {{main_thread, 0}, {main_thread, 0}, {main_thread, 0},
                               {child(1), 0},    {child(2, 1), 2}, {main_thread, 0}};
    EXPECT_EQ(text_of(schedule), "T0*3 T1 T2.1=2 T0");
    EXPECT_EQ(parse_schedule("T0*3 T1 T2.1=2 T0"), schedule);
}

TEST(ScheduleText, CountsTheSameAlternativeInARow) {
    const Schedule schedule = {{child(1), 2}, {child(1), 2}, {child(1), 1}};
    EXPECT_EQ(text_of(schedule), "T1=2*2 T1=1");
    EXPECT_EQ(parse_schedule(text_of(schedule)), schedule);
}

TEST(ScheduleText, IsEmptyForAnEmptySchedule) {
    EXPECT_EQ(text_of(Schedule{}), "");
    EXPECT_TRUE(parse_schedule("").empty());
    EXPECT_TRUE(parse_schedule(" \n\t\r\n").empty());
}

TEST(ScheduleText, MaySpreadOverLines) {
    EXPECT_EQ(parse_schedule("  T0*2\n\tT1\r\n T0 \n"), parse_schedule("T0*2 T1 T0"));
}

TEST(ScheduleText, IsReadBackWhateverItIs) {
    std::mt19937 random(7);
    for (int round = 0; round < 500; ++round) {
        Schedule schedule;
        const std::size_t length = random() % 40;
        while (schedule.size() < length) {
            ThreadId thread = main_thread;
            for (auto depth = random() % 4; depth > 0; --depth) thread = child_of(thread, 1 + random() % 100);
            const Step step{thread, random() % 3 == 0 ? static_cast<std::uint32_t>(random()) : 0};
            schedule.insert(schedule.end(), 1 + random() % 5, step);
        }
        ASSERT_EQ(parse_schedule(text_of(schedule)), schedule) << text_of(schedule);
    }
}

TEST(ScheduleText, NamesTheMistakeAndItsPosition) {
    EXPECT_EQ(refusal_of("T0 X1"),
              "schedule, line 1, column 4: found 'X1', expected the name of a thread, such as T0 or T2.1");
    EXPECT_EQ(refusal_of("T0\nT1*"),
              "schedule, line 2, column 4: found the end, expected how many steps, from 1 to 10000000");
    EXPECT_EQ(refusal_of("T0 T1=x*2"),
              "schedule, line 1, column 7: found 'x*2', expected the number of an alternative, from 0 to 4294967295");
    EXPECT_EQ(refusal_of("T0,T1"),
              "schedule, line 1, column 3: found ',T1', expected a space, '=' and an alternative, or '*' and a count");
    EXPECT_EQ(refusal_of("T01"),
              "schedule, line 1, column 1: found 'T01', expected T0 for the main thread, T1 for the first it creates");
    EXPECT_EQ(refusal_of("T1 *3"),
              "schedule, line 1, column 4: found '*3', expected the name of a thread, such as T0 or T2.1");
}

TEST(ScheduleText, IsStrict) {
    for (const char* text : {"T1*0", "T1*-1", "T1*+1", "T1*01", "T1*1.5", "T1=", "T1==1", "T1=1=1", "T1*2=1", "T1*2*2",
                             "T1=4294967296", "T1;", "T1 0", "T1 #", "T1\vT0", "T~1"})
        EXPECT_NE(refusal_of(text), "accepted") << text;
}

TEST(ScheduleText, IsBounded) {
    EXPECT_THAT(refusal_of("T0*10000001"), ::testing::HasSubstr("from 1 to 10000000"));
    EXPECT_THAT(refusal_of("T0*99999999999999999999999999"), ::testing::HasSubstr("from 1 to 10000000"));
    EXPECT_THAT(refusal_of("T0*10000000 T1"), ::testing::HasSubstr("no more than 10000000 steps in all"));
}

TEST(ScheduleText, ShowsWhatItFoundInOneShortPrintableLine) {
    EXPECT_THAT(refusal_of(std::string("T0 \x01\xff\0z", 7)), ::testing::HasSubstr("found '\\x01\\xff\\x00z'"));
    EXPECT_THAT(refusal_of(std::string(5000, 'y')), ::testing::HasSubstr("found 'yyyyyyyyyyyyyyyyyyyyyyyyy…'"));
}

}  // namespace
}  // namespace raddle
