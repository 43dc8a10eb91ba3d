// poll, select and epoll. The thread asks the kernel; if nothing is ready, it waits for a change of the descriptor
// table, and asks again. It therefore depends on every action on any descriptor. That is more than necessary, but
// misses nothing.
#include <cstring>

#include "preload/hooks/files/descriptors.h"
#include "preload/hooks/files/external.h"
#include "preload/hooks/signals/signals.h"
#include "preload/hooks/time/timers.h"
#include "preload/intercept/real.h"
#include "supervisor/model/interruption.h"

namespace raddle::hooks {

namespace {

constexpr std::int64_t for_ever = -1;
constexpr timespec no_time{};

// `ask` returns the kernel's answer without waiting: 0 if nothing is ready.
template <typename Ask>
long wait_for_any(pollfd* descriptors, int count, bool external_too, std::int64_t timeout, Ask ask) {
    if (!recorded()) return ask();
    Action action = of(Operation::descriptor_wait);
    action.object = fds::table();
    action.second = fds::own_object();
    action.set_version(-1);  // the first action only checks
    ActionOutcome outcome = act(point(action));
    if (was_interrupted(outcome)) return -EINTR;
    const std::uint64_t end = timeout > 0 ? scheduler::virtual_time() + static_cast<std::uint64_t>(timeout) : 0;
    const Flags untimed = action.flags;
    if (external_too) external::used = true;
    // A wait for a single descriptor without a time limit always ends in the same way, so it is no external
    // event.
    if (external_too && (timeout != for_ever || count > 1))
        scheduler::note_external_event(channel::external_event::ready);
    for (;;) {
        timers::write_expirations();
        const long found = ask();
        const bool too_late = outcome.effect == Effect::timed_out && end != 0 && action.timeout() == end;
        if (found != 0 || timeout == 0 || too_late) return found;
        const std::uint64_t expiration = timers::next_expiration(descriptors, count);
        action.set_timeout(end == 0 || (expiration != 0 && expiration < end) ? expiration : end);
        action.flags = static_cast<Flags>(untimed | (external_too ? flag::contents_unknown : 0) |
                                          (action.timeout() != 0 ? flag::timed | flag::absolute : 0));
        if (outcome.effect == Effect::timed_out) {  // no version of the table came back: check again
            action.set_version(-1);
            action.flags = untimed;
            outcome = act(point(action));
            if (was_interrupted(outcome)) return -EINTR;
            continue;
        }
        external::Wait& wait = external::wait_of(scheduler::current());
        wait = {};
        wait.descriptors = descriptors;
        wait.count = count;
        action.set_version(outcome.result);
        outcome = act(point(action));
        if (was_interrupted(outcome)) return -EINTR;
    }
}

std::int64_t length_of(const timespec* time) {
    return time == nullptr ? for_ever : static_cast<std::int64_t>(nanoseconds_of(time));
}
std::int64_t milliseconds(int timeout) { return timeout < 0 ? for_ever : std::int64_t{timeout} * 1000000; }

int wait_poll(pollfd* descriptors, nfds_t count, std::int64_t timeout) {
    bool external_too = false;
    for (nfds_t i = 0; i < count; ++i)
        external_too |= descriptors[i].fd >= 0 && fds::depends_on_external(descriptors[i].fd);
    return static_cast<int>(from_kernel(wait_for_any(descriptors, static_cast<int>(count), external_too, timeout, [&] {
        return raw::call(SYS_ppoll, descriptors, count, &no_time, nullptr, 8L);
    })));
}

int wait_select(int count, fd_set* reading, fd_set* writing, fd_set* failing, std::int64_t timeout) {
    if (count < 0 || count > FD_SETSIZE)
        return static_cast<int>(
            from_kernel(raw::call(SYS_pselect6, count, reading, writing, failing, &no_time, nullptr)));
    pollfd descriptors[FD_SETSIZE];
    int used = 0;
    bool external_too = false;
    fd_set wanted[3];
    fd_set* const given[3] = {reading, writing, failing};
    const std::size_t bytes = (static_cast<std::size_t>(count) + 63) / 64 * 8;
    for (int i = 0; i < 3; ++i)
        if (given[i] != nullptr) std::memcpy(&wanted[i], given[i], bytes);
    for (int fd = 0; fd < count; ++fd) {
        short events = 0;
        if (reading != nullptr && FD_ISSET(fd, reading)) events |= POLLIN;
        if (writing != nullptr && FD_ISSET(fd, writing)) events |= POLLOUT;
        if (failing != nullptr && FD_ISSET(fd, failing)) events |= POLLPRI;
        if (events == 0) continue;
        descriptors[used++] = {fd, events, 0};
        external_too |= fds::depends_on_external(fd);
    }
    return static_cast<int>(from_kernel(wait_for_any(descriptors, used, external_too, timeout, [&] {
        for (int i = 0; i < 3; ++i)
            if (given[i] != nullptr) std::memcpy(given[i], &wanted[i], bytes);
        timespec none{};
        return raw::call(SYS_pselect6, count, reading, writing, failing, &none, nullptr);
    })));
}

int wait_epoll(int fd, epoll_event* events, int most, std::int64_t timeout) {
    pollfd itself{fd, POLLIN, 0};
    return static_cast<int>(from_kernel(wait_for_any(&itself, 1, fds::depends_on_external(fd), timeout, [&] {
        return raw::call(SYS_epoll_pwait, fd, events, most, 0, nullptr, 8L);
    })));
}

// Waits under another signal mask. A signal that is already pending ends the wait.
template <typename Wait>
int under(const sigset_t* mask, Wait wait) {
    if (mask == nullptr || !recorded()) return wait();
    signals::begin_wait();
    const std::uint64_t before = signals::mine().blocked;
    signals::mine().blocked = signals::bits_of(*mask) & ~signals::unblockable;
    const signals::Taken taken = signals::check_for_signals();
    signals::end_wait();
    signals::mine().opened_mask = true;
    const int result = taken != signals::Taken::nothing ? as_errno::refused(EINTR) : wait();
    signals::mine().opened_mask = false;
    signals::mine().blocked = before;
    return result;
}

}  // namespace

int poll(pollfd* descriptors, nfds_t count, int timeout) {
    return wait_poll(descriptors, count, milliseconds(timeout));
}
int __poll_chk(pollfd* descriptors, nfds_t count, int timeout, size_t) {
    return hooks::poll(descriptors, count, timeout);
}
int ppoll(pollfd* descriptors, nfds_t count, const timespec* time, const sigset_t* mask) {
    if (time != nullptr && (!valid(time) || time->tv_sec < 0)) return as_errno::refused(EINVAL);
    return under(mask, [&] { return wait_poll(descriptors, count, length_of(time)); });
}
int __ppoll_chk(pollfd* descriptors, nfds_t count, const timespec* time, const sigset_t* mask, size_t) {
    return hooks::ppoll(descriptors, count, time, mask);
}

int select(int count, fd_set* reading, fd_set* writing, fd_set* failing, timeval* time) {
    if (time == nullptr) return wait_select(count, reading, writing, failing, for_ever);
    if (time->tv_sec < 0 || time->tv_usec < 0) return as_errno::refused(EINVAL);
    const std::int64_t timeout = static_cast<std::int64_t>(time->tv_sec) * 1000000000 + time->tv_usec * 1000;
    const std::uint64_t begun = scheduler::virtual_time();
    const int found = wait_select(count, reading, writing, failing, timeout);
    // Linux writes back the time that is left.
    const std::uint64_t spent = scheduler::virtual_time() - begun;
    const std::int64_t left =
        found == 0 || spent > static_cast<std::uint64_t>(timeout) ? 0 : timeout - static_cast<std::int64_t>(spent);
    time->tv_sec = left / 1000000000;
    time->tv_usec = left % 1000000000 / 1000;
    return found;
}
int pselect(int count, fd_set* reading, fd_set* writing, fd_set* failing, const timespec* time, const sigset_t* mask) {
    if (time != nullptr && (!valid(time) || time->tv_sec < 0)) return as_errno::refused(EINVAL);
    return under(mask, [&] { return wait_select(count, reading, writing, failing, length_of(time)); });
}

int epoll_wait(int fd, epoll_event* events, int most, int timeout) {
    return wait_epoll(fd, events, most, milliseconds(timeout));
}
int epoll_pwait(int fd, epoll_event* events, int most, int timeout, const sigset_t* mask) {
    return under(mask, [&] { return hooks::epoll_wait(fd, events, most, timeout); });
}
int epoll_pwait2(int fd, epoll_event* events, int most, const timespec* time, const sigset_t* mask) {
    if (time != nullptr && (!valid(time) || time->tv_sec < 0)) return as_errno::refused(EINVAL);
    return under(mask, [&] { return wait_epoll(fd, events, most, length_of(time)); });
}

int epoll_ctl(int watcher, int operation, int fd, epoll_event* event) {
    Action change = of(Operation::descriptor_close);  // of the table: the set of watched descriptors changes
    change.object = change.second = fds::table();
    if (phase == Phase::scheduled) act(change);
    if (fds::Description* known = fds::find(watcher);
        known != nullptr && operation != EPOLL_CTL_DEL && fds::depends_on_external(fd))
        known->watches_external = true;
    if (operation == EPOLL_CTL_ADD) timers::added_to_epoll(fd);
    return static_cast<int>(from_kernel(raw::call(SYS_epoll_ctl, watcher, operation, fd, event)));
}

}  // namespace raddle::hooks
