// fork. Children run free: nothing is recorded or sent to the supervisor. They start over before the program's own
// fork handlers run, because the shim registers its handler first (pthread_atfork). With --follow-forks the child
// becomes the program under test, and the parent only waits for it.
#include "preload/hooks/processes/fork.h"
#include "preload/hooks/threads/identity.h"

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "preload/hooks/files/descriptors.h"
#include "preload/hooks/names/names.h"
#include "preload/hooks/system/inline_calls.h"
#include "preload/hooks/time/timers.h"
#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"
#include "preload/memory/memory.h"
#include "preload/restore/restore.h"
#include "preload/restore/undo.h"
#include "preload/schedule/scheduler.h"
#include "preload/schedule/shared_memory.h"

namespace raddle {

namespace {

bool following = false;

void become_target() {
    channel::Channel& channel = *scheduler::shared();
    following = false;
    raw::call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
    renew_process_ids();
    channel.parent = channel.process;
    channel.process =
        memory::armed() ? channel.parent + static_cast<std::int32_t>(thread_table::count) : hooks::getpid();
    names::set_process_number(channel.process, hooks::getpid());
    set_process_ids(channel.process, channel.parent);
    channel.keeper = static_cast<std::uint32_t>(raw::call(SYS_getppid));
    channel::store(channel.executor, static_cast<std::uint32_t>(raw::call(SYS_getpid)));
    inline_calls::watch_here();
}

[[noreturn]] void end_like(long child) {
    int status = 0;
    while (raw::call(SYS_wait4, child, &status, 0, nullptr) == -EINTR) {}
    if (!WIFSIGNALED(status)) raw::exit_process(WEXITSTATUS(status));
    struct sigaction by_default = {};
    const std::uint64_t none = 0;
    real::sigaction(WTERMSIG(status), &by_default, nullptr);
    raw::call(SYS_prctl, PR_SET_DUMPABLE, 0L);  // one core dump is enough
    raw::call(SYS_rt_sigprocmask, SIG_SETMASK, &none, nullptr, 8L);
    for (;;) raw::call(SYS_tgkill, raw::call(SYS_getpid), raw::call(SYS_gettid), WTERMSIG(status));
}

void start_over() {
    if (!controlled()) return;
    if (following) return become_target();
    shared_memory::child_starts(true);
    renew_process_ids();
    inline_calls::watch_here();
    fds::start_over();
    timers::start_over();
    scheduler::start_over_in_child();
}

// A child from before the fork point belongs to the fork server, not to the processes that run plans.
void note_new_child() {
    if (following) return;
    shared_memory::child_starts(true);
    restore::rule_out_fork_server();
    undo::cannot("fork");
}
}  // namespace

void register_fork_handler() { pthread_atfork(scheduler::record_held_locks, note_new_child, start_over); }

bool follows_forks() {
    return phase == Phase::alone && scheduler::is_target() && scheduler::shared()->settings.follow_forks != 0 &&
           raw::call(SYS_getpid) == static_cast<long>(channel::load(scheduler::shared()->executor));
}

int fork_followed() {
    following = true;
    const pid_t child = real::fork();
    following = false;
    if (child > 0) end_like(child);
    return child;
}

namespace hooks {

pid_t _Fork() {
    undo::cannot("_Fork");
    scheduler::record_held_locks();
    const pid_t result = real::_Fork();  // calls no fork handlers
    if (result > 0) shared_memory::child_starts(true);
    if (result == 0) start_over();
    return result;
}

}  // namespace hooks

}  // namespace raddle
