// Mutexes, spin locks and reader-writer locks.
#include "tests/differential/interpreter.h"

namespace raddle::differential {

std::uint32_t taken(State& state, int thread, std::uint8_t mutex) {
    if (state.robust[mutex] == Robust::not_recoverable) return not_recoverable;
    state.owner[mutex] = static_cast<std::uint8_t>(thread);
    if (++state.depth_of_lock[mutex] == 1) state.last_taken[thread] = mutex;
    return state.robust[mutex] == Robust::owner_died ? owner_died : 0;
}

void Interpreter::do_mutex(const Doing& d) const {
    State& s = d.state;
    const std::uint8_t o = d.what.object;
    if (d.what.what == Do::consistent) {
        s.undefined = s.undefined || s.owner[o] != d.self();
        if (s.robust[o] == Robust::owner_died) s.robust[o] = Robust::consistent;
        return;
    }
    if (d.what.what == Do::unlock) {
        // Where it is an error, raddle reports misuse.
        s.undefined = s.undefined || s.owner[o] != d.self();
        if (s.undefined || --s.depth_of_lock[o] > 0) return;
        s.owner[o] = nobody;
        if (s.robust[o] == Robust::owner_died) s.robust[o] = Robust::not_recoverable;
        return;
    }
    const MutexType type = program_.mutex_types[o];
    const bool again = s.owner[o] == d.self(), is_try = d.what.what == Do::trylock;
    if (d.way == by_timeout)
        d.r = busy;
    else if (again && type == MutexType::errorcheck)
        d.r = is_try && !program_.robust[o] ? busy : deadlocks;
    else if (is_try && s.owner[o] != nobody && !(again && type == MutexType::recursive))
        d.r = busy;
    else
        d.r = taken(s, d.thread, o);
}

void Interpreter::do_rwlock(const Doing& d) const {
    State& s = d.state;
    const std::uint8_t o = d.what.object;
    const bool reads = d.what.what == Do::rdlock || d.what.what == Do::tryrdlock || d.what.what == Do::timedrdlock;
    const bool shows = d.what.what != Do::rdlock && d.what.what != Do::wrlock;
    const bool free = s.writer[o] == nobody && (reads || s.readers[o] == 0);
    // A try overtakes no writer that waits; the other calls come here only if they need not wait.
    const bool can = d.way != by_timeout && free &&
                     (s.writers_queued[o] == 0 || d.what.what == Do::wrlock || d.what.what == Do::timedwrlock);
    s.undefined = s.undefined || s.writer[o] == d.self() || (s.readers[o] & d.bit()) != 0;
    s.writers_queued[o] = without(s.writers_queued[o], d.bit());
    if (can && reads) s.readers[o] |= d.bit();
    if (can && !reads) s.writer[o] = d.self();
    if (shows) d.r = can ? 0 : 1;
}

void Interpreter::do_locks(const Doing& d) const {
    State& s = d.state;
    const std::uint8_t o = d.what.object;
    switch (d.what.what) {
        case Do::spin_lock:
        case Do::spin_trylock:
            d.r = d.what.what == Do::spin_trylock ? (s.spinner[o] == nobody ? 0 : 1) : d.r;
            if (s.spinner[o] == nobody) s.spinner[o] = d.self();
            break;
        case Do::spin_unlock:
            s.undefined = s.undefined || s.spinner[o] != d.self();
            s.spinner[o] = nobody;
            break;
        case Do::wrlock:
        case Do::timedwrlock:
            if (d.phase == 0 && program_.prefers_writers[o] && (s.writer[o] != nobody || s.readers[o] != 0)) {
                s.undefined = s.undefined || s.writer[o] == d.self() || (s.readers[o] & d.bit()) != 0;
                s.writers_queued[o] |= d.bit();
                d.phase = 1;
                return;
            }
            do_rwlock(d);
            break;
        case Do::rdlock:
        case Do::tryrdlock:
        case Do::trywrlock:
        case Do::timedrdlock: do_rwlock(d); break;
        case Do::rwunlock:
            s.undefined = s.undefined || (s.writer[o] != d.self() && (s.readers[o] & d.bit()) == 0);
            if (s.writer[o] == d.self()) s.writer[o] = nobody;
            s.readers[o] = without(s.readers[o], d.bit());
            break;
        default: do_mutex(d);
    }
    next(s, d.thread);
}

}  // namespace raddle::differential
