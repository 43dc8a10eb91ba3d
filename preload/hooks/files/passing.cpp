#include "preload/hooks/files/passing.h"

#include <cstring>

#include "preload/hooks/files/callbacks.h"

namespace raddle::passing {

namespace {

struct Flight {
    fds::Index queue;  // 0: this record is free
    fds::Index description;
    std::uint64_t message;  // number of the message, in the order of sending
};
constexpr std::uint32_t most = 1024;
Flight flights[most];
std::uint64_t messages = 0;
constexpr int most_in_message = 253;  // SCM_MAX_FD

// Calls `visit(number)` for each descriptor number in the message's control data.
template <typename Visit>
void each_number(const msghdr& message, Visit visit) {
    auto& given = const_cast<msghdr&>(message);
    if (given.msg_control == nullptr || given.msg_controllen < sizeof(cmsghdr)) return;
    for (cmsghdr* part = CMSG_FIRSTHDR(&given); part != nullptr; part = CMSG_NXTHDR(&given, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS || part->cmsg_len < CMSG_LEN(0)) continue;
        const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < count; ++i) {
            int fd = -1;
            std::memcpy(&fd, CMSG_DATA(part) + i * sizeof fd, sizeof fd);
            visit(fd);
        }
    }
}

// The oldest message with descriptors in the queue; 0: none.
std::uint64_t first_message(fds::Index queue) {
    std::uint64_t first = 0;
    for (const Flight& one : flights)
        if (queue != 0 && one.queue == queue && (first == 0 || one.message < first)) first = one.message;
    return first;
}

// The descriptors of a message stand in the table in their order.
Flight* next_of(fds::Index queue, std::uint64_t message, std::uint32_t& from) {
    for (; from < most; ++from)
        if (flights[from].queue == queue && flights[from].message == message) return &flights[from++];
    return nullptr;
}

void drop(Flight& flight) {
    const fds::Index description = flight.description;
    flight = {};
    if (description != 0) fds::let_go(description);
}

[[noreturn]] void refuse_so_many() {
    scheduler::end_with(channel::End::uncontrolled,
                        "more descriptors are on their way through sockets than raddle can follow (1,024)");
}

}  // namespace

bool has_any(fds::Index queue) { return first_message(queue) != 0; }

void sent(fds::Index queue, const msghdr& message) {
    if (queue == 0 || !recorded()) return;
    std::uint32_t at = 0;
    ++messages;
    each_number(message, [&](int fd) {
        while (at < most && flights[at].queue != 0) ++at;
        if (at == most) refuse_so_many();
        flights[at] = {queue, fds::hold(fd), messages};
    });
}

void received(fds::Index queue, msghdr& message, bool peeks) {
    const std::uint64_t first = first_message(queue);
    std::uint32_t at = 0;
    bool is_any = false;
    each_number(message, [&](int fd) {
        is_any = true;
        fds::forget(fd);
        Flight* const flight = first != 0 ? next_of(queue, first, at) : nullptr;
        if (flight == nullptr || flight->description == 0) return;
        fds::lead(fd, flight->description);
    });
    if (!is_any || peeks || first == 0) return;
    at = 0;  // those that did not fit into the control data are gone, too
    while (Flight* const flight = next_of(queue, first, at)) drop(*flight);
}

void dropped(fds::Index queue) {
    for (Flight& one : flights)
        if (one.queue == queue && queue != 0) drop(one);
}

long receive_without(fds::Index queue, int fd, iovec piece, int flags, sockaddr* address, socklen_t* length) {
    alignas(cmsghdr) char control[CMSG_SPACE(most_in_message * sizeof(int))];
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    message.msg_name = address;
    message.msg_namelen = address != nullptr && length != nullptr ? *length : 0;
    const long result = raw::call(SYS_recvmsg, fd, &message, flags | MSG_CMSG_CLOEXEC);
    if (raw::failed(result)) return result;
    if (address != nullptr && length != nullptr) *length = message.msg_namelen;
    const bool peeks = (flags & MSG_PEEK) != 0;
    received(queue, message, peeks);
    each_number(message, [](int passed) {
        raw::call(SYS_close, passed);
        fds::forget(passed);
    });
    return result;
}

}  // namespace raddle::passing
