// supervisor/model, linked alone against libc, may need only symbols that a compiler itself needs.

#include <gtest/gtest.h>

#include <cstdio>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace raddle::layers {
namespace {

// Lines of `nm -D --undefined-only`: "                 U memcpy@GLIBC_2.14", "w __gmon_start__".
std::vector<std::string> forbidden_symbols(const std::string& nm_output) {
    static const std::set<std::string> allowed = {"memcpy", "memmove", "memset", "memcmp"};
    std::vector<std::string> forbidden;
    std::istringstream lines(nm_output);
    std::string kind, symbol;
    while (lines >> kind >> symbol) {
        const bool weak = kind == "w" || kind == "v";  // the loader's own: __cxa_finalize, __gmon_start__ …
        if (!weak && !allowed.contains(symbol.substr(0, symbol.find('@')))) forbidden.push_back(symbol);
    }
    return forbidden;
}

TEST(ModelFreestanding, CheckerSeesWhatIsForbidden) {
    EXPECT_TRUE(forbidden_symbols(" w __gmon_start__\n U memcpy@GLIBC_2.14\n U memset\n").empty());
    EXPECT_EQ(forbidden_symbols(" U malloc@GLIBC_2.2.5\n U memset\n U _Znwm\n"),
              (std::vector<std::string>{"malloc@GLIBC_2.2.5", "_Znwm"}));
}

#ifdef RADDLE_MODEL_LIBRARY

TEST(ModelFreestanding, AsksForNothingButMemoryFunctions) {
    FILE* nm = popen(RADDLE_NM " -D --undefined-only '" RADDLE_MODEL_LIBRARY "'", "r");
    ASSERT_NE(nm, nullptr);
    std::string output;
    for (int c = std::fgetc(nm); c != EOF; c = std::fgetc(nm)) output.push_back(static_cast<char>(c));
    ASSERT_EQ(pclose(nm), 0) << "nm could not read " << RADDLE_MODEL_LIBRARY;
    for (const std::string& symbol : forbidden_symbols(output)) {
        ADD_FAILURE() << "supervisor/model needs " << symbol << ", which is not there inside the target";
    }
}

#endif

}  // namespace
}  // namespace raddle::layers
