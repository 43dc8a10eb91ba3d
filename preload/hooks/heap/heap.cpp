// The heap. Each thread allocates from its own arena, so an address depends only on the thread and its own
// allocations. Blocks that another thread frees are never reused. A freed block is filled with a pattern. The state
// of blocks lies apart from them, so wild writes of the program do not damage the heap.
//
// An arena consists of spans of 64 KiB. A span holds blocks of one size, with three bits each: taken (not available),
// live (in use) and freed (was in use). Alternatively it is the first span of one large block.
#include <cstring>

#include "preload/base/fixed_memory.h"
#include "preload/base/raw.h"
#include "preload/base/sanitizer.h"
#include "preload/debug/stacks.h"
#include "preload/hooks/heap/redzones.h"
#include "preload/hooks/heap/size_classes.h"
#include "preload/hooks/heap/stream_buffers.h"
#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"
#include "preload/intercept/renewed_objects.h"
#include "preload/memory/memory.h"
#include "preload/restore/restore.h"

extern "C" {
void* __libc_malloc(size_t);
void __libc_free(void*);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

namespace raddle {

namespace {

constexpr std::size_t span_bytes = 65536;
constexpr std::size_t most_spans = thread_arena::heap_bytes / span_bytes;
constexpr std::size_t most_blocks = span_bytes / 16;
constexpr std::size_t most_poisoned = 4096;

struct Span {
    std::uint32_t block_bytes;  // 0: a large block
    std::uint32_t blocks;
    std::uint32_t first_free;  // words before this one have no free block
    std::uint32_t spans;       // number of spans of the large block
    Span* next_with_room;
    bool waits_with_room;  // is in the list `with_room`
    bool has_objects;      // contained synchronisation objects
    bool live;             // the large block is in use
    std::size_t wanted;    // requested size of the large block
    std::uint64_t taken[most_blocks / 64];
    std::uint64_t live_bits[most_blocks / 64];
    std::uint64_t freed_bits[most_blocks / 64];
};
constexpr std::size_t header_bytes = (sizeof(Span) + 63) & ~std::size_t{63};

struct Arena {
    std::uint32_t used;  // spans in use, including this header
    std::uint32_t mapped;
    Span* open[class_count];       // the span to allocate from
    Span* with_room[class_count];  // older spans with freed blocks
    Span* free_large;
    std::size_t freed;               // bytes of small blocks that were freed under AddressSanitizer
    std::uint32_t head[most_spans];  // first span of the large block that a span belongs to
};
constexpr std::uint32_t header_spans = (sizeof(Arena) + span_bytes - 1) / span_bytes;

// The low heap (thread_arena.h) counts as one more arena. Natively, larger blocks have mappings of their own above it.
constexpr std::uint32_t low_number = thread_arena::count;
constexpr std::size_t largest_low = 1 << 17;

Arena* arenas[thread_arena::count + 1];

std::uint64_t start_of(std::uint32_t number) {
    return number == low_number ? thread_arena::low_heap.begin : thread_arena::start_of(number);
}
std::size_t spans_of(std::uint32_t number) {
    return number == low_number ? thread_arena::low_heap.bytes / span_bytes : most_spans;
}
std::uint32_t owner_of(std::uint32_t number) { return number == low_number ? 0 : number; }
Arena* arena_at(std::uint32_t number) { return reinterpret_cast<Arena*>(start_of(number)); }
Span* span_at(std::uint32_t number, std::uint32_t index) {
    return reinterpret_cast<Span*>(start_of(number) + std::uint64_t{index} * span_bytes);
}
char* block_at(Span* span, std::uint32_t index) {
    return reinterpret_cast<char*>(span) + header_bytes + std::size_t{index} * span->block_bytes;
}
std::uint32_t arena_number_of(const void* address) {
    const auto at = reinterpret_cast<std::uint64_t>(address);
    return thread_arena::low_heap.contains(at) ? low_number : thread_arena::index_of(at);
}

bool map_up_to(Arena& arena, std::uint32_t number, std::uint32_t spans) {
    if (spans <= arena.mapped) return true;
    std::uint32_t wanted = arena.mapped + arena.mapped / 2;
    if (wanted < spans) wanted = spans;
    if (wanted > spans_of(number)) wanted = static_cast<std::uint32_t>(spans_of(number));
    if (spans > wanted) return false;
    void* from = span_at(number, arena.mapped);
    if (!fixed_memory::extend_heap(from, std::size_t{wanted - arena.mapped} * span_bytes)) return false;
    arena.mapped = wanted;
    return true;
}

Arena* arena_of(std::uint32_t number) {
    if (arenas[number] != nullptr) return arenas[number];
    constexpr std::uint32_t at_first = header_spans + 8;
    constexpr std::size_t bytes = std::size_t{at_first} * span_bytes;
    const bool is_mapped = number == low_number ? fixed_memory::take_low_heap(bytes)
                                                : fixed_memory::take_heap(number, arena_at(number), bytes);
    if (!is_mapped) return nullptr;
    Arena* arena = arena_at(number);
    arena->used = header_spans;
    arena->mapped = at_first;
    return arenas[number] = arena;
}

Span* take_spans(Arena& arena, std::uint32_t number, std::uint32_t count) {
    if (count > most_spans || !map_up_to(arena, number, arena.used + count)) return nullptr;
    Span* span = span_at(number, arena.used);
    arena.used += count;
    return span;
}

void* take_block(Span& span) {
    const std::uint32_t words = (span.blocks + 63) / 64;
    for (std::uint32_t word = span.first_free; word < words; ++word) {
        if (~span.taken[word] == 0) continue;
        const auto bit = static_cast<std::uint32_t>(__builtin_ctzll(~span.taken[word]));
        if (word * 64 + bit >= span.blocks) break;
        span.first_free = word;
        span.taken[word] |= std::uint64_t{1} << bit;
        span.live_bits[word] |= std::uint64_t{1} << bit;
        span.freed_bits[word] &= ~(std::uint64_t{1} << bit);
        return block_at(&span, word * 64 + bit);
    }
    span.first_free = words;
    return nullptr;
}

void* allocate_small(Arena& arena, unsigned size_class) {
    for (;;) {
        if (Span* span = arena.open[size_class]) {
            if (void* block = take_block(*span)) return block;
        }
        if (Span* older = arena.with_room[size_class]) {
            arena.with_room[size_class] = older->next_with_room;
            older->waits_with_room = false;
            arena.open[size_class] = older;
            continue;
        }
        Span* fresh = take_spans(arena, arena_number_of(&arena), 1);
        if (fresh == nullptr) return nullptr;
        fresh->block_bytes = static_cast<std::uint32_t>(bytes_of(size_class));
        fresh->blocks = static_cast<std::uint32_t>((span_bytes - header_bytes) / fresh->block_bytes);
        if (sanitizer::shadow != 0) [[unlikely]]
            redzones::mark_unused(reinterpret_cast<char*>(fresh), span_bytes);
        arena.open[size_class] = fresh;
    }
}

void* allocate_large(Arena& arena, std::size_t bytes) {
    if (bytes > thread_arena::heap_bytes) return nullptr;
    const auto count = static_cast<std::uint32_t>((bytes + header_bytes + span_bytes - 1) / span_bytes);
    Span** link = &arena.free_large;
    while (*link != nullptr && (*link)->spans != count) link = &(*link)->next_with_room;
    Span* span = *link;
    if (span != nullptr) {
        *link = span->next_with_room;
    } else {
        span = take_spans(arena, arena_number_of(&arena), count);
        if (span == nullptr) return nullptr;
        span->spans = count;
        const auto first = static_cast<std::uint32_t>(
            (reinterpret_cast<std::uint64_t>(span) - reinterpret_cast<std::uint64_t>(&arena)) / span_bytes);
        for (std::uint32_t i = 0; i < count; ++i) arena.head[first + i] = first;
    }
    span->live = true;
    span->wanted = bytes;
    return reinterpret_cast<char*>(span) + header_bytes;
}

struct Found {
    Span* span = nullptr;
    std::uint32_t block = 0;
    char* begin = nullptr;
    std::size_t bytes = 0;
    bool live = false;
    bool freed = false;
};

// The block that contains the address. Without a span if there is none.
Found find(const void* pointer) {
    Found found;
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    if (!thread_arena::contains(address) && !thread_arena::low_heap.contains(address)) return found;
    const std::uint32_t number = arena_number_of(pointer);
    const Arena* arena = arenas[number];
    if (arena == nullptr) return found;
    const std::uint64_t offset = address - start_of(number);
    auto index = static_cast<std::uint32_t>(offset / span_bytes);
    if (offset >= thread_arena::heap_bytes || index < header_spans || index >= arena->used) return found;
    if (arena->head[index] != 0) index = arena->head[index];
    Span* span = span_at(number, index);
    const std::uint64_t inside = address - reinterpret_cast<std::uint64_t>(span);
    if (inside < header_bytes) return found;
    if (span->block_bytes == 0) {
        found = {span, 0, reinterpret_cast<char*>(span) + header_bytes, span->wanted, span->live, !span->live};
    } else {
        const auto block = static_cast<std::uint32_t>((inside - header_bytes) / span->block_bytes);
        if (block >= span->blocks) return found;
        const bool live = (span->live_bits[block / 64] >> (block % 64) & 1) != 0;
        const bool freed = (span->freed_bits[block / 64] >> (block % 64) & 1) != 0;
        found = {span, block, block_at(span, block), span->block_bytes, live, freed};
    }
    return found;
}

// Destroys the synchronisation objects in freed memory. These are events, so the search can reorder them.
void end_objects(const Found& found) {
    const ObjectId from = canonical::name_of(found.begin);
    const std::uint64_t site = canonical::site_of(heap_call_site);
    const Machine& machine = scheduler::machine();
    for (ObjectSlot slot = 0; slot < machine.object_count(); ++slot) {
        const ObjectRecord& object = machine.object(slot);
        if (object.id.region != from.region || object.id.offset - from.offset >= found.bytes) continue;
        const Operation end = destroy_of(object.kind);
        if (object.state != ObjectState::live || end == Operation::count_) continue;
        Action action = of(end);
        action.site = site;
        action.object = object.id;
        act(action);
    }
}

// The memory now has the pattern of freed memory, unless it was filled in pieces.
void watch_ended_objects(const Found& found) {
    const ObjectId from = canonical::name_of(found.begin);
    const Machine& machine = scheduler::machine();
    for (ObjectSlot slot = 0; slot < machine.object_count(); ++slot) {
        const ObjectRecord& object = machine.object(slot);
        const std::uint64_t offset = object.id.offset - from.offset;
        if (object.id.region == from.region && offset < found.bytes && object.state == ObjectState::destroyed)
            renewed_objects::watch(object.kind, found.begin + offset);
    }
}

// Reports a double free as an event, so that the report contains the block's history. The thread then aborts, as with
// glibc.
[[noreturn]] void free_twice(const Found& found) {
    call_site = heap_call_site;
    if (recorded()) {
        Action again = of(Operation::memory_write);
        again.object = canonical::name_of(found.begin);
        again.attributes = attribute::memory::frees;
        again.flags |= flag::contents_unknown;
        scheduler::current().found = Misuse::freed_memory;
        act(again);
        call_site = heap_call_site;
    }
    hooks::abort();
}

// `in_pieces`: the variables that threads used were already filled one by one.
void give_back(const Found& found, bool in_pieces) {
    Span& span = *found.span;
    const bool own = owner_of(arena_number_of(&span)) == scheduler::current().arena;
    Arena& arena = *arenas[arena_number_of(&span)];
    if (sanitizer::shadow != 0) [[unlikely]]
        redzones::mark_freed(found.begin, found.bytes);
    if (span.block_bytes == 0) {
        span.live = false;
        if (!in_pieces) std::memset(found.begin, heap::poison, memory::freed_bytes);
        restore::drop(reinterpret_cast<char*>(&span) + 4096, std::size_t{span.spans} * span_bytes - 4096);
        if (!own) return;
        span.next_with_room = arena.free_large;
        arena.free_large = &span;
        return;
    }
    const std::uint32_t word = found.block / 64;
    const std::uint64_t bit = std::uint64_t{1} << (found.block % 64);
    span.live_bits[word] &= ~bit;
    span.freed_bits[word] |= bit;
    if (!in_pieces) std::memset(found.begin, heap::poison, found.bytes < most_poisoned ? found.bytes : most_poisoned);
    if (sanitizer::shadow != 0 && (arena.freed += found.bytes) < redzones::kept_bytes) [[unlikely]]
        return;
    if (!own) return;
    span.taken[word] &= ~bit;
    if (word < span.first_free) span.first_free = word;
    const unsigned size_class = class_of(span.block_bytes);
    if (&span == arena.open[size_class] || span.waits_with_room) return;
    span.waits_with_room = true;
    span.next_with_room = arena.with_room[size_class];
    arena.with_room[size_class] = &span;
}

// Memory for the loader, apart from the program's heap. Never freed.
bool diverted = false;
alignas(16) char aside[16384];
std::size_t aside_used = 0;

void* allocate_aside(std::size_t bytes) {
    const std::size_t from = aside_used;
    if (bytes > sizeof aside - from) return nullptr;
    aside_used = (from + bytes + 15) & ~std::size_t{15};
    return aside + from;
}

void* allocate_in(std::uint32_t number, std::size_t bytes) {
    Arena* arena = arena_of(number);
    if (arena == nullptr) return nullptr;
    return bytes <= largest_small ? allocate_small(*arena, class_of(bytes)) : allocate_large(*arena, bytes);
}

void* allocate_block(std::size_t bytes) {
    if (diverted) [[unlikely]]
        return allocate_aside(bytes);
    const std::uint32_t own = phase == Phase::unknown ? 0 : scheduler::current().arena;
    void* block = nullptr;
    if (own == 0 && bytes <= largest_low && fixed_memory::has_low_heap()) block = allocate_in(low_number, bytes);
    if (block == nullptr) block = allocate_in(own, bytes);
    if (block != nullptr && memory::active) [[unlikely]]
        memory::was_allocated(block);
    if (block == nullptr)
        errno = ENOMEM;
    else if (stacks::area != nullptr) [[unlikely]]
        stacks::note_block(block, bytes, false);
    return block;
}

// The block for so many bytes: more than that, if AddressSanitizer watches the bytes behind them.
std::size_t room_for(std::size_t bytes) { return sanitizer::shadow == 0 ? bytes : redzones::room_for(bytes); }

void mark_given(void* block, std::uintptr_t given, std::size_t bytes) {
    if (sanitizer::shadow == 0 || block == nullptr || diverted) [[likely]]
        return;
    const Found found = find(block);
    if (found.span != nullptr)
        redzones::mark_given(found.begin, found.bytes, reinterpret_cast<const char*>(given), bytes);
}

void* allocate(std::size_t bytes) {
    void* const block = allocate_block(room_for(bytes));
    mark_given(block, reinterpret_cast<std::uintptr_t>(block), bytes);
    return block;
}

void* allocate_aligned(std::size_t alignment, std::size_t bytes) {
    if (alignment <= 16) return allocate(bytes);
    void* block = bytes + alignment < bytes ? nullptr : allocate_block(room_for(bytes) + alignment - 16);
    const auto address = (reinterpret_cast<std::uintptr_t>(block) + alignment - 1) & ~(alignment - 1);
    mark_given(block, address, bytes);
    return block == nullptr ? nullptr : reinterpret_cast<void*>(address);
}

bool is_attached() { return phase != Phase::off && (phase != Phase::unknown || attach() || phase == Phase::unknown); }

std::size_t usable_bytes(const Found& found, const void* block) {
    const std::size_t room = found.bytes - static_cast<std::size_t>(static_cast<const char*>(block) - found.begin);
    return sanitizer::shadow == 0 ? room : redzones::given_bytes(found.begin, found.bytes, room);
}

}  // namespace

namespace heap {

void divert(bool on) { diverted = on; }

// Also marks the span as one with objects: freeing the block must then destroy them.
bool is_freed(const void* address) {
    const Found found = find(address);
    if (found.span == nullptr) return false;
    found.span->has_objects = true;
    return !found.live;
}

Block block_at(const void* address) {
    const Found found = find(address);
    return {found.begin, found.bytes};
}

Block freed_block_at(const void* address) {
    const Found found = find(address);
    return found.freed ? Block{found.begin, found.bytes} : Block{};
}

}  // namespace heap

namespace hooks {

void* malloc(size_t bytes) {
    if (!is_attached()) return __libc_malloc(bytes);
    if (stream_buffers::is_wanted(heap_call_site)) [[unlikely]]
        if (void* buffer = stream_buffers::take(heap_call_site, bytes)) return buffer;
    return allocate(bytes);
}

void free(void* block) {
    if (block == nullptr) return;
    if (!is_attached()) return __libc_free(block);
    if (stream_buffers::contains(block)) [[unlikely]]
        return stream_buffers::give_back(block);
    bool in_pieces = false;
    if (memory::active) [[unlikely]] {
        void* const call = heap_call_site;
        if (const Found before = find(block); before.span != nullptr)
            in_pieces = memory::about_to_free(before.begin, before.bytes, call);
        heap_call_site = call;
    }
    const Found found = find(block);
    if (found.span == nullptr) return;  // allocated by the loader before the heap existed
    if (!found.live) free_twice(found);
    if (block > found.begin + found.bytes) {
        scheduler::current().last_words = "what is freed is no block of the heap";
        call_site = heap_call_site;
        hooks::abort();
    }
    if (stacks::area != nullptr) [[unlikely]]
        stacks::note_block(found.begin, found.bytes, true);
    if (found.span->has_objects) end_objects(found);
    const bool has_objects = found.span->has_objects;
    give_back(found, in_pieces);
    if (has_objects) watch_ended_objects(found);
}

void* calloc(size_t count, size_t bytes) {
    if (!is_attached()) return __libc_calloc(count, bytes);
    std::size_t total;
    if (__builtin_mul_overflow(count, bytes, &total)) {
        errno = ENOMEM;
        return nullptr;
    }
    void* block = allocate(total);
    if (block != nullptr) std::memset(block, 0, total);
    return block;
}

void* realloc(void* block, size_t bytes) {
    if (!is_attached()) return __libc_realloc(block, bytes);
    if (block == nullptr) return allocate(bytes);
    if (bytes == 0) {
        free(block);
        return nullptr;
    }
    const Found found = find(block);
    const std::size_t room = found.span != nullptr ? usable_bytes(found, block) : 0;
    const bool may_stay = sanitizer::shadow == 0;  // under AddressSanitizer an old pointer to it shall be found
    if (may_stay && found.span != nullptr && found.live && bytes <= room && bytes >= room / 2) return block;
    void* moved = allocate(bytes);
    if (moved == nullptr) return nullptr;
    std::memcpy(moved, block, found.span == nullptr || bytes < room ? bytes : room);
    free(block);
    return moved;
}

void* reallocarray(void* block, size_t count, size_t bytes) {
    std::size_t total;
    if (__builtin_mul_overflow(count, bytes, &total)) {
        errno = ENOMEM;
        return nullptr;
    }
    return realloc(block, total);
}

void* memalign(size_t alignment, size_t bytes) {
    return is_attached() ? allocate_aligned(alignment, bytes) : __libc_memalign(alignment, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }

int posix_memalign(void** block, size_t alignment, size_t bytes) {
    if (alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0) return EINVAL;
    const int before = errno;
    void* made = memalign(alignment, bytes);
    errno = before;
    if (made == nullptr) return ENOMEM;
    *block = made;
    return 0;
}

void* valloc(size_t bytes) { return memalign(4096, bytes); }
void* pvalloc(size_t bytes) { return memalign(4096, (bytes + 4095) & ~size_t{4095}); }

size_t malloc_usable_size(void* block) {
    const Found found = find(block);
    return found.span != nullptr ? usable_bytes(found, block) : 0;
}

}  // namespace hooks

}  // namespace raddle
