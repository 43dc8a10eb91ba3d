#include "supervisor/base/free_memory.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

#include "supervisor/base/files.h"

namespace raddle {

namespace fs = std::filesystem;

namespace {

std::optional<std::uint64_t> number_in(const fs::path& file) {
    std::uint64_t number = 0;
    std::ifstream in(file);
    return in >> number ? std::optional(number) : std::nullopt;  // "max" is none
}

void limit_by(std::uint64_t& free, const fs::path& limit, const fs::path& used) {
    const auto most = number_in(limit), now = number_in(used);
    if (most && now) free = std::min(free, *most > *now ? *most - *now : 0);
}

// The limits of the group and of those above it.
void limit_by_group(std::uint64_t& free, const fs::path& top, fs::path group, const char* limit, const char* used) {
    for (;; group = group.parent_path()) {
        const fs::path folder = top / group.relative_path();
        limit_by(free, folder / limit, folder / used);
        if (!group.has_relative_path()) return;
    }
}

}  // namespace

std::uint64_t free_memory() { return free_memory("/proc", "/sys"); }

std::uint64_t free_memory(const fs::path& proc, const fs::path& sys) {
    constexpr std::uint64_t unsaid = std::uint64_t{4} << 30;
    std::uint64_t free = unsaid;
    std::istringstream memory(content_of(proc / "meminfo").value_or(""));
    for (std::string line; std::getline(memory, line);) {
        std::istringstream words(line);
        std::string name;
        std::uint64_t kilobytes = 0;
        if (words >> name >> kilobytes && name == "MemAvailable:") free = kilobytes << 10;
    }
    // Lines such as "4:memory:/a/b" of version 1, and "0::/a/b" of version 2.
    std::istringstream groups(content_of(proc / "self/cgroup").value_or(""));
    for (std::string line; std::getline(groups, line);) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1), group = line.substr(second + 1);
        if (controllers.empty()) limit_by_group(free, sys / "fs/cgroup", group, "memory.max", "memory.current");
        if (controllers == "memory")
            limit_by_group(free, sys / "fs/cgroup/memory", group, "memory.limit_in_bytes", "memory.usage_in_bytes");
    }
    return free;
}

}  // namespace raddle
