// Futexes through syscall(): queues of the machine replace the kernel's (supervisor/model/futex.cpp). The word is
// plain memory of the program. It is compared once the machine has let the thread in.
#include "preload/hooks/sync/futex.h"

#include <linux/futex.h>

#include "preload/intercept/describe.h"
#include "preload/schedule/callbacks.h"

namespace raddle::futex {

namespace {

constexpr std::int64_t any_bits = 0xffffffff;

// The queue and the word are different objects. Words are aligned, so the address behind the first byte is free as a
// name.
ObjectId queue_of(const ObjectId& word) { return {word.region, word.offset + 1}; }

Action on_queue(Operation operation, const Word* word) {
    Action action = on(operation, word);
    action.object = queue_of(action.object);
    return action;
}

bool is_bad(const Word* word) { return (reinterpret_cast<std::uintptr_t>(word) & 3) != 0; }
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

// The kernel compares and moves in one step. Here other threads can act in between; the comparison is repeated
// afterwards.
long requeue(const Word* from, Word most_woken, Word most_moved, const Word* to, const Word* expected) {
    if (is_bad(from) || is_bad(to)) return -EINVAL;
    if (static_cast<std::int32_t>(most_woken) < 0 || static_cast<std::int32_t>(most_moved) < 0) return -EINVAL;
    if (expected != nullptr) {
        Action enter = on_queue(Operation::futex_enter, from);
        enter.second = canonical::name_of(from);
        act(enter);
        if (differs(from, *expected)) return -EAGAIN;
    }
    Action action = on_queue(Operation::futex_requeue, from);
    action.second = queue_of(canonical::name_of(to));
    action.set_requeue_woken(most_woken);
    action.set_requeue_moved(most_moved);
    const ActionOutcome outcome = act(action);
    if (expected != nullptr && differs(from, *expected) && recorded() && scheduler::is_target())
        scheduler::end_with(channel::End::uncontrolled,
                            "another thread changed a futex's word while FUTEX_CMP_REQUEUE compared it");
    return outcome.result;
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
        default: break;
    }
    if (recorded() && scheduler::is_target())
        scheduler::end_with(channel::End::uncontrolled, "the program uses a futex operation unknown to raddle");
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
