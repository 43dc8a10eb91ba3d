// Two kept campaigns become one.
#pragma once

#include <filesystem>

#include "store/merge.h"

namespace raddle {

// Adds the knowledge of `other` to the campaign in `directory`. Needs neither the program nor its libraries. Throws
// StoreError.
Merged merge_campaigns(const std::filesystem::path& directory, const std::filesystem::path& other);

}  // namespace raddle
