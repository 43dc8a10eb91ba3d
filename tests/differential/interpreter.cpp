// The steps of threads and functions; the statements themselves are in locks.cpp, waits.cpp, threads.cpp and
// signals.cpp.
#include "tests/differential/interpreter.h"

#include <algorithm>
#include <bit>

namespace raddle::differential {

namespace {

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
        case Do::sigwait:
        case Do::sigsuspend:
        case Do::show:
        case Do::show_value: return true;
        default: return false;
    }
}

Ways when(bool can_go) { return {.ready = can_go ? 1 : 0}; }
Ways when_or_timeout(bool can_go) { return {.ready = can_go ? 1 : 0, .timeout = !can_go}; }

}  // namespace

bool is_in_condition(const Statement& what, std::uint8_t phase) {
    switch (what.what) {
        case Do::cond_wait:
        case Do::cond_timedwait: return phase == 1;
        case Do::cond_wait_while: return phase == 2;
        default: return false;
    }
}

int nth_bit(std::uint8_t bits, int n) {
    for (int bit = 0;; ++bit)
        if ((bits >> bit & 1) != 0 && n-- == 0) return bit;
}

State Interpreter::first() const {
    State state;
    state.units[0] = program_.semaphores[0];
    state.units[1] = program_.semaphores[1];
    state.life[0] = Life::running;
    settle(state, 0);
    while (level_ == Level::calls && goes_on_at_once(state, 0)) one_step(state, 0, 0);
    return state;
}

const Statement* Interpreter::statement(const State& state, int thread) const {
    const Frame& frame = state.top(thread);
    const auto& statements =
        state.depth[thread] > 0 ? program_.handlers[frame.signal] : program_.threads[static_cast<std::size_t>(thread)];
    return frame.at < statements.size() ? &statements[frame.at] : nullptr;
}

// Guards are no steps: they look at the thread's own register only. Nor is the return from a handler.
void Interpreter::settle(State& state, int thread) const {
    for (;;) {
        Frame& frame = state.top(thread);
        const Statement* const one = statement(state, thread);
        if (one == nullptr && state.depth[thread] == 0) return;
        if (one == nullptr) {
            const bool interrupts = frame.interrupts != 0;
            state.blocked[thread] = frame.blocked;
            frame = {};
            --state.depth[thread];
            if (interrupts) interrupted(state, thread);
            if (interrupts) continue;
            return;
        }
        const bool equal = frame.r == one->guard.value;
        if (one->guard.when == Guard::When::always || equal == (one->guard.when == Guard::When::equal)) {
            const bool joins = one->what == Do::join || one->what == Do::join_into;
            state.undefined = state.undefined || (joins && state.life[one->object] == Life::unborn);
            return;
        }
        ++frame.at;
    }
}

void Interpreter::next(State& state, int thread) const {
    ++state.top(thread).at;
    state.top(thread).phase = 0;
    settle(state, thread);
}

bool Interpreter::acts_on_cancellation(const State& state, int thread) const {
    const Statement* one = statement(state, thread);
    if (one == nullptr || (state.cancelled & state.heeds_cancel & 1u << thread) == 0) return false;
    if (!is_cancellation_point(one->what)) return false;
    // The loop begins with a read. A wait that has ended wants its mutex back first.
    if (one->what == Do::cond_wait_while && state.top(thread).phase == 0) return false;
    return !(one->what == Do::cond_timedwait && state.top(thread).phase == 2);
}

Ways Interpreter::ways(const State& state, int thread) const {
    if (state.life[thread] != Life::running || state.end != End::none || state.undefined) return {};
    if (statement(state, thread) == nullptr && state.top(thread).phase != 0) return when(true);  // it ends
    Ways ways;
    if ((state.due[thread] & open(state, thread)) == 0) ways = ways_of_statement(state, thread);
    add_signal_ways(state, thread, ways);
    return ways;
}

Ways Interpreter::ways_of_statement(const State& state, int thread) const {
    const Statement* one = statement(state, thread);
    if (one == nullptr) return when(true);  // it ends
    const std::uint8_t o = one->object, phase = state.top(thread).phase;
    const auto self = static_cast<std::uint8_t>(thread), bit = static_cast<std::uint8_t>(1u << thread);
    const bool cancels = acts_on_cancellation(state, thread);
    if (is_in_condition(*one, phase)) {
        const bool woken = (state.woken & bit) != 0, free = state.owner[one->second] == nobody;
        // POSIX lets a thread that was woken act on its cancellation or not, but the signal must not be lost.
        return {.ready = woken && free ? 1 : 0,
                .timeout = one->what == Do::cond_timedwait && !woken && !cancels,
                .cancellation = cancels && free && (state.woken_before[thread] & state.waiting[one->object]) == 0};
    }
    if (cancels) return {.cancellation = true};
    const bool can_read = state.writer[o % 2] == nobody && state.writers_queued[o % 2] == 0;
    const bool can_write = state.writer[o % 2] == nobody && state.readers[o % 2] == 0;
    switch (one->what) {
        case Do::lock:
        case Do::timedlock: {
            const bool goes = state.owner[o] == nobody || state.robust[o] == Robust::not_recoverable ||
                              (state.owner[o] == self && program_.mutex_types[o] != MutexType::normal);
            return {.ready = goes ? 1 : 0, .timeout = one->what == Do::timedlock && !goes};
        }
        case Do::spin_lock: return when(state.spinner[o] == nobody);
        case Do::rdlock: return when(can_read);
        case Do::timedrdlock: return when_or_timeout(can_read);
        case Do::wrlock: return when(can_write || (phase == 0 && program_.prefers_writers[o]));
        case Do::timedwrlock: return when_or_timeout(can_write || (phase == 0 && program_.prefers_writers[o]));
        case Do::cond_timedwait: return when(phase == 0 || state.owner[one->second] == nobody);
        case Do::cond_signal: return {.ready = std::max(1, std::popcount(state.waiting[o]))};
        case Do::sem_wait: return when(state.units[o] > 0);
        case Do::sem_timedwait: return when_or_timeout(state.units[o] > 0);
        case Do::barrier_wait: return when(phase == 0 || (state.arrived & bit) == 0);
        case Do::once: return when(phase != 0 || state.once[o] != 1);
        case Do::futex_wait: return when(phase == 0 || state.futex[thread] == 0);
        case Do::futex_timedwait: return when_or_timeout(phase == 0 || state.futex[thread] == 0);
        case Do::futex_wake: {
            int waiters = 0;
            for (const std::uint8_t queue : state.futex) waiters += queue >> o & 1;
            return {.ready = one->value == 1 ? std::max(1, waiters) : 1};  // else it wakes them all
        }
        case Do::join:
        case Do::join_into: return when(state.life[o] == Life::ended);
        case Do::pipe_read: return when(state.in_pipe > 0);
        case Do::sigwait: return when((state.pending[thread] & one->value) != 0);
        case Do::sigsuspend: return when(phase == 0);
        default: return when(true);
    }
}

// An access that no call separates from the call before it.
bool Interpreter::goes_on_at_once(const State& state, int thread) const {
    if (state.life[thread] != Life::running || state.end != End::none || state.undefined) return false;
    const Statement* one = statement(state, thread);
    if (one == nullptr) return false;
    const std::uint8_t phase = state.top(thread).phase;
    switch (one->what) {
        case Do::see_end:
        case Do::see_id: return true;
        case Do::cond_wait_while: return phase == 0;
        case Do::once: return phase == 1 || phase == 2;
        default: return group_of(one->what) == Group::memory;
    }
}

void Interpreter::step(State& state, int thread, int way) const {
    one_step(state, thread, way);
    while (level_ == Level::calls && goes_on_at_once(state, thread)) one_step(state, thread, 0);
}

void Interpreter::one_step(State& state, int thread, int way) const {
    const std::uint8_t open_before = open(state, thread);
    const Statement* one = statement(state, thread);
    if (way == by_handler || way == by_interruption) {
        start_handler(state, thread, way == by_interruption);
    } else if (one == nullptr) {
        if (thread == 0 && state.frames[0][0].phase == 0) state.end = End::exited;
        end_thread(state, thread);
    } else if (way == by_cancellation) {
        cancel(state, thread);
    } else {
        const Doing doing{state, thread, way, *one, state.top(thread).r, state.top(thread).phase};
        switch (group_of(one->what)) {
            case Group::memory: do_memory(doing); break;
            case Group::locks: do_locks(doing); break;
            case Group::conditions: do_conditions(doing); break;
            case Group::counting: do_counting(doing); break;
            case Group::threads: do_threads(doing); break;
            case Group::ends: do_ends(doing); break;
            case Group::signals: do_signals(doing); break;
        }
    }
    state.due[thread] = static_cast<std::uint8_t>((state.due[thread] | open_before) & state.pending[thread]);
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
