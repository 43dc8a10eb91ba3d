// Reading and writing, in whatever shape: announced first; then done for real in a way that cannot block.
#pragma once

#include "preload/hooks/files/descriptors.h"
#include "preload/hooks/files/external.h"

namespace raddle::fds {

struct Request {
    int fd;
    bool reading;
    std::size_t bytes;
    bool dont_wait = false;
    bool peek = false;
    bool all = false;              // go on until all is there (a write does so anyway)
    bool message = false;          // for sockets only
    const void* counted = nullptr; // what is written to an eventfd
};

// The way of one request through as many actions as it takes.
class Transfer {
public:
    explicit Transfer(const Request& request);

    bool in_one() const { return in_one_; }        // nothing to announce
    bool more();                                   // announces the next part; false: no part is to be done any more
    std::size_t done() const { return total_; }
    std::size_t part() const { return part_; }     // bytes
    void make_nonblocking();
    void make_as_it_was();
    // What came of the part; true if that was the last one.
    bool take(long result);
    long result() const { return returned(result_); }

private:
    Action next_action() const;
    void reconcile(long result);
    Queue* own_queue() const { return index_ != 0 && !queue(index_).external ? &queue(index_) : nullptr; }

    Request request_;
    Nature nature_ = Nature::plain;
    Index index_ = 0;
    bool semaphore_ = false;
    bool in_one_ = false;
    bool nonblocking_ = false;
    bool was_external_ = false;
    long flags_ = 0;
    std::uint64_t timeout_ = 0;
    std::size_t total_ = 0, part_ = 0;
    std::int64_t granted_ = 0;
    long result_ = 0;
};

// `real` does so many bytes from an offset on, and gives what the kernel gives.
template <typename Real>
long transfer(const Request& request, Real real) {
    Transfer way(request);
    if (way.in_one()) return returned(real(std::size_t{0}, request.bytes));
    while (way.more()) {
        way.make_nonblocking();
        const long result = real(way.done(), way.part());
        way.make_as_it_was();
        if (way.take(result)) break;
    }
    return way.result();
}

}  // namespace raddle::fds
