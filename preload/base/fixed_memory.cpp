#include "preload/base/fixed_memory.h"

#include <elf.h>
#include <sys/auxv.h>

#include <cerrno>
#include <cstring>

#include "preload/base/raw.h"
#include "preload/base/stale_words.h"
#include "preload/base/thread_arena.h"

namespace raddle {

thread_arena::LowHeap thread_arena::low_heap;

namespace fixed_memory {

static_assert(sizeof(KeptTable::stack) / sizeof(Kept) == thread_arena::count);

namespace {

constexpr std::uint64_t chunk = 1 << 18;

constexpr std::uint64_t low_limit = std::uint64_t{1} << 32;
constexpr std::uint64_t room_for_brk = 1 << 28;  // for a program that calls sbrk itself

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

namespace {

// The end of a program that the linker put below 4 GiB; 0 for others.
std::uint64_t end_of_low_program() {
    const std::uint64_t table = getauxval(AT_PHDR);
    const auto* segments = reinterpret_cast<const Elf64_Phdr*>(table);
    std::uint64_t last = 0;
    bool is_fixed = false;
    for (std::uint64_t i = 0; table < low_limit && i < getauxval(AT_PHNUM); ++i) {
        is_fixed |= segments[i].p_type == PT_PHDR && segments[i].p_vaddr == table;
        const std::uint64_t after = segments[i].p_vaddr + segments[i].p_memsz;
        if (segments[i].p_type == PT_LOAD && after > last) last = after;
    }
    return is_fixed ? last : 0;
}

}  // namespace

bool has_low_heap() {
    static bool is_known = false;
    if (!is_known) {
        is_known = true;
        const std::uint64_t program = end_of_low_program();
        const std::uint64_t begin = (program + room_for_brk + chunk - 1) / chunk * chunk;
        if (program != 0 && begin < low_limit) thread_arena::low_heap = {begin, low_limit - begin};
    }
    return thread_arena::low_heap.bytes != 0;
}

bool take_low_heap(std::size_t bytes) {
    auto* begin = reinterpret_cast<void*>(thread_arena::low_heap.begin);
    const bool is_mapped = bytes <= thread_arena::low_heap.bytes && extend_heap(begin, bytes);
    if (!is_mapped) thread_arena::low_heap = {};
    stale_words::clear();
    return is_mapped;
}

std::uint32_t taken_count() { return count; }
const Taken& taken(std::uint32_t index) { return all_taken[index]; }
void use_kept(KeptTable* table) { kept_table = table; }

}  // namespace fixed_memory

}  // namespace raddle
