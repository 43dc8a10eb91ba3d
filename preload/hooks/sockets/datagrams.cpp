#include "preload/hooks/sockets/datagrams.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>

#include "preload/hooks/sockets/addresses.h"
#include "preload/schedule/shared_memory.h"

namespace raddle::datagrams {

namespace {

// So many messages wait at a Unix socket until its sender has to.
std::int64_t room_of_unix_socket() {
    static std::int64_t room = 0;
    if (room == 0) room = 1 + addresses::number_in("/proc/sys/net/unix/max_dgram_qlen", 10);
    return room;
}

bool is_local(const sockaddr_storage& address) {
    switch (address.ss_family) {
        case AF_UNIX: return true;
        case AF_INET: {
            const std::uint32_t host = ntohl(reinterpret_cast<const sockaddr_in&>(address).sin_addr.s_addr);
            return host >> 24 == 127 || host == INADDR_ANY;
        }
        case AF_INET6: {
            const in6_addr& host = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
            return IN6_IS_ADDR_LOOPBACK(&host) || IN6_IS_ADDR_UNSPECIFIED(&host);
        }
        default: return false;
    }
}

}  // namespace

bool is_datagram(int fd) {
    const fds::Description* known = fds::find(fd);
    return known != nullptr && known->is_datagram;
}

void made(int fd, int domain, int type) {
    constexpr int kind = 0xf;  // without SOCK_NONBLOCK and SOCK_CLOEXEC
    const bool is_known = domain == AF_UNIX || domain == AF_INET || domain == AF_INET6;
    if ((type & kind) != SOCK_DGRAM || !is_known || !recorded()) return;
    fds::Description* description = fds::adopt(fd, fds::Nature::packets);
    const fds::Index queue = fds::new_queue(fd);
    if (description == nullptr || queue == 0) return;
    fds::queue(queue).writers = 0;  // anybody may send: the queue lives as long as its reader
    description->in = queue;
    description->is_datagram = true;
    fds::announce_queue(queue, domain == AF_UNIX ? room_of_unix_socket() : fds::much_room);
    if (scheduler::shared()->settings.external_clients != 0 || shared_memory::has_children()) fds::share(queue);
}

Route route(int fd, const void* address, std::uint32_t length) {
    fds::Description* own = fds::find(fd);
    if (own == nullptr || !own->is_datagram) return {};
    sockaddr_storage peer{};
    if (address == nullptr) {
        length = sizeof peer;
        if (raw::failed(raw::call(SYS_getpeername, fd, &peer, &length))) return {};  // the call itself fails
    } else {
        if (length > sizeof peer) return {};
        std::memcpy(&peer, address, length);
    }
    if (peer.ss_family == AF_UNSPEC) return {};
    for (int other = addresses::next_bound(0, &peer, length); other >= 0;
         other = addresses::next_bound(other + 1, &peer, length))
        if (const fds::Description* receiver = fds::find(other); receiver->is_datagram && is_local(peer))
            return {receiver->in, false};
    if (own->in != 0) fds::share(own->in);
    return {0, true};
}

}  // namespace raddle::datagrams
