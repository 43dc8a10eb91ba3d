#include "preload/hooks/sync/futex_pi.h"

#include <linux/futex.h>

#include "preload/hooks/sync/futex_words.h"
#include "preload/hooks/threads/identity.h"
#include "preload/intercept/real.h"

namespace raddle::futex::pi {

namespace {

// The thread's turn: until its next action no other thread changes the word or the queue.
void take_turn(const Word* word) {
    look_at(word, word);
    write_as_kernel(word);
}

Word load(const Word* word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }
void store(const Word* word, Word value) { __atomic_store_n(const_cast<Word*>(word), value, __ATOMIC_SEQ_CST); }
Word owner_of(Word value) { return value & FUTEX_TID_MASK; }
Word word_of(const Thread& thread) { return static_cast<Word>(id_of(thread)); }

// The waiter that came first, and how many there are.
struct Waiters {
    ThreadSlot first = no_slot;
    std::uint32_t count = 0;
};
Waiters waiters_of(const ObjectId& queue) {
    const Machine& machine = scheduler::machine();
    const ObjectSlot slot = machine.find_object(queue);
    Waiters found;
    for (ThreadSlot thread = 0; slot != no_slot && thread < machine.thread_count(); ++thread) {
        if (machine.thread(thread).waits_on != slot) continue;
        ++found.count;
        if (found.first == no_slot || machine.thread(thread).ticket < machine.thread(found.first).ticket)
            found.first = thread;
    }
    return found;
}

// Takes the word if it is free. Returns 0, an error, or 1 if another thread has it.
long take(const Word* word, Word me) {
    const Word value = load(word);
    if (owner_of(value) == me) return -EDEADLK;
    if (owner_of(value) != 0) return 1;
    const bool has_waiters = waiters_of(on_queue(Operation::futex_requeue, word).object).count != 0;
    store(word, me | (value & FUTEX_OWNER_DIED) | (has_waiters ? FUTEX_WAITERS : 0));
    return 0;
}

}  // namespace

long lock(const Word* word, const timespec* time, clockid_t clock) {
    if (is_bad(word) || (time != nullptr && !valid(time))) return -EINVAL;
    const Word me = word_of(scheduler::current());
    for (;;) {
        take_turn(word);
        if (const long result = take(word, me); result <= 0) return result;
        store(word, load(word) | FUTEX_WAITERS);
        Action wait = on_queue(Operation::futex_wait, word);
        wait.set_wait_bits(0xffffffff);
        if (time != nullptr) wait = until(wait, clock, time);
        const std::int64_t result = act(wait).result;
        if (owner_of(load(word)) == me) return 0;  // the owner has handed it over
        if (result != 0 && result != ERESTART && result != EINTR) return -result;
    }
}

long try_lock(const Word* word) {
    if (is_bad(word)) return -EINVAL;
    take_turn(word);
    const long result = take(word, word_of(scheduler::current()));
    return result == 1 ? -EAGAIN : result;
}

long unlock(const Word* word) {
    if (is_bad(word)) return -EINVAL;
    take_turn(word);
    if (owner_of(load(word)) != word_of(scheduler::current())) return -EPERM;
    Action hand_over = on_queue(Operation::futex_requeue, word);
    hand_over.second = hand_over.object;
    hand_over.set_requeue_woken(1);
    const Waiters waiters = waiters_of(hand_over.object);
    if (waiters.count == 0) {
        store(word, 0);
        return 0;
    }
    const Thread* next = thread_table::find(scheduler::machine().thread(waiters.first).id);
    store(word, (next != nullptr ? word_of(*next) : 0) | (waiters.count > 1 ? FUTEX_WAITERS : 0));
    act(hand_over);
    return 0;
}

}  // namespace raddle::futex::pi
