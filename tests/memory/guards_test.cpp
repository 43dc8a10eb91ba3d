// Memory that a mutex guards at every access needs no actions of its own: the search still finds every outcome of the
// full set of schedules, and it notices an access without the guard.
#include <random>
#include <set>

#include "tests/memory/explore.h"

namespace raddle {
namespace {

using Script = std::vector<std::string>;  // one string of letters for each thread; the last is main's

struct Ends {
    std::set<std::string> all;
    std::uint64_t executions = 0;
    std::size_t visible = 0;
    bool too_many = false;
};

Ends ends_of(const Script& script, MemoryLevel level, Independence independence = Independence::fine) {
    constexpr std::uint64_t most = 500;
    std::vector<std::string> argv = {lockless_program("O2", "scripted")};
    argv.insert(argv.end(), script.begin(), script.end());
    ProcessOptions process = with_memory(argv, level);
    process.machine.independence = independence;
    StrategyOptions options;
    options.machine.independence = independence;
    options.visible_set = process.code;
    const auto strategy = make_strategy("bounded", options);
    ProcessTarget target(process);
    Ends ends;
    while (const auto plan = strategy->next()) {
        const Execution execution = target.run(*plan);
        strategy->learn(*plan, execution);
        if (execution.is_void) continue;
        if (++ends.executions > most) {
            ends.too_many = true;
            return ends;
        }
        ends.all.insert(std::string(text_of(execution.verdict)) + " " + execution.message);
    }
    EXPECT_TRUE(strategy->coverage().exhausted);
    ends.visible = process.code->visible();
    return ends;
}

// Locks A and B in any order, so that some schedules deadlock; some accesses are outside the guarding lock.
std::string random_script(std::mt19937_64& random) {
    std::string script;
    bool held[2] = {};
    for (std::size_t left = 2 + random() % 3; left > 0; --left) {
        const std::size_t lock = random() % 4 == 0 ? 1 : 0;
        if (random() % 6 != 0 && !held[lock]) {
            script += static_cast<char>('A' + lock);
            held[lock] = true;
        }
        script += "123xyz"[random() % (random() % 3 == 0 ? 6 : 2)];
        for (const std::size_t one : {1, 0})
            if (held[one] && random() % 3 != 0) {
                script += static_cast<char>('a' + one);
                held[one] = false;
            }
    }
    for (const std::size_t one : {1, 0})
        if (held[one]) script += static_cast<char>('a' + one);
    return script;
}

std::string text(const Script& script) {
    std::string line;
    for (const std::string& one : script) line += "'" + one + "' ";
    return line;
}

TEST(Guards, ReplaceAccessesInRandomPrograms) {
    const std::uint64_t programs = std::getenv("RADDLE_NIGHTLY") != nullptr ? 1'000 : 16;
    std::uint64_t compared = 0, cheaper = 0;
    for (std::uint64_t seed = 0; compared < programs; ++seed) {
        std::mt19937_64 random(seed);
        Script script(2 + random() % 2);
        for (std::string& one : script) one = random_script(random);
        const Ends every_access = ends_of(script, MemoryLevel::all);
        if (every_access.too_many) continue;
        ++compared;
        const Ends unguarded = ends_of(script, MemoryLevel::races);
        EXPECT_EQ(unguarded.all, every_access.all) << "seed " << seed << ": " << text(script);
        EXPECT_LE(unguarded.executions, every_access.executions) << "seed " << seed << ": " << text(script);
        cheaper += unguarded.visible == 0;
    }
    EXPECT_GE(cheaper, programs / 20) << "hardly any of the programs is guarded";
    EXPECT_LE(cheaper, programs * 19 / 20) << "hardly any of the programs is not";
}

TEST(Guards, AreMutexesHeldAtEveryAccessOfAVariable) {
    EXPECT_EQ(ends_of({"A1a", "A1a"}, MemoryLevel::races).visible, 0u);
    EXPECT_EQ(ends_of({"AB1ba", "B1b"}, MemoryLevel::races).visible, 0u);
    EXPECT_EQ(ends_of({"ABy1ba", "A1a"}, MemoryLevel::races).visible, 0u);
    EXPECT_GT(ends_of({"A1a", "B1b"}, MemoryLevel::races).visible, 0u) << "another mutex is none";
    EXPECT_GT(ends_of({"A1a", "1"}, MemoryLevel::races).visible, 0u) << "no mutex is none";
    EXPECT_GT(ends_of({"AB1ba", "A1aB1b"}, MemoryLevel::races).visible, 0u) << "nor is one now and another then";
    EXPECT_GT(ends_of({"A1a1", "A1a"}, MemoryLevel::races).visible, 0u) << "nor one that was given back since";
    EXPECT_GT(ends_of({"A11a1", "A1a"}, MemoryLevel::races).visible, 0u);
}

TEST(Guards, AreNotNeededAfterJoiningAllOtherThreads) {
    EXPECT_EQ(ends_of({"1", ""}, MemoryLevel::races).visible, 0u) << "main looks at it after it joined the thread";
    EXPECT_GT(ends_of({"1", "x"}, MemoryLevel::races).visible, 0u) << "and here before";
}

// Independence by value: a schedule is defined only by the values the threads see.
TEST(Guards, AreNotUsedWithIndependenceByValue) {
    const Ends fine = ends_of({"A1a", "A1aAxa"}, MemoryLevel::races);
    const Ends by_value = ends_of({"A1a", "A1aAxa"}, MemoryLevel::races, Independence::values);
    EXPECT_EQ(fine.visible, 0u);
    EXPECT_GT(by_value.visible, 0u);
    EXPECT_EQ(by_value.all, fine.all);
}

}  // namespace
}  // namespace raddle
