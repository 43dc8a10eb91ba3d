// Connections. A listener is a queue of clients that wait for accept(). Data that they send meanwhile stands in
// queues of the connection.
#include "preload/hooks/files/descriptors.h"
#include "preload/hooks/files/external.h"
#include "preload/hooks/names/names.h"
#include "preload/hooks/sockets/addresses.h"
#include "preload/hooks/sockets/datagrams.h"
#include "preload/intercept/real.h"
#include "preload/restore/undo.h"
#include "supervisor/model/interruption.h"

namespace raddle::hooks {

namespace {

using fds::Description;
using fds::Index;
using fds::Nature;

int result_of(long result) { return static_cast<int>(from_kernel(result)); }

void wait_for_descriptor(int fd, short events) {
    external::used = true;
    external::Wait& wait = external::wait_of(scheduler::current());
    wait = {};
    wait.own = {fd, events, 0};
    wait.descriptors = &wait.own;
    wait.count = 1;
}

bool is_nonblocking(int fd) { return (raw::call(SYS_fcntl, fd, F_GETFL, 0L) & O_NONBLOCK) != 0; }

void push_pending(Description& listener, Index to_server, Index to_client) {
    const Index made = fds::take_pending();
    if (made == 0) return;
    fds::pending(made) = {to_server, to_client, 0};
    Index* last = &listener.first_pending;
    while (*last != 0) last = &fds::pending(*last).next;
    *last = made;
}

Action on_listener(Operation operation, const Description& listener, bool nonblocking) {
    const fds::Queue& queue = fds::queue(listener.in);
    Action action = of(operation);
    action.object = queue.object;
    action.second = fds::table();
    action.set_amount(1);
    if (nonblocking) action.flags |= flag::nonblocking;
    if (queue.external) action.flags |= flag::contents_unknown;
    return point(action);
}

// The kernel takes the backlog for an unsigned number, limits it, and lets one client more wait than that.
std::int64_t clients_that_fit(int backlog) {
    static unsigned limit = 0;
    if (limit == 0) limit = addresses::number_in("/proc/sys/net/core/somaxconn", 4096);
    const auto wanted = static_cast<unsigned>(backlog);
    return std::int64_t{wanted < limit ? wanted : limit} + 1;
}

// The listener at this address; null if it is not in this process.
Description* listener_at(const void* address, std::uint32_t length) {
    for (int fd = addresses::next_bound(0, address, length); fd >= 0;
         fd = addresses::next_bound(fd + 1, address, length))
        if (fds::find(fd)->nature == Nature::listener) return fds::find(fd);
    return nullptr;
}

int connect_external(int fd, const sockaddr* address, socklen_t length) {
    const long flags = raw::call(SYS_fcntl, fd, F_GETFL, 0L);
    if ((flags & O_NONBLOCK) != 0) return result_of(raw::call(SYS_connect, fd, address, length));
    raw::call(SYS_fcntl, fd, F_SETFL, flags | O_NONBLOCK);
    long result = raw::call(SYS_connect, fd, address, length);
    raw::call(SYS_fcntl, fd, F_SETFL, flags);
    if (result == -EINPROGRESS) {
        wait_for_descriptor(fd, POLLOUT);
        if (was_interrupted(act(point(fds::external_wait())))) return as_errno::refused(EINTR);
        int error = 0;
        socklen_t size = sizeof error;
        raw::call(SYS_getsockopt, fd, SOL_SOCKET, SO_ERROR, &error, &size);
        result = -error;
    }
    return result_of(result);
}

}  // namespace

int listen(int fd, int backlog) {
    const long result = raw::call(SYS_listen, fd, backlog);
    if (raw::failed(result)) return result_of(result);
    const std::int64_t room = clients_that_fit(backlog);
    if (Description* known = fds::find(fd)) {  // a second call changes the length of the queue
        if (known->nature == Nature::listener && known->in != 0 && room != known->room) {
            const std::int64_t more = room - known->room;
            known->room = room;
            fds::announce_capacity(known->in, more);
        }
        return 0;
    }
    Description* description = fds::adopt(fd, Nature::listener);
    const Index queue = fds::new_queue(fd);
    if (description == nullptr || queue == 0) return 0;
    description->in = queue;
    description->room = room;
    fds::announce_queue(queue, room);
    if (recorded() && scheduler::shared()->settings.external_clients != 0) fds::share(queue);
    return 0;
}

int accept4(int fd, sockaddr* address, socklen_t* length, int flags) {
    const bool nonblocking = is_nonblocking(fd);
    for (;;) {
        Description* listener = fds::find(fd);
        if (listener != nullptr && listener->in == 0) listener = nullptr;
        wait_for_descriptor(fd, POLLIN);
        Action action = listener != nullptr ? on_listener(Operation::descriptor_read, *listener, nonblocking)
                                            : point(fds::external_wait());
        if (listener == nullptr && nonblocking) action.flags |= flag::nonblocking;
        if (recorded() && was_interrupted(act(action))) return as_errno::refused(EINTR);
        fds::announce_table();
        if (!nonblocking) raw::call(SYS_fcntl, fd, F_SETFL, raw::call(SYS_fcntl, fd, F_GETFL, 0L) | O_NONBLOCK);
        undo::opened();
        const long made = raw::call(SYS_accept4, fd, address, length, flags);
        if (!nonblocking) raw::call(SYS_fcntl, fd, F_SETFL, raw::call(SYS_fcntl, fd, F_GETFL, 0L) & ~long{O_NONBLOCK});
        if (made == -EAGAIN && !nonblocking && recorded()) {
            pollfd soon{fd, POLLIN, 0};
            const timespec a_moment{0, 1000000};
            raw::call(SYS_ppoll, &soon, 1, &a_moment, nullptr, 8L);
            if (listener != nullptr) fds::announce_correction(listener->in, -1, 1);
            continue;
        }
        if (raw::failed(made)) return result_of(made);
        fds::forget(static_cast<int>(made));
        if (listener == nullptr || listener->first_pending == 0) return static_cast<int>(made);
        const Index taken = listener->first_pending;
        const fds::Pending connection = fds::pending(taken);
        listener->first_pending = connection.next;
        fds::give_back_pending(taken);
        if (Description* server = fds::adopt(static_cast<int>(made), Nature::stream)) {
            server->in = connection.to_server;
            server->out = connection.to_client;
        }
        return static_cast<int>(made);
    }
}

int accept(int fd, sockaddr* address, socklen_t* length) { return hooks::accept4(fd, address, length, 0); }

int bind(int fd, const sockaddr* address, socklen_t length) {
    const names::Address real_address(address, length);
    if (datagrams::is_datagram(fd)) fds::announce_change_of_addresses();
    return result_of(raw::call(SYS_bind, fd, real_address.get(), real_address.length()));
}

int connect(int fd, const sockaddr* given, socklen_t given_length) {
    const names::Address real_address(given, given_length);
    const sockaddr* const address = real_address.get();
    const socklen_t length = real_address.length();
    if (!controlled()) return real::connect(fd, address, length);
    if (datagrams::is_datagram(fd)) {
        fds::announce_change_of_addresses();
        return result_of(raw::call(SYS_connect, fd, address, length));
    }
    Description* listener = address != nullptr ? listener_at(address, length) : nullptr;
    if (listener == nullptr || fds::find(fd) != nullptr || !recorded()) return connect_external(fd, address, length);
    const Index to_client = fds::new_queue(fd), to_server = fds::new_queue(fd, 1);
    if (to_client == 0 || to_server == 0) return connect_external(fd, address, length);
    fds::announce_queue(to_client, fds::much_room);
    fds::announce_queue(to_server, fds::much_room);
    wait_for_descriptor(fd, POLLOUT);
    if (was_interrupted(act(on_listener(Operation::descriptor_write, *listener, is_nonblocking(fd)))))
        return as_errno::refused(EINTR);
    const long result = raw::call(SYS_connect, fd, address, length);
    if (raw::failed(result) && result != -EINPROGRESS) return result_of(result);
    if (Description* client = fds::adopt(fd, Nature::stream)) {
        client->in = to_client;
        client->out = to_server;
    }
    push_pending(*listener, to_server, to_client);
    return result_of(result);
}

int shutdown(int fd, int how) {
    const Description* known = fds::find(fd);
    if (known == nullptr || (known->in == 0 && known->out == 0)) return result_of(raw::call(SYS_shutdown, fd, how));
    const Index in = known->in, out = known->out;
    const bool reading = how != SHUT_WR && in != 0, writing = how != SHUT_RD && out != 0 && out != in;
    if (reading) fds::announce_closing(fds::queue(in).object);
    if (writing && !reading) fds::announce_closing(fds::queue(out).object);
    const long result = raw::call(SYS_shutdown, fd, how);
    if (writing && reading) fds::announce_closing(fds::queue(out).object);
    return result_of(result);
}

int setsockopt(int fd, int level, int name, const void* value, socklen_t length) {
    const long result = raw::call(SYS_setsockopt, fd, level, name, value, length);
    const bool is_time =
        level == SOL_SOCKET && (name == SO_RCVTIMEO || name == SO_SNDTIMEO) && length >= sizeof(timeval);
    if (raw::failed(result) || !is_time) return result_of(result);
    const auto* time = static_cast<const timeval*>(value);
    const std::uint64_t nanoseconds = static_cast<std::uint64_t>(time->tv_sec) * virtual_clock::second +
                                      static_cast<std::uint64_t>(time->tv_usec) * 1000;
    if (Description* known = fds::find(fd))
        (name == SO_RCVTIMEO ? known->receive_timeout : known->send_timeout) = nanoseconds;
    return 0;
}

}  // namespace raddle::hooks
