// The end of the process, and of threads that fail. After the exit no thread waits for time any more. Threads that can
// still go on do so: the end of the process would only cut what they do. flag: exit was called; value: its status.
#include "supervisor/model/kinds.h"

namespace raddle {

namespace {
ThreadRecord& end_thread(const ModelStep& step) {
    step.outcome.ends_thread = true;
    ThreadRecord& thread = step.machine.change(step.thread);
    thread.life = Life::ended;
    return thread;
}
}  // namespace

void operations::process_exit(const ModelStep& step) {
    end_thread(step);
    ObjectRecord& process = step.machine.change_object(step.machine.process());
    if (process.flag) return;
    process.flag = true;
    process.value = step.before.pending.exit_status();
}

void operations::fail(const ModelStep& step) { end_thread(step).failed = true; }

}  // namespace raddle
