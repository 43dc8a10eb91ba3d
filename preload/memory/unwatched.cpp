#include "preload/memory/unwatched.h"

#include "preload/base/raw.h"
#include "preload/memory/lockset.h"
#include "preload/schedule/scheduler.h"
#include "supervisor/protocol/patches.h"

namespace raddle::memory::unwatched {

bool any = false, lent = false;

namespace {

struct Segment {
    std::uint64_t begin, end;
    std::uint32_t number;  // of its library
    std::uint32_t first;   // arena of the first thread that ran it, plus one; 0: none
    bool runnable;
    bool shared;  // two threads ran it
};
constexpr std::uint32_t most_segments = 128;
Segment segments[most_segments];
std::uint32_t segment_count = 0;
bool given_up = false;

void set_runnable(Segment& segment, bool runnable) {
    if (segment.runnable == runnable) return;
    segment.runnable = runnable;
    raw::call(SYS_mprotect, segment.begin, segment.end - segment.begin, runnable ? PROT_READ | PROT_EXEC : PROT_READ);
}

void note_shared(Segment& segment) {
    segment.shared = true;
    scheduler::shared()->result.unwatched |= std::uint64_t{1} << segment.number;
}

}  // namespace

void add(const dl_phdr_info& module, std::uint32_t number) {
    constexpr std::uint64_t page = 4096;
    if (number >= most_unwatched) number = most_unwatched - 1;
    for (int i = 0; i < module.dlpi_phnum && segment_count < most_segments; ++i) {
        const ElfW(Phdr)& row = module.dlpi_phdr[i];
        if (row.p_type != PT_LOAD || (row.p_flags & PF_X) == 0) continue;
        const std::uint64_t begin = (module.dlpi_addr + row.p_vaddr) & ~(page - 1);
        const std::uint64_t end = (module.dlpi_addr + row.p_vaddr + row.p_memsz + page - 1) & ~(page - 1);
        Segment& added = segments[segment_count++] = {begin, end, number, 0, true, false};
        any = true;
        if (given_up) note_shared(added);
        if (active && !given_up) set_runnable(added, false);
    }
}

void begin_execution() {
    for (std::uint32_t i = 0; i < segment_count; ++i) {
        if (given_up)
            note_shared(segments[i]);
        else
            set_runnable(segments[i], false);
    }
}

void acted(std::uint32_t arena) {
    lent = false;
    for (std::uint32_t i = 0; i < segment_count; ++i)
        if (!segments[i].shared) set_runnable(segments[i], segments[i].first == arena + 1);
}

bool entered(std::uint64_t instruction) {
    for (std::uint32_t i = 0; i < segment_count; ++i) {
        Segment& segment = segments[i];
        if (segment.runnable || instruction < segment.begin || instruction >= segment.end) continue;
        // A thread whose others are all joined meets nobody: main may run the library's destructors. Until its next
        // action.
        if (lockset::current().alone)
            lent = true;
        else if (segment.first == 0)
            segment.first = current_arena + 1;
        else if (segment.first != current_arena + 1)
            note_shared(segment);
        set_runnable(segment, true);
        return true;
    }
    return false;
}

void give_up() {
    given_up = true;
    for (std::uint32_t i = 0; i < segment_count; ++i) {
        set_runnable(segments[i], true);
        note_shared(segments[i]);
    }
}

}  // namespace raddle::memory::unwatched
