// The end of the process: exit, abort, a fatal signal, exec. The thread that ends the process goes no further. The
// other threads do whatever they can still do, as all of that could have happened before the end as well: one execution
// shows what the end cuts off. Two things stop, because they would never stop by themselves or would be another end: no
// thread waits for time any more, and no other thread ends the process. These rules make both depend on the end
// (operation.def), so the searches also explore the executions in which they come first. Output is a third thing, if it
// is an action (output.cpp): a process that has ended writes nothing. flag: the process ended; count: how, an Ending;
// value: its exit status.
#include "supervisor/model/kinds.h"

namespace raddle {

namespace {

void end_process(const ModelStep& step, Ending how, std::int64_t exit_status) {
    step.outcome.ends_thread = true;
    step.machine.change(step.thread).life = Life::ended;
    ObjectRecord& process = step.machine.change_object(step.machine.process());
    process.flag = true;
    process.count = static_cast<std::uint32_t>(how);
    process.value = exit_status;
}

std::uint32_t unless_ended(const MachineState& machine) { return machine.process_has_ended() ? 0 : 1; }

}  // namespace

std::uint32_t ways::process_exit(const MachineState& machine, ThreadSlot) { return unless_ended(machine); }
std::uint32_t ways::fail(const MachineState& machine, ThreadSlot) { return unless_ended(machine); }
std::uint32_t ways::process_crash(const MachineState& machine, ThreadSlot) { return unless_ended(machine); }
std::uint32_t ways::process_replace(const MachineState& machine, ThreadSlot) { return unless_ended(machine); }

void operations::process_exit(const ModelStep& step) {
    end_process(step, Ending::exited, step.before.pending.exit_status());
}
void operations::fail(const ModelStep& step) { end_process(step, Ending::failed, 0); }
void operations::process_crash(const ModelStep& step) { end_process(step, Ending::crashed, 0); }
void operations::process_replace(const ModelStep& step) { end_process(step, Ending::replaced, 0); }

}  // namespace raddle
