// The list of bugs as text and as JSON.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "supervisor/engine/bugs/listed_bugs.h"

namespace raddle::cli {

std::string list_for_people(const std::filesystem::path& bugs, const std::vector<Bug>& listed);
// Stable: `schema` changes when a key changes its meaning or goes away; keys may be added.
std::string list_for_machines(const std::filesystem::path& bugs, const std::vector<Bug>& listed);

}  // namespace raddle::cli
