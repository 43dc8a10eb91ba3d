// The memory of this process as it was at its start, and how to have it so again.
//
// What was there is copied once. Which pages are written since, the kernel tells (address_space.h): pages once seen
// written are *hot*, and are compared and put back after every execution; a first write to any other page is a fault,
// so the kernel is asked again only after executions with faults. Mappings made since are unmapped, but for what the
// shim keeps (ground.h); if one of the first is gone or has other rights, nothing can be done.
//
// Everything here lies in the keep, or on its stack: nothing of it may change when memory is put back.
#pragma once

#include "preload/base/fixed_memory.h"
#include "preload/restore/address_space.h"

namespace raddle::restore {

struct Range {
    std::uint64_t begin, end;
    std::uint64_t reach;            // it may grow down to here by itself
    std::uint32_t first_page;       // the entry in MemoryImage::pages_ of the page at `reach`
    std::uint8_t rights;
    bool restored;                  // private and writable; the others only have to stay
    bool has_file;
};

class MemoryImage {
public:
    void prepare();                 // in the server, before it forks
    // Null, or why it cannot be done.
    const char* make();
    // Null, or why the process has to be given up. `look`: at mappings and pages, even if there was no fault.
    const char* put_back(bool look);
    // To be called last before an execution begins.
    void mark_start() { faults_ = restore::faults(); }

    bool was_there(const void* begin, std::size_t bytes) const;
    // The kernel is going to forget what is in these pages: they have to be put back.
    bool expect_loss(const void* begin, std::size_t bytes);

    // Of what the target can have written. The stack pointer is that of the thread that ran last.
    std::uint64_t digest(std::uint64_t stack_pointer) const;
    std::uint64_t hot_pages() const { return hot_count_; }
    std::uint64_t looks() const { return looks_; }
    fixed_memory::KeptTable& kept() { return kept_; }

private:
    static constexpr std::uint32_t most_ranges = 1u << 14;
    static constexpr std::uint32_t most_strange = 1u << 12;
    static constexpr std::uint32_t most_pages = 1u << 24;
    static constexpr std::uint32_t most_hot = 1u << 18;
    static constexpr std::uint64_t most_copies = 1u << 16;  // 256 MiB

    struct Hot {
        std::uint64_t place;
        const std::uint64_t* copy;  // null: it was empty
    };
    struct Span {
        std::uint64_t begin, end;
    };

    const char* check_kernel() const;
    bool note_range(const Mapping& mapping);
    bool meet(const Mapping& mapping);
    bool settle(std::uint64_t begin, std::uint64_t end);
    bool keep_taken(std::uint64_t begin, std::uint64_t end);
    bool insert(const Range& range);
    Range* find(std::uint64_t address);  // null if in none
    const Range* first_after(std::uint64_t address) const;
    bool copy_range(const Range& range, const PageMap& map);
    std::uint32_t copy_of(std::uint64_t place);
    const char* look();
    bool look_at_pages(const Range& range, const PageMap& map);
    bool make_hot(const Range& range, std::uint64_t place);
    void put_back_pages() const;
    std::uint32_t& page(const Range& range, std::uint64_t place) {
        return pages_[range.first_page + (place - range.reach) / page_bytes];
    }

    void (*put_back_page_)(std::uint64_t place, const std::uint64_t* copy) = nullptr;
    const char* failure_ = nullptr;
    std::uint64_t faults_ = 0;
    std::uint64_t looks_ = 0;
    std::uint32_t copies_used_ = 0;
    std::uint32_t range_count_ = 0;
    std::uint32_t pages_used_ = 0;
    std::uint32_t hot_count_ = 0;
    std::uint32_t taken_before_ = 0;
    std::uint32_t strange_count_ = 0;
    std::uint64_t expected_ = 0;       // bytes of mappings that have to be there
    std::uint64_t met_ = 0;            // and that are
    std::uint32_t next_range_ = 0;     // the first that the mappings looked at have not passed
    Range ranges_[most_ranges];        // in the order of their addresses
    Span strange_[most_strange];       // mappings that were not there at the start
    Hot hot_[most_hot];
    fixed_memory::KeptTable kept_;
    // 0: not copied; else the number of its copy, from 1 on, or empty_copy; and whether it is hot.
    std::uint32_t pages_[most_pages];
    static constexpr std::uint32_t hot_flag = 1u << 31;
    static constexpr std::uint32_t empty_copy = hot_flag - 1;
    alignas(page_bytes) std::uint64_t copies_[most_copies + 1][page_bytes / 8];
};

}  // namespace raddle::restore
