// Whole files.
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

}  // namespace raddle
