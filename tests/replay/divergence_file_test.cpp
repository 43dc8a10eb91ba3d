// The record of a divergence: written, read back, refused if it is damaged, and in words.
#include "replay/schedule/divergence_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "replay/explain/diverged.h"
#include "replay/explain/explain_text.h"
#include "supervisor/base/checksum.h"
#include "supervisor/base/error.h"
#include "supervisor/base/text.h"
#include "supervisor/trace/execution.h"

namespace raddle::testing {
namespace {

using ::testing::HasSubstr;

DivergenceRecord a_record() {
    DivergenceRecord record;
    record.step = 4;
    record.thread = record.cause_thread = parse_thread("T1");
    record.first = "T1 mutex_lock locks+40 at body (prog.c:17)";
    record.then = "T1 mutex_lock locks at body (prog.c:17)";
    record.place = "body (prog.c:17)";
    record.module = "prog";
    record.runs = record.differed = 4;
    record.words = {{
                        "choice",
                        "prog",
                        0x4060,
                        0x21,
                        0x1038,
                    },
                    {"a word on the stack of T1", "", 0x7ff8, 1, ~0ull}};
    record.word_count = 3;
    record.after_step = 3;
    record.cause = "T1 called lseek() in draw (prog.c:9), prog: its result is decided by the state of a file";
    record.tried = {{"--restart fork", "with it, the schedule did the same 0 times of 5", false},
                    {"--workdir-copy", "with it, the schedule did the same 5 times of 5", true}};
    return record;
}

ScheduleFile its_file() {
    ScheduleFile file;
    file.verdict = Verdict::diverged;
    for (const char* operation : {"thread_create", "thread_create", "thread_begin", "mutex_lock", "mutex_unlock"})
        file.steps.push_back({parse_thread(file.steps.size() < 2 ? "T0" : "T1"), 0, operation, "-", "done", 0, "?"});
    file.steps[3].object = "prog+0x40a8";
    file.message = sentence_of(a_record(), file.steps.size());
    return file;
}

TEST(DivergenceFile, SaysTheSameAfterReading) {
    EXPECT_EQ(parse_divergence(text_of(a_record()), "d"), a_record());
    DivergenceRecord other;
    other.across = Across::launches;
    other.first = "odd: \n\"\\\x01 and \u00e9";
    EXPECT_EQ(parse_divergence(text_of(other), "d"), other);
}

TEST(DivergenceFile, IsRefusedWithOneByteChanged) {
    const std::string whole = text_of(a_record());
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 1);
        EXPECT_THROW(parse_divergence(damaged, "d"), BadInput) << at;
    }
}

TEST(DivergenceFile, IsRefusedIfItEndsEarlyOrLate) {
    const std::string whole = text_of(a_record());
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_THROW(parse_divergence(whole.substr(0, size), "d"), BadInput) << size;
    EXPECT_THROW(parse_divergence(whole + "x", "d"), BadInput);
}

// Text with a valid checksum, as somebody might write it on purpose.
std::string sealed(const std::string& object) {
    const std::string said = "raddle divergence 1\n" + object + "\n";
    return said + "checksum " + hexadecimal_digits(checksum_of(said), 16) + "\n";
}

std::string object_of(const DivergenceRecord& record) {
    const std::string text = text_of(record);
    const std::size_t begin = text.find('{');
    return text.substr(begin, text.rfind('}') + 1 - begin);
}

TEST(DivergenceFile, IsRefusedWithValuesThatCannotBe) {
    const std::string good = object_of(a_record());
    ASSERT_EQ(parse_divergence(sealed(good), "d"), a_record());
    const std::pair<const char*, const char*> changes[] = {
        {"\"step\":4", "\"step\":-4"},
        {"\"step\":4", "\"step\":99999999999"},
        {"\"step\":4", "\"step\":\"4\""},
        {"\"differed\":4", "\"differed\":5"},
        {"\"thread\":\"T1\"", "\"thread\":\"X\""},
        {"\"words\":[", "\"words\":[7,"},
        {"\"helped\":true", "\"helped\":1"},
        {"\"tried\"", "\"tired\""},
    };
    for (const auto& [from, to] : changes) {
        std::string changed = good;
        const std::size_t at = changed.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        changed.replace(at, std::string(from).size(), to);
        EXPECT_THROW(parse_divergence(sealed(changed), "d"), BadInput) << to;
    }
    EXPECT_THROW(parse_divergence(sealed("[]"), "d"), BadInput);
    EXPECT_THROW(parse_divergence(sealed("no JSON"), "d"), BadInput);
    DivergenceRecord endless = a_record();
    endless.cause.assign(5000, 'x');
    EXPECT_THROW(parse_divergence(text_of(endless), "d"), BadInput);
    endless = a_record();
    endless.words.resize(100);
    EXPECT_THROW(parse_divergence(text_of(endless), "d"), BadInput);
}

TEST(DivergenceInWords, IsAPageThatReadsWell) {
    EXPECT_EQ(text_of(explanation_of(a_record(), its_file())),
              R"(diverged: at step 4 of 5 the same schedule went another way: first T1 mutex_lock locks+40 at body
  (prog.c:17), then T1 mutex_lock locks at body (prog.c:17)

       T0, T1

    1  T0     thread_create
    2  T0     thread_create
   3*     T1  thread_begin
   4*     T1  mutex_lock prog+0x40a8
       … 1 step of T1

what is known
  where: body (prog.c:17), in prog
  memory: choice (prog) held 0x21 the first time and 0x1038 then, from after step 3 on (and 2
    other words)
    a word on the stack of T1 held 0x1 the first time and 0xffffffffffffffff then
  likely cause: T1 called lseek() in draw (prog.c:9), prog: its result is decided by the state of
    a file
  repeated: 4 of 4 tries went another way, each in another execution
  tried --restart fork: with it, the schedule did the same 0 times of 5
  tried --workdir-copy: with it, the schedule did the same 5 times of 5
)");
}

TEST(DivergenceInWords, AdvisesOnlyASettingThatHelped) {
    DivergenceRecord record = a_record();
    EXPECT_EQ(text_of_advice(record), "--workdir-copy: with it, the schedule did the same 5 times of 5");
    record.tried[1].helped = false;
    EXPECT_EQ(text_of_advice(record), "no setting helped; tried --restart fork and --workdir-copy");
    record.tried.clear();
    EXPECT_EQ(text_of_advice(record), "");
}

TEST(DivergenceInWords, SaysPlainlyThatNoCauseWasFound) {
    DivergenceRecord record = a_record();
    record.cause.clear();
    EXPECT_THAT(text_of_cause(record), HasSubstr("raddle found no cause"));
}

}  // namespace
}  // namespace raddle::testing
