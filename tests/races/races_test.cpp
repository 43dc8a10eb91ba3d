// Programs with planted races, and programs without: compiled without and with optimisation, every schedule of each.
// The reported lines are exactly the marked ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "supervisor/binary/debuginfo/atomic_code.h"
#include "supervisor/campaign/campaign.h"
#include "supervisor/process/process_target.h"

namespace raddle {
namespace {

namespace fs = std::filesystem;

const fs::path sources = std::string(RADDLE_SOURCE_DIR) + "/tests/races/programs";

struct Program {
    std::string level, folder, file;
};

std::vector<Program> programs() {
    std::vector<Program> all;
    for (const char* level : {"O0", "O2"})
        for (const char* folder : {"planted", "free"})
            for (const auto& entry : fs::directory_iterator(sources / folder))
                all.push_back({level, folder, entry.path().filename().string()});
    std::sort(all.begin(), all.end(), [](const Program& a, const Program& b) {
        return std::tie(a.level, a.folder, a.file) < std::tie(b.level, b.folder, b.file);
    });
    return all;
}

class Modulekeeper final : public Observer {
public:
    void executed(const Plan&, const Execution& execution, Strategy&) override { modules = execution.modules; }
    std::shared_ptr<const Modules> modules;
};

std::set<int> marked_lines(const Program& program) {
    std::ifstream in(sources / program.folder / program.file);
    std::set<int> lines;
    int number = 0;
    for (std::string line; std::getline(in, line);)
        if (++number; line.find("// race") != std::string::npos) lines.insert(number);
    return lines;
}

// "… at program+0x1179 and program+0x11b2"
std::set<int> lines_of(const std::string& race, const Modules& modules, const std::string& executable,
                       const std::string& file) {
    Symbols symbols(modules, executable, "");
    std::set<int> lines;
    const std::regex place("\\+0x([0-9a-f]+)");
    for (std::sregex_iterator at(race.begin(), race.end(), place), end; at != end; ++at) {
        const Stack& stack = symbols.at(modules[0].base + std::stoull((*at)[1], nullptr, 16) - 1);
        const auto own =
            std::find_if(stack.begin(), stack.end(), [&](const Frame& frame) { return frame.file.ends_with(file); });
        lines.insert(own == stack.end() ? 0 : static_cast<int>(own->line));
    }
    return lines;
}

class Races : public ::testing::TestWithParam<Program> {};

TEST_P(Races, AreReportedExactlyOnTheMarkedLines) {
    const Program& program = GetParam();
    ProcessOptions process;
    process.argv = {std::string(RADDLE_BUILD_DIR) + "/races/" + program.folder + "/" + program.level + "/" +
                    fs::path(program.file).stem().string()};
    process.shim = std::string(RADDLE_BUILD_DIR) + "/lib/libraddle-preload.so";
    process.code = std::make_shared<InstrumentedCode>(process.argv[0], std::vector<std::string>{}, MemoryLevel::races);
    StrategyOptions search;
    search.visible_set = process.code;
    AtomicCode atomic(process.argv[0], "");
    CampaignOptions options;
    options.max_executions = 3000;
    options.races = std::make_shared<RaceWatch>(
        MachineOptions{}, [&](std::uint64_t site, const Modules& modules) { return atomic.contains(site, modules); });
    Campaign campaign([&] { return std::make_unique<ProcessTarget>(process); }, make_strategy("bounded", search),
                      options);
    Modulekeeper keeper;
    const CampaignResult result = campaign.run({&keeper});
    EXPECT_TRUE(result.complete) << (result.incomplete_because().empty() ? "" : result.incomplete_because().front());
    std::set<int> found;
    for (const Bug& bug : result.bugs) {
        EXPECT_EQ(bug.found.verdict, Verdict::race) << bug.found.message;
        found.merge(lines_of(bug.found.message, *keeper.modules, process.argv[0], program.file));
    }
    EXPECT_EQ(found, marked_lines(program));
}

INSTANTIATE_TEST_SUITE_P(Programs, Races, ::testing::ValuesIn(programs()), [](const auto& one) {
    std::string name = one.param.level + "_" + one.param.folder + "_" + fs::path(one.param.file).stem().string();
    return name;
});

}  // namespace
}  // namespace raddle
