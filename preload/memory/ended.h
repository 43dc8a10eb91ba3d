// Variables in memory that ends: in blocks that a call frees (freed.h), and in frames (frames.h). Executions find out
// which variables of such memory other threads have used. The supervisor tells it to later executions, so that the same
// end consists of the same actions in all of them.
#pragma once

#include "preload/memory/shadow.h"
#include "preload/memory/state.h"

namespace raddle::memory::ended {

// Calls act(offset, width) for each known variable in memory of this size that ends at this site. True if there are
// any.
template <typename Act>
bool for_known_variables(std::uint64_t site, std::uint64_t bytes, Act&& act) {
    const auto* rows = described<FreedBlock>(patches.header->freed);
    bool any = false;
    for (std::uint32_t i = 0; i < patches.header->freed_count; ++i) {
        if (rows[i].site != site || rows[i].bytes != bytes) continue;
        any = true;
        for (std::uint64_t at = 0; at < freed_bytes && rows[i].offset + at < bytes; ++at)
            if (rows[i].width[at] != 0) act(rows[i].offset + at, rows[i].width[at]);
    }
    return any;
}

// Reports a variable at this offset, or all that were named in a word, unless they are known.
void report_variable(std::uint64_t site, std::uint64_t bytes, std::uint64_t at, std::uint8_t width);
void report_word(std::uint64_t site, std::uint64_t bytes, std::uint64_t at, const shadow::Widths& widths);

// The end of a variable, as an action: a write. `poisoned`: with the pattern of freed blocks; otherwise of no known
// value.
void announce(std::uint64_t address, std::uint64_t bytes, std::uint64_t site, bool poisoned);

// Later accesses have to be noted again: they would be misuse.
void forget_notes(std::uint64_t begin, std::uint64_t end);

}  // namespace raddle::memory::ended
