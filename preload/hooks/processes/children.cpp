// Starting child processes and waiting for them. They are external. A child inherits descriptors, so the queues
// behind them become external, too.
#include "preload/hooks/processes/children.h"

#include "preload/hooks/files/descriptors.h"
#include "preload/hooks/files/external.h"
#include "preload/hooks/processes/fork.h"
#include "preload/hooks/signals/cycle_counter.h"
#include "preload/hooks/signals/signals.h"
#include "preload/intercept/real.h"
#include "preload/restore/restore.h"
#include "preload/restore/undo.h"
#include "preload/schedule/shared_memory.h"
#include "supervisor/model/interruption.h"

namespace raddle {

children::ChildStart::ChildStart(const char* call) {
    signals::expect_from_child();
    fds::share_all();
    shared_memory::child_starts(false);
    restore::rule_out_fork_server();
    undo::cannot(call);
    signals::mask_to_kernel(&mask_before_);
    cycle_counter::suspend();
}
children::ChildStart::~ChildStart() {
    cycle_counter::resume();
    signals::mask_from_kernel(mask_before_);
}

}  // namespace raddle

namespace raddle::hooks {

namespace {

struct Child {
    idtype_t type;
    id_t id;
    int options;
};

bool has_news(void* argument) {
    const Child& child = *static_cast<Child*>(argument);
    siginfo_t info;
    info.si_pid = 0;
    const long result =
        raw::call(SYS_waitid, child.type, child.id, &info, (child.options & ~WNOHANG) | WNOHANG | WNOWAIT, nullptr);
    return raw::failed(result) || info.si_pid != 0;  // also if there is no such child
}

// Waits until the kernel can answer at once. False if a signal came first.
bool wait_for(Child child, bool poll_only) {
    if (!recorded()) return true;
    external::used = true;
    Action action = fds::external_wait();
    if (poll_only) {
        action.flags |= flag::nonblocking;
        siginfo_t info;
        const bool has_children = !raw::failed(
            raw::call(SYS_waitid, child.type, child.id, &info, child.options | WNOHANG | WNOWAIT, nullptr));
        if (has_children) scheduler::note_external_event(channel::external_event::child_ended);
    }
    external::Wait& wait = external::wait_of(scheduler::current());
    wait = {};
    wait.condition = has_news;
    wait.argument = &child;
    return !was_interrupted(act(point(action)));
}

Child child_of_pid(pid_t pid, int options) {
    const int events =
        WEXITED | (options & WUNTRACED) | (options & WCONTINUED) | (options & (__WALL | __WCLONE | __WNOTHREAD));
    if (pid > 0) return {P_PID, static_cast<id_t>(pid), events};
    if (pid == -1) return {P_ALL, 0, events};
    return {P_PGID, static_cast<id_t>(-pid), events};
}

}  // namespace

pid_t wait4(pid_t pid, int* status, int options, rusage* usage) {
    const bool poll_only = (options & WNOHANG) != 0;
    for (;;) {
        if (!wait_for(child_of_pid(pid, options), poll_only)) return as_errno::refused(EINTR);
        const long result = raw::call(SYS_wait4, pid, status, options | (recorded() ? WNOHANG : 0), usage);
        if (result != 0 || poll_only || !recorded()) return static_cast<pid_t>(from_kernel(result));
    }
}
pid_t waitpid(pid_t pid, int* status, int options) { return hooks::wait4(pid, status, options, nullptr); }
pid_t wait(int* status) { return hooks::wait4(-1, status, 0, nullptr); }
pid_t wait3(int* status, int options, rusage* usage) { return hooks::wait4(-1, status, options, usage); }

int waitid(idtype_t type, id_t id, siginfo_t* info, int options) {
    const bool poll_only = (options & WNOHANG) != 0;
    siginfo_t here;
    for (;;) {
        if (!wait_for({type, id, options}, poll_only)) return as_errno::refused(EINTR);
        siginfo_t& news = info != nullptr ? *info : here;
        news.si_pid = 0;
        const long result = raw::call(SYS_waitid, type, id, &news, options | (recorded() ? WNOHANG : 0), nullptr);
        if (raw::failed(result) || news.si_pid != 0 || poll_only || !recorded())
            return static_cast<int>(from_kernel(result));
    }
}

pid_t fork() {
    if (follows_forks()) return fork_followed();
    signals::expect_from_child();
    fds::share_all();
    return real::fork();
}

int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attr,
                char* const* values, char* const* environment) {
    if (!controlled()) return children::spawn(real::posix_spawn, pid, path, actions, attr, values, environment);
    const children::ChildStart start("posix_spawn");
    return children::spawn(real::posix_spawn, pid, path, actions, attr, values, environment);
}
int posix_spawnp(pid_t* pid, const char* file, const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attr,
                 char* const* values, char* const* environment) {
    if (!controlled()) return children::spawn(real::posix_spawnp, pid, file, actions, attr, values, environment);
    const children::ChildStart start("posix_spawnp");
    return children::spawn(real::posix_spawnp, pid, file, actions, attr, values, environment);
}

}  // namespace raddle::hooks
