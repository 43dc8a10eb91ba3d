#include "preload/memory/frames.h"

#include "preload/memory/ended.h"
#include "preload/memory/shadow.h"
#include "preload/schedule/canonical.h"
#include "preload/schedule/scheduler.h"

namespace raddle::memory::frames {

using namespace stack_ends;

namespace {

constexpr std::uint64_t none = ~std::uint64_t{0};
// Sizes of what ends, as descriptions of variables name them. Both count offsets from the beginning of the stack.
constexpr std::uint64_t frames_of_main = main_reach, frames_of_thread = thread_arena::stack_bytes,
                        thread_locals = thread_arena::stack_bytes + 8;

// The sites where the frames of a thread ended, and its thread-local variables, which lie above `top`.
struct End {
    std::uint64_t frames, thread_locals, top;
};
End ends[thread_arena::count];

std::uint64_t size_of(std::uint32_t arena) { return arena == 0 ? frames_of_main : frames_of_thread; }

bool are_followed() { return active && patches.header->stacks != 0; }

void end(std::uint64_t from, std::uint64_t to, std::uint64_t bytes, std::uint64_t site) {
    const std::uint64_t begin = begin_of(current_arena);
    if (!are_followed()) return;
    ended::for_known_variables(site, bytes, [&](std::uint64_t offset, std::uint8_t width) {
        if (begin + offset >= from && begin + offset < to) ended::announce(begin + offset, width, site, false);
    });
    shadow::for_words(from, to, [&](std::uint64_t word) {
        shadow::Widths widths{};
        shadow::free_word(word, widths);
        shadow::renew_word(word, false);
        ended::report_word(site, bytes, word - begin, widths);
    });
    ended::forget_notes(from, to);
}

}  // namespace

void begin() {
    const std::uint32_t arena = current_arena;
    ended_below[arena] = 0;
    lowest_shared[arena] = none;
    if (patches.header == nullptr || patches.header->stacks == 0) return;
    const auto* rows = described<FreedBlock>(patches.header->freed);
    for (std::uint32_t i = 0; i < patches.header->freed_count; ++i) {
        if (rows[i].bytes != size_of(arena)) continue;
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
    ends[current_arena] = {site, 0, top};
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
    ended::report_word(in_frame ? ends[owner].frames : ends[owner].thread_locals,
                       in_frame ? size_of(owner) : thread_locals, word - begin_of(owner), shadow::widths_of(word));
    return true;
}

}  // namespace raddle::memory::frames
