// Libraries with much code: they are decoded and followed once two threads run them.
#include <gtest/gtest.h>

#include <filesystem>

#include "supervisor/process/launch/instrumented_code.h"
#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

// More than a mebibyte of code, and a flag that two threads use without a lock.
std::string library() {
    return program(
        "int flag;\nvoid raise_flag(void) { flag = 1; }\nint is_raised(void) { return flag; }\n"
        "__attribute__((used)) void never_called(void) { __asm__(\".rept 1200000; nop; .endr\"); }\n",
        "-shared -fPIC -O1");
}

std::string user_of_library() {
    return program(
        "#include <pthread.h>\nvoid raise_flag(void);\nint is_raised(void);\n"
        "static void* body(void* p) { raise_flag(); return p; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, body, 0); const int seen = is_raised(); pthread_join(t, 0); return seen * 7; }\n",
        "-O1 -g " + library());
}

struct Explored {
    std::string not_looked_at;
    std::size_t visible = 0, candidates = 0;
    std::string text;
};

Explored explored(const std::vector<std::string>& wanted, const std::vector<std::string>& excluded) {
    ProcessOptions options = running(user_of_library());
    const auto code = std::make_shared<InstrumentedCode>(options.argv[0], wanted, MemoryLevel::races, excluded);
    options.code = code;
    ProcessTarget target(options);
    Explored result;
    for (int round = 0; round < 8; ++round) {
        Plan plan = run_on();
        plan.epoch = code->epoch();
        const Execution execution = target.run(plan);
        if (execution.is_void) continue;
        result.not_looked_at = execution.not_looked_at;
        result.visible = code->visible();
        break;
    }
    result.candidates = code->candidates();
    result.text = code->text();
    return result;
}

TEST(LargeLibrary, IsFollowedOnceTwoThreadsRunIt) {
    const Explored result = explored({}, {});
    EXPECT_EQ(result.not_looked_at, "");
    EXPECT_GE(result.visible, 2u);
    EXPECT_NE(result.text.find("met:"), std::string::npos);
}

TEST(LargeLibrary, IsFollowedAgainByTheTextOfItsSet) {
    const std::string text = explored({}, {}).text;
    InstrumentedCode again(user_of_library(), {}, MemoryLevel::races);
    again.begin_with(text);
    EXPECT_EQ(again.text(), text);
}

TEST(LargeLibrary, IsFollowedFromTheStartIfAPatternSaysSo) {
    const std::string name = std::filesystem::path(library()).filename().string();
    const Explored result = explored({name.substr(0, name.size() / 2) + "*"}, {});
    EXPECT_EQ(result.not_looked_at, "");
    EXPECT_GE(result.visible, 2u);
    EXPECT_EQ(result.text.find("met:"), std::string::npos);
}

TEST(LargeLibrary, LeftOutByTheUserIsNamedInTheResult) {
    const std::string name = std::filesystem::path(library()).filename().string();
    const Explored result = explored({}, {name});
    EXPECT_NE(result.not_looked_at.find("--no-instrument"), std::string::npos) << result.not_looked_at;
    EXPECT_NE(result.not_looked_at.find(name), std::string::npos) << result.not_looked_at;
}

}  // namespace
}  // namespace raddle::testing
