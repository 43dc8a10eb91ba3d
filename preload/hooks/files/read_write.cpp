// Calls that read and write bytes and messages.
#include "preload/hooks/files/passing.h"
#include "preload/hooks/files/transfer.h"
#include "preload/hooks/names/names.h"
#include "preload/hooks/signals/signals.h"
#include "preload/hooks/sockets/datagrams.h"
#include "preload/hooks/time/timers.h"
#include "preload/intercept/real.h"
#include "preload/restore/undo.h"

namespace raddle::hooks {

namespace {

using fds::Request;

// A vector of buffers without the bytes already transferred, cut to the amount still wanted.
class Pieces {
public:
    static constexpr int most = 64;
    Pieces(const iovec* from, std::size_t count, std::size_t skip, std::size_t amount)
        : given_(from), given_count_(count) {
        if (count > most) return;
        for (std::size_t i = 0; i < count && amount > 0; ++i) {
            iovec piece = from[i];
            const std::size_t cut = skip < piece.iov_len ? skip : piece.iov_len;
            skip -= cut;
            piece.iov_base = static_cast<char*>(piece.iov_base) + cut;
            piece.iov_len -= cut;
            if (piece.iov_len > amount) piece.iov_len = amount;
            amount -= piece.iov_len;
            if (piece.iov_len > 0) pieces_[count_++] = piece;
        }
    }
    const iovec* data() const { return given_count_ > most ? given_ : pieces_; }
    std::size_t size() const { return given_count_ > most ? given_count_ : count_; }

    static std::size_t bytes(const iovec* pieces, std::size_t count) {
        std::size_t sum = 0;
        for (std::size_t i = 0; i < count; ++i) sum += pieces[i].iov_len;
        return sum;
    }

private:
    const iovec* given_;
    std::size_t given_count_;
    iovec pieces_[most];
    std::size_t count_ = 0;
};

bool is_valid_vector(const iovec* pieces, int count) { return pieces != nullptr && count > 0 && count <= Pieces::most; }

long read_endlessly(int fd, char* buffer, std::size_t bytes) {
    std::size_t done = 0;
    while (done < bytes) {
        const long result = raw::call(SYS_read, fd, buffer + done, bytes - done);
        if (raw::failed(result)) return done != 0 ? static_cast<long>(done) : result;
        done += static_cast<std::size_t>(result);
        if (done < bytes) raw::call(SYS_lseek, fd, 0L, SEEK_SET);
    }
    return static_cast<long>(done);
}

// The queue from which the descriptor reads, if it belongs to this process.
fds::Index own_queue(int fd) {
    const fds::Description* known = fds::find(fd);
    return known != nullptr && known->in != 0 && !fds::queue(known->in).external ? known->in : fds::Index{0};
}
fds::Index queue_to(int fd, const Request& request) {
    const fds::Description* known = fds::find(fd);
    const fds::Index queue = request.queue != 0 ? request.queue : known != nullptr ? known->out : fds::Index{0};
    return queue != 0 && !fds::queue(queue).external ? queue : fds::Index{0};
}

void find_receiver(Request& request, const void* address, socklen_t length) {
    if (!datagrams::is_datagram(request.fd)) return;
    fds::announce_look_at_addresses();
    const datagrams::Route route = datagrams::route(request.fd, address, length);
    request.queue = route.queue;
    request.external = route.external;
}

long receive_part(int fd, char* to, std::size_t part, int flags, sockaddr* address, socklen_t* length) {
    const fds::Index queue = own_queue(fd);
    if (!passing::has_any(queue)) return raw::call(SYS_recvfrom, fd, to, part, flags, address, length);
    return passing::receive_without(queue, fd, {to, part}, flags, address, length);
}

Request of_message(int fd, bool reading, std::size_t bytes, int flags) {
    Request request{fd, reading, bytes};
    request.message = true;
    request.dont_wait = (flags & MSG_DONTWAIT) != 0;
    request.peek = reading && (flags & MSG_PEEK) != 0;
    request.all = reading && (flags & MSG_WAITALL) != 0;
    return request;
}

}  // namespace

ssize_t read(int fd, void* buffer, size_t bytes) {
    if (timers::is_descriptor(fd)) return from_kernel(timers::read(fd, buffer, bytes));
    if (const fds::Description* known = fds::find(fd); known != nullptr) {
        if (known->begins_again) return from_kernel(read_endlessly(fd, static_cast<char*>(buffer), bytes));
        if (known->nature == fds::Nature::signals) return from_kernel(signals::read_descriptor(fd, buffer, bytes));
    }
    return fds::transfer({fd, true, bytes}, [&](std::size_t done, std::size_t part) {
        char* const to = static_cast<char*>(buffer) + done;
        return passing::has_any(own_queue(fd)) ? receive_part(fd, to, part, 0, nullptr, nullptr)
                                               : raw::call(SYS_read, fd, to, part);
    });
}

ssize_t __read_chk(int fd, void* buffer, size_t bytes, size_t) { return hooks::read(fd, buffer, bytes); }

ssize_t write(int fd, const void* buffer, size_t bytes) {
    Request request{fd, false, bytes};
    request.counted = buffer;
    return fds::transfer(request, [&](std::size_t done, std::size_t part) {
        return raw::call(SYS_write, fd, static_cast<const char*>(buffer) + done, part);
    });
}

ssize_t readv(int fd, const iovec* pieces, int count) {
    if (!is_valid_vector(pieces, count)) return from_kernel(raw::call(SYS_readv, fd, pieces, count));
    const auto number = static_cast<std::size_t>(count);
    return fds::transfer({fd, true, Pieces::bytes(pieces, number)}, [&](std::size_t done, std::size_t part) {
        const Pieces rest(pieces, number, done, part);
        return raw::call(SYS_readv, fd, rest.data(), rest.size());
    });
}

ssize_t writev(int fd, const iovec* pieces, int count) {
    if (!is_valid_vector(pieces, count)) return from_kernel(raw::call(SYS_writev, fd, pieces, count));
    const auto number = static_cast<std::size_t>(count);
    Request request{fd, false, Pieces::bytes(pieces, number)};
    request.counted = pieces[0].iov_base;
    return fds::transfer(request, [&](std::size_t done, std::size_t part) {
        const Pieces rest(pieces, number, done, part);
        return raw::call(SYS_writev, fd, rest.data(), rest.size());
    });
}

ssize_t recvfrom(int fd, void* buffer, size_t bytes, int flags, sockaddr* address, socklen_t* length) {
    return fds::transfer(of_message(fd, true, bytes, flags), [&](std::size_t done, std::size_t part) {
        return receive_part(fd, static_cast<char*>(buffer) + done, part, flags & ~MSG_WAITALL, address, length);
    });
}

ssize_t recv(int fd, void* buffer, size_t bytes, int flags) {
    return hooks::recvfrom(fd, buffer, bytes, flags, nullptr, nullptr);
}
ssize_t __recv_chk(int fd, void* buffer, size_t bytes, size_t, int flags) {
    return hooks::recv(fd, buffer, bytes, flags);
}
ssize_t __recvfrom_chk(int fd, void* buffer, size_t bytes, size_t, int flags, sockaddr* address, socklen_t* length) {
    return hooks::recvfrom(fd, buffer, bytes, flags, address, length);
}

ssize_t sendto(int fd, const void* buffer, size_t bytes, int flags, const sockaddr* address, socklen_t length) {
    const names::Address to(address, length);
    Request request = of_message(fd, false, bytes, flags);
    find_receiver(request, to.get(), to.length());
    return fds::transfer(request, [&](std::size_t done, std::size_t part) {
        return raw::call(SYS_sendto, fd, static_cast<const char*>(buffer) + done, part, flags, to.get(), to.length());
    });
}

ssize_t send(int fd, const void* buffer, size_t bytes, int flags) {
    return hooks::sendto(fd, buffer, bytes, flags, nullptr, 0);
}

ssize_t recvmsg(int fd, msghdr* message, int flags) {
    if (!is_valid_vector(message->msg_iov, static_cast<int>(message->msg_iovlen)))
        return from_kernel(raw::call(SYS_recvmsg, fd, message, flags));
    return fds::transfer(of_message(fd, true, Pieces::bytes(message->msg_iov, message->msg_iovlen), flags),
                         [&](std::size_t done, std::size_t part) {
                             const Pieces rest(message->msg_iov, message->msg_iovlen, done, part);
                             msghdr some = *message;
                             some.msg_iov = const_cast<iovec*>(rest.data());
                             some.msg_iovlen = rest.size();
                             if (done != 0) some.msg_controllen = 0;
                             undo::opened();  // the message may contain descriptors
                             const fds::Index queue = own_queue(fd);
                             if (passing::has_any(queue)) fds::announce_table();  // they get numbers
                             const long result = raw::call(SYS_recvmsg, fd, &some, flags & ~MSG_WAITALL);
                             if (result >= 0) passing::received(queue, some, (flags & MSG_PEEK) != 0);
                             if (done == 0 && result >= 0) {
                                 message->msg_namelen = some.msg_namelen;
                                 message->msg_controllen = some.msg_controllen;
                                 message->msg_flags = some.msg_flags;
                             }
                             return result;
                         });
}

ssize_t sendmsg(int fd, const msghdr* message, int flags) {
    if (!is_valid_vector(message->msg_iov, static_cast<int>(message->msg_iovlen)))
        return from_kernel(raw::call(SYS_sendmsg, fd, message, flags));
    const names::Address to(message->msg_name, message->msg_namelen);
    Request request = of_message(fd, false, Pieces::bytes(message->msg_iov, message->msg_iovlen), flags);
    find_receiver(request, to.get(), to.length());
    return fds::transfer(request, [&](std::size_t done, std::size_t part) {
        const Pieces rest(message->msg_iov, message->msg_iovlen, done, part);
        msghdr some = *message;
        some.msg_name = const_cast<sockaddr*>(to.get());
        some.msg_namelen = to.length();
        some.msg_iov = const_cast<iovec*>(rest.data());
        some.msg_iovlen = rest.size();
        if (done != 0) some.msg_controllen = 0;
        const long result = raw::call(SYS_sendmsg, fd, &some, flags);
        if (done == 0 && result >= 0) passing::sent(queue_to(fd, request), some);
        return result;
    });
}

int recvmmsg(int fd, mmsghdr* messages, unsigned count, int flags, timespec*) {
    for (unsigned i = 0; i < count; ++i) {
        const int more = i > 0 && (flags & MSG_WAITFORONE) != 0 ? MSG_DONTWAIT : 0;
        const ssize_t got = hooks::recvmsg(fd, &messages[i].msg_hdr, (flags & ~MSG_WAITFORONE) | more);
        if (got < 0) return i == 0 ? -1 : static_cast<int>(i);
        messages[i].msg_len = static_cast<unsigned>(got);
    }
    return static_cast<int>(count);
}

int sendmmsg(int fd, mmsghdr* messages, unsigned count, int flags) {
    for (unsigned i = 0; i < count; ++i) {
        const ssize_t sent = hooks::sendmsg(fd, &messages[i].msg_hdr, flags);
        if (sent < 0) return i == 0 ? -1 : static_cast<int>(i);
        messages[i].msg_len = static_cast<unsigned>(sent);
    }
    return static_cast<int>(count);
}

int eventfd_read(int fd, eventfd_t* value) {
    return hooks::read(fd, value, sizeof *value) == static_cast<ssize_t>(sizeof *value) ? 0 : -1;
}
int eventfd_write(int fd, eventfd_t value) {
    return hooks::write(fd, &value, sizeof value) == static_cast<ssize_t>(sizeof value) ? 0 : -1;
}

}  // namespace raddle::hooks
