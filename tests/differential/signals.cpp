// Signals and handlers. A handler runs before the second step that its thread makes after the signal was sent: one step
// may be under way already.
#include <bit>

#include "tests/differential/interpreter.h"

namespace raddle::differential {

namespace {

std::uint8_t bit_of(std::uint8_t signal) { return static_cast<std::uint8_t>(1u << signal); }
std::uint8_t lowest(std::uint8_t signals) { return static_cast<std::uint8_t>(std::countr_zero(signals)); }

}  // namespace

std::uint8_t Interpreter::open(const State& state, int thread) {
    return without(state.pending[thread], state.blocked[thread]);
}

// The call under way may end with EINTR: it waits, and no later step of the thread came first.
void Interpreter::add_signal_ways(const State& state, int thread, Ways& ways) const {
    const std::uint8_t signals = open(state, thread);
    if (signals == 0) return;
    ways.handler = true;
    const Statement* one = statement(state, thread);
    const std::uint8_t signal = lowest(signals);
    if (one == nullptr || state.depth[thread] > 0 || (state.due[thread] & signals) != 0) return;
    if (state.disposition[signal] != Disposition::handled) return;
    const bool restarts = state.restarts[signal];
    switch (one->what) {
        case Do::sem_wait: ways.interruption = state.units[one->object] == 0 && !restarts; break;
        case Do::sem_timedwait: ways.interruption = state.units[one->object] == 0; break;
        case Do::pipe_read: ways.interruption = state.in_pipe == 0 && !restarts; break;
        default: break;
    }
}

void Interpreter::send(State& state, int thread, std::uint8_t signal) const {
    if (state.life[thread] != Life::running) return;
    const bool is_blocked = (state.blocked[thread] & bit_of(signal)) != 0;
    if (!is_blocked && state.disposition[signal] == Disposition::ignored) return;
    if (!is_blocked && state.disposition[signal] == Disposition::by_default) {
        state.end = End::terminated;
        return;
    }
    state.pending[thread] |= bit_of(signal);
}

void Interpreter::start_handler(State& state, int thread, bool interrupts) const {
    const std::uint8_t signal = lowest(open(state, thread));
    state.pending[thread] = without(state.pending[thread], bit_of(signal));
    state.due[thread] = without(state.due[thread], bit_of(signal));
    if (state.disposition[signal] == Disposition::by_default) {
        state.end = End::terminated;
        return;
    }
    if (state.disposition[signal] == Disposition::ignored) return;
    const Statement* const one = statement(state, thread);
    Frame& below = state.top(thread);
    std::uint8_t mask = state.blocked[thread];
    if (one != nullptr && state.depth[thread] == 0 && below.phase == 1) {
        if (one->what == Do::futex_wait || one->what == Do::futex_timedwait) {
            if (state.futex[thread] != 0) {  // else it was woken before
                interrupts = one->what == Do::futex_timedwait || !state.restarts[signal];
                below.phase = 0;  // the call begins again
            }
            state.futex[thread] = 0;
        } else if (one->what == Do::sigsuspend) {
            interrupts = true;
            mask = below.blocked;
        }
    }
    if (++state.depth[thread] == most_frames) {
        state.undefined = true;  // more than the state holds
        --state.depth[thread];
        return;
    }
    state.top(thread) = {.signal = signal, .blocked = mask, .interrupts = interrupts};
    state.blocked[thread] |= bit_of(signal);
    settle(state, thread);
}

// The call ends with EINTR.
void Interpreter::interrupted(State& state, int thread) const {
    Frame& frame = state.top(thread);
    switch (statement(state, thread)->what) {
        case Do::pipe_read: frame.r = 9; break;
        case Do::futex_wait:
        case Do::futex_timedwait: frame.r = 2; break;
        default: frame.r = 1; break;
    }
    frame.blocked = 0;
    frame.phase = 0;
    ++frame.at;
}

void Interpreter::do_signals(const Doing& d) const {
    State& s = d.state;
    const std::uint8_t o = d.what.object, signal = d.what.second;
    const auto set = static_cast<std::uint8_t>(d.what.value);
    switch (d.what.what) {
        case Do::set_handler:
            s.disposition[o] = Disposition::handled;
            s.restarts[o] = d.what.value != 0;
            break;
        case Do::ignore:
            s.disposition[o] = Disposition::ignored;
            for (std::uint8_t& pending : s.pending) pending = without(pending, bit_of(o));
            break;
        case Do::kill:
            s.undefined = s.undefined || s.life[o] == Life::unborn || (s.taken[o] && s.life[o] == Life::ended);
            d.r = 0;
            send(s, o, signal);
            break;
        case Do::raise: send(s, d.thread, signal); break;
        case Do::block: s.blocked[d.thread] |= set; break;
        case Do::unblock: s.blocked[d.thread] = without(s.blocked[d.thread], set); break;
        case Do::sigwait: {
            s.undefined = s.undefined || (set & ~s.blocked[d.thread]) != 0;
            const std::uint8_t got = lowest(s.pending[d.thread] & set);
            s.pending[d.thread] = without(s.pending[d.thread], bit_of(got));
            d.r = got;
            break;
        }
        case Do::sigsuspend:
            d.phase = 1;
            s.top(d.thread).blocked = s.blocked[d.thread];
            s.blocked[d.thread] = 0;
            s.due[d.thread] = s.pending[d.thread];
            return;
        default: break;
    }
    // These calls return only after the handlers of the thread's own signals.
    const bool delivers =
        d.what.what == Do::raise || d.what.what == Do::unblock || (d.what.what == Do::kill && o == d.self());
    if (delivers) s.due[d.thread] |= open(s, d.thread);
    next(s, d.thread);
}

}  // namespace raddle::differential
