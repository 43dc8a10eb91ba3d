// The kept bugs of a campaign, a few lines each. Nothing is run.
#pragma once

#include <filesystem>
#include <vector>

#include "supervisor/search/bug.h"

namespace raddle {

// The bugs in a directory, by number; then unwritten bugs of its campaign. Throws StoreError.
std::vector<Bug> bugs_listed(const std::filesystem::path& bugs);
// The campaign of these bugs; empty if there is none.
std::filesystem::path campaign_of(const std::filesystem::path& bugs);

}  // namespace raddle
