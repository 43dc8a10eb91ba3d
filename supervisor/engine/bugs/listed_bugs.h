// The kept bugs of a campaign, a few lines each. Nothing is run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "supervisor/trace/execution.h"

namespace raddle {

struct ListedBug {
    std::string name;  // of its directory; empty: it was not written
    Verdict verdict = Verdict::ok;
    std::uint32_t preemptions = 0;
    std::string message;
    std::optional<std::uint64_t> times;  // executions with this bug; none: no campaign counted them
    unsigned runs = 0, reproduced = 0;   // replays of its proof, and those with this bug
    std::string directory;
    std::string command;  // explains it; empty: it has to be found again

    bool is_unstable() const { return reproduced < runs; }
};

// The bugs in a directory, by number; then unwritten bugs of its campaign. Throws StoreError.
std::vector<ListedBug> bugs_listed(const std::filesystem::path& bugs);
// The campaign of these bugs; empty if there is none.
std::filesystem::path campaign_of(const std::filesystem::path& bugs);

}  // namespace raddle
