// Once-controls and function statics. owner: who is running the initialisation; flag: it is done.
// once_begin returns 1 to the thread that is to run it. once_end with argument 1 gives it up (an exception left it).
#include "supervisor/model/kinds.h"

namespace raddle::onces {

std::uint32_t regular(const Machine& machine, ThreadSlot thread) {
    const ThreadRecord& record = machine.thread(thread);
    if (record.pending.operation != Operation::once_begin) return 1;
    const ObjectRecord* once = live_object(machine, record.object, Kind::once);
    return once == nullptr || once->flag || once->owner == no_slot ? 1 : 0;
}

void apply(Machine& machine, ThreadSlot thread, const ThreadRecord& before, std::uint32_t, ActionOutcome& outcome) {
    ObjectRecord& once = machine.use_object(thread, before.object, Kind::once, outcome);
    if (before.pending.operation == Operation::once_end) {
        once.owner = no_slot;
        once.flag = before.pending.argument == 0;
        return;
    }
    if (once.flag) return fail_with(outcome, 0);
    once.owner = thread;
    outcome.result = 1;
}

}  // namespace raddle::onces
