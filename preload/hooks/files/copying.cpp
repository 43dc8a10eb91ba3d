// Calls that move bytes between two descriptors inside the kernel. The thread waits until the kernel says that both are
// ready, and makes the call without blocking. Events then tell the machine how much the queues hold.
#include <sys/sendfile.h>

#include "preload/hooks/files/output.h"
#include "preload/hooks/files/waiting.h"
#include "preload/intercept/callbacks.h"
#include "preload/intercept/real.h"

namespace raddle::hooks {

namespace {

using fds::Description;
using fds::Index;
using fds::Nature;

bool can_block(int fd) {
    const Nature nature = fds::nature_of(fd);
    return nature == Nature::pipe || nature == Nature::stream || nature == Nature::packets ||
           nature == Nature::external;
}

long flags_of(int fd) { return raw::call(SYS_fcntl, fd, F_GETFL, 0L); }
bool is_nonblocking(int fd) {
    const long flags = flags_of(fd);
    return !raw::failed(flags) && (flags & O_NONBLOCK) != 0;
}

// The kernel does not block at this descriptor meanwhile.
class Nonblocking {
public:
    explicit Nonblocking(int fd) : fd_(fd), flags_(can_block(fd) ? flags_of(fd) : -1) {
        if (flags_ >= 0 && (flags_ & O_NONBLOCK) == 0) raw::call(SYS_fcntl, fd_, F_SETFL, flags_ | O_NONBLOCK);
    }
    ~Nonblocking() {
        if (flags_ >= 0 && (flags_ & O_NONBLOCK) == 0) raw::call(SYS_fcntl, fd_, F_SETFL, flags_);
    }
    Nonblocking(const Nonblocking&) = delete;
    Nonblocking& operator=(const Nonblocking&) = delete;

private:
    int fd_;
    long flags_;
};

Index in_of(int fd) {
    const Description* known = fds::find(fd);
    return known != nullptr && known->in != 0 && !fds::queue(known->in).external ? known->in : Index{0};
}
Index out_of(int fd) {
    const Description* known = fds::find(fd);
    return known != nullptr && known->out != 0 && !fds::queue(known->out).external ? known->out : Index{0};
}

struct Copy {
    int from, to;
    bool takes = true;     // the bytes leave `from`
    bool goes_on = false;  // until all bytes are copied
    bool dont_wait = false;
};

// `real(done)` makes the call without the bytes already copied, and returns the kernel's result.
template <typename Real>
long copy(const Copy& wanted, std::size_t bytes, Real real) {
    if (!recorded() || (!can_block(wanted.from) && !can_block(wanted.to))) {
        fds::use_number(wanted.from);
        fds::use_number(wanted.to);
        return real(std::size_t{0});
    }
    const bool waits_for_input = !wanted.dont_wait && can_block(wanted.from) && !is_nonblocking(wanted.from);
    const bool waits_for_room = !wanted.dont_wait && can_block(wanted.to) && !is_nonblocking(wanted.to);
    std::size_t done = 0;
    for (;;) {
        if (waits_for_input)
            if (const long found = fds::wait_until_ready(wanted.from, POLLIN); found < 0)
                return done != 0 ? static_cast<long>(done) : found;
        // The last look before the call: it excludes all actions on descriptors.
        const long room = waits_for_room ? fds::wait_until_ready(wanted.to, POLLOUT) : (fds::announce_change(), 1L);
        if (room < 0) return done != 0 ? static_cast<long>(done) : room;
        if (fds::in_range(wanted.to)) output::announce(wanted.to);
        const Index in = in_of(wanted.from), out = out_of(wanted.to);
        long result = 0;
        {
            const Nonblocking source(wanted.from), sink(wanted.to);
            result = real(done);
        }
        if (result == -EAGAIN && (waits_for_input || waits_for_room)) continue;
        if (raw::failed(result)) return done != 0 ? static_cast<long>(done) : result;
        if (result > 0 && in != 0 && wanted.takes) fds::announce_correction(in, result, -result);
        if (result > 0 && out != 0) fds::announce_correction(out, -result, result);
        if (result > 0) fds::announce_change();  // threads that poll may find something
        done += static_cast<std::size_t>(result);
        if (result == 0 || !wanted.goes_on || done >= bytes) return static_cast<long>(done);
    }
}

}  // namespace

ssize_t splice(int from, off64_t* from_at, int to, off64_t* to_at, size_t bytes, unsigned flags) {
    Copy wanted{from, to};
    wanted.dont_wait = (flags & SPLICE_F_NONBLOCK) != 0;
    return from_kernel(copy(wanted, bytes, [&](std::size_t) {
        return raw::call(SYS_splice, from, from_at, to, to_at, bytes, flags | (recorded() ? SPLICE_F_NONBLOCK : 0u));
    }));
}

ssize_t tee(int from, int to, size_t bytes, unsigned flags) {
    Copy wanted{from, to};
    wanted.takes = false;
    wanted.dont_wait = (flags & SPLICE_F_NONBLOCK) != 0;
    return from_kernel(copy(wanted, bytes, [&](std::size_t) {
        return raw::call(SYS_tee, from, to, bytes, flags | (recorded() ? SPLICE_F_NONBLOCK : 0u));
    }));
}

ssize_t vmsplice(int fd, const iovec* pieces, size_t count, unsigned flags) {
    // The descriptor is one end of a pipe; the memory of the program is the other side.
    const bool reads = (flags_of(fd) & O_ACCMODE) == O_RDONLY;
    Copy wanted{reads ? fd : -1, reads ? -1 : fd};
    wanted.dont_wait = (flags & SPLICE_F_NONBLOCK) != 0;
    return from_kernel(copy(wanted, 0, [&](std::size_t) {
        return raw::call(SYS_vmsplice, fd, pieces, count, flags | (recorded() ? SPLICE_F_NONBLOCK : 0u));
    }));
}

ssize_t sendfile64(int to, int from, off64_t* from_at, size_t bytes) {
    Copy wanted{from, to};
    wanted.goes_on = true;
    return from_kernel(copy(
        wanted, bytes, [&](std::size_t done) { return raw::call(SYS_sendfile, to, from, from_at, bytes - done); }));
}
ssize_t sendfile(int to, int from, off_t* from_at, size_t bytes) { return hooks::sendfile64(to, from, from_at, bytes); }

ssize_t copy_file_range(int from, off64_t* from_at, int to, off64_t* to_at, size_t bytes, unsigned flags) {
    fds::use_number(from);
    fds::use_number(to);
    return from_kernel(raw::call(SYS_copy_file_range, from, from_at, to, to_at, bytes, flags));
}

}  // namespace raddle::hooks
