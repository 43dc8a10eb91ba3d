// The files of a program that its loader would map, and the build-id or content hash of each.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace raddle {

// "build-id 3f2a…", or "content 5c11…" of a file that has none. Throws StoreError if it cannot be read.
std::string build_id_of(const std::filesystem::path& file);

// The executable itself first. Its loader is asked, if it is the one that loaded us; nothing of the program runs, nor
// anything else that a file might name as its loader: that is only listed.
std::vector<std::filesystem::path> files_loaded_by(const std::filesystem::path& executable,
                                                   const std::vector<std::string>& environment);

}  // namespace raddle
