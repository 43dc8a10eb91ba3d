// A copy of this process's memory at its start, and the way to get that memory back.
//
// make() copies the memory once. Afterwards the kernel tells which pages were written (address_space.h). Pages once
// seen written are *hot*: they are compared and put back after every execution. A first write to any other page is a
// page fault, so the kernel is asked again only after executions with faults. Mappings made since the start are
// unmapped, except those that the shim keeps (base/fixed_memory.h).
//
// What may go wrong: a mapping of the start is gone or has other rights, or there is too much memory. Then the process
// is given up, and the fork server makes another one.
//
// All of this lies in Preserved or on its stack. Nothing in it may change when memory is put back.
#pragma once

#include "preload/base/fixed_memory.h"
#include "preload/restore/address_space.h"

namespace raddle::restore {

// A mapping of the start.
struct Range {
    std::uint64_t begin, end;
    std::uint64_t reach;       // the stack may grow down to here
    std::uint32_t first_page;  // index in pages_ of the page at `reach`
    std::uint8_t rights;
    bool restored;  // private and writable; other ranges only have to stay mapped
    bool has_file;
};

class MemoryImage {
public:
    void prepare();  // called in the server, before it forks
    // Null, or the reason why it is impossible.
    const char* make();
    // Null, or the reason why the process has to be given up. `scan_anyway`: reads mappings and pages even without
    // faults.
    const char* put_back(bool scan_anyway);
    // Call this last before an execution begins.
    void mark_start() { faults_ = restore::faults(); }

    // Contents of the memory after the start, one upon the other (memory_levels.cpp). put_back() leads to the last one.
    // Each holds copies of the pages in which it differs from the one below.
    struct Level {
        std::uint32_t changes, copies;
    };
    Level top() const { return {changes_used_, level_copies_used_}; }
    // Null, or the reason why the memory cannot be a level.
    const char* add_level();
    void drop_to(const Level& level);

    bool was_there(const void* begin, std::size_t bytes) const;
    // The program discards these pages (madvise), so they have to be put back. False if there are too many.
    bool expect_discard(const void* begin, std::size_t bytes);

    // A number for the memory that the program can write. The stack pointer is that of the thread that ran last.
    std::uint64_t digest(std::uint64_t stack_pointer) const;
    fixed_memory::KeptTable& kept() { return kept_; }

private:
    static constexpr std::uint32_t most_ranges = 1u << 14;
    static constexpr std::uint32_t most_new = 1u << 12;
    static constexpr std::uint32_t most_pages = 1u << 24;
    static constexpr std::uint32_t most_hot = 1u << 18;
    static constexpr std::uint64_t most_copies = 1u << 16;  // 256 MiB
    static constexpr std::uint32_t most_level_copies = 1u << 13;

    struct Hot {
        std::uint64_t address;
        const std::uint64_t* copy;  // to put back; null: the page was empty
    };
    struct Span {
        std::uint64_t begin, end;
    };
    // A page that a level holds, and the copy below it.
    struct Change {
        std::uint32_t hot;
        const std::uint64_t* below;
    };

    const char* check_kernel() const;
    bool note_range(const Mapping& mapping);
    bool match(const Mapping& mapping);
    bool unmap_or_keep(std::uint64_t begin, std::uint64_t end);
    bool keep_taken(std::uint64_t begin, std::uint64_t end);
    bool insert(const Range& range);
    Range* find(std::uint64_t address);  // null if no range contains the address
    const Range* first_after(std::uint64_t address) const;
    bool copy_range(const Range& range, const PageMap& map);
    std::uint32_t copy_of(std::uint64_t address);
    const char* scan();
    bool scan_pages(const Range& range, const PageMap& map);
    bool make_hot(const Range& range, std::uint64_t address);
    void put_back_pages() const;
    std::uint32_t& page(const Range& range, std::uint64_t address) {
        return pages_[range.first_page + (address - range.reach) / page_bytes];
    }

    void (*put_back_page_)(std::uint64_t address, const std::uint64_t* copy) = nullptr;
    const char* failure_ = nullptr;
    std::uint64_t faults_ = 0;
    std::uint32_t copies_used_ = 0;
    std::uint32_t range_count_ = 0;
    std::uint32_t pages_used_ = 0;
    std::uint32_t hot_count_ = 0;
    std::uint32_t taken_before_ = 0;
    std::uint32_t new_count_ = 0;
    std::uint64_t expected_ = 0;    // bytes of mappings that have to exist
    std::uint64_t matched_ = 0;     // bytes of mappings that do exist
    std::uint32_t next_range_ = 0;  // the first range behind the mappings scanned so far
    Range ranges_[most_ranges];     // in the order of their addresses
    Span new_mappings_[most_new];   // mappings made since the start
    Hot hot_[most_hot];
    fixed_memory::KeptTable kept_;
    // For each page 0 (not copied), the number of its copy (from 1 on) or empty_copy; and hot_flag.
    std::uint32_t pages_[most_pages];
    static constexpr std::uint32_t hot_flag = 1u << 31;
    static constexpr std::uint32_t empty_copy = hot_flag - 1;
    std::uint32_t changes_used_ = 0;
    std::uint32_t level_copies_used_ = 0;
    Change changes_[most_level_copies];
    alignas(page_bytes) std::uint64_t copies_[most_copies + 1][page_bytes / 8];
    std::uint64_t level_copies_[most_level_copies][page_bytes / 8];
};

}  // namespace raddle::restore
