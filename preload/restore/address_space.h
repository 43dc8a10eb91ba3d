// The kernel's view of this process's memory: its mappings (/proc/self/maps), and the pages that it has written since
// it was forked (/proc/self/pagemap). A page that a forked process wrote is its own; an unwritten page is shared with
// the parent or with a file. Nothing here allocates memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace raddle::restore {

inline constexpr std::uint64_t page_bytes = 4096;

struct Mapping {
    std::uint64_t begin, end;
    bool writable, shared;
    std::uint8_t rights;  // r 4, w 2, x 1
    bool has_file;        // its unwritten pages come from a file
    bool is_stack;        // main's stack, which grows by itself
};

// Calls `take` for each mapping, in the order of addresses. False if the kernel does not tell, or `take` returned
// false.
bool for_each_mapping(bool (*take)(const Mapping&, void*), void* argument);

class PageMap {
public:
    PageMap();
    ~PageMap();
    PageMap(const PageMap&) = delete;
    PageMap& operator=(const PageMap&) = delete;

    bool is_open() const { return file_ >= 0; }
    // Fills `entries` for `count` pages from `address` on.
    bool read(std::uint64_t address, std::uint64_t* entries, std::size_t count) const;

private:
    long file_;
};

constexpr bool is_there(std::uint64_t entry) { return (entry >> 62 & 3) != 0; }  // in memory, or swapped out
constexpr bool is_of_file(std::uint64_t entry) { return (entry >> 61 & 1) != 0; }
constexpr bool is_own(std::uint64_t entry) { return (entry >> 56 & 1) != 0 || (entry >> 62 & 1) != 0; }
// Whether this process has written the page, or may have.
constexpr bool is_written(std::uint64_t entry) { return is_there(entry) && !is_of_file(entry) && is_own(entry); }

// The number of page faults so far. While it stays the same, no page was written for the first time.
std::uint64_t faults();

}  // namespace raddle::restore
