#include "tests/differential/interpreter.h"

#include <bit>

namespace raddle::differential {

struct Interpreter::Doing {
    State& state;
    int thread;
    int way;
    const Statement& what;
    std::uint32_t& r;
    std::uint8_t& phase;

    std::uint8_t bit() const { return static_cast<std::uint8_t>(1u << thread); }
    std::uint8_t self() const { return static_cast<std::uint8_t>(thread); }
};

namespace {

std::uint32_t load(const State& state, std::uint32_t variable) {
    std::uint32_t value = 0;
    std::memcpy(&value, state.memory + places[variable].offset, places[variable].bytes);
    return value;
}

void store(State& state, std::uint32_t variable, std::uint32_t value) {
    std::memcpy(state.memory + places[variable].offset, &value, places[variable].bytes);
}

void show(State& state, std::uint32_t value) {
    if (state.written == most_output) {
        state.undefined = true;  // more than the test wants to see
        return;
    }
    state.output[state.written++] = static_cast<char>('0' + value % 10);
}

void flush(State& state) {
    for (std::uint8_t i = 0; i < state.buffered; ++i) show(state, static_cast<std::uint32_t>(state.buffer[i] - '0'));
    std::memset(state.buffer, 0, sizeof state.buffer);
    state.buffered = 0;
}

void print(State& state, std::uint32_t value) {
    if (state.buffered == most_output)
        state.undefined = true;
    else
        state.buffer[state.buffered++] = static_cast<char>('0' + value % 10);
    state.printed = true;
    if (state.unbuffered) flush(state);
}

void exit_flushes(State& state) {
    flush(state);
    state.unbuffered = state.unbuffered || state.printed;
}

int nth_bit(std::uint8_t bits, int n) {
    for (int bit = 0;; ++bit)
        if ((bits >> bit & 1) != 0 && n-- == 0) return bit;
}

// Phases of a condition wait that begins at `from`: from, it waits; from + 1, it is in the condition or wants the mutex
// back; from + 2, its time ran out, and it wants the mutex back.
bool is_in_condition(const Statement& what, std::uint8_t phase) {
    switch (what.what) {
        case Do::cond_wait:
        case Do::cond_timedwait: return phase == 1;
        case Do::cond_wait_while: return phase == 2;
        default: return false;
    }
}

// The end of the last thread is that of the process.
void end_thread(State& state, int thread) {
    state.life[thread] = Life::ended;
    for (const Life life : state.life)
        if (life == Life::running) return;
    flush(state);
    state.end = End::exited;
}

// Where a thread that was cancelled ends, be it before the call or in its wait.
bool is_cancellation_point(Do what) {
    switch (what) {
        case Do::cond_wait:
        case Do::cond_timedwait:
        case Do::cond_wait_while:
        case Do::sem_wait:
        case Do::sem_timedwait:
        case Do::join:
        case Do::join_into:
        case Do::testcancel:
        case Do::pipe_read:
        case Do::pipe_write:
        case Do::show:
        case Do::show_value: return true;
        default: return false;
    }
}

Ways when(bool can_go) { return {.ready = can_go ? 1 : 0}; }

}  // namespace

State Interpreter::first() const {
    State state;
    state.units[0] = program_.semaphores[0];
    state.units[1] = program_.semaphores[1];
    state.life[0] = Life::running;
    settle(state, 0);
    return state;
}

const Statement* Interpreter::statement(const State& state, int thread) const {
    const auto& statements = program_.threads[static_cast<std::size_t>(thread)];
    return state.at[thread] < statements.size() ? &statements[state.at[thread]] : nullptr;
}

// Guards are no steps: they look at the thread's own register only.
void Interpreter::settle(State& state, int thread) const {
    while (const Statement* one = statement(state, thread)) {
        const bool equal = state.registers[thread] == one->guard.value;
        if (one->guard.when == Guard::When::always || equal == (one->guard.when == Guard::When::equal)) {
            const bool joins = one->what == Do::join || one->what == Do::join_into;
            state.undefined = state.undefined || (joins && state.life[one->object] == Life::unborn);
            return;
        }
        ++state.at[thread];
    }
}

void Interpreter::next(State& state, int thread) const {
    ++state.at[thread];
    state.phase[thread] = 0;
    settle(state, thread);
}

bool Interpreter::acts_on_cancellation(const State& state, int thread) const {
    const Statement* one = statement(state, thread);
    if (one == nullptr || (state.cancelled & state.heeds_cancel & 1u << thread) == 0) return false;
    if (!is_cancellation_point(one->what)) return false;
    // The loop begins with a read. A wait that has ended wants its mutex back first.
    if (one->what == Do::cond_wait_while && state.phase[thread] == 0) return false;
    return !(one->what == Do::cond_timedwait && state.phase[thread] == 2);
}

Ways Interpreter::ways(const State& state, int thread) const {
    if (state.life[thread] != Life::running || state.end != End::none || state.undefined) return {};
    const Statement* one = statement(state, thread);
    if (one == nullptr) return when(true);  // it ends
    const std::uint8_t o = one->object, phase = state.phase[thread];
    const auto self = static_cast<std::uint8_t>(thread), bit = static_cast<std::uint8_t>(1u << thread);
    if (acts_on_cancellation(state, thread))
        return when(!is_in_condition(*one, phase) || state.owner[one->second] == nobody);
    if (is_in_condition(*one, phase)) {
        const bool woken = (state.woken & bit) != 0;
        return {.ready = woken && state.owner[one->second] == nobody ? 1 : 0,
                .timeout = one->what == Do::cond_timedwait && !woken};
    }
    switch (one->what) {
        case Do::lock:
        case Do::timedlock: {
            const bool goes =
                state.owner[o] == nobody || (state.owner[o] == self && program_.mutex_types[o] != MutexType::normal);
            return {.ready = goes ? 1 : 0, .timeout = one->what == Do::timedlock && !goes};
        }
        case Do::spin_lock: return when(state.spinner[o] == nobody);
        case Do::rdlock: return when(state.writer[o] == nobody);
        case Do::wrlock: return when(state.writer[o] == nobody && state.readers[o] == 0);
        case Do::cond_timedwait: return when(phase == 0 || state.owner[one->second] == nobody);
        case Do::cond_signal: return {.ready = std::max(1, std::popcount(state.waiting[o]))};
        case Do::sem_wait: return when(state.units[o] > 0);
        case Do::sem_timedwait: return {.ready = state.units[o] > 0 ? 1 : 0, .timeout = state.units[o] == 0};
        case Do::barrier_wait: return when(phase == 0 || (state.arrived & bit) == 0);
        case Do::once: return when(phase != 0 || state.once[o] != 1);
        case Do::join:
        case Do::join_into: return when(state.life[o] == Life::ended);
        case Do::pipe_read: return when(state.in_pipe > 0);
        default: return when(true);
    }
}

void Interpreter::step(State& state, int thread, int way) const {
    const Statement* one = statement(state, thread);
    if (one == nullptr) {
        // main returns: exit() flushes, and then ends the process.
        if (thread == 0 && state.phase[0]++ == 0) return exit_flushes(state);
        if (thread == 0) state.end = End::exited;
        return end_thread(state, thread);
    }
    if (acts_on_cancellation(state, thread)) return cancel(state, thread);
    const Doing doing{state, thread, way, *one, state.registers[thread], state.phase[thread]};
    switch (one->what) {
        case Do::read:
        case Do::write:
        case Do::write_more:
        case Do::atomic_read:
        case Do::atomic_write:
        case Do::atomic_add:
        case Do::atomic_exchange:
        case Do::compare_exchange: return do_memory(doing);
        case Do::cond_wait:
        case Do::cond_timedwait:
        case Do::cond_wait_while:
        case Do::cond_signal:
        case Do::cond_broadcast: return do_conditions(doing);
        case Do::sem_wait:
        case Do::sem_trywait:
        case Do::sem_timedwait:
        case Do::sem_post:
        case Do::sem_getvalue:
        case Do::barrier_wait:
        case Do::once: return do_counting(doing);
        case Do::create:
        case Do::join:
        case Do::join_into:
        case Do::see_end:
        case Do::see_id:
        case Do::detach:
        case Do::cancel:
        case Do::testcancel:
        case Do::cancel_state:
        case Do::thread_exit: return do_threads(doing);
        case Do::show:
        case Do::show_value:
        case Do::print:
        case Do::print_value:
        case Do::flush:
        case Do::exit:
        case Do::quick_exit:
        case Do::abort:
        case Do::crash:
        case Do::raise:
        case Do::pipe_write:
        case Do::pipe_read: return do_ends(doing);
        default: return do_locks(doing);
    }
}

// A thread that is cancelled in a condition ends with the mutex.
void Interpreter::cancel(State& state, int thread) const {
    const Statement& what = *statement(state, thread);
    const auto bit = static_cast<std::uint8_t>(1u << thread);
    if (is_in_condition(what, state.phase[thread])) {
        state.waiting[what.object] &= static_cast<std::uint8_t>(~bit);
        state.woken &= static_cast<std::uint8_t>(~bit);
        state.owner[what.second] = static_cast<std::uint8_t>(thread);
        state.depth[what.second] = 1;
    }
    state.registers[thread] = ~0u;  // PTHREAD_CANCELED
    end_thread(state, thread);
}

void Interpreter::do_memory(const Doing& d) const {
    const std::uint32_t before = load(d.state, d.what.object);
    switch (d.what.what) {
        case Do::write:
        case Do::atomic_write: store(d.state, d.what.object, d.what.value); break;
        case Do::write_more: store(d.state, d.what.object, d.r + d.what.value); break;
        case Do::atomic_add: store(d.state, d.what.object, before + d.what.value); break;
        case Do::atomic_exchange: store(d.state, d.what.object, d.what.value); break;
        case Do::compare_exchange:
            if (before == d.what.second) store(d.state, d.what.object, d.what.value);
            break;
        default: break;
    }
    if (d.what.what == Do::compare_exchange)
        d.r = before == d.what.second ? 1 : 0;
    else if (d.what.what != Do::write && d.what.what != Do::write_more && d.what.what != Do::atomic_write)
        d.r = before;
    next(d.state, d.thread);
}

void Interpreter::do_locks(const Doing& d) const {
    State& s = d.state;
    const std::uint8_t o = d.what.object;
    constexpr std::uint32_t deadlock_error = 35;  // EDEADLK
    switch (d.what.what) {
        case Do::lock:
        case Do::timedlock:
        case Do::trylock: {
            const bool again = s.owner[o] == d.self(), is_try = d.what.what == Do::trylock;
            const bool fails = d.way == by_timeout || (is_try && s.owner[o] != nobody &&
                                                       !(again && program_.mutex_types[o] == MutexType::recursive));
            const bool refused = !fails && again && program_.mutex_types[o] == MutexType::errorcheck;
            if (!fails && !refused) {
                s.owner[o] = d.self();
                ++s.depth[o];
            }
            d.r = refused && d.what.what == Do::lock ? deadlock_error : fails || refused ? 1 : 0;
            break;
        }
        case Do::unlock:
            if (s.owner[o] != d.self()) {
                s.undefined = true;  // an error-checking one says EPERM, which raddle reports as misuse
                return;
            }
            if (--s.depth[o] == 0) s.owner[o] = nobody;
            break;
        case Do::spin_lock:
        case Do::spin_trylock:
            d.r = d.what.what == Do::spin_trylock ? (s.spinner[o] == nobody ? 0 : 1) : d.r;
            if (s.spinner[o] == nobody) s.spinner[o] = d.self();
            break;
        case Do::spin_unlock:
            s.undefined = s.undefined || s.spinner[o] != d.self();
            s.spinner[o] = nobody;
            break;
        case Do::rdlock:
        case Do::tryrdlock: {
            const bool free = s.writer[o] == nobody;
            s.undefined = s.undefined || s.writer[o] == d.self() || (s.readers[o] & d.bit()) != 0;
            if (free) s.readers[o] |= d.bit();
            if (d.what.what == Do::tryrdlock) d.r = free ? 0 : 1;
            break;
        }
        case Do::wrlock:
        case Do::trywrlock: {
            const bool free = s.writer[o] == nobody && s.readers[o] == 0;
            if (free) s.writer[o] = d.self();
            if (d.what.what == Do::trywrlock) d.r = free ? 0 : 1;
            break;
        }
        case Do::rwunlock:
            s.undefined = s.undefined || (s.writer[o] != d.self() && (s.readers[o] & d.bit()) == 0);
            if (s.writer[o] == d.self()) s.writer[o] = nobody;
            s.readers[o] &= static_cast<std::uint8_t>(~d.bit());
            break;
        default: break;
    }
    next(s, d.thread);
}

void Interpreter::do_conditions(const Doing& d) const {
    State& s = d.state;
    const std::uint8_t c = d.what.object, m = d.what.second;
    const bool is_loop = d.what.what == Do::cond_wait_while;
    if (d.what.what == Do::cond_signal || d.what.what == Do::cond_broadcast) {
        const std::uint8_t all = s.waiting[c];
        std::uint8_t chosen = all;
        if (d.what.what == Do::cond_signal && all != 0) chosen = static_cast<std::uint8_t>(1u << nth_bit(all, d.way));
        s.waiting[c] &= static_cast<std::uint8_t>(~chosen);
        s.woken |= chosen;
        return next(s, d.thread);
    }
    if (is_loop && d.phase == 0) {
        if (load(s, d.what.value) != 0) return next(s, d.thread);
        d.phase = 1;
        return;
    }
    if (is_in_condition(d.what, d.phase)) {
        if (d.way == by_timeout) {
            s.waiting[c] &= static_cast<std::uint8_t>(~d.bit());
            d.phase = 2;
            return;
        }
        s.woken &= static_cast<std::uint8_t>(~d.bit());
        s.owner[m] = d.self();
        s.depth[m] = 1;
        if (is_loop) {
            d.phase = 0;
            return;
        }
        d.r = 0;
        return next(s, d.thread);
    }
    if (d.what.what == Do::cond_timedwait && d.phase == 2) {
        s.owner[m] = d.self();
        s.depth[m] = 1;
        d.r = 1;
        return next(s, d.thread);
    }
    s.undefined = s.undefined || s.owner[m] != d.self() || s.depth[m] != 1;
    s.owner[m] = nobody;
    s.depth[m] = 0;
    s.waiting[c] |= d.bit();
    ++d.phase;
}

void Interpreter::do_counting(const Doing& d) const {
    State& s = d.state;
    const std::uint8_t o = d.what.object;
    switch (d.what.what) {
        case Do::sem_wait: --s.units[o]; break;
        case Do::sem_trywait:
            d.r = s.units[o] > 0 ? 0 : 1;
            if (s.units[o] > 0) --s.units[o];
            break;
        case Do::sem_timedwait:
            d.r = d.way == by_timeout ? 1 : 0;
            if (d.way != by_timeout) --s.units[o];
            break;
        case Do::sem_post: ++s.units[o]; break;
        case Do::sem_getvalue: d.r = s.units[o]; break;
        case Do::barrier_wait:
            if (d.phase == 0) {
                s.arrived |= d.bit();
                if (std::popcount(s.arrived) == program_.barrier_count) {
                    s.arrived = 0;
                    d.r = 1;
                    break;
                }
                d.phase = 1;
                return;
            }
            d.r = 0;
            break;
        case Do::once:
            if (d.phase == 0 && s.once[o] == 2) break;
            if (d.phase == 0) {
                s.once[o] = 1;
            } else if (d.phase == 1) {
                s.copied[o] = static_cast<std::uint8_t>(load(s, o));
            } else if (d.phase == 2) {
                store(s, o, s.copied[o] + 1u);
            } else {
                s.once[o] = 2;
                break;
            }
            ++d.phase;
            return;
        default: break;
    }
    next(s, d.thread);
}

void Interpreter::do_threads(const Doing& d) const {
    State& s = d.state;
    const std::uint8_t o = d.what.object;
    switch (d.what.what) {
        case Do::create:
            s.undefined = s.undefined || s.life[o] != Life::unborn;
            s.life[o] = Life::running;
            settle(s, o);
            break;
        case Do::join:
        case Do::join_into:
            s.undefined = s.undefined || s.taken[o];
            s.taken[o] = true;
            (d.what.what == Do::join ? d.r : s.ends[o]) = s.registers[o];
            break;
        case Do::see_end: d.r = s.ends[o]; break;
        case Do::see_id: d.r = s.life[o] != Life::unborn ? 1 : 0; break;
        case Do::detach:
            s.undefined = s.undefined || s.taken[o] || s.life[o] == Life::unborn;
            s.taken[o] = true;
            break;
        case Do::cancel:
            s.undefined = s.undefined || s.taken[o] || s.life[o] == Life::unborn;
            s.cancelled |= static_cast<std::uint8_t>(1u << o);
            break;
        case Do::cancel_state:
            s.heeds_cancel &= static_cast<std::uint8_t>(~d.bit());
            if (d.what.value != 0) s.heeds_cancel |= d.bit();
            break;
        case Do::thread_exit: return end_thread(s, d.thread);
        default: break;
    }
    next(s, d.thread);
}

void Interpreter::do_ends(const Doing& d) const {
    State& s = d.state;
    switch (d.what.what) {
        case Do::show: show(s, d.r); break;
        case Do::show_value: show(s, d.what.value); break;
        case Do::print: print(s, d.r); break;
        case Do::print_value: print(s, d.what.value); break;
        case Do::flush: flush(s); break;
        case Do::exit:
            if (d.phase++ == 0) return exit_flushes(s);
            [[fallthrough]];
        case Do::quick_exit:
            s.end = End::exited;
            s.status = static_cast<std::uint8_t>(d.what.value);
            return;
        case Do::abort: s.end = End::aborted; return;
        case Do::crash: s.end = End::crashed; return;
        case Do::raise: s.end = End::terminated; return;
        case Do::pipe_write:
            if (s.in_pipe == 3) {
                s.undefined = true;  // more than the state holds
                return;
            }
            s.piped[s.in_pipe++] = static_cast<std::uint8_t>(d.what.value);
            d.r = 1;
            break;
        case Do::pipe_read:
            d.r = s.piped[0];
            s.piped[0] = s.piped[1];
            s.piped[1] = s.piped[2];
            s.piped[2] = 0;
            --s.in_pipe;
            break;
        default: break;
    }
    next(s, d.thread);
}

std::string Interpreter::outcome_of(const State& state) const {
    std::string text;
    switch (state.end) {
        case End::none: text = "deadlock"; break;
        case End::exited: text = state.status == 0 ? "ok" : "exit_status " + std::to_string(state.status); break;
        case End::aborted: text = "assertion"; break;
        case End::crashed:
        case End::terminated: text = "crash"; break;
    }
    return state.written == 0 ? text : text + ": " + std::string(state.output, state.written);
}

}  // namespace raddle::differential
