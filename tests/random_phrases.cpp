#include "tests/random_phrases.h"

#include <algorithm>
#include <cerrno>

namespace raddle::testing {

std::vector<Op> PhraseWriter::write(std::size_t thread, std::size_t length) {
    self_ = thread;
    ops_.clear();
    held_.clear();
    while (ops_.size() < length) add_phrase();
    if (chance(92)) {
        std::reverse(held_.begin(), held_.end());
        for (const std::uint32_t mutex : held_) add(Operation::mutex_unlock, mutex);
    }
    mend_skips();
    return ops_;
}

// No skip goes beyond the end, or divides a pair of operations.
void PhraseWriter::mend_skips() {
    for (std::size_t i = 0; i < ops_.size(); ++i) {
        const auto left = static_cast<std::uint32_t>(ops_.size() - i - 1);
        Skip& skip = ops_[i].skip;
        skip.count = std::min(skip.count, left);
        if (continues_before(ops_, i + 1 + skip.count)) --skip.count;
        if (skip.count == 0) skip = {};
    }
}

Op PhraseWriter::join(std::size_t thread) {
    self_ = 0;
    ops_.clear();
    return add_wait(Operation::thread_join, static_cast<std::uint32_t>(thread), 0, true);
}

Op& PhraseWriter::add(Operation operation, std::uint32_t object, std::int64_t argument) {
    ops_.push_back({.operation = operation, .object = object, .argument = argument});
    return ops_.back();
}
Op& PhraseWriter::add_wait(Operation operation, std::uint32_t object, std::int64_t argument, bool cancellation_point) {
    Op& op = add(operation, object, argument);
    if (chance(static_cast<std::size_t>(style_.timed))) {
        op.flags |= flag::timed;
        op.timeout = 1 + below(12);
        if (chance(15)) op.flags |= flag::absolute;
    }
    if (cancellation_point && chance(static_cast<std::size_t>(style_.cancellable))) op.flags |= flag::cancellable;
    return op;
}
Op& PhraseWriter::skip_unless(Op& op, std::int64_t result, std::uint32_t count) {
    op.skip = {Skip::When::different, result, count};
    return op;
}

void PhraseWriter::add_phrase() {
    int total = 0;
    for (const int weight : style_.weight) total += weight;
    auto at = static_cast<int>(below(static_cast<std::size_t>(total)));
    std::size_t phrase = 0;
    while (at >= style_.weight[phrase]) at -= style_.weight[phrase++];
    switch (static_cast<Phrase>(phrase)) {
        case Phrase::memory: return touch_memory();
        case Phrase::locking: return lock_or_unlock();
        case Phrase::trying: return try_lock();
        case Phrase::reading_writing: return read_or_write_lock();
        case Phrase::semaphores: return use_semaphore();
        case Phrase::waiting: return wait_for_condition();
        case Phrase::signalling: return signal_condition();
        case Phrase::gathering: return gather();
        case Phrase::once_only: return do_once();
        case Phrase::spinning: return spin();
        case Phrase::piping: return use_pipe();
        case Phrase::passing_time: return pass_time();
        case Phrase::choosing: return choose();
        case Phrase::managing: return manage_threads();
        case Phrase::testing_cancel: add(Operation::thread_testcancel); return;
        case Phrase::ending: return end();
        case Phrase::misusing: return misuse();
        case Phrase::queueing: return use_futex();
        case Phrase::spinning_on_memory: return spin_on_memory();
        case Phrase::writing_output: add(Operation::output, one_of_two()); return;
        case Phrase::using_state: return use_state();
        case Phrase::count_: return;
    }
}

void PhraseWriter::touch_memory() {
    const std::uint32_t x = static_cast<std::uint32_t>(below(chance(70) ? 2 : 3));
    switch (below(6)) {
        case 0:
        case 1: {
            Op& read = add(Operation::memory_read, x);
            if (chance(40))
                read.skip = {chance(50) ? Skip::When::equal : Skip::When::different,
                             static_cast<std::int64_t>(below(3)), 1 + one_of_two()};
            return;
        }
        case 2:
        case 3: add(Operation::memory_write, x, static_cast<std::int64_t>(below(3))); return;
        case 4: {
            Op& update = add(Operation::memory_update, x, 1 + one_of_two());
            update.update = static_cast<Update>(below(5));
            if (chance(25)) skip_unless(update, static_cast<std::int64_t>(below(2)), 1);
            return;
        }
        default: {
            Op& exchange = add(Operation::memory_exchange, x, one_of_two());
            exchange.argument2 = static_cast<std::int64_t>(below(3));
            if (chance(40)) skip_unless(exchange, exchange.argument, 1);
        }
    }
}

void PhraseWriter::maybe_touch_memory() {
    if (chance(50)) touch_memory();
}

void PhraseWriter::lock_or_unlock() {
    if (!held_.empty() && chance(40)) {
        const std::size_t which = below(held_.size());
        add(Operation::mutex_unlock, held_[which]);
        held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(which));
        return;
    }
    const std::uint32_t mutex = one_of_two();
    if (std::ranges::count(held_, mutex) > 0 && program_.mutex_attributes[mutex] == 0 && !chance(5))
        return touch_memory();
    add_wait(Operation::mutex_lock, mutex);
    held_.push_back(mutex);
}

void PhraseWriter::try_lock() {
    const std::uint32_t mutex = one_of_two();
    const std::size_t at = ops_.size();
    if (chance(60))
        add(Operation::mutex_trylock, mutex);
    else
        add_wait(Operation::mutex_lock, mutex);
    maybe_touch_memory();
    add(Operation::mutex_unlock, mutex);
    skip_unless(ops_[at], 0, static_cast<std::uint32_t>(ops_.size() - at - 1));
}

void PhraseWriter::read_or_write_lock() {
    const std::uint32_t lock = chance(75) ? 0 : 1;
    const std::size_t at = ops_.size();
    switch (below(5)) {
        case 0: add(Operation::rwlock_tryrdlock, lock); break;
        case 1: add(Operation::rwlock_trywrlock, lock); break;
        case 2: add_wait(Operation::rwlock_wrlock, lock); break;
        default: add_wait(Operation::rwlock_rdlock, lock); break;
    }
    const bool must_branch = ops_[at].operation == Operation::rwlock_tryrdlock ||
                             ops_[at].operation == Operation::rwlock_trywrlock || (ops_[at].flags & flag::timed) != 0;
    maybe_touch_memory();
    if (chance(90)) add(Operation::rwlock_rdunlock, lock);
    if (must_branch && ops_.size() > at + 1) skip_unless(ops_[at], 0, static_cast<std::uint32_t>(ops_.size() - at - 1));
}

void PhraseWriter::use_semaphore() {
    const std::uint32_t semaphore = one_of_two();
    switch (below(8)) {
        case 0: skip_unless(add(Operation::sem_trywait, semaphore), 0, 1); return;
        case 1: {
            Op& value = add(Operation::sem_getvalue, semaphore);
            if (chance(50)) skip_unless(value, one_of_two(), 1);
            return;
        }
        case 2:
        case 3:
        case 4: add_wait(Operation::sem_wait, semaphore, 0, true); return;
        default: add(Operation::sem_post, semaphore); return;
    }
}

void PhraseWriter::wait_for_condition() {
    const std::uint32_t mutex = chance(80) ? 0 : 1;
    const bool was_held = std::ranges::count(held_, mutex) > 0;
    const std::uint32_t condition = chance(80) ? 0 : 1;
    const auto wait = [&] { add_wait(Operation::cond_wait, condition, 0, true).second = mutex; };
    if (!was_held) add(Operation::mutex_lock, mutex);
    if (chance(40)) {  // while (x == 0) wait, twice at most
        const std::size_t rounds = 1 + below(2);
        for (std::size_t left = rounds; left > 0; --left) {
            add(Operation::memory_read, 0).skip = {Skip::When::different, 0, static_cast<std::uint32_t>(2 * left - 1)};
            wait();
        }
    } else {
        wait();
    }
    if (!was_held) add(Operation::mutex_unlock, mutex);
}

void PhraseWriter::signal_condition() {
    const bool with_lock = chance(40) && held_.empty();
    if (with_lock) add(Operation::mutex_lock, 0);
    if (chance(40)) add(Operation::memory_write, 0, 1);
    add(chance(70) ? Operation::cond_signal : Operation::cond_broadcast, chance(85) ? 0 : 1);
    if (with_lock) add(Operation::mutex_unlock, 0);
}

// A signal, if there is one, can interrupt some of these waits.
void PhraseWriter::gather() {
    Op& arrival = add(Operation::barrier_wait, chance(85) ? 0 : 1);
    if (chance(20)) arrival.flags |= flag::interruptible | flag::cancellable | flag::uncancellable;
}

void PhraseWriter::do_once() {
    const std::size_t at = ops_.size();
    add(Operation::once_begin);
    maybe_touch_memory();
    add(Operation::once_end, 0, chance(80) ? 0 : 1);
    skip_unless(ops_[at], 1, static_cast<std::uint32_t>(ops_.size() - at - 1));
}

void PhraseWriter::spin() {
    const std::uint32_t lock = one_of_two();
    const std::size_t at = ops_.size();
    add(chance(60) ? Operation::spin_lock : Operation::spin_trylock, lock);
    maybe_touch_memory();
    add(Operation::spin_unlock, lock);
    if (ops_[at].operation == Operation::spin_trylock)
        skip_unless(ops_[at], 0, static_cast<std::uint32_t>(ops_.size() - at - 1));
}

void PhraseWriter::use_pipe() {
    const std::size_t which = below(100);
    const std::uint32_t pipe = which % 5 == 0 ? 1 : 0;
    if (which < 10) {
        add(Operation::descriptor_close, pipe);
        return;
    }
    if (which < 28) return poll_pipe(pipe);
    const auto operation = chance(50) ? Operation::descriptor_read : Operation::descriptor_write;
    Op& op = add_wait(operation, pipe, 1 + static_cast<std::int64_t>(below(2)), true);
    if (chance(25)) op.flags = flag::nonblocking;
    if (chance(30)) skip_unless(op, 1, 1);
}

// Tries; if there is nothing, waits for a change and tries again, twice at most.
void PhraseWriter::poll_pipe(std::uint32_t pipe) {
    const auto tried = chance(70) ? Operation::descriptor_read : Operation::descriptor_write;
    const auto wait = [&](std::int64_t seen) {
        Op& op = add_wait(Operation::descriptor_wait, 0, seen, true);
        if (chance(10)) op.flags = flag::nonblocking;
    };
    if (chance(25)) return wait(chance(50) ? seen_last : static_cast<std::int64_t>(below(3)));
    const auto rounds = static_cast<std::uint32_t>(1 + below(2));
    wait(-1);
    for (std::uint32_t left = rounds; left > 0; --left) {
        Op& op = add(tried, pipe, 1);
        op.flags = flag::nonblocking;
        op.skip = {Skip::When::different, EAGAIN, 2 * left};
        wait(seen_last);
    }
    add(tried, pipe, 1).flags = flag::nonblocking;
}

std::int64_t PhraseWriter::some_bits() { return chance(75) ? any_bits : 1 + static_cast<std::int64_t>(below(2)); }

void PhraseWriter::use_futex() {
    const std::uint32_t futex = chance(75) ? 0 : 1;
    switch (below(9)) {
        case 0:
        case 1:
        case 2:
        case 3: {
            Op& enter = add(Operation::futex_enter, futex);
            enter.second = futex;
            if (chance(static_cast<std::size_t>(style_.cancellable) / 3)) enter.flags |= flag::cancellable;
            if (chance(10)) return;
            if (chance(75)) skip_unless(enter, chance(75) ? 0 : 1, 1);
            const std::int64_t bits = some_bits();
            add_wait(Operation::futex_wait, futex, 0, true).argument2 = bits;
            return;
        }
        case 4: {
            Op& requeue = add(Operation::futex_requeue, futex, one_of_two());
            requeue.second = chance(90) ? 1 - futex : futex;
            requeue.argument2 = 1 + one_of_two();
            return;
        }
        default: {
            if (chance(40)) add(Operation::memory_write, futex, 1);
            const std::int64_t most = chance(65) ? 1 : chance(50) ? 2 : 99;
            const std::int64_t bits = some_bits();
            add(Operation::futex_wake, futex, most).argument2 = bits;
        }
    }
}

// A call on a state that the machine does not know: it looks, and then goes on, waits, or wakes those who wait.
void PhraseWriter::use_state() {
    const std::uint32_t state = chance(75) ? 0 : 1;
    const bool is_point = chance(static_cast<std::size_t>(style_.cancellable));
    Op& enter = add(Operation::state_enter, state);
    if (is_point) enter.flags |= flag::cancellable;
    if (chance(40)) {
        add_wait(Operation::futex_wait, state, 0, is_point).argument2 = any_bits;
        return;
    }
    if (chance(25)) return;
    if (chance(40)) add(Operation::memory_write, state, 1);
    add(Operation::futex_wake, state, 99).argument2 = any_bits;
}

// Either one read that waits for a value, or two reads that are repeated after a change.
void PhraseWriter::spin_on_memory() {
    const std::uint32_t x = static_cast<std::uint32_t>(below(3));
    if (chance(25)) {
        add(Operation::memory_read, x);
        if (chance(60)) add(Operation::memory_read, one_of_two());
        Op& wait = add(Operation::spin_wait, 0, 1 + one_of_two());
        if (chance(static_cast<std::size_t>(style_.cancellable))) wait.flags |= flag::cancellable;
        return;
    }
    Op& look = chance(50)   ? add(Operation::memory_read, x)
               : chance(50) ? add(Operation::memory_exchange, x, one_of_two())
                            : add(Operation::memory_update, x, one_of_two());
    if (look.operation == Operation::memory_exchange) look.argument2 = static_cast<std::int64_t>(below(3));
    if (look.operation == Operation::memory_update) look.update = Update::exchange;
    look.flags |= flag::spins;
    for (std::uint64_t value = 0; value < 3; ++value)
        if (chance(45)) add_spin_value(look.spin_values, value);
    if (look.spin_values[0].from > look.spin_values[0].to) add_spin_value(look.spin_values, 0);
    if (chance(static_cast<std::size_t>(style_.cancellable))) look.flags |= flag::cancellable;
}

void PhraseWriter::pass_time() {
    if (chance(35)) {
        add(Operation::yield);
        return;
    }
    if (chance(20)) {
        skip_unless(add(Operation::clock_read), static_cast<std::int64_t>(1 + below(8)), 1);
        return;
    }
    Op& sleep = add(Operation::sleep);
    sleep.timeout = 1 + below(20);
    if (chance(static_cast<std::size_t>(style_.cancellable))) sleep.flags |= flag::cancellable;
}

void PhraseWriter::choose() {
    skip_unless(add(Operation::choose, 0, 2 + one_of_two()), static_cast<std::int64_t>(below(2)), 1);
}

void PhraseWriter::manage_threads() {
    const auto other = static_cast<std::uint32_t>(chance(5) ? self_ : below(program_.threads.size()));
    const std::size_t which = below(style_.cancellable > 0 ? 12 : 6);
    switch (which) {
        case 0: add_wait(Operation::thread_join, other, 0, true); return;
        case 1: add(Operation::thread_tryjoin, other); return;
        case 2: skip_unless(add(Operation::thread_tryjoin, other), 0, 1); return;
        case 3: add(Operation::thread_detach, other); return;
        case 4: skip_unless(add(Operation::thread_kill, other), 0, 1); return;
        default: add(Operation::thread_cancel, other); return;
    }
}

void PhraseWriter::end() {
    switch (below(5)) {
        case 0: add(Operation::process_exit, 0, static_cast<std::int64_t>(below(3))); return;
        case 1: add(Operation::thread_exit); return;
        case 2: add(chance(70) ? Operation::process_crash : Operation::process_replace); return;
        default:
            skip_unless(add(Operation::memory_read, one_of_two()), static_cast<std::int64_t>(below(3)), 1);
            add(chance(60) ? Operation::fail : Operation::process_crash);
    }
}

void PhraseWriter::misuse() {
    const std::uint32_t which = chance(80) ? 0 : 1;
    switch (below(16)) {
        case 0: add(Operation::mutex_unlock, which); return;
        case 1: add(Operation::mutex_destroy, which); return;
        case 2: add(Operation::mutex_init, which); return;
        case 3: add(Operation::mutex_consistent, which); return;
        case 4: add(Operation::rwlock_rdunlock, which); return;
        case 5: add(Operation::rwlock_destroy, which); return;
        case 6: add(Operation::rwlock_init, which); return;
        case 7: add(Operation::spin_unlock, which); return;
        case 8: add(chance(50) ? Operation::spin_destroy : Operation::spin_init, which); return;
        case 9: add(chance(50) ? Operation::cond_destroy : Operation::cond_init, which); return;
        case 10: add(Operation::sem_destroy, which); return;
        case 11: add(Operation::sem_init, which, chance(50) ? -1 : 0x7fffffff); return;
        case 12: add(Operation::barrier_destroy, 0); return;
        case 13: add(Operation::barrier_init, 0, static_cast<std::int64_t>(below(3))); return;
        case 14: add(Operation::cond_wait, which).second = one_of_two(); return;
        default: add(Operation::thread_join, static_cast<std::uint32_t>(self_)); return;
    }
}

}  // namespace raddle::testing
