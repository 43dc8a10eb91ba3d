// Children of the target run free: nothing of them is recorded, nothing of theirs reaches the supervisor. They start
// over before any handler of the target's own runs in them (pthread_atfork), as ours is registered first.
#include "preload/irregular/process.h"

#include <pthread.h>

#include "preload/describe.h"
#include "preload/irregular/descriptors.h"
#include "preload/irregular/timers.h"
#include "preload/real.h"
#include "preload/restart/restart.h"
#include "preload/restart/undo.h"

namespace raddle {

namespace {
void start_over() {
    if (!controlled()) return;
    note_process_id();
    fds::start_over();
    timers::start_over();
    scheduler::start_over_unwatched();
}

// A child made before the fork point is the server's, and not there for those who carry out plans.
void has_child() {
    restart::rule_out_fork_server();
    undo::cannot("fork");
}
}  // namespace

void register_fork_handler() { pthread_atfork(nullptr, has_child, start_over); }

namespace irregular {

pid_t _Fork() {
    undo::cannot("_Fork");
    const pid_t result = real::_Fork();  // calls no handlers
    if (result == 0) start_over();
    return result;
}

}  // namespace irregular

}  // namespace raddle
