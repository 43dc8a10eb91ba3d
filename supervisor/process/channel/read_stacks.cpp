#include "supervisor/process/channel/read_stacks.h"

#include <algorithm>
#include <cstring>

#include "supervisor/process/channel/copy_once.h"

namespace raddle {

namespace {

StackSnapshot copy_of(const std::uint64_t (&registers)[channel::register_count], const unsigned char* stack,
                      std::uint32_t bytes, std::uint32_t most) {
    StackSnapshot copy;
    std::copy(std::begin(registers), std::end(registers), copy.registers.begin());
    copy.memory.assign(reinterpret_cast<const char*>(stack), std::min(bytes, most));
    return copy;
}

TakenStack copy_of(const channel::Snapshot& shared) {
    TakenStack taken;
    taken.thread = once(shared.thread);
    taken.number = once(shared.number);
    taken.snapshot = copy_of(shared.registers, shared.stack, once(shared.stack_bytes), channel::most_stack_bytes);
    taken.snapshot.counted_from = once(shared.counted_from);
    return taken;
}

}  // namespace

TakenStacks read_stacks(const channel::StackArea& area) {
    TakenStacks taken;
    const std::uint64_t snapshots = std::min<std::uint64_t>(once(area.snapshots_taken), channel::most_snapshots);
    for (std::uint64_t i = 0; i < snapshots; ++i)
        if (once(area.snapshots[i].number) != 0) taken.stacks.push_back(copy_of(area.snapshots[i]));
    const std::uint64_t notes = once(area.notes_taken);
    for (std::uint64_t i = notes - std::min<std::uint64_t>(notes, channel::most_block_notes); i < notes; ++i) {
        const channel::BlockNote& shared = area.notes[i % channel::most_block_notes];
        TakenNote& note = taken.notes.emplace_back();
        note.begin = once(shared.begin);
        note.bytes = once(shared.bytes);
        note.thread = once(shared.thread);
        note.is_free = once(shared.is_free) != 0;
        note.snapshot =
            copy_of(shared.registers, shared.stack, once(shared.stack_bytes), channel::most_note_stack_bytes);
    }
    if (once(area.crashed) != 0) taken.crash = copy_of(area.crash);
    return taken;
}

}  // namespace raddle
