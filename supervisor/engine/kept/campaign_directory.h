// The directories of campaigns: a default name for each program and its settings, and the link to the newest.
#pragma once

#include <filesystem>
#include <string>

#include "supervisor/engine/notices.h"
#include "supervisor/engine/settings/settings.h"

namespace raddle {

// The directory in the settings, or the default one in raddle.out/ for this program, its arguments, and its settings. A
// new build of the program keeps its directory, so that the change is noticed.
std::filesystem::path campaign_directory(const Settings& settings, const std::string& strategy);

// The directory for bugs; empty: none. `campaign` is empty if none is kept.
std::filesystem::path bugs_directory(const Settings& settings, const std::filesystem::path& campaign);

// The campaign in raddle.out/ that ran last. Throws StoreError if there is none.
std::filesystem::path newest_campaign();
// Returns the campaign it pointed to before. A failure is no error: the campaign is complete without the link.
std::filesystem::path point_newest_to(const std::filesystem::path& name);
// After the newest campaign is gone; `before` is the one before it, or empty.
void forget_newest(const std::filesystem::path& directory, const std::filesystem::path& before);

// The target of a link; any other path is returned unchanged.
std::filesystem::path where_it_leads(const std::filesystem::path& directory);

// Renames it to the next free DIR.1, DIR.2 ... Throws StoreError.
void set_aside(const std::filesystem::path& directory, const Notices& say);

}  // namespace raddle
