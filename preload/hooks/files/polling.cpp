// poll, select and epoll (waiting.h).
#include <cstring>

#include "preload/hooks/files/waiting.h"
#include "preload/intercept/real.h"

namespace raddle::hooks {

namespace {

using fds::AnyWait;
using fds::for_ever;

constexpr timespec no_time{};

bool has_signal(void*) { return signals::has_external(); }

AnyWait wait_for(pollfd* descriptors, int count, bool external_too, std::int64_t timeout) {
    return {descriptors, count, external_too, timeout, signals::has_descriptors() ? has_signal : nullptr, nullptr};
}

std::int64_t length_of(const timespec* time) {
    return time == nullptr ? for_ever : static_cast<std::int64_t>(nanoseconds_of(time));
}
std::int64_t milliseconds(int timeout) { return timeout < 0 ? for_ever : std::int64_t{timeout} * 1000000; }

int wait_poll(pollfd* descriptors, nfds_t count, std::int64_t timeout) {
    bool external_too = false;
    for (nfds_t i = 0; i < count; ++i)
        external_too |= descriptors[i].fd >= 0 && fds::depends_on_external(descriptors[i].fd);
    const AnyWait wait = wait_for(descriptors, static_cast<int>(count), external_too, timeout);
    return static_cast<int>(from_kernel(
        fds::wait_for_any(wait, [&] { return raw::call(SYS_ppoll, descriptors, count, &no_time, nullptr, 8L); })));
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
    return static_cast<int>(from_kernel(fds::wait_for_any(wait_for(descriptors, used, external_too, timeout), [&] {
        for (int i = 0; i < 3; ++i)
            if (given[i] != nullptr) std::memcpy(given[i], &wanted[i], bytes);
        timespec none{};
        return raw::call(SYS_pselect6, count, reading, writing, failing, &none, nullptr);
    })));
}

int wait_epoll(int fd, epoll_event* events, int most, std::int64_t timeout) {
    pollfd itself{fd, POLLIN, 0};
    const AnyWait wait = wait_for(&itself, 1, fds::depends_on_external(fd), timeout);
    return static_cast<int>(from_kernel(
        fds::wait_for_any(wait, [&] { return raw::call(SYS_epoll_pwait, fd, events, most, 0, nullptr, 8L); })));
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
    if (fds::Description* known = fds::find(watcher); known != nullptr && operation == EPOLL_CTL_ADD)
        known->awaited_signals |= signals::awaited_by_descriptor(fd);
    if (operation == EPOLL_CTL_ADD) timers::added_to_epoll(fd);
    return static_cast<int>(from_kernel(raw::call(SYS_epoll_ctl, watcher, operation, fd, event)));
}

}  // namespace raddle::hooks

namespace raddle::fds {

long wait_until_ready(int fd, short events) {
    pollfd one{fd, events, 0};
    const AnyWait wait{&one, 1, depends_on_external(fd)};
    const timespec now{};
    return wait_and_restart(wait, [&] { return raw::call(SYS_ppoll, &one, 1, &now, nullptr, 8L); });
}

}  // namespace raddle::fds
