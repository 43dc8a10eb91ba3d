#include "supervisor/trace/execution.h"

namespace raddle {

// The cause explains best: a failed assertion comes before a misuse, and both before their consequences.
Verdict verdict_of(const Machine& machine) {
    if (machine.failed()) return Verdict::assertion;
    for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot)
        if (machine.thread(slot).misuse != Misuse::none) return Verdict::misuse;
    switch (machine.ending()) {
        case Ending::deadlock: return Verdict::deadlock;
        case Ending::livelock: return Verdict::livelock;
        case Ending::exited: return machine.exit_status() != 0 ? Verdict::exit_status : Verdict::ok;
        case Ending::failed: return Verdict::assertion;
        case Ending::running: return Verdict::stopped;
        case Ending::finished: break;
    }
    return Verdict::ok;
}

}  // namespace raddle
