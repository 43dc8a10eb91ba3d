// Freed heap blocks: to threads that still use a block, freeing it is like a write to each of its variables, and a
// later access is misuse. Executions find out which calls free blocks that other threads have used, as they find out
// which instructions access shared memory. The supervisor tells it to later executions, so that the same call consists
// of the same actions in all of them.
#include <cstring>

#include "preload/memory/ended.h"
#include "preload/memory/frames.h"
#include "preload/memory/freed.h"
#include "preload/memory/heap_blocks.h"
#include "preload/memory/map.h"
#include "preload/memory/passed_code.h"
#include "preload/memory/shadow.h"
#include "preload/memory/state.h"
#include "preload/schedule/canonical.h"
#include "preload/schedule/scheduler.h"

namespace raddle::memory {

namespace {

bool is_freed(std::uint64_t address) {
    return heap::freed_block_at(reinterpret_cast<const void*>(address)).begin != nullptr;
}

// Whether the call that returns to `code` takes its target from a register or from memory.
bool called_by_pointer(const unsigned char* code, const canonical::Module& module) {
    std::int32_t distance;
    std::memcpy(&distance, code - 4, sizeof distance);
    const std::uint64_t target =
        reinterpret_cast<std::uint64_t>(code) + static_cast<std::uint64_t>(std::int64_t{distance});
    constexpr unsigned char call_near = 0xe8, call_at = 0xff;
    if (code[-5] == call_near && target >= module.begin && target < module.end) return false;
    const auto is_call = [](const unsigned char* at, unsigned char mode) {
        return at[0] == call_at && (at[1] & 0x38) == 0x10 && at[1] >> 6 == mode;
    };
    const auto has_index = [](const unsigned char* at) { return (at[1] & 7) == 4; };
    const auto is_relative = [](const unsigned char* at) {
        return (at[1] & 7) == 5;
    };  // through the table of imported functions
    return is_call(code - 2, 3) || (is_call(code - 2, 0) && !has_index(code - 2) && !is_relative(code - 2)) ||
           (is_call(code - 3, 0) && has_index(code - 3)) || (is_call(code - 3, 1) && !has_index(code - 3)) ||
           (is_call(code - 4, 1) && has_index(code - 4)) || (is_call(code - 6, 2) && !has_index(code - 6)) ||
           (is_call(code - 7, 2) && has_index(code - 7));
}

// Only frees by instrumented code are actions. In other code, whether a block is freed may depend on things that raddle
// does not see, such as the reference count of an exception; and libc may hold its own locks. A call by pointer in
// other code leads to the program's own code, such as a thread function, and that may end in a jump to free().
bool is_by_instrumented_code(const void* call, std::uint64_t site) {
    if (is_instrumented(call)) return true;
    constexpr std::uint64_t longest_call = 7;
    const canonical::Module* const module = canonical::module_of_site(site);
    return module != nullptr && reinterpret_cast<std::uint64_t>(call) >= module->begin + longest_call &&
           called_by_pointer(static_cast<const unsigned char*>(call), *module);
}

// Poison is written now, not with the whole block: other threads may run before the block's next variable is freed. The
// same holds for a block that was freed before, unless it was allocated again.
void announce(std::uint64_t address, std::uint64_t bytes, std::uint64_t site) {
    const bool was_live = !is_freed(address);
    ended::announce(address, bytes, site, true);
    if (was_live || is_freed(address)) std::memset(reinterpret_cast<void*>(address), heap::poison, bytes);
}

struct Deletion {
    const void* block = nullptr;
    const void* call = nullptr;
};
Deletion deletion;

// The call that freed a block last.
struct FreedBy {
    std::uint64_t id;  // address of the block
    std::uint64_t site;
};
Map<FreedBy> freed_by;

// The block was misused: reports all variables in it; with `as_block`, also the block itself.
void report_block(const heap::Block& block, std::uint64_t site, bool as_block) {
    const auto begin = reinterpret_cast<std::uint64_t>(block.begin);
    if (as_block) ended::report_variable(site, block.bytes, 0, 1);
    shadow::for_words(begin, begin + block.bytes, [&](std::uint64_t word) {
        ended::report_word(site, block.bytes, word - begin, shadow::widths_of(word));
    });
}

}  // namespace

void about_to_delete(const void* block, const void* call) { deletion = {block, call}; }

bool about_to_free(const void* block, std::uint64_t bytes, const void* call) {
    const Deletion by_delete = deletion;
    deletion = {};
    if (!active) return false;
    if (by_delete.block == block) call = by_delete.call;
    const std::uint64_t site = canonical::site_of(call);
    const bool is_action = is_by_instrumented_code(call, site);
    const auto begin = reinterpret_cast<std::uint64_t>(block);
    if (is_action) passed_code::note_free(site, bytes);
    const bool is_known =
        is_action && ended::for_known_variables(site, bytes, [&](std::uint64_t offset, std::uint8_t width) {
            announce(begin + offset, width, site);
        });
    if (const heap::Block before = heap::freed_block_at(block); before.begin != nullptr) {
        if (is_action) report_block(before, site, true);
        if (const FreedBy* first = freed_by.find(begin)) report_block(before, first->site, true);
        return true;
    }
    bool is_used = false;
    shadow::for_words(begin, begin + bytes, [&](std::uint64_t word) {
        shadow::Widths widths{};
        is_used |= shadow::free_word(word, widths);
        if (is_action) ended::report_word(site, bytes, word - begin, widths);
    });
    if (is_used) ended::forget_notes(begin, begin + bytes);
    if (!is_action) return false;
    if (FreedBy* record = freed_by.find_or_add(begin)) record->site = site;
    return is_known;
}

// The whole block counts, not only the bytes requested: realloc() may extend it in place.
void was_allocated(const void* block) {
    const auto begin = reinterpret_cast<std::uint64_t>(block);
    if (!active || freed_by.find(begin) == nullptr) return;
    const std::uint64_t end = begin + heap::block_at(block).bytes;
    shadow::for_words(begin, end, [](std::uint64_t word) { shadow::allocate_word(word); });
}

bool accesses_freed(Thread& thread) {
    const std::uint64_t address = thread.next_address;
    thread.next_address = 0;
    if (stack_ends::is_stack_of(thread.arena, address)) return false;  // a thread's own frames come and go
    if (shadow::is_marked_freed(address) || frames::uses_dead(thread.arena, address)) return true;
    const heap::Block block = heap::freed_block_at(reinterpret_cast<const void*>(address));
    if (block.begin == nullptr) return false;
    if (const FreedBy* before = freed_by.find(reinterpret_cast<std::uint64_t>(block.begin)))
        report_block(block, before->site, false);
    return true;
}

}  // namespace raddle::memory
