// Conditions, semaphores, barriers, once-controls and futexes.
#include <bit>

#include "tests/differential/interpreter.h"

namespace raddle::differential {

namespace {

// The thread compares the word and joins the queue in one step. False if the call ends.
bool stays_in_futex(State& state, int thread, const Statement& what, int way, Frame& frame) {
    if (frame.phase == 1) {
        frame.r = way == by_timeout ? 3 : 0;
        state.futex[thread] = 0;
        return false;
    }
    if (load(state, what.object) != what.value) {
        frame.r = 1;
        return false;
    }
    state.futex[thread] = static_cast<std::uint8_t>(1u << what.object);
    frame.phase = 1;
    return true;
}

// The way chooses one of the waiters if the call wakes one; else it wakes them all.
std::uint32_t wake_futex(State& state, const Statement& what, int way) {
    std::uint8_t waiters = 0;
    for (int thread = 0; thread < most_threads; ++thread)
        if ((state.futex[thread] >> what.object & 1) != 0) waiters |= static_cast<std::uint8_t>(1u << thread);
    if (waiters != 0 && what.value == 1) waiters = static_cast<std::uint8_t>(1u << nth_bit(waiters, way));
    for (int thread = 0; thread < most_threads; ++thread)
        if ((waiters >> thread & 1) != 0) state.futex[thread] = 0;
    return static_cast<std::uint32_t>(std::popcount(waiters));
}

}  // namespace

void leave_condition(State& state, std::uint8_t condition, std::uint8_t threads) {
    state.waiting[condition] = without(state.waiting[condition], threads);
    for (std::uint8_t& others : state.woken_before) others = without(others, threads);
}

void Interpreter::do_conditions(const Doing& d) const {
    State& s = d.state;
    const std::uint8_t c = d.what.object, m = d.what.second;
    const bool is_loop = d.what.what == Do::cond_wait_while;
    if (d.what.what == Do::cond_signal || d.what.what == Do::cond_broadcast) {
        const std::uint8_t all = s.waiting[c];
        std::uint8_t chosen = all;
        if (d.what.what == Do::cond_signal && all != 0) chosen = static_cast<std::uint8_t>(1u << nth_bit(all, d.way));
        leave_condition(s, c, chosen);
        s.woken |= chosen;
        for (int thread = 0; thread < most_threads; ++thread)
            if ((chosen >> thread & 1) != 0) s.woken_before[thread] = s.waiting[c];
        return next(s, d.thread);
    }
    if (is_loop && d.phase == 0) {
        if (load(s, d.what.value) != 0) return next(s, d.thread);
        d.phase = 1;
        return;
    }
    const bool timed_out = d.what.what == Do::cond_timedwait && d.phase == 2;
    if (is_in_condition(d.what, d.phase) && d.way == by_timeout) {
        leave_condition(s, c, d.bit());
        d.phase = 2;
        return;
    }
    if (is_in_condition(d.what, d.phase) || timed_out) {
        s.woken = without(s.woken, d.bit());
        s.woken_before[d.thread] = 0;
        const std::uint32_t result = taken(s, d.thread, m);
        s.undefined = s.undefined || result == not_recoverable;  // it returns without the mutex
        if (is_loop) {
            d.phase = 0;
            return;
        }
        d.r = result == 0 && timed_out ? busy : result;
        return next(s, d.thread);
    }
    // A mutex whose owner died would become unusable.
    s.undefined = s.undefined || s.owner[m] != d.self() || s.depth_of_lock[m] != 1 || s.robust[m] != Robust::consistent;
    s.owner[m] = nobody;
    s.depth_of_lock[m] = 0;
    s.waiting[c] |= d.bit();
    ++d.phase;
}

void Interpreter::do_counting(const Doing& d) const {
    State& s = d.state;
    const std::uint8_t o = d.what.object;
    switch (d.what.what) {
        case Do::sem_wait:
            --s.units[o];
            d.r = 0;
            break;
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
        case Do::futex_wait:
        case Do::futex_timedwait:
            if (stays_in_futex(s, d.thread, d.what, d.way, s.top(d.thread))) return;
            break;
        case Do::futex_wake: d.r = wake_futex(s, d.what, d.way); break;
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

}  // namespace raddle::differential
