#include "preload/memory/ended.h"

#include <cstring>

#include "preload/memory/checks/filter_changes.h"
#include "preload/memory/heap_blocks.h"
#include "preload/schedule/canonical.h"
#include "preload/schedule/scheduler.h"
#include "supervisor/model/extent.h"

namespace raddle::memory::ended {

namespace {

// The known variables in a part of a block; null if none are known.
const FreedBlock* known_part(std::uint64_t site, std::uint64_t bytes, std::uint64_t offset) {
    const auto* rows = described<FreedBlock>(patches.header->freed);
    for (std::uint32_t i = 0; i < patches.header->freed_count; ++i)
        if (rows[i].site == site && rows[i].bytes == bytes && rows[i].offset == offset) return &rows[i];
    return nullptr;
}

}  // namespace

// Reports a variable in a block of this size that this call frees, unless it is known.
void report_variable(std::uint64_t site, std::uint64_t bytes, std::uint64_t at, std::uint8_t width) {
    const std::uint64_t offset = at / freed_bytes * freed_bytes;
    const FreedBlock* const known = known_part(site, bytes, offset);
    if (width <= (known != nullptr ? known->width[at - offset] : 0)) return;
    channel::Channel& channel = *scheduler::shared();
    std::uint32_t row = 0;
    const auto is_part = [&](const FreedBlock& one) {
        return one.site == site && one.bytes == bytes && one.offset == offset;
    };
    while (row < channel.result.memory_freed && !is_part(channel.memory_freed[row])) ++row;
    if (row == channel::most_freed) return;
    FreedBlock& part = channel.memory_freed[row];
    if (row == channel.result.memory_freed) {
        part = {site, bytes, offset, {}};
        ++channel.result.memory_freed;
    }
    if (part.width[at - offset] < width) part.width[at - offset] = width;
}

void report_word(std::uint64_t site, std::uint64_t bytes, std::uint64_t at, const shadow::Widths& widths) {
    for (unsigned byte = 0; byte < 8; ++byte)
        if (widths.of[byte] != 0) report_variable(site, bytes, at + byte, widths.of[byte]);
}

void announce(std::uint64_t address, std::uint64_t bytes, std::uint64_t site, bool poisoned) {
    const std::uint64_t cell = shadow::cell_of(address, bytes);
    shadow::keep_first_value(address, bytes);
    Action action{};
    action.operation = Operation::memory_write;
    action.site = site;
    action.object = canonical::name_of(reinterpret_cast<const void*>(cell));
    action.attributes = attribute::memory::frees;
    if (poisoned && cell == address && (address & 7) + bytes <= 8) {
        action.attributes |= width_attribute(bytes);
        std::int64_t poison = 0;
        std::memset(&poison, heap::poison, bytes);
        action.set_value(poison);
    } else {
        action.set_packed_extent(packed({address - cell, bytes}));
    }
    act_uncancelled(action);
    shadow::mark_freed(address);
}

// Later accesses have to be noted again: they would be misuse.
void forget_notes(std::uint64_t begin, std::uint64_t end) {
    for (std::uint32_t i = 0; i < cache_entries; ++i)
        if (const std::uint64_t word = word_of(filter_cache[i].key); word >= begin && word < end)
            filter_changes::set(filter_cache[i], {});
}

}  // namespace raddle::memory::ended
