// Futexes through syscall(): queues of the machine replace the kernel's (supervisor/model/futex.cpp). The word is
// plain memory of the program. It is compared once the machine has let the thread in.
#include "preload/hooks/sync/futex.h"

#include <linux/futex.h>

#include "preload/hooks/sync/futex_pi.h"
#include "preload/hooks/sync/futex_words.h"
#include "preload/intercept/describe.h"
#include "preload/schedule/callbacks.h"

namespace raddle::futex {

namespace {

constexpr std::int64_t any_bits = 0xffffffff;

bool differs(const Word* word, Word expected) { return __atomic_load_n(word, __ATOMIC_SEQ_CST) != expected; }

long wait(const Word* word, Word expected, const timespec* time, bool is_point_in_time, clockid_t clock, Word bits) {
    if (is_bad(word) || bits == 0 || (time != nullptr && (!valid(time) || time->tv_sec < 0))) return -EINVAL;
    Action enter = on_queue(Operation::futex_enter, word);
    enter.second = canonical::name_of(word);
    Action wait = on_queue(Operation::futex_wait, word);
    wait.set_wait_bits(bits);
    if (time != nullptr && is_point_in_time) {
        wait = until(wait, clock, time);
    } else if (time != nullptr) {
        wait.flags |= flag::timed;
        wait.set_timeout(nanoseconds_of(time));
        if (signals::armed) {  // a signal may interrupt the wait, which then continues with the rest of the time
            wait.flags |= flag::absolute;
            wait.set_timeout(wait.timeout() + scheduler::virtual_time());
        }
    }
    read_as_kernel(word);
    for (;;) {
        act(enter);
        if (differs(word, expected)) return -EAGAIN;
        const std::int64_t result = act(wait).result;
        if (result != ERESTART) return -result;
    }
}

long wake(const Word* word, Word most, Word bits) {
    if (is_bad(word) || bits == 0) return -EINVAL;
    Action action = on_queue(Operation::futex_wake, word);
    action.set_most_woken(static_cast<std::int32_t>(most) < 1 ? 1 : static_cast<std::int32_t>(most));  // as in Linux
    action.set_wake_bits(bits);
    return act(action).result;
}

// The tickets given out in a queue so far, in the upper half of a word: actions with this word reach no later waiters.
std::int64_t tickets_of(const ObjectId& queue) {
    const ObjectSlot slot = scheduler::machine().find_object(queue);
    const std::uint64_t tickets = slot == no_slot ? 0 : scheduler::machine().object(slot).tickets;
    return static_cast<std::int64_t>(tickets << 32);
}

long requeue(const Word* from, Word most_woken, Word most_moved, const Word* to, const Word* expected) {
    if (is_bad(from) || is_bad(to)) return -EINVAL;
    if (static_cast<std::int32_t>(most_woken) < 0 || static_cast<std::int32_t>(most_moved) < 0) return -EINVAL;
    Action action = on_queue(Operation::futex_requeue, from);
    action.second = queue_of(canonical::name_of(to));
    action.set_requeue_woken(most_woken);
    action.set_requeue_moved(most_moved);
    if (expected != nullptr) {
        look_at(from, to);
        if (differs(from, *expected)) return -EAGAIN;
        const std::int64_t tickets = tickets_of(action.object);
        if (tickets == 0) return 0;  // nobody ever waited
        action.set_requeue_moved(most_moved | tickets);
    }
    return act(action).result;
}

// FUTEX_WAKE_OP: changes a word, wakes waiters of one word, and of the other one if its old value compares as asked.
struct WordChange {
    unsigned operation, comparison;
    std::int32_t operand, compared;

    explicit WordChange(Word code)
        : operation(code >> 28 & 7),
          comparison(code >> 24 & 15),
          operand(static_cast<std::int32_t>(code << 8) >> 20),
          compared(static_cast<std::int32_t>(code << 20) >> 20) {
        if ((code >> 28 & FUTEX_OP_OPARG_SHIFT) != 0) operand = 1 << (operand & 31);
    }
    bool is_valid() const { return operation <= FUTEX_OP_XOR && comparison <= FUTEX_OP_CMP_GE; }

    Word apply(Word* word) const {
        const auto value = static_cast<Word>(operand);
        switch (operation) {
            case FUTEX_OP_SET: return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST);
            case FUTEX_OP_ADD: return __atomic_fetch_add(word, value, __ATOMIC_SEQ_CST);
            case FUTEX_OP_OR: return __atomic_fetch_or(word, value, __ATOMIC_SEQ_CST);
            case FUTEX_OP_ANDN: return __atomic_fetch_and(word, ~value, __ATOMIC_SEQ_CST);
            default: return __atomic_fetch_xor(word, value, __ATOMIC_SEQ_CST);
        }
    }
    bool holds_for(Word old) const {
        const auto value = static_cast<std::int32_t>(old);
        switch (comparison) {
            case FUTEX_OP_CMP_EQ: return value == compared;
            case FUTEX_OP_CMP_NE: return value != compared;
            case FUTEX_OP_CMP_LT: return value < compared;
            case FUTEX_OP_CMP_LE: return value <= compared;
            case FUTEX_OP_CMP_GT: return value > compared;
            default: return value >= compared;
        }
    }
};

// Wakes waiters that had one of these tickets.
long wake_earlier(const ObjectId& queue, Word most, std::int64_t tickets) {
    if (tickets == 0) return 0;  // nobody ever waited
    Action action = of(Operation::futex_wake);
    action.object = queue;
    action.set_most_woken(static_cast<std::int32_t>(most) < 1 ? 1 : static_cast<std::int32_t>(most));
    action.set_wake_bits(any_bits | tickets);
    return act(action).result;
}

long wake_and_change(const Word* word, Word most, Word most_of_other, const Word* other, Word code) {
    const WordChange change(code);
    if (is_bad(word) || is_bad(other)) return -EINVAL;
    if (!change.is_valid()) return -ENOSYS;
    // Where accesses to memory count, the change is one. Otherwise it happens as the thread looks at the queues.
    auto* const changed = const_cast<Word*>(other);
    Word old = 0;
    if (memory::active) {
        write_as_kernel(other);
        old = change.apply(changed);
        look_at(word, other);
    } else {
        look_at(word, other);
        old = change.apply(changed);
    }
    const ObjectId queue = queue_of(canonical::name_of(word)), queue_of_other = queue_of(canonical::name_of(other));
    const std::int64_t tickets = tickets_of(queue), tickets_of_other = tickets_of(queue_of_other);
    long woken = wake_earlier(queue, most, tickets);
    if (change.holds_for(old)) woken += wake_earlier(queue_of_other, most_of_other, tickets_of_other);
    return woken;
}

}  // namespace

long call(const Word* word, int command, Word value, const void* time_or_count, const Word* other, Word value3) {
    const auto* time = static_cast<const timespec*>(time_or_count);
    const auto count = static_cast<Word>(reinterpret_cast<std::uintptr_t>(time_or_count));
    switch (command & FUTEX_CMD_MASK) {
        case FUTEX_WAIT:
            if ((command & FUTEX_CLOCK_REALTIME) != 0) return -ENOSYS;
            return wait(word, value, time, false, CLOCK_MONOTONIC, FUTEX_BITSET_MATCH_ANY);
        case FUTEX_WAIT_BITSET:
            return wait(word, value, time, true,
                        (command & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC, value3);
        case FUTEX_WAKE: return wake(word, value, FUTEX_BITSET_MATCH_ANY);
        case FUTEX_WAKE_BITSET: return wake(word, value, value3);
        case FUTEX_REQUEUE: return requeue(word, value, count, other, nullptr);
        case FUTEX_CMP_REQUEUE: return requeue(word, value, count, other, &value3);
        case FUTEX_WAKE_OP: return wake_and_change(word, value, count, other, value3);
        case FUTEX_LOCK_PI: return pi::lock(word, time, CLOCK_REALTIME);
        case FUTEX_LOCK_PI2:
            return pi::lock(word, time, (command & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC);
        case FUTEX_TRYLOCK_PI: return pi::try_lock(word);
        case FUTEX_UNLOCK_PI: return pi::unlock(word);
        case FUTEX_WAIT_REQUEUE_PI:
        case FUTEX_CMP_REQUEUE_PI: break;
        default: return -ENOSYS;  // as in Linux
    }
    if (recorded() && scheduler::is_target())
        scheduler::end_with(
            channel::End::uncontrolled,
            "the program uses FUTEX_WAIT_REQUEUE_PI or FUTEX_CMP_REQUEUE_PI, which raddle does not model");
    return -ENOSYS;
}

// ---- queues without a word

Action check(const ObjectId& queue) {
    Action action;
    action.operation = Operation::futex_enter;
    action.object = action.second = queue;
    action.second.offset += 1;
    return action;
}

Action wait_in(const ObjectId& queue) {
    Action action;
    action.operation = Operation::futex_wait;
    action.object = queue;
    action.set_wait_bits(any_bits);
    return action;
}

Action wake_all(const ObjectId& queue) {
    Action action;
    action.operation = Operation::futex_wake;
    action.object = queue;
    action.set_most_woken(any_bits);
    action.set_wake_bits(any_bits);
    return action;
}

}  // namespace raddle::futex
