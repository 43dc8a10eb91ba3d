#include "preload/restore/checkpoints.h"

#include <csignal>
#include <cstring>

#include "preload/base/raw.h"
#include "preload/restore/callbacks.h"
#include "preload/restore/undo.h"
#include "preload/schedule/scheduler.h"

namespace raddle::restore {

namespace {

// The scheduler and the hooks keep nothing outside the program's memory for this execution.
bool is_all_in_memory(const channel::Channel& channel) {
    return !external::used && !memory::unwatched::any && stacks::area == nullptr && !debugger::attended &&
           channel.settings.note_calls == 0 && channel.result.output_count == 0;
}

void copy_rows(channel::ThreadRow* to, const channel::ThreadRow* from, std::uint32_t count) {
    std::memcpy(to, from, count * sizeof *to);
}

}  // namespace

bool Checkpoints::keep(MemoryImage& image, const channel::Channel& channel, std::uint64_t position,
                       const SavedRegisters& registers) {
    if (count_ == most || channel.result.thread_count > most_rows) return false;
    if (!is_all_in_memory(channel) || !undo::is_clean()) return false;
    Checkpoint& added = all_[count_];
    added.below = image.top();
    if (!image.add_level()) return false;
    added.position = position;
    added.registers = registers;
    raw::call(SYS_rt_sigprocmask, SIG_SETMASK, nullptr, &added.signal_mask, 8L);
    added.cache_changes = memory::filter_changes::keep();
    added.modules = channel.module_count;
    added.result = channel.result;
    copy_rows(added.rows, channel.threads, channel.result.thread_count);
    ++count_;
    return true;
}

void Checkpoints::drop_after(MemoryImage& image, std::uint64_t position) {
    if (count_ == 0) return;
    while (count_ > 0 && all_[count_ - 1].position > position) image.drop_to(all_[--count_].below);
    if (count_ > 0 && memory::filter_changes::undo(all_[count_ - 1].cache_changes)) return;
    if (count_ > 0) image.drop_to(all_[0].below);
    count_ = 0;
    memory::filter_changes::forget();
}

void Checkpoints::show(channel::Channel& channel) const {
    const Checkpoint& last = all_[count_ - 1];
    channel.result = last.result;
    copy_rows(channel.threads, last.rows, last.result.thread_count);
    channel.module_count = last.modules;
}

}  // namespace raddle::restore
