// Memory, threads, output and the end of the process.
#include "tests/differential/interpreter.h"

namespace raddle::differential {

std::uint32_t load(const State& state, std::uint32_t variable) {
    std::uint32_t value = 0;
    std::memcpy(&value, state.memory + places[variable].offset, places[variable].bytes);
    return value;
}

void store(State& state, std::uint32_t variable, std::uint32_t value) {
    std::memcpy(state.memory + places[variable].offset, &value, places[variable].bytes);
}

namespace {

void show(State& state, std::uint32_t value) {
    if (state.written == most_output) {
        state.undefined = true;  // more than the test wants to see
        return;
    }
    state.output[state.written++] = static_cast<char>('0' + value % 10);
}

}  // namespace

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

// A thread that is cancelled in a condition ends with the mutex.
void Interpreter::cancel(State& state, int thread) const {
    const Statement& what = *statement(state, thread);
    const auto bit = static_cast<std::uint8_t>(1u << thread);
    if (is_in_condition(what, state.top(thread).phase)) {
        leave_condition(state, what.object, bit);
        state.woken = without(state.woken, bit);
        state.woken_before[thread] = 0;
        taken(state, thread, what.second);
    }
    state.frames[thread][0].r = ~0u;  // PTHREAD_CANCELED
    end_thread(state, thread);
}

// Its robust mutexes are given up first, the latest before the others, each in a step. The end of the last thread is
// that of the process.
void Interpreter::end_thread(State& state, int thread) const {
    for (; state.depth[thread] > 0; --state.depth[thread]) state.top(thread) = {};
    Frame& frame = state.frames[thread][0];
    frame.at = static_cast<std::uint8_t>(program_.threads[static_cast<std::size_t>(thread)].size());
    frame.phase = 1;
    const auto gives_up = [&](std::uint8_t mutex) {
        return program_.robust[mutex] && state.owner[mutex] == static_cast<std::uint8_t>(thread);
    };
    for (const std::uint8_t mutex :
         {state.last_taken[thread], static_cast<std::uint8_t>(1 - state.last_taken[thread])}) {
        if (state.end != End::none || !gives_up(mutex)) continue;
        state.owner[mutex] = nobody;
        state.depth_of_lock[mutex] = 0;
        state.robust[mutex] = Robust::owner_died;
        return;
    }
    state.life[thread] = Life::ended;
    if (state.end != End::none) return;
    for (const Life life : state.life)
        if (life == Life::running) return;
    state.end = End::exited;
}

void Interpreter::do_threads(const Doing& d) const {
    State& s = d.state;
    const std::uint8_t o = d.what.object;
    switch (d.what.what) {
        case Do::create:
            s.undefined = s.undefined || s.life[o] != Life::unborn;
            s.life[o] = Life::running;
            s.blocked[o] = s.blocked[d.thread];
            settle(s, o);
            break;
        case Do::join:
        case Do::join_into:
            s.undefined = s.undefined || s.taken[o];
            s.taken[o] = true;
            (d.what.what == Do::join ? d.r : s.ends[o]) = s.frames[o][0].r;
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
            s.heeds_cancel = without(s.heeds_cancel, d.bit());
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
        case Do::exit:
        case Do::quick_exit:
            s.end = End::exited;
            s.status = static_cast<std::uint8_t>(d.what.value);
            return;
        case Do::abort: s.end = End::aborted; return;
        case Do::crash: s.end = End::crashed; return;
        case Do::terminate: s.end = End::terminated; return;
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

}  // namespace raddle::differential
