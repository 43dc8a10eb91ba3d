#include "supervisor/process/memory_snapshot.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "supervisor/base/descriptor.h"
#include "supervisor/protocol/shim_memory.h"

namespace raddle {

namespace {

constexpr std::uint64_t page_bytes = 4096;
constexpr std::uint64_t largest_of_file = std::uint64_t{64} << 20;
constexpr std::uint64_t largest_at_all = std::uint64_t{64} << 30;  // larger ones are the shadow memory of sanitizers
constexpr std::size_t most_pages = std::size_t{1} << 17;           // 512 MiB

class File {
public:
    explicit File(const std::string& path) : file_(path, O_RDONLY) {}
    bool read(void* to, std::size_t bytes, std::uint64_t at) const {
        return ::pread(file_.number(), to, bytes, static_cast<off_t>(at)) == static_cast<ssize_t>(bytes);
    }

private:
    const Descriptor file_;
};

// The loader measures times, and asks which processor it runs on.
bool is_loaders(const std::string& name) { return name.starts_with("ld-linux"); }

bool is_wanted(const std::string& rights, std::uint64_t begin, const std::string& name) {
    return rights.size() == 4 && rights[0] == 'r' && rights[1] == 'w' && rights[3] == 'p' &&
           !shim_memory::contains(begin) && !name.starts_with("[v") && !is_loaders(name);
}

// Present, or swapped out.
bool is_touched(std::uint64_t entry) { return (entry >> 62) != 0; }

}  // namespace

MemorySnapshot MemorySnapshot::of(pid_t process) {
    const std::string folder = "/proc/" + std::to_string(process);
    std::ifstream maps(folder + "/maps");
    const File memory(folder + "/mem"), pages(folder + "/pagemap");
    MemorySnapshot snapshot;
    std::size_t taken = 0;
    bool behind_shim = false;
    for (std::string line; std::getline(maps, line);) {
        Mapping mapping;
        char dash = 0;
        std::string rights, offset, device, inode, path;
        std::istringstream fields(line);
        fields >> std::hex >> mapping.begin >> dash >> mapping.end >> rights >> offset >> device >> inode >> path;
        // Variables of the shim that have no place in its file lie behind the file's mappings.
        const bool is_shim = path.find("libraddle-preload") != std::string::npos || (behind_shim && path.empty());
        behind_shim = is_shim;
        mapping.has_file = path.starts_with("/");
        mapping.name = mapping.has_file ? std::filesystem::path(path).filename().string() : path;
        if (is_shim || mapping.end <= mapping.begin || !is_wanted(rights, mapping.begin, mapping.name)) continue;
        if (mapping.end - mapping.begin > largest_at_all) continue;
        if (mapping.has_file && mapping.end - mapping.begin > largest_of_file) continue;
        for (std::uint64_t at = mapping.begin; at < mapping.end && taken < most_pages; at += page_bytes) {
            std::uint64_t entry = 0;
            if (pages.read(&entry, sizeof entry, at / page_bytes * sizeof entry) && !is_touched(entry)) continue;
            auto& [address, page] = mapping.pages.emplace_back();
            address = at;
            if (memory.read(page.data(), page_bytes, at))
                ++taken;
            else
                mapping.pages.pop_back();
        }
        snapshot.mappings_.push_back(std::move(mapping));
    }
    snapshot.was_read_ = taken > 0;
    return snapshot;
}

const MemorySnapshot::Mapping* MemorySnapshot::mapping_at(std::uint64_t address) const {
    const auto after = std::upper_bound(mappings_.begin(), mappings_.end(), address,
                                        [](std::uint64_t value, const Mapping& one) { return value < one.begin; });
    if (after == mappings_.begin() || address >= (after - 1)->end) return nullptr;
    return &*(after - 1);
}

std::uint64_t MemorySnapshot::mapping_begin(std::uint64_t address) const {
    const Mapping* mapping = mapping_at(address);
    return mapping == nullptr ? 0 : mapping->begin;
}

const MemorySnapshot::Page* MemorySnapshot::page_at(std::uint64_t address) const {
    const Mapping* mapping = mapping_at(address);
    if (mapping == nullptr) return nullptr;
    const auto found = std::lower_bound(mapping->pages.begin(), mapping->pages.end(), address,
                                        [](const auto& page, std::uint64_t value) { return page.first < value; });
    return found == mapping->pages.end() || found->first != address ? nullptr : &found->second;
}

MemorySnapshot::Difference MemorySnapshot::difference(const MemorySnapshot& then, const Ranges& ignored,
                                                      std::size_t most) const {
    static constexpr Page empty{};
    Difference result;
    const auto is_ignored = [&](std::uint64_t address) {
        return std::any_of(ignored.begin(), ignored.end(),
                           [&](const auto& range) { return address >= range.first && address < range.second; });
    };
    const auto compare = [&](const Mapping& mapping, std::uint64_t at, const Page& one, const Page& other) {
        for (std::size_t i = 0; one != other && i < words_of_page; ++i) {
            const std::uint64_t address = at + i * sizeof(std::uint64_t);
            if (one[i] == other[i] || shim_memory::differ_by_mark(one[i], other[i]) || is_ignored(address)) continue;
            ++result.count;
            if (result.words.size() < most) result.words.push_back({address, one[i], other[i], mapping.name});
        }
    };
    // A page of a file that was not touched has the file's content, which is not known here.
    for (const Mapping& mapping : mappings_)
        for (const auto& [at, page] : mapping.pages) {
            const Page* const other = then.page_at(at);
            if (other != nullptr || !mapping.has_file) compare(mapping, at, page, other == nullptr ? empty : *other);
        }
    for (const Mapping& mapping : then.mappings_)
        for (const auto& [at, page] : mapping.pages)
            if (page_at(at) == nullptr && !mapping.has_file) compare(mapping, at, empty, page);
    std::sort(result.words.begin(), result.words.end(),
              [](const Word& a, const Word& b) { return a.address < b.address; });
    return result;
}

}  // namespace raddle
