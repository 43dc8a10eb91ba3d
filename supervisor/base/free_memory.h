// The memory that this process may still use.
#pragma once

#include <cstdint>
#include <filesystem>

namespace raddle {

// What the kernel says is available, and what the limits of its control groups leave. Something where nothing is said.
std::uint64_t free_memory();

// The same of files that look like those in /proc and /sys.
std::uint64_t free_memory(const std::filesystem::path& proc, const std::filesystem::path& sys);

}  // namespace raddle
