// Explores programs that share memory without locks, to the end of the search.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "supervisor/process/process_target.h"
#include "supervisor/search/strategy.h"

namespace raddle {

inline std::string lockless_program(const std::string& level, const std::string& name) {
    return std::string(RADDLE_BUILD_DIR) + "/memory/" + level + "/" + name;
}

inline ProcessOptions with_memory(std::vector<std::string> argv, MemoryLevel level) {
    ProcessOptions options;
    options.argv = std::move(argv);
    options.shim = std::string(RADDLE_BUILD_DIR) + "/lib/libraddle-preload.so";
    if (level != MemoryLevel::sync)
        options.code = std::make_shared<InstrumentedCode>(options.argv[0], std::vector<std::string>{}, level);
    return options;
}

struct Explored {
    Coverage coverage;
    std::vector<Finding> findings;
    std::vector<std::string> uncontrolled;
    std::size_t visible = 0;
    Restarts restarts;
};

inline Explored explore(const ProcessOptions& process, const std::string& name, std::optional<std::uint32_t> bound = {},
                        Independence independence = Independence::fine) {
    StrategyOptions options;
    options.max_bound = bound;
    options.machine.independence = independence;
    options.visible_set = process.code;
    ProcessOptions with_relation = process;
    with_relation.machine.independence = independence;
    const auto strategy = make_strategy(name, options);
    ProcessTarget target(with_relation);
    Explored explored;
    while (const auto plan = strategy->next()) {
        const Execution execution = target.run(*plan);
        if (execution.verdict == Verdict::uncontrolled) explored.uncontrolled.push_back(execution.message);
        strategy->learn(*plan, execution);
        for (Finding& finding : strategy->take_findings()) explored.findings.push_back(std::move(finding));
    }
    explored.coverage = strategy->coverage();
    explored.restarts = target.restarts();
    explored.visible = process.code ? process.code->visible() : 0;
    return explored;
}

}  // namespace raddle
