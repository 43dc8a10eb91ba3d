// The files of a campaign.
#pragma once

#include <filesystem>

namespace raddle {

inline constexpr const char* database_name = "campaign.db";

// With all above it. A campaign may reveal private data of the program, so only the user can read its files.
void make_directory(const std::filesystem::path& directory);

}  // namespace raddle
