// Whole files, and where a user keeps them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace raddle {

// Reads to the end, pipes too. Nothing if that fails or if there are more than `most` bytes; errno then says why
// (EFBIG).
std::optional<std::string> content_of(const std::filesystem::path& path, std::size_t most = SIZE_MAX);

// A directory of the XDG base directories: that in the variable, or the one below $HOME; empty if there is neither.
std::filesystem::path user_directory(const char* variable, const char* below_home);

}  // namespace raddle
