// Reads and writes of any kind: each part is announced, and then carried out without blocking.
#pragma once

#include "preload/hooks/files/descriptors.h"
#include "preload/hooks/files/external.h"
#include "preload/hooks/files/output.h"
#include "preload/intercept/callbacks.h"

namespace raddle::fds {

struct Request {
    int fd;
    bool reading;
    std::size_t bytes;
    bool dont_wait = false;
    bool peek = false;
    bool all = false;                    // go on until all bytes are transferred (a write always does)
    bool message = false;                // a message of a socket
    const void* counted = nullptr;       // the value written to an eventfd
    const timespec* deadline = nullptr;  // of CLOCK_REALTIME; the call then fails with ETIMEDOUT
    Index queue = 0;                     // of the receiver of a datagram, in place of the descriptor's own
    bool external = false;               // the receiver is another process
};

// One request, carried out in as many actions as it takes.
class Transfer {
public:
    explicit Transfer(const Request& request);

    bool is_direct() const { return is_direct_; }  // one call to the kernel, without actions
    bool announce_next();                          // announces the next part; false: the request is over
    std::size_t done() const { return total_; }
    std::size_t part() const { return part_; }  // bytes of this part
    void make_nonblocking();
    void restore_flags();
    // Records the kernel's result for the part. True if it was the last one.
    bool complete(long result);
    long result() const { return from_kernel(result_); }

private:
    Action next_action() const;
    void reconcile(long result);
    Queue* own_queue() const { return index_ != 0 && !queue(index_).external ? &queue(index_) : nullptr; }
    bool is_external() const { return own_queue() == nullptr && !is_closed_; }
    void forget_if_closed();

    Request request_;
    Nature nature_ = Nature::plain;
    Index index_ = 0;
    ObjectId object_{};       // of the queue
    bool is_closed_ = false;  // the number was closed; the kernel will say so
    bool semaphore_ = false;
    bool is_direct_ = false;
    bool nonblocking_ = false;
    bool was_external_ = false;
    long flags_ = 0;
    std::uint64_t timeout_ = 0;
    std::size_t total_ = 0, part_ = 0;
    std::int64_t granted_ = 0;
    long result_ = 0;
};

// `real(offset, bytes)` makes the system call and returns the kernel's result.
template <typename Real>
long transfer(const Request& request, Real real) {
    Transfer progress(request);
    if (progress.is_direct()) {
        use_number(request.fd);
        return from_kernel(real(std::size_t{0}, request.bytes));
    }
    while (progress.announce_next()) {
        if (!request.reading) output::announce(request.fd);
        progress.make_nonblocking();
        const long result = real(progress.done(), progress.part());
        progress.restore_flags();
        if (progress.complete(result)) break;
    }
    return progress.result();
}

}  // namespace raddle::fds
