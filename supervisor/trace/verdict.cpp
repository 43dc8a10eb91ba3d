#include "supervisor/trace/execution.h"

namespace raddle {

// The cause explains best: a failed assertion or a crash comes before a misuse, and all before their consequences.
Verdict verdict_of(const Machine& machine) {
    const Ending ending = machine.ending();
    if (ending == Ending::failed) return Verdict::assertion;
    if (ending == Ending::crashed) return Verdict::crash;
    for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot)
        if (machine.thread(slot).misuse != Misuse::none) return Verdict::misuse;
    switch (ending) {
        case Ending::deadlock: return Verdict::deadlock;
        case Ending::livelock: return Verdict::livelock;
        case Ending::exited: return machine.exit_status() != 0 ? Verdict::exit_status : Verdict::ok;
        case Ending::running: return Verdict::stopped;
        case Ending::failed:
        case Ending::crashed:
        case Ending::replaced:
        case Ending::finished: break;
    }
    return Verdict::ok;
}

}  // namespace raddle
