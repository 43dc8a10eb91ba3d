// What a call reads and writes for its caller is an access: a program whose calls work on shared variables has the
// outcomes of its twin, whose calls work on variables of their own and whose plain code copies.
#include <random>
#include <set>

#include "tests/memory/explore.h"

namespace raddle {
namespace {

using Script = std::vector<std::string>;  // one string of letters for each thread; the first is main's

struct Way {
    const char* name;
    MemoryLevel level;
    Independence independence;
    bool kernel_threads;
};

struct Ends {
    std::set<std::string> all;
    bool too_many = false;
};

Ends ends_of(const Script& script, const std::string& how, const Way& way) {
    constexpr std::uint64_t most = 600;
    std::vector<std::string> argv = {lockless_program("O2", "called"), how};
    argv.insert(argv.end(), script.begin(), script.end());
    ProcessOptions process = with_memory(argv, way.level);
    process.machine.independence = way.independence;
    process.threads = way.kernel_threads ? Threads::kernel : Threads::fibers;
    StrategyOptions options;
    options.machine.independence = way.independence;
    options.visible_set = process.code;
    const auto strategy = make_strategy("bounded", options);
    ProcessTarget target(process);
    Ends ends;
    std::uint64_t executions = 0;
    while (const auto plan = strategy->next()) {
        const Execution execution = target.run(*plan);
        strategy->learn(*plan, execution);
        if (execution.is_void) continue;
        if (++executions > most) {
            ends.too_many = true;
            return ends;
        }
        ends.all.insert(std::string(text_of(execution.verdict)) + " " + std::to_string(execution.exit_status) + " " +
                        execution.message);
    }
    EXPECT_TRUE(strategy->coverage().exhausted) << way.name;
    return ends;
}

Script random_script(std::mt19937_64& random) {
    Script script(2 + random() % 2);
    for (std::string& one : script) {
        const bool locks = random() % 3 == 0;
        if (locks) one += 'A';
        for (std::size_t left = 1 + random() % 2; left > 0; --left) one += "rsvjuwpcm123xyz"[random() % 15];
        if (locks) one += 'a';
    }
    return script;
}

std::string text(const Script& script) {
    std::string line;
    for (const std::string& one : script) line += "'" + one + "' ";
    return line;
}

constexpr Way ways[] = {
    {"races", MemoryLevel::races, Independence::fine, false},
    {"all", MemoryLevel::all, Independence::fine, false},
    {"values", MemoryLevel::races, Independence::values, false},
    {"kernel threads", MemoryLevel::races, Independence::fine, true},
};

TEST(Calls, AccessMemoryAsPlainCodeDoes) {
    const std::uint64_t programs = std::getenv("RADDLE_NIGHTLY") != nullptr ? 400 : 12;
    std::uint64_t compared = 0;
    for (std::uint64_t seed = 0; compared < programs; ++seed) {
        std::mt19937_64 random(seed);
        const Script script = random_script(random);
        const Ends truth = ends_of(script, "plain", ways[0]);
        if (truth.too_many || truth.all.size() < 2) continue;
        ++compared;
        for (const Way& way : ways) {
            const Ends found = ends_of(script, "calls", way);
            if (found.too_many) continue;
            EXPECT_EQ(found.all, truth.all) << way.name << ", seed " << seed << ": " << text(script);
        }
    }
}

}  // namespace
}  // namespace raddle
