#include "supervisor/trace/output_order.h"

#include <algorithm>

namespace raddle {

namespace {

bool is_of_other_thread(const FreeWrite& one, const FreeWrite& other) {
    return one.file == other.file && !(one.thread == other.thread);
}

bool has_two_writers(const std::vector<FreeWrite>& writes) {
    return std::any_of(writes.begin(), writes.end(), [&](const FreeWrite& one) {
        const auto first =
            std::find_if(writes.begin(), writes.end(), [&](const FreeWrite& other) { return other.file == one.file; });
        return is_of_other_thread(*first, one);
    });
}

}  // namespace

// The event after the first write happens before the last event before the later one, or is it.
bool OutputOrder::is_before(const FreeWrite& one, const FreeWrite& later) const {
    const ThreadSlot first = replay_.machine().find_thread(one.thread);
    const ThreadSlot second = replay_.machine().find_thread(later.thread);
    const Track& track = replay_.track();
    const auto events_of = [&](ThreadSlot thread) {
        const Position last = thread == no_slot ? nowhere : track.last_of(thread);
        return last == nowhere ? 0 : track[last].number;
    };
    if (later.events == 0 || later.events > events_of(second)) return false;
    return track.clock(track.position_of(second, later.events), first) > one.events;
}

// Where the question would cost much, two writers are enough for the answer that nothing orders them.
bool OutputOrder::is_open(const Execution& execution, const FreeWrites& writes) {
    constexpr std::size_t most_events = 100'000;
    if (!has_two_writers(writes.rows)) return false;
    if (writes.has_more || execution.events.size() > most_events) return true;
    replay_.begin_after_common_prefix(execution);
    replay_.feed_all();
    if (replay_.mismatch()) return false;
    // If a thread's last write comes before, all its earlier ones do.
    std::vector<FreeWrite> last;  // of each thread to each file
    for (const FreeWrite& write : writes.rows) {
        FreeWrite* own = nullptr;
        for (FreeWrite& other : last) {
            if (is_of_other_thread(other, write) && !is_before(other, write)) return true;
            if (other.file == write.file && other.thread == write.thread) own = &other;
        }
        if (own != nullptr)
            *own = write;
        else
            last.push_back(write);
    }
    return false;
}

}  // namespace raddle
