#include "preload/base/fixed_memory.h"

#include <cerrno>
#include <cstring>

#include "preload/base/raw.h"
#include "preload/base/stale_words.h"
#include "preload/base/thread_arena.h"

namespace raddle::fixed_memory {

static_assert(sizeof(KeptTable::stack) / sizeof(Kept) == thread_arena::count);

namespace {

constexpr std::uint64_t chunk = 1 << 18;

std::uint64_t tables_used = tables;
std::uint64_t tables_mapped = tables;
Taken all_taken[most_taken];
std::uint32_t count = 0;
std::uint64_t stack_in_use[thread_arena::count / 64];  // a thread has run on it since the start
KeptTable* kept_table = nullptr;

void note(std::uint64_t begin, std::size_t bytes, bool kept) {
    if (count < most_taken) all_taken[count] = {begin, begin + bytes, kept};
    ++count;
}

// Only the shim maps memory in the range of its tables: memory that is already there is left from an earlier execution.
bool map_tables(std::uint64_t begin, std::size_t bytes) {
    const long result = raw::call(SYS_mmap, begin, bytes, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1L, 0L);
    if (result == -EEXIST) return true;
    if (raw::failed(result) || static_cast<std::uint64_t>(result) != begin) return false;
    note(begin, bytes, true);
    return true;
}

// 1 if the memory is there. (A bool would leave the upper bits of a register undefined, and stale bits can reach
// memory.)
[[gnu::noinline]] std::uint32_t find_or_map(Kept (KeptTable::*which)[thread_arena::count], std::uint32_t arena,
                                            void* begin, std::size_t bytes) {
    const auto from = reinterpret_cast<std::uint64_t>(begin);
    if (kept_table != nullptr) {
        const Kept& known = (kept_table->*which)[arena];
        if (known.begin == from && known.end == from + bytes) return 1;
        if (known.end != 0) raw::unmap(reinterpret_cast<void*>(known.begin), known.end - known.begin);
    }
    if (raw::map_at(begin, bytes, MAP_FIXED_NOREPLACE) == nullptr) return 0;
    note(from, bytes, true);
    return 1;
}

bool take(Kept (KeptTable::*which)[thread_arena::count], std::uint32_t arena, void* begin, std::size_t bytes) {
    const std::uint32_t has = find_or_map(which, arena, begin, bytes);
    stale_words::clear();
    return has != 0;
}

}  // namespace

void* grow(void* old, std::size_t old_bytes, std::size_t new_bytes) {
    constexpr std::uint64_t line = 64;
    if (new_bytes == 0) return nullptr;
    const std::uint64_t begin = tables_used, after = begin + ((new_bytes + line - 1) & ~(line - 1));
    if (after > preserved || after < begin) return nullptr;
    while (tables_mapped < after) {
        // Grows in equal pieces, so that the mappings are the same in every execution.
        if (!map_tables(tables_mapped, chunk)) return nullptr;
        tables_mapped += chunk;
        stale_words::clear();
    }
    tables_used = after;
    void* fresh = reinterpret_cast<void*>(begin);
    if (old != nullptr) std::memcpy(fresh, old, old_bytes < new_bytes ? old_bytes : new_bytes);
    return fresh;
}

bool take_stack(std::uint32_t arena, void* begin, std::size_t bytes) {
    std::uint64_t& word = stack_in_use[arena / 64];
    const std::uint64_t bit = std::uint64_t{1} << (arena % 64);
    if ((word & bit) != 0) {
        // A thread that has ended left its stack here, as with glibc. Its size is unknown, but the range is the
        // arena's.
        raw::unmap(reinterpret_cast<void*>(thread_arena::start_of(arena) + thread_arena::heap_bytes),
                   thread_arena::stack_bytes);
        if (raw::map_at(begin, bytes, MAP_FIXED_NOREPLACE) == nullptr) return false;
        note(reinterpret_cast<std::uint64_t>(begin), bytes, false);
        return true;
    }
    word |= bit;
    return take(&KeptTable::stack, arena, begin, bytes);
}

bool take_heap(std::uint32_t arena, void* begin, std::size_t bytes) {
    return take(&KeptTable::heap, arena, begin, bytes);
}

bool extend_heap(void* begin, std::size_t bytes) {
    if (raw::map_at(begin, bytes, MAP_FIXED_NOREPLACE) == nullptr) return false;
    note(reinterpret_cast<std::uint64_t>(begin), bytes, false);
    return true;
}

std::uint32_t taken_count() { return count; }
const Taken& taken(std::uint32_t index) { return all_taken[index]; }
void use_kept(KeptTable* table) { kept_table = table; }

}  // namespace raddle::fixed_memory
