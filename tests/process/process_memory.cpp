#include "tests/process/process_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "preload/base/fixed_memory.h"

namespace raddle::testing {

namespace {

std::string hex(std::uint64_t value) {
    std::ostringstream text;
    text << "0x" << std::hex << value;
    return text.str();
}

bool is_left_out(const std::string& rights, std::uint64_t begin, const std::string& name) {
    return rights[0] != 'r' || rights[3] != 'p' || fixed_memory::is_shims(begin) || name.starts_with("[v") ||
           name.find("libraddle-preload") != std::string::npos;
}

std::string file_name(const std::string& path) {
    return path.starts_with("/") ? std::filesystem::path(path).filename().string() : path;
}

}  // namespace

std::vector<MemoryRegion> memory_of(pid_t process) {
    const std::string folder = "/proc/" + std::to_string(process);
    std::ifstream maps(folder + "/maps");
    const int memory = ::open((folder + "/mem").c_str(), O_RDONLY | O_CLOEXEC);
    std::vector<MemoryRegion> regions;
    bool behind_shim = false;
    for (std::string line; std::getline(maps, line);) {
        MemoryRegion region{};
        char dash = 0;
        std::string rights, offset, device, inode, path;
        std::istringstream fields(line);
        fields >> std::hex >> region.begin >> dash >> region.end >> rights >> offset >> device >> inode >> path;
        // The variables of the shim that have no place in its file lie behind the file's mappings.
        const bool is_shim = path.find("libraddle-preload") != std::string::npos || (behind_shim && path.empty());
        behind_shim = is_shim;
        if (is_shim || is_left_out(rights, region.begin, path)) continue;
        region.name = file_name(path);
        region.words.resize((region.end - region.begin) / sizeof(std::uint64_t));
        const ssize_t got =
            ::pread(memory, region.words.data(), region.end - region.begin, static_cast<off_t>(region.begin));
        region.words.resize(got < 0 ? 0 : static_cast<std::size_t>(got) / sizeof(std::uint64_t));
        regions.push_back(std::move(region));
    }
    ::close(memory);
    return regions;
}

std::vector<std::string> differences(const std::vector<MemoryRegion>& one, const std::vector<MemoryRegion>& other) {
    std::vector<std::string> found;
    const auto list = [](const std::vector<MemoryRegion>& regions) {
        std::string text;
        for (const MemoryRegion& region : regions)
            text += "\n" + hex(region.begin) + "-" + hex(region.end) + " " + region.name;
        return text;
    };
    if (list(one) != list(other)) found.push_back("other regions:" + list(one) + "\nand" + list(other));
    for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i) {
        const MemoryRegion &a = one[i], &b = other[i];
        for (std::size_t word = 0; word < std::min(a.words.size(), b.words.size()); ++word)
            if (a.words[word] != b.words[word])
                found.push_back(a.name + " " + hex(a.begin) + "+" + hex(word * 8) + ": " + hex(a.words[word]) +
                                " and " + hex(b.words[word]));
    }
    return found;
}

pid_t child_of_process(pid_t process) {
    pid_t youngest = 0;
    std::error_code error;
    for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task", error)) {
        std::ifstream children(task.path() / "children");
        for (pid_t child = 0; children >> child;) youngest = std::max(youngest, child);
    }
    return youngest;
}

}  // namespace raddle::testing
