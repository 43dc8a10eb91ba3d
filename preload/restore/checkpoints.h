// Checkpoints: points inside an execution at which later executions can begin, if their plans agree with its steps so
// far. They form a stack, because each execution that begins at one shares its steps. A checkpoint holds the pages that
// differ from the one below (memory_image.h), the registers, and the parts of the record that later steps change.
//
// Everything outside memory has to be as it was at the start (undo::effect_so_far), so undoing is the same for all of
// them.
//
// All of this lies in Preserved.
#pragma once

#include "preload/restore/memory_image.h"
#include "preload/schedule/checkpoint_call.h"
#include "supervisor/protocol/channel.h"

namespace raddle::restore {

class Checkpoints {
public:
    bool any() const { return count_ > 0; }
    std::uint64_t last_position() const { return count_ > 0 ? all_[count_ - 1].position : 0; }
    const SavedRegisters& last_registers() const { return all_[count_ - 1].registers; }
    std::uint64_t last_signal_mask() const { return all_[count_ - 1].signal_mask; }

    // The memory of the process becomes a checkpoint after so many steps. Null, or the reason why that is impossible.
    const char* keep(MemoryImage& image, const channel::Channel& channel, std::uint64_t position,
                     const SavedRegisters& registers);
    // Drops those after more steps than these, or all if they cannot be used any more.
    void drop_after(MemoryImage& image, std::uint64_t position);
    // Writes the record of the last one to the channel, and the number of its events.
    void show(channel::Channel& channel) const;

private:
    static constexpr std::uint32_t most = 64;
    static constexpr std::uint32_t most_rows = 64;

    struct Checkpoint {
        std::uint64_t position;
        SavedRegisters registers;
        std::uint64_t signal_mask;
        MemoryImage::Level below;     // the memory without it
        std::uint32_t cache_changes;  // memory/checks/filter_changes.h
        std::uint32_t modules;
        channel::Result result;
        channel::ThreadRow rows[most_rows];
    };

    std::uint32_t count_ = 0;
    Checkpoint all_[most];
};

}  // namespace raddle::restore
