// Knowledge about each word of memory in this execution: which threads accessed it, with which locks, by which
// instructions. At the end, instructions that accessed shared memory without a common lock are reported, to become
// visible.
#pragma once

#include "preload/memory/state.h"

namespace raddle::memory::shadow {

// Widths of the variables that were named in a word, by the byte where they begin; 0: none begins there.
struct Widths {
    std::uint8_t of[8];
};

void note(std::uint32_t site, std::uint64_t address, std::uint64_t bytes, std::uint8_t mode, bool atomic);
// The address of the variable's first byte: that of the access, unless other accesses reach over it.
std::uint64_t cell_of(std::uint64_t address, std::uint64_t bytes);
// The value that memory had before the first action on it in this execution. For accesses within one word.
void keep_first_value(std::uint64_t address, std::uint64_t bytes);
std::uint64_t first_value(std::uint64_t address, std::uint64_t bytes);
void renew_first_value(std::uint64_t address, std::uint64_t bytes, std::uint64_t value);
// Instead: it had the value 0. For memory whose contents mean nothing.
void begin_with_zero(std::uint64_t address, std::uint64_t bytes);
// A variable that threads wait for counts as one that atomic instructions access.
void wait_for(std::uint64_t address);

// Asks the supervisor to make this site visible.
void make_visible(std::uint32_t site);
// The same for a reported call; other numbers are ignored. reported_calls.cpp defines this.
void mark_call(std::uint32_t number);

// ---- for freed.cpp
// A word of a freed block counts as written. False if no other thread has used it.
bool free_word(std::uint64_t word, Widths& widths);
void allocate_word(std::uint64_t word);
// Whether the thread has written to this word of its stack since its frames ended (frames.h).
bool is_renewed(std::uint64_t word);
void renew_word(std::uint64_t word, bool renewed);
// Calls act(word) for each noted word between two addresses.
void for_noted_words(std::uint64_t begin, std::uint64_t end, void (*act)(void* context, std::uint64_t word),
                     void* context);
template <typename Act>
void for_words(std::uint64_t begin, std::uint64_t end, Act&& act) {
    for_noted_words(
        begin, end, [](void* context, std::uint64_t word) { (*static_cast<Act*>(context))(word); }, &act);
}
Widths widths_of(std::uint64_t word);
// Marks a variable as freed. The block around it may be freed later.
void mark_freed(std::uint64_t address);
bool is_marked_freed(std::uint64_t address);
// More: report() in preload/schedule/callbacks.h.

}  // namespace raddle::memory::shadow
