// The bugs of a campaign, a few lines each, as they are kept: nothing is run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "supervisor/trace/execution.h"

namespace raddle {

struct ListedBug {
    std::string name;                    // of its directory; empty: nothing was written of it
    Verdict verdict = Verdict::ok;
    std::uint32_t preemptions = 0;
    std::string message;
    std::optional<std::uint64_t> times;  // executions that showed it; none: no campaign counted them
    unsigned runs = 0, reproduced = 0;   // replays of its proof, and those that showed it
    std::string directory;
    std::string command;                 // explains it; empty: it has to be found once more

    bool is_unstable() const { return reproduced < runs; }
};

// Of the directory bugs are kept in, by number; then those of its campaign of which nothing was written. Throws StoreError.
std::vector<ListedBug> bugs_listed(const std::filesystem::path& bugs);
// The campaign whose bugs these are; empty if there is none.
std::filesystem::path campaign_of(const std::filesystem::path& bugs);

}  // namespace raddle
