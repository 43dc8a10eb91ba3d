#include "preload/restore/checkpoints.h"

#include <csignal>
#include <cstring>

#include "preload/base/raw.h"
#include "preload/restore/callbacks.h"
#include "preload/restore/undo.h"
#include "preload/schedule/scheduler.h"

namespace raddle::restore {

namespace {

// Null if the scheduler and the hooks keep nothing outside the program's memory for this execution.
const char* outside_memory(const channel::Channel& channel) {
    if (external::used) return "it had used descriptors that threads wait for by then";
    if (memory::unwatched::any) return "the code of some of its libraries is not decoded";
    if (stacks::area != nullptr || debugger::attended || channel.settings.note_calls != 0)
        return "its calls are looked at one by one";
    return channel.result.output_count != 0 ? "it had written output by then" : undo::effect_so_far();
}

void copy_rows(channel::ThreadRow* to, const channel::ThreadRow* from, std::uint32_t count) {
    std::memcpy(to, from, count * sizeof *to);
}

}  // namespace

const char* Checkpoints::keep(MemoryImage& image, const channel::Channel& channel, std::uint64_t position,
                              const SavedRegisters& registers) {
    if (count_ == most) return "there are enough before it";
    if (channel.result.thread_count > most_rows) return "it has too many threads";
    if (const char* why = outside_memory(channel)) return why;
    Checkpoint& added = all_[count_];
    added.below = image.top();
    if (const char* why = image.add_level()) return why;
    added.position = position;
    added.registers = registers;
    raw::call(SYS_rt_sigprocmask, SIG_SETMASK, nullptr, &added.signal_mask, 8L);
    added.cache_changes = memory::filter_changes::keep();
    added.modules = channel.module_count;
    added.result = channel.result;
    copy_rows(added.rows, channel.threads, channel.result.thread_count);
    ++count_;
    return nullptr;
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
    channel.restarts.began_after = last.result.event_count;
}

}  // namespace raddle::restore
