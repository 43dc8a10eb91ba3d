// The end of the process, and of threads that fail. Once exit is taken nobody waits for time any more; who can still
// go on does, which is what the end of the process would only have cut. flag: exit was taken; value: with what status.
#include "supervisor/model/kinds.h"

namespace raddle::processes {

std::uint32_t regular(const Machine&, ThreadSlot) { return 1; }

void apply(Machine& machine, ThreadSlot thread, const ThreadRecord& before, std::uint32_t, ActionOutcome& outcome) {
    outcome.ends_thread = true;
    ThreadRecord& record = machine.change(thread);
    record.life = Life::ended;
    if (before.pending.operation == Operation::fail) {
        record.failed = true;
        return;
    }
    ObjectRecord& process = machine.change_object(machine.process());
    if (process.flag) return;
    process.flag = true;
    process.value = before.pending.argument;
}

}  // namespace raddle::processes
