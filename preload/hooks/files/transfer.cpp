#include "preload/hooks/files/transfer.h"

#include <cstring>

#include "supervisor/model/interruption.h"

namespace raddle::fds {

namespace {
constexpr std::size_t pipe_atomic = 4096;  // PIPE_BUF

std::uint64_t word_at(const void* at) {
    std::uint64_t word;
    std::memcpy(&word, at, sizeof word);
    return word;
}
}  // namespace

Transfer::Transfer(const Request& request) : request_(request), nature_(nature_of(request.fd)) {
    const Description* description = find(request.fd);
    if (description != nullptr) {
        index_ = request.reading ? description->in : description->out;
        semaphore_ = description->semaphore;
        timeout_ = request.reading ? description->receive_timeout : description->send_timeout;
    }
    if (request.queue != 0 || request.external) index_ = request.queue;
    if (request.external) nature_ = Nature::external;
    const Closed* former = closed(request.fd);
    if (former != nullptr) {
        nature_ = former->description.nature;
        object_ = request.reading ? former->in : former->out;
        semaphore_ = former->description.semaphore;
        timeout_ = request.reading ? former->description.receive_timeout : former->description.send_timeout;
        is_closed_ = object_.region != 0;
    } else if (index_ != 0) {
        object_ = queue(index_).object;
    }
    const bool no_such_end = index_ == 0 && !is_closed_ && nature_ != Nature::external;
    const bool nothing = request.bytes == 0 && nature_ != Nature::packets;
    const bool too_short = nature_ == Nature::counter && request.bytes < sizeof(std::uint64_t);
    const bool no_socket = request.message && (nature_ == Nature::pipe || nature_ == Nature::counter);
    is_direct_ = nature_ == Nature::plain || no_socket || no_such_end || nothing || too_short || !recorded();
    if (is_direct_ && !(nature_ == Nature::external)) return;
    flags_ = raw::call(SYS_fcntl, request.fd, F_GETFL, 0L);
    nonblocking_ = request.dont_wait || (is_closed_ ? former->nonblocking : (flags_ & O_NONBLOCK) != 0);
    // The machine cannot represent a larger amount.
    if (nature_ == Nature::counter && !request.reading && !is_closed_ &&
        word_at(request.counted) > static_cast<std::uint64_t>(much_room / 2))
        share(index_);
}

Action Transfer::next_action() const {
    if (index_ == 0 && !is_closed_) {
        Action action = external_wait();
        if (nonblocking_) action.flags |= flag::nonblocking;
        return total_ == 0 ? point(action) : action;
    }
    Action action = of(request_.reading ? Operation::descriptor_read : Operation::descriptor_write);
    action.object = object_;
    action.second = table();
    const std::size_t rest = request_.bytes - total_;
    action.set_amount(static_cast<std::int64_t>(rest));
    if (nature_ == Nature::packets) action.set_amount(1);
    if (nature_ == Nature::counter) {
        action.set_amount(request_.reading ? (semaphore_ ? 1 : -1)
                                           : static_cast<std::int64_t>(word_at(request_.counted)));
        if (!request_.reading) action.attributes |= attribute::descriptor::whole;
    }
    if (request_.peek) action.set_amount(0);
    if (nature_ == Nature::pipe && !request_.reading && request_.bytes <= pipe_atomic)
        action.attributes |= attribute::descriptor::whole;
    // In a forked child no event told the machine that the queue is shared; the flag does.
    if (is_external() && !scheduler::is_target()) action.flags |= flag::contents_unknown;
    if (nonblocking_) action.flags |= flag::nonblocking;
    if (!nonblocking_ && timeout_ != 0) {
        action.flags |= flag::timed;
        action.set_timeout(timeout_);
    }
    if (!nonblocking_ && request_.deadline != nullptr) action = until(action, CLOCK_REALTIME, request_.deadline);
    return total_ == 0 ? point(action) : action;
}

bool Transfer::announce_next() {
    if (is_external()) external::used = true;
    if (is_external() && nonblocking_) scheduler::note_external_event(channel::external_event::ready);
    external::Wait& wait = external::wait_of(scheduler::current());
    wait = {};
    wait.own = {request_.fd, request_.reading ? short{POLLIN} : short{POLLOUT}, 0};
    wait.descriptors = &wait.own;
    wait.count = 1;
    const ActionOutcome outcome = act(next_action());
    forget_if_closed();
    was_external_ = own_queue() == nullptr;
    if (was_interrupted(outcome)) {
        result_ = total_ != 0 ? static_cast<long>(total_) : -EINTR;
        return false;
    }
    if (outcome.effect == Effect::timed_out) {
        result_ = total_ != 0 ? static_cast<long>(total_) : request_.deadline != nullptr ? -ETIMEDOUT : -EAGAIN;
        return false;
    }
    granted_ = outcome.effect == Effect::done ? outcome.result : 0;
    part_ = request_.bytes - total_;
    const bool of_bytes = nature_ == Nature::pipe || nature_ == Nature::stream;
    if (of_bytes && !request_.reading && !was_external_ && granted_ > 0) part_ = static_cast<std::size_t>(granted_);
    return true;
}

// Another thread closed the number while this one waited for its turn.
void Transfer::forget_if_closed() {
    if (index_ == 0) return;
    if (request_.queue != 0 && queue(index_).object == object_) return;
    const Description* now = find(request_.fd);
    const Index index = now == nullptr ? 0 : request_.reading ? now->in : now->out;
    if (index == index_ && queue(index).object == object_) return;
    index_ = 0;
    is_closed_ = true;
}

void Transfer::make_nonblocking() {
    if (!nonblocking_ && !is_closed_) raw::call(SYS_fcntl, request_.fd, F_SETFL, flags_ | O_NONBLOCK);
}
void Transfer::restore_flags() {
    if (!nonblocking_ && !is_closed_) raw::call(SYS_fcntl, request_.fd, F_SETFL, flags_);
}

// The kernel decides about amounts. An event corrects the machine if they differ.
void Transfer::reconcile(long result) {
    if (was_external_ || own_queue() == nullptr) return;
    const ObjectSlot slot = scheduler::machine().find_object(queue(index_).object);
    if (slot == no_slot) return;
    if (nature_ == Nature::counter) {
        if (result == -EAGAIN && granted_ != 0) share(index_);
        return;
    }
    if (request_.peek) {
        if (result == -EAGAIN && !nonblocking_) announce_correction(index_, 0, -much_room);
        return;
    }
    std::int64_t moved = result > 0 ? result : 0;
    if (nature_ == Nature::packets) moved = result >= 0 ? 1 : 0;
    const std::int64_t more_than_moved = granted_ - moved;
    if (request_.reading)
        announce_correction(index_, -more_than_moved, more_than_moved);
    else if (more_than_moved != 0)
        announce_correction(index_, result == -EAGAIN || moved > 0 ? -2 * much_room : more_than_moved,
                            -more_than_moved);
}

bool Transfer::complete(long result) {
    reconcile(result);
    if (result == -EAGAIN && !nonblocking_) return false;
    if (raw::failed(result)) {
        result_ = total_ != 0 ? static_cast<long>(total_) : result;
        return true;
    }
    total_ += static_cast<std::size_t>(result);
    result_ = static_cast<long>(total_);
    if (total_ >= request_.bytes || result == 0 || nonblocking_ || request_.peek) return true;
    const bool of_bytes = nature_ == Nature::pipe || nature_ == Nature::stream || nature_ == Nature::external;
    return !of_bytes || (request_.reading && !request_.all);
}

}  // namespace raddle::fds
