// The fast path of an access. Most accesses go to the thread's own stack, or were noted before. A small cache tells
// which pairs of word and site are noted already.
#pragma once

#include "preload/memory/state.h"

namespace raddle::memory {

// A restore does not put the cache back: `mark` tells whether an entry is from this execution.
struct CacheEntry {
    std::uint64_t key;  // word and site
    std::uint64_t
        mark;  // mark_of_current() when it was noted; or the action mark: valid until the thread's next action
};
inline constexpr std::uint32_t cache_entries = 1u << 12;
extern CacheEntry* filter_cache;
// The execution and the running thread's arena, as a mark.
inline std::uint64_t mark_of_current() { return execution_mark + current_arena + 1; }
// check.cpp computes the same.
inline std::uint64_t cache_key(std::uint64_t word, std::uint64_t site) { return word >> 3 << 20 | site; }
inline std::uint64_t word_of(std::uint64_t key) { return key >> 20 << 3; }
inline std::uint32_t site_of_key(std::uint64_t key) { return static_cast<std::uint32_t>(key & 0xfffff); }
inline constexpr std::uint64_t noted_as_written = 1u << 30;  // in a mark: a write was noted, too
inline CacheEntry& cache_entry(std::uint64_t key) {
    return filter_cache[((key >> 20) + (key & 0xfffff) * 0x9b1) & (cache_entries - 1)];
}

// After this many reads in a row without anything new, the thread lets others run: it may wait for them.
inline constexpr std::uint32_t most_idle_reads = 40000;

// The mode of the access with the present content of memory: an exchange may leave memory unchanged, and then only
// reads.
std::uint8_t mode_now(const AccessFrame& frame, const AccessSite& site, const Operand& operand, std::uint64_t address,
                      std::uint64_t instruction);
// Whether an access by a watched site brings nothing new. Counts reads and writes of that kind.
bool brings_nothing_new(std::uint64_t site, std::uint64_t address, std::uint64_t bytes, std::uint8_t mode);

}  // namespace raddle::memory
