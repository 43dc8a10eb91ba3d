#include "preload/schedule/focus.h"

#include <cstring>

#include "preload/base/text.h"
#include "preload/schedule/call_site.h"
#include "preload/schedule/canonical.h"
#include "supervisor/model/site.h"

namespace raddle::focus {

bool wanted = false;
std::uint64_t access_stacks[thread_arena::count];

namespace {

using channel::FocusRange;

const channel::Focus* described = nullptr;
FocusRange ranges[channel::most_focus_ranges];  // of addresses, sorted
std::uint32_t range_count = 0;
std::uint32_t modules_seen = 0;

void add_ranges_of(const channel::FocusModule& wanted_module, const canonical::Module& loaded) {
    if (wanted_module.first_range > described->range_count ||
        wanted_module.range_count > described->range_count - wanted_module.first_range)
        return;
    for (std::uint32_t i = 0; i < wanted_module.range_count && range_count < channel::most_focus_ranges; ++i) {
        const FocusRange& range = described->ranges[wanted_module.first_range + i];
        const std::uint64_t end = loaded.base + range.end;
        ranges[range_count++] = {loaded.base + range.begin, end < loaded.end ? end : loaded.end};
    }
}

// Ranges of one module are in order already, so few of them move.
void sort_ranges() {
    for (std::uint32_t i = 1; i < range_count; ++i) {
        const FocusRange moved = ranges[i];
        std::uint32_t at = i;
        for (; at > 0 && ranges[at - 1].begin > moved.begin; --at) ranges[at] = ranges[at - 1];
        ranges[at] = moved;
    }
}

void find_ranges() {
    modules_seen = canonical::module_count();
    range_count = 0;
    for (std::uint32_t number = 0; number < modules_seen; ++number) {
        const canonical::Module& loaded = canonical::module(number);
        for (std::uint32_t i = 0; i < described->module_count && i < channel::most_focus_modules; ++i)
            if (is_same_text(described->modules[i].path, loaded.path)) add_ranges_of(described->modules[i], loaded);
    }
    sort_ranges();
}

bool is_in_focus(std::uint64_t address) {
    std::uint32_t low = 0, high = range_count;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (ranges[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && address < ranges[low - 1].end;
}

// Where the program's own part of the stack begins, as far as that is known: frames of the shim have traces of earlier
// calls.
std::uint64_t begin_of_programs_stack(const Thread& me) {
    const auto here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
    if (access_stacks[me.arena] > here) return access_stacks[me.arena];
    const std::uint64_t frame = call_frames[me.arena];
    const bool is_of_this_call =
        frame > here && end_of_stack(me, frame) != 0 && reinterpret_cast<void* const*>(frame)[-1] == call_site;
    return is_of_this_call ? frame - sizeof(void*) : here;
}

}  // namespace

void begin(const channel::Focus& focus) {
    described = &focus;
    wanted = true;
}

bool is_inside(const Thread& me, const Action& action) {
    if (modules_seen != canonical::module_count()) find_ranges();
    if (range_count == 0) return false;
    if (const canonical::Module* const module = canonical::module_of_site(action.site)) {
        const std::uint64_t at = module->base + site_code::offset_of(action.site);
        if (is_in_focus(at) || is_in_focus(at - 1)) return true;
    }
    const std::uint64_t begin = begin_of_programs_stack(me) & ~std::uint64_t{7};
    const std::uint64_t end = end_of_stack(me, begin);
    if (end == 0) return true;  // a stack that the program made itself: a choice too many is better than one too few
    const std::uint64_t lowest = ranges[0].begin, highest = ranges[range_count - 1].end;
    for (std::uint64_t at = begin; at + sizeof(std::uint64_t) <= end; at += sizeof(std::uint64_t)) {
        std::uint64_t word;
        std::memcpy(&word, reinterpret_cast<const void*>(at), sizeof word);
        // A return address; its call lies before it.
        if (word > lowest && word <= highest && is_in_focus(word - 1)) return true;
    }
    return false;
}

}  // namespace raddle::focus
