#include "preload/memory/frames.h"

#include "preload/memory/ended.h"
#include "preload/memory/shadow.h"
#include "preload/schedule/call_site.h"
#include "preload/schedule/canonical.h"
#include "preload/schedule/scheduler.h"

namespace raddle::memory::frames {

using namespace stack_ends;

namespace {

constexpr std::uint64_t none = ~std::uint64_t{0};
// Sizes of what ends, as descriptions of variables name them. Both count offsets from the beginning of the stack.
constexpr std::uint64_t frames_of_main = main_reach, frames_of_thread = thread_arena::stack_bytes,
                        thread_locals = thread_arena::stack_bytes + 8, calls_of_main = main_reach + 16,
                        calls_of_thread = thread_arena::stack_bytes + 16;
constexpr std::uint64_t red_zone = 128;  // below the stack pointer, of functions that call nothing

// The sites where the frames of a thread ended, and its thread-local variables, which lie above `top`.
struct End {
    std::uint64_t frames, thread_locals, top;
    bool has_left;  // the thread has ended, and not only functions in it
};
End ends[thread_arena::count];

std::uint64_t size_of(std::uint32_t arena) { return arena == 0 ? frames_of_main : frames_of_thread; }
std::uint64_t size_of_calls(std::uint32_t arena) { return arena == 0 ? calls_of_main : calls_of_thread; }

bool are_followed() { return active && patches.header->stacks != 0; }

void end(std::uint64_t from, std::uint64_t to, std::uint64_t bytes, std::uint64_t site) {
    const std::uint64_t begin = begin_of(current_arena);
    if (!are_followed()) return;
    ended::for_known_variables(site, bytes, [&](std::uint64_t offset, std::uint8_t width) {
        if (begin + offset < from || begin + offset >= to) return;
        if (bytes == size_of_calls(current_arena)) shadow::begin_with_zero(begin + offset, width);
        ended::announce(begin + offset, width, site, false);
    });
    bool is_noted = false;
    shadow::for_words(from, to, [&](std::uint64_t word) {
        is_noted = true;
        shadow::Widths widths{};
        shadow::free_word(word, widths);
        shadow::renew_word(word, false);
        ended::report_word(site, bytes, word - begin, widths);
    });
    if (is_noted) ended::forget_notes(from, to);
}

// The stack pointer of the running thread's program, below which nothing is in use; 0: unknown.
std::uint64_t program_stack() {
    const std::uint64_t here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
    const std::uint64_t access = access_frame[current_arena];
    std::uint64_t call = call_frames[current_arena];
    if (call < here || !is_stack_of(current_arena, call - 1)) {
        call = 0;
    } else {
        const void* const returns_to = *reinterpret_cast<void* const*>(call - sizeof(void*));
        if (returns_to == nullptr || (returns_to != call_site && returns_to != heap_call_site)) call = 0;
    }
    if (access == 0) return call;
    // A handler may run before the access, below it.
    const std::uint64_t top = call != 0 && call < access - red_zone ? call : access - red_zone;
    return is_stack_of(current_arena, top - 1) ? top : 0;
}

// New frames lie over variables that had ended.
void revive(std::uint64_t from, std::uint64_t to) {
    if (from < lowest_shared[current_arena]) from = lowest_shared[current_arena];
    if (from >= to) return;
    shadow::for_words(from, to, [](std::uint64_t word) {
        shadow::allocate_word(word);
        shadow::renew_word(word, false);
    });
}

}  // namespace

bool ends_by_return(std::uint64_t address) {
    if (patches.header == nullptr || patches.header->freed_count == 0) return false;
    const std::uint32_t owner = owner_of(address);
    if (!is_stack_of(owner, address)) return false;
    const std::uint64_t offset = address - begin_of(owner);
    const auto* rows = described<FreedBlock>(patches.header->freed);
    for (std::uint32_t i = 0; i < patches.header->freed_count; ++i)
        if (rows[i].bytes == size_of_calls(owner) && offset + 8 > rows[i].offset &&
            offset < rows[i].offset + freed_bytes)
            return true;
    return false;
}

void begin() {
    const std::uint32_t arena = current_arena;
    ended_below[arena] = 0;
    access_frame[arena] = 0;
    ends[arena].has_left = false;
    lowest_shared[arena] = none;
    if (patches.header == nullptr || patches.header->stacks == 0) return;
    follows_stacks = true;
    const auto* rows = described<FreedBlock>(patches.header->freed);
    for (std::uint32_t i = 0; i < patches.header->freed_count; ++i) {
        if (rows[i].bytes != size_of(arena) && rows[i].bytes != size_of_calls(arena)) continue;
        const std::uint64_t lowest = begin_of(arena) + rows[i].offset;
        if (lowest < lowest_shared[arena]) lowest_shared[arena] = lowest;
    }
    shadow::for_words(begin_of(arena), end_of(arena), [](std::uint64_t word) {
        shadow::allocate_word(word);
        shadow::renew_word(word, false);
    });
}

void end_below(std::uint64_t top, const void* code) {
    if (patches.header == nullptr || !is_stack_of(current_arena, top)) return;
    const std::uint64_t site = canonical::site_of(code);
    end(begin_of(current_arena), top, size_of(current_arena), site);
    ends[current_arena] = {site, 0, top, true};
    ended_below[current_arena] = top;
}

void end_thread_locals(const void* code) {
    if (patches.header == nullptr || current_arena == 0) return;
    const std::uint64_t from = ended_below[current_arena];
    if (from == 0) return;
    ends[current_arena].thread_locals = canonical::site_of(code);
    end(from, end_of(current_arena), thread_locals, ends[current_arena].thread_locals);
    ended_below[current_arena] = end_of(current_arena);
}

bool uses_dead(std::uint32_t arena, std::uint64_t address) {
    const std::uint32_t owner = owner_of(address);
    const std::uint64_t word = address & ~std::uint64_t{7};
    if (owner == arena || !has_ended(owner, address) || shadow::is_renewed(word)) return false;
    const bool in_frame = address < ends[owner].top;
    const std::uint64_t of_frames = ends[owner].has_left ? size_of(owner) : size_of_calls(owner);
    ended::report_word(in_frame ? ends[owner].frames : ends[owner].thread_locals, in_frame ? of_frames : thread_locals,
                       word - begin_of(owner), shadow::widths_of(word));
    return true;
}

}  // namespace raddle::memory::frames

namespace raddle::memory {

bool follows_stacks = false, makes_stacks = false;

void follow_stack() {
    using namespace frames;
    const std::uint32_t arena = current_arena;
    if (!are_followed() || ends[arena].has_left || makes_stacks) return;
    const std::uint64_t here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
    const std::uint64_t known = program_stack(), before = ended_below[arena];
    const std::uint64_t top = known != 0 ? known : before < here ? before : here;
    if (top == before) return;
    ended_below[arena] = top;
    if (top < before) return revive(top, before);
    const void* const code = access_frame[arena] != 0 ? nullptr : call_site;
    ends[arena] = {canonical::site_of(code), 0, top, false};
    const std::uint64_t from = before < lowest_shared[arena] ? lowest_shared[arena] & ~std::uint64_t{7} : before;
    if (from < top) end(from, top, size_of_calls(arena), ends[arena].frames);
}

}  // namespace raddle::memory
