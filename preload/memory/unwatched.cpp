#include "preload/memory/unwatched.h"

#include "preload/base/raw.h"
#include "preload/memory/lockset.h"
#include "preload/memory/map.h"
#include "preload/memory/state.h"
#include "preload/schedule/scheduler.h"

namespace raddle::memory::unwatched {

bool any = false, lent = false;

namespace {

constexpr std::uint64_t page = 4096;

// The threads that ran some code.
struct Runners {
    std::uint32_t first;  // arena of the first one, plus one; 0: none
    bool shared;          // there is a second one

    bool is_first(std::uint32_t arena) const { return first == arena + 1; }
    // The current thread runs it. A thread whose others are all joined meets nobody: main may run destructors.
    void note() {
        if (lockset::current().alone)
            lent = true;
        else if (first == 0)
            first = current_arena + 1;
        else if (!is_first(current_arena))
            shared = true;
    }
};

struct Segment {
    std::uint64_t begin, end;
    std::uint32_t number;  // of its library
    Runners runners;
    bool runnable;
    bool contains(std::uint64_t address) const { return address >= begin && address < end; }
};
constexpr std::uint32_t most_segments = 128;
Segment segments[most_segments];
std::uint32_t segment_count = 0;
bool given_up = false;

struct Place {
    std::uint64_t address;
    std::uint32_t number;
    std::uint8_t original;
    Runners runners;
};
Place places[most_skipped];
std::uint32_t place_count = 0;

// The instructions of unwatched libraries that threads ran, by address.
struct Step {
    std::uint64_t id;
    Runners runners;
};
Map<Step> steps;
std::uint32_t steps_left = 1u << 22;  // after so many steps the rest runs at full speed, and is not counted
bool counting = false;
constexpr std::uint64_t trap_flag = 0x100;

void set_runnable(Segment& segment, bool runnable) {
    if (segment.runnable == runnable) return;
    segment.runnable = runnable;
    raw::call(SYS_mprotect, segment.begin, segment.end - segment.begin, runnable ? PROT_READ | PROT_EXEC : PROT_READ);
}

void note_shared(Segment& segment) {
    segment.runners.shared = true;
    scheduler::shared()->result.unwatched |= std::uint64_t{1} << segment.number;
}

Segment* segment_at(std::uint64_t instruction) {
    for (std::uint32_t i = 0; i < segment_count; ++i)
        if (segments[i].contains(instruction)) return &segments[i];
    return nullptr;
}

void set_byte(const Place& place, std::uint8_t byte) {
    auto* const at = reinterpret_cast<volatile std::uint8_t*>(place.address);
    if (*at == byte) return;
    const std::uint64_t begin = place.address & ~(page - 1);
    raw::call(SYS_mprotect, begin, page, PROT_READ | PROT_WRITE);
    *at = byte;
    raw::call(SYS_mprotect, begin, page, PROT_READ | PROT_EXEC);
}

// Everybody may run it, or only the first thread that did.
void arm(const Place& place, bool may_run) {
    constexpr std::uint8_t breakpoint = 0xcc;
    set_byte(place, may_run ? place.original : breakpoint);
}

Place* place_at(std::uint64_t address) {
    for (std::uint32_t i = 0; i < place_count; ++i)
        if (places[i].address == address) return &places[i];
    return nullptr;
}

void count(const Segment& segment, std::uint64_t instruction) {
    if (lockset::current().alone || steps_left == 0) return;
    Step* const step = steps.find_or_add(instruction);
    if (step == nullptr || step->runners.shared) return;
    step->runners.note();
    if (step->runners.shared) ++scheduler::shared()->result.unwatched_instructions[segment.number];
}

}  // namespace

void add(const dl_phdr_info& module, std::uint32_t number) {
    if (number >= most_unwatched) number = most_unwatched - 1;
    for (int i = 0; i < module.dlpi_phnum && segment_count < most_segments; ++i) {
        const ElfW(Phdr)& row = module.dlpi_phdr[i];
        if (row.p_type != PT_LOAD || (row.p_flags & PF_X) == 0) continue;
        const std::uint64_t begin = (module.dlpi_addr + row.p_vaddr) & ~(page - 1);
        const std::uint64_t end = (module.dlpi_addr + row.p_vaddr + row.p_memsz + page - 1) & ~(page - 1);
        Segment& added = segments[segment_count++] = {begin, end, number, {}, true};
        any = true;
        if (given_up) note_shared(added);
        if (active && !given_up) set_runnable(added, false);
    }
}

void add_skipped(std::uint32_t module, std::uint64_t base, std::uint64_t end) {
    const auto* const rows = described<SkippedPlace>(patches.header->skipped);
    for (std::uint32_t i = 0; i < patches.header->skipped_count && place_count < most_skipped; ++i) {
        const std::uint64_t address = base + rows[i].address;
        if (rows[i].module != module || address >= end || place_at(address) != nullptr) continue;
        if (*reinterpret_cast<const std::uint8_t*>(address) != rows[i].original) continue;
        places[place_count++] = {address, i < most_told_skipped ? i : most_told_skipped - 1, rows[i].original, {}};
        any = true;
        if (active) arm(places[place_count - 1], false);
    }
}

void begin_execution() {
    counting = scheduler::shared()->settings.count_unwatched != 0;
    for (std::uint32_t i = 0; i < segment_count; ++i) {
        if (given_up)
            note_shared(segments[i]);
        else
            set_runnable(segments[i], false);
    }
    for (std::uint32_t i = 0; i < place_count; ++i) arm(places[i], false);
}

void acted(std::uint32_t arena) {
    lent = false;
    for (std::uint32_t i = 0; i < segment_count; ++i) {
        Segment& segment = segments[i];
        if (counting)
            set_runnable(segment, false);
        else if (!segment.runners.shared)
            set_runnable(segment, segment.runners.is_first(arena));
    }
    for (std::uint32_t i = 0; i < place_count; ++i)
        if (!places[i].runners.shared) arm(places[i], places[i].runners.is_first(arena));
}

bool entered(std::uint64_t instruction, std::uint64_t& flags) {
    Segment* const segment = segment_at(instruction);
    if (segment == nullptr || segment->runnable) return false;
    const bool was_shared = segment->runners.shared;
    segment->runners.note();
    if (segment->runners.shared && !was_shared) note_shared(*segment);
    set_runnable(*segment, true);
    if (!counting) return true;
    count(*segment, instruction);
    flags |= trap_flag;
    return true;
}

bool trapped(std::uint64_t& instruction, std::uint64_t& flags) {
    if ((flags & trap_flag) != 0 && counting) {
        if (steps_left > 0 && --steps_left == 0) counting = false, flags &= ~trap_flag;
        if (const Segment* const segment = segment_at(instruction); segment != nullptr && segment->runnable) {
            count(*segment, instruction);
            return true;
        }
        flags &= ~trap_flag;
        for (std::uint32_t i = 0; i < segment_count; ++i) set_runnable(segments[i], false);
        return true;
    }
    Place* const place = place_at(instruction - 1);
    if (place == nullptr) return false;
    place->runners.note();
    if (place->runners.shared) scheduler::shared()->result.skipped |= std::uint64_t{1} << place->number;
    arm(*place, true);
    --instruction;
    return true;
}

void give_up() {
    given_up = true;
    for (std::uint32_t i = 0; i < segment_count; ++i) {
        set_runnable(segments[i], true);
        note_shared(segments[i]);
    }
}

}  // namespace raddle::memory::unwatched
