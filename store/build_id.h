// The files of a program that its loader would map, and the build-id or content hash of each.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace raddle {

// "build-id 3f2a…", or "content 5c11…" of a file that has none. Throws StoreError if it cannot be read.
std::string build_id_of(const std::filesystem::path& file);

// The executable itself first, then its libraries. The loader is executed to list them (--list), but nothing of the
// program is. Only the loader itself is listed if it is another one than raddle's own, or if the program names audit
// libraries: the loader would execute them.
std::vector<std::filesystem::path> files_loaded_by(const std::filesystem::path& executable,
                                                   const std::vector<std::string>& environment);

}  // namespace raddle
