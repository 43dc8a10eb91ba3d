// A place counts once for each thread, as everything that a thread does later depends on it anyway. So the slow path of
// an access, which sees each pair of thread, place and word first, is the only one that has to note places.
#include "preload/memory/passed_code.h"

#include "preload/base/fixed_memory.h"
#include "preload/memory/checks/filter.h"
#include "preload/memory/map.h"
#include "preload/schedule/scheduler.h"
#include "supervisor/protocol/code_label.h"

namespace raddle::memory::passed_code {

namespace {

// By instruction: the thread that passed it last, and the execution. Threads that take turns note a place again, which
// costs space only.
std::uint64_t* passed_by = nullptr;
// The same for calls that free a block.
struct FreedBy {
    std::uint64_t id;    // the place
    std::uint64_t mark;  // of the thread and the execution
};
Map<FreedBy> freed_by;

std::uint64_t label = code_label::nothing;
std::uint32_t places = 0;  // in the list so far
bool is_cut = false;       // the list has no room

constexpr std::uint32_t head = 2;  // a list begins with its label and its length

void add(std::uint64_t place) {
    channel::Channel& channel = *scheduler::shared();
    const std::uint32_t at = channel.result.code_words + head + places;
    if (at >= channel::most_code_words) {
        is_cut = true;
        return;
    }
    channel.code_words[at] = place;
    ++places;
    label = code_label::extended(label, place);
}

bool passes_again(std::uint32_t site) {
    if (passed_by == nullptr)
        passed_by = static_cast<std::uint64_t*>(
            fixed_memory::grow(nullptr, 0, std::size_t{patches.header->site_count} * sizeof *passed_by));
    if (passed_by == nullptr) {
        is_cut = true;
        return true;
    }
    if (passed_by[site] == mark_of_current()) return true;
    passed_by[site] = mark_of_current();
    return false;
}

}  // namespace

void note(std::uint32_t site) {
    if (site >= patches.header->site_count) {
        if (const std::uint64_t call = call_of(site); call != 0) add(code_label::place_of_call(call));
        return;
    }
    if (patches.arming[site] != Arming::visible && !passes_again(site)) add(code_label::place_of_instruction(site));
}

void note_free(std::uint64_t site, std::uint64_t bytes) {
    const std::uint64_t place = code_label::place_of_free(site, bytes);
    FreedBy* const last = freed_by.find_or_add(place);
    if (last != nullptr && last->mark == mark_of_current()) return;
    if (last != nullptr) last->mark = mark_of_current();
    add(place);
}

std::uint64_t take_label() {
    if (places == 0 && !is_cut) return code_label::nothing;
    channel::Channel& channel = *scheduler::shared();
    const std::uint64_t taken = is_cut ? code_label::anything : label;
    if (!is_cut) {
        std::uint64_t* const list = channel.code_words + channel.result.code_words;
        list[0] = label;
        list[1] = places;
        channel.result.code_words += head + places;
    }
    label = code_label::nothing;
    places = 0;
    is_cut = false;
    return taken;
}

}  // namespace raddle::memory::passed_code
