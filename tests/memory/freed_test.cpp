// Heap blocks that are freed while other threads still use them: a bug is found if and only if some schedule accesses a
// block, or frees it again, after the free. The expectation comes from all schedules of a few letters.
#include <random>
#include <set>

#include "tests/memory/explore.h"

namespace raddle {
namespace {

using Script = std::vector<std::string>;  // one string of letters for each thread

std::string text(const Script& script) {
    std::string line;
    for (const std::string& one : script) line += "'" + one + "' ";
    return line;
}

// The letters are those of programs/freeing.c.
class AllSchedules {
public:
    explicit AllSchedules(const Script& script) : script_(script), at_(script.size()) {}

    // A thread uses a block after it was freed.
    bool go_wrong() {
        if (!seen_.insert({at_, owner_, freed_}).second) return false;
        for (std::size_t thread = 0; thread < script_.size(); ++thread) {
            if (at_[thread] == script_[thread].size()) continue;
            const char letter = script_[thread][at_[thread]];
            if (letter == 'A' && owner_ != nobody) continue;
            if (touches(letter) >= 0 && (freed_ >> touches(letter) & 1) != 0) return true;
            const auto before = std::pair{owner_, freed_};
            if (letter == 'A') owner_ = thread;
            if (letter == 'a') owner_ = nobody;
            if (letter == 'f') freed_ |= 1;
            if (letter == 'g') freed_ |= 2;
            ++at_[thread];
            const bool wrong = go_wrong();
            --at_[thread];
            std::tie(owner_, freed_) = before;
            if (wrong) return true;
        }
        return false;
    }

private:
    static constexpr std::size_t nobody = ~std::size_t{0};
    static int touches(char letter) {
        return letter == 'y' || letter == 'g' ? 1 : letter == 'A' || letter == 'a' ? -1 : 0;
    }

    const Script& script_;
    std::vector<std::size_t> at_;
    std::size_t owner_ = nobody;
    unsigned freed_ = 0;
    std::set<std::tuple<std::vector<std::size_t>, std::size_t, unsigned>> seen_;
};

std::vector<Finding> found_in(const Script& script, const std::string& build = "O2") {
    std::vector<std::string> argv = {lockless_program(build, "freeing")};
    argv.insert(argv.end(), script.begin(), script.end());
    const Explored explored = explore(with_memory(argv, MemoryLevel::races), "bounded");
    EXPECT_TRUE(explored.uncontrolled.empty()) << text(script) << ": " << explored.uncontrolled[0];
    EXPECT_TRUE(explored.coverage.exhausted) << text(script);
    return explored.findings;
}

std::string random_script(std::mt19937_64& random) {
    std::string script, ended;  // the thread itself frees these blocks at its end; later uses are ignored
    bool held = false;
    for (std::size_t left = 1 + random() % 3; left > 0; --left) {
        if (!held && random() % 3 == 0) {
            script += 'A';
            held = true;
        }
        const char letter = "12xyxyfg"[random() % (random() % 2 == 0 ? 6 : 8)];
        if (ended.find(letter) == std::string::npos) script += letter;
        if (letter == 'f') ended += "12xf";
        if (letter == 'g') ended += "yg";
        if (held && random() % 2 == 0) {
            script += 'a';
            held = false;
        }
    }
    if (held) script += 'a';
    return script;
}

TEST(Freed, UseIsFoundInRandomProgramsIfAScheduleHasIt) {
    const int programs = std::getenv("RADDLE_NIGHTLY") != nullptr ? 2'000 : 60;
    int wrong = 0;
    for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(programs); ++seed) {
        std::mt19937_64 random(seed);
        Script script(2 + random() % 2);
        for (std::string& one : script) one = random_script(random);
        const bool goes_wrong = AllSchedules(script).go_wrong();
        const std::vector<Finding> findings = found_in(script);
        EXPECT_EQ(!findings.empty(), goes_wrong)
            << "seed " << seed << ": " << text(script) << (findings.empty() ? "" : findings[0].message);
        wrong += goes_wrong ? 1 : 0;
    }
    EXPECT_GE(wrong, programs / 5) << "hardly any of the programs goes wrong";
    EXPECT_LE(wrong, programs * 4 / 5) << "hardly any of the programs does not";
}

TEST(Freed, ReportNamesTheThreadsOfFreeAndUse) {
    const std::vector<Finding> findings = found_in({"Axa", "Aaf"});
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].verdict, Verdict::misuse);
    EXPECT_EQ(findings[0].message, "T1 reads memory that was freed");
    EXPECT_EQ(found_in({"A1a", "Aaf"}).at(0).message, "T1 writes to memory that was freed");
}

TEST(Freed, UseIsFoundIfAMutexGuardsUseAndFree) {
    EXPECT_EQ(found_in({"Axa", "Afa"}).size(), 1u);
    EXPECT_EQ(found_in({"xAa", "Afa"}).size(), 1u);
    EXPECT_TRUE(found_in({"Axaf", "Aya"}).empty()) << "one uses the first block and frees it, the other the second";
}

TEST(Freed, UseIsFoundInTheFirstSchedule) { EXPECT_EQ(found_in({"f", "x"}).size(), 1u); }

TEST(Freed, TwiceIsFound) {
    EXPECT_FALSE(found_in({"xf", "xf"}).empty());
    const std::vector<Finding> findings = found_in({"f", "f"});
    ASSERT_FALSE(findings.empty()) << "though nobody looks at what is in it";
    EXPECT_EQ(findings[0].verdict, Verdict::misuse);
    EXPECT_EQ(findings[0].message, "T2 frees memory a second time");
}

TEST(Freed, BlocksAllocatedAgainAreNotFreed) {
    const Explored explored = explore(with_memory({lockless_program("O2", "reused")}, MemoryLevel::races), "bounded");
    EXPECT_TRUE(explored.coverage.exhausted);
    EXPECT_TRUE(explored.findings.empty()) << explored.findings[0].message;
    EXPECT_GT(explored.visible, 0u);
}

TEST(Freed, UseIsFoundInEveryBuild) {
    for (const char* build : {"O0", "O2", "tsan-c-O0", "tsan-c-O2", "tsan-cpp-O2"}) {
        EXPECT_EQ(found_in({"Axa", "Aaf"}, build).size(), 1u) << build;
        EXPECT_TRUE(found_in({"Axa", "Ayag"}, build).empty()) << build;
    }
}

}  // namespace
}  // namespace raddle
