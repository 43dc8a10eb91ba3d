// Schedule files and tokens: written text is read back, and anything else is refused.
#include "replay/schedule/schedule_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include "replay/schedule/token.h"
#include "supervisor/base/error.h"

namespace raddle::testing {
namespace {

using ::testing::HasSubstr;

ScheduleFile example() {
    ScheduleFile file;
    file.subject.program = {"/home/u/my programs/abba", "3", "", "100%\n"};
    file.subject.directory = "/home/u";
    file.subject.options = {"--env", "SOME=thing else", "--spurious"};
    file.subject.environment = "5c11d0aa00000000";
    file.subject.files = {{"/home/u/my programs/abba", "build-id 3f2a"}, {"/lib/libc.so.6", "content 77"}};
    file.verdict = Verdict::deadlock;
    file.preemptions = 1;
    file.fewest = true;
    file.message = "nobody can go on: T1 in mutex_lock ";
    file.key = "mutex_lock abba+0x20 held since mutex_lock abba+0x10";
    const ThreadId first = child_of(main_thread, 1);
    file.steps = {
        {main_thread, 0, "thread_create", "thread:T1", "done", 0, "abba+0x1234"},
        {main_thread, 0, "mutex_lock", "abba+0x4040", "done", 0, "abba+0x1250"},
        {first, 0, "mutex_trylock", "abba+0x4040", "failed", 16, "abba+0x1300"},
        {first, 2, "cond_signal", "heap:T1+0x40", "done", -5, "libx y.so+0x7"},
        {first, 0, "mutex_unlock", "abba+0x4040", "done:unlock_not_owner", 0, "?"},
    };
    return file;
}

ScheduleFile with_names() {
    ScheduleFile file = example();
    file.names = {{"abba+0x4040", "table.lock of[1]"}, {"libx y.so+0x7", "queue"}};
    return file;
}

std::string refusal_of(const std::string& text) {
    try {
        parse_schedule_file(text, "FILE");
    } catch (const BadInput& error) {
        return error.what();
    }
    return "";
}

std::string refusal_of_token(const std::string& text) {
    try {
        parse_token(text);
    } catch (const BadInput& error) {
        return error.what();
    }
    return "";
}

std::string with(std::string text, const std::string& what, const std::string& instead) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), instead);
}

unsigned mutations() { return std::getenv("RADDLE_NIGHTLY") != nullptr ? 100'000 : 5'000; }

TEST(ScheduleFile, IsReadBackAsItWasWritten) {
    EXPECT_EQ(parse_schedule_file(text_of(example()), "FILE"), example());
    EXPECT_EQ(parse_schedule_file(text_of(example(), {"a comment", "two\nlines"}), "FILE"), example());
    ScheduleFile none;
    none.subject.program = {"/p"};
    EXPECT_EQ(parse_schedule_file(text_of(none), "FILE"), none) << "a program that does nothing";
}

TEST(ScheduleFile, IsReadableInEveryVersion) {
    const auto kept = [](const char* version) {
        std::ifstream file(RADDLE_SOURCE_DIR "/tests/replay/files/version-" + std::string(version) + ".schedule");
        std::stringstream text;
        EXPECT_TRUE(text << file.rdbuf()) << version;
        return parse_schedule_file(text.str(), "FILE");
    };
    EXPECT_EQ(kept("1"), example());
    EXPECT_EQ(kept("2"), with_names());
}

TEST(ScheduleFile, HasVersion2WithNamesAndVersion1Without) {
    EXPECT_TRUE(text_of(example()).starts_with("raddle schedule 1\n"));
    EXPECT_TRUE(text_of(with_names()).starts_with("raddle schedule 2\n"));
    EXPECT_EQ(parse_schedule_file(text_of(with_names()), "FILE"), with_names());
    EXPECT_THAT(refusal_of(with(text_of(with_names()), "name libx", "name abba")),
                HasSubstr("objects in order, each once"));
    EXPECT_THAT(refusal_of(with(text_of(with_names()), "schedule 2", "schedule 1")), HasSubstr("expected 'checksum"));
}

TEST(ScheduleFile, NamesTheMistakeAndItsLine) {
    const std::string text = text_of(example());
    EXPECT_THAT(refusal_of("hello\n"), HasSubstr("FILE, line 1: found 'hello', expected 'raddle schedule 1'"));
    EXPECT_THAT(refusal_of(""), HasSubstr("line 1: found nothing"));
    EXPECT_THAT(refusal_of(with(text, "schedule 1", "schedule 3")),
                HasSubstr("expected a version that this raddle reads"));
    EXPECT_THAT(refusal_of(with(text, "verdict deadlock", "verdict bad")),
                HasSubstr("line 13: found 'verdict bad', expected a verdict"));
    EXPECT_THAT(refusal_of(with(text, "1 T0 ", "1 T1 ")), HasSubstr("expected T0, as the schedule has it"));
    EXPECT_THAT(refusal_of(with(text, "mutex_lock abba+0x4040 done", "mutex_lick abba+0x4040 done")),
                HasSubstr("expected an operation"));
    EXPECT_THAT(refusal_of(with(text, "T0*2", "T0 T0")), HasSubstr("the shortest way to write it"));
    EXPECT_THAT(refusal_of(with(text, "abba+0x1250", "abba+0x1251")), HasSubstr("another checksum"));
    EXPECT_THAT(refusal_of(text + "more\n"), HasSubstr("nothing after the checksum"));
    EXPECT_THAT(refusal_of(text.substr(0, text.size() - 40)), HasSubstr("expected"));
}

TEST(ScheduleFile, IsRefusedIfAnyByteChanges) {
    const std::string whole = text_of(example(), {"this says nothing"});
    const std::size_t comment = whole.find("# "), after = whole.find('\n', comment);
    std::mt19937 random(20260101);
    for (unsigned i = 0; i < mutations(); ++i) {
        std::string text = whole;
        const std::size_t at = i < whole.size() ? i : random() % whole.size();
        text[at] = static_cast<char>(text[at] ^ (1 + random() % 255));
        if (!refusal_of(text).empty()) continue;
        EXPECT_TRUE(at > comment && at < after) << "byte " << at << " changed, and nobody noticed:\n" << text;
        EXPECT_EQ(parse_schedule_file(text, "FILE"), example());
    }
}

TEST(ScheduleFile, IsRefusedIfItIsTruncated) {
    const std::string whole = text_of(example());
    for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_NE(refusal_of(whole.substr(0, size)), "") << size;
}

TEST(Subject, IsTheSameInAnyDirectory) {
    Subject there = example().subject;
    there.files[0].path = there.program[0] = "/elsewhere/abba";
    there.directory = "/";
    EXPECT_EQ(difference(example().subject, there), "");
    EXPECT_EQ(identity_of(example().subject), identity_of(there));
}

TEST(Subject, NamesTheDifference) {
    const Subject recorded = example().subject;
    Subject now = recorded;
    now.files[1].id = "content 78";
    EXPECT_EQ(difference(recorded, now), "/lib/libc.so.6 is another: content 77 was recorded, now it is content 78");
    EXPECT_NE(identity_of(recorded), identity_of(now));
    now = recorded;
    now.program.resize(2);
    EXPECT_THAT(difference(recorded, now), HasSubstr("now they are 3"));
    now = recorded;
    now.options.clear();
    EXPECT_THAT(difference(recorded, now), HasSubstr("now they are none"));
    now = recorded;
    now.environment = "x";
    EXPECT_EQ(difference(recorded, now), "") << "no two terminals have the same environment";
}

TEST(Token, IsReadBackAsItWasWritten) {
    const Token token = token_of(example());
    EXPECT_EQ(token.schedule, example().schedule());
    EXPECT_TRUE(is_token(text_of(token)));
    EXPECT_EQ(parse_token(text_of(token)), token);
    // The format is stable: old tokens stay readable forever.
    EXPECT_EQ(
        parse_token(
            "raddle1:LTHlfnvIq-kDBS0tZW52D1NPTUU9dGhpbmcgZWxzZQotLXNwdXJpb3VzCGRlYWRsb2NrFGbxPYu2HMUCAAEFAAACAQABAQIBAQABoRHrxCds0nQ"),
        token);
}

TEST(Token, IsShort) {
    Token token = token_of(example());
    token.options.clear();
    EXPECT_LT(text_of(token).size(), 100u);
}

TEST(Token, IsRefusedIfAnyLetterChanges) {
    const std::string whole = text_of(token_of(example()));
    std::mt19937 random(20260102);
    for (unsigned i = 0; i < mutations(); ++i) {
        std::string text = whole;
        const std::size_t at = i < whole.size() ? i : random() % whole.size();
        text[at] = static_cast<char>(text[at] ^ (1 + random() % 255));
        EXPECT_NE(refusal_of_token(text), "") << "letter " << at;
    }
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_NE(refusal_of_token(whole.substr(0, size)), "") << size;
    EXPECT_THAT(refusal_of_token("raddle2:abc"), HasSubstr("begins with 'raddle2:', expected raddle1:"));
}

}  // namespace
}  // namespace raddle::testing
