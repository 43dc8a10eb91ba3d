#include "preload/hooks/sockets/addresses.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>

#include "preload/hooks/files/descriptors.h"

namespace raddle::addresses {

namespace {

bool is_same(const sockaddr_storage& known, std::uint32_t known_length, const sockaddr_storage& wanted,
             std::uint32_t length) {
    if (known.ss_family != wanted.ss_family) return false;
    const auto& one = reinterpret_cast<const sockaddr_un&>(known);
    // A path ends at its zero byte; the given length may include bytes behind it.
    if (known.ss_family == AF_UNIX && one.sun_path[0] != 0)
        return std::strncmp(one.sun_path, reinterpret_cast<const sockaddr_un&>(wanted).sun_path, sizeof one.sun_path) ==
               0;
    // A machine has many addresses, so a port alone identifies the socket.
    if (known.ss_family == AF_INET)
        return reinterpret_cast<const sockaddr_in&>(known).sin_port ==
               reinterpret_cast<const sockaddr_in&>(wanted).sin_port;
    if (known.ss_family == AF_INET6)
        return reinterpret_cast<const sockaddr_in6&>(known).sin6_port ==
               reinterpret_cast<const sockaddr_in6&>(wanted).sin6_port;
    return known_length == length && std::memcmp(&known, &wanted, length) == 0;
}

}  // namespace

int next_bound(int fd, const void* address, std::uint32_t length) {
    sockaddr_storage wanted{}, known{};
    if (length > sizeof wanted) return -1;
    std::memcpy(&wanted, address, length);
    for (; fds::in_range(fd); ++fd) {
        const fds::Description* description = fds::find(fd);
        if (description == nullptr || (description->nature != fds::Nature::listener && !description->is_datagram))
            continue;
        known = {};
        std::uint32_t known_length = sizeof known;
        if (raw::failed(raw::call(SYS_getsockname, fd, &known, &known_length))) continue;
        if (is_same(known, known_length, wanted, length)) return fd;
    }
    return -1;
}

unsigned number_in(const char* path, unsigned otherwise) {
    char text[16] = {};
    const long fd = raw::call(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (raw::failed(fd)) return otherwise;
    const bool is_read = raw::call(SYS_read, fd, text, sizeof text - 1) > 0;
    raw::call(SYS_close, fd);
    unsigned number = 0;
    for (const char* digit = text; *digit >= '0' && *digit <= '9'; ++digit)
        number = number * 10 + static_cast<unsigned>(*digit - '0');
    return is_read ? number : otherwise;
}

}  // namespace raddle::addresses
