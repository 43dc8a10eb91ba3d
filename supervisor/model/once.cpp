// Once-controls and function statics. owner: the thread that runs the initialisation; flag: it is done.
// once_begin returns 1 to the thread that is to run it.
#include "supervisor/model/kinds.h"

namespace raddle {

std::uint32_t ways::once_begin(const MachineState& machine, ThreadSlot thread) {
    const ObjectRecord* once = live_object(machine, machine.thread(thread).object, Kind::once);
    return once == nullptr || once->flag || once->owner == no_slot ? 1 : 0;
}

void operations::once_begin(const ModelStep& step) {
    ObjectRecord& once = step.object(Kind::once);
    if (once.flag) return fail_with(step.outcome, 0);
    once.owner = step.thread;
    step.outcome.result = 1;
}

void operations::once_end(const ModelStep& step) {
    ObjectRecord& once = step.object(Kind::once);
    once.owner = no_slot;
    once.flag = step.before.pending.abandoned() == 0;
}

}  // namespace raddle
