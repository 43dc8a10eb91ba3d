// What the kernel says of this process's memory: its mappings (/proc/self/maps) and which pages it has written since it
// was forked (/proc/self/pagemap). A page that a forked process wrote is its own alone; one it did not write it shares
// with its parent, or the file. No allocation.
#pragma once

#include <cstddef>
#include <cstdint>

namespace raddle::restore {

inline constexpr std::uint64_t page_bytes = 4096;

struct Mapping {
    std::uint64_t begin, end;
    bool writable, shared;
    std::uint8_t rights;            // r 4, w 2, x 1
    bool has_file;                  // what nobody wrote comes from there
    bool is_stack;                  // of the kernel thread: it grows by itself
};

// In the order of their addresses. False if the kernel does not tell, or `take` says so.
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

constexpr bool is_there(std::uint64_t entry) { return (entry >> 62 & 3) != 0; }        // in memory, or swapped out
constexpr bool is_of_file(std::uint64_t entry) { return (entry >> 61 & 1) != 0; }
constexpr bool is_own(std::uint64_t entry) { return (entry >> 56 & 1) != 0 || (entry >> 62 & 1) != 0; }
// Whether this process wrote it, or may have.
constexpr bool is_written(std::uint64_t entry) { return is_there(entry) && !is_of_file(entry) && is_own(entry); }

// First accesses of this process to pages, so far: nothing was written for the first time if it stays the same.
std::uint64_t faults();

}  // namespace raddle::restore
