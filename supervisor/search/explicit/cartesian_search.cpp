#include "supervisor/search/explicit/cartesian_search.h"

#include <algorithm>

namespace raddle {

void CartesianSearch::begin() {
    walk_.track().pop_to(0);
    reached_.assign(1, {});
    work_.assign(1, 0);
    covered_.clear();
    transitions_ = 0;
    has_state_ = at_unknown_ = gives_up_ = false;
}

void CartesianSearch::give_up() { gives_up_ = true; }

// ---- the main loop (Figure 7)

CartesianSearch::Stop CartesianSearch::advance() {
    if (at_unknown_) {
        const TrackEvent& last = walk_.track()[walk_.track().size() - 1];
        if (gives_up_ || !walk_.announce(last)) given_up_.find_or_add(last.past, 0);
        at_unknown_ = gives_up_ = false;
    }
    for (;;) {
        if (!has_state_) {
            if (work_.empty()) return Stop::done;
            state_ = work_.back();
            work_.pop_back();
            has_state_ = is_new_ = true;
        }
        if (!go_to(state_) || !create_threads()) return Stop::unknown;
        if (is_new_ && covered_.find(walk_.track().node()) != HashIndex::none) {
            has_state_ = false;
            continue;
        }
        is_new_ = false;
        covered_.find_or_add(walk_.track().node(), 0);
        if (minds_time()) {
            begin();
            continue;
        }
        if (!calculate_vector()) return Stop::unknown;
        has_state_ = false;
        if (add_ends_to_work()) continue;
        finish_all();
        // A thread that may not create another one, or whose next action nobody knows, is no end.
        if (walk_.machine().ending() != Ending::running) return Stop::leaf;
    }
}

// Takes the walk to the state. False at an unknown past.
bool CartesianSearch::go_to(std::uint32_t state) {
    std::vector<std::uint32_t> ancestors;
    for (std::uint32_t at = state; at != 0; at = reached_[at].from) ancestors.push_back(at);
    Track& track = walk_.track();
    Position at = 0;
    bool is_common = true;
    for (auto ancestor = ancestors.rbegin(); ancestor != ancestors.rend(); ++ancestor)
        for (const Taking& step : reached_[*ancestor].steps) {
            is_common =
                is_common && at < track.size() && track[at].thread == step.thread && track[at].value == step.value;
            if (!is_common) {
                while (track.size() > at) walk_.back();
                if (!take(step)) return false;
            }
            ++at;
        }
    while (track.size() > at) walk_.back();
    return true;
}

// Takes a step. False if the thread's next action is unknown, and it is worth to run the program for it.
bool CartesianSearch::take(const Taking& step) {
    if (walk_.step(step.thread, step.value)) return true;
    const Hash128 past = walk_.track()[walk_.track().size() - 1].past;
    if (given_up_.find(past) != HashIndex::none) return true;
    at_unknown_ = true;
    return false;
}

bool CartesianSearch::create_threads() {
    const Machine& machine = walk_.machine();
    for (ThreadSlot thread = 0; thread < machine.thread_count(); ++thread)
        while (machine.thread(thread).life == Life::announced &&
               machine.thread(thread).pending.operation == Operation::thread_create && machine.can_run(thread) &&
               !machine.exceeds_threads(thread))
            if (!take({thread, 0})) return false;
    return true;
}

// By value, states differ by time as soon as a thread waits for time or reads it. True if that begins now.
bool CartesianSearch::minds_time() {
    Track& track = walk_.track();
    if (!track.goes_by_value() || track.time_matters()) return false;
    for (ThreadSlot thread = 0; thread < walk_.machine().thread_count(); ++thread) {
        const ThreadRecord& record = walk_.machine().thread(thread);
        if (record.life != Life::announced) continue;
        if (!can_time_out(record.pending) && record.pending.operation != Operation::clock_read) continue;
        track.let_time_matter();
        return true;
    }
    return false;
}

// Adds the ends of the finite prefixes. False if there is none.
bool CartesianSearch::add_ends_to_work() {
    bool has_any = false;
    for (const Prefix& prefix : prefixes_) {
        transitions_ += prefix.length;
        const bool is_infinite = prefix.is_finished && !prefix.is_last_dependent;
        std::vector<Taking> steps;
        for (std::size_t i = 0; i < prefix.length; ++i)
            if (!(prefix.waits && i + 1 == prefix.moves.size())) steps.push_back(prefix.moves[i].step);
        if (is_infinite || steps.empty()) continue;
        has_any = true;
        for (std::uint32_t value = 0; value < prefix.ways; ++value) {
            if (prefix.ways > 1) steps.front().value = value;
            want(steps);
        }
    }
    return has_any;
}

void CartesianSearch::want(std::vector<Taking> steps) {
    // Threads that were created on the way to the state are part of the way on.
    std::vector<Taking> all;
    Position known = 0;
    for (std::uint32_t at = state_; at != 0; at = reached_[at].from)
        known += static_cast<Position>(reached_[at].steps.size());
    const Track& track = walk_.track();
    for (Position i = known; i < base_; ++i) all.push_back({track[i].thread, track[i].value});
    all.insert(all.end(), steps.begin(), steps.end());
    reached_.push_back({state_, std::move(all)});
    work_.push_back(static_cast<std::uint32_t>(reached_.size() - 1));
}

// All prefixes commute: one after the other they lead to the end.
void CartesianSearch::finish_all() {
    while (walk_.track().size() > base_) walk_.back();
    for (const Prefix& prefix : prefixes_)
        for (std::size_t i = 0; i < prefix.length; ++i)
            if (!(prefix.waits && i + 1 == prefix.moves.size()))
                walk_.step(prefix.moves[i].step.thread, prefix.moves[i].step.value);
}

// ---- cartesian vectors (Figure 6)

// False at an unknown past.
bool CartesianSearch::calculate_vector() {
    base_ = walk_.track().size();
    first_moves();
    for (bool is_any_extendable = true; is_any_extendable;) {
        is_any_extendable = false;
        for (ThreadSlot thread = 0; thread < prefixes_.size(); ++thread) {
            if (!prefixes_[thread].is_extendable) continue;
            is_any_extendable = true;
            if (prefixes_[thread].length == prefixes_[thread].moves.size() && !look_further(thread)) return false;
            extend(thread);
        }
    }
    while (walk_.track().size() > base_) walk_.back();
    return true;
}

void CartesianSearch::first_moves() {
    const Machine& machine = walk_.machine();
    const std::uint32_t threads = machine.thread_count();
    prefixes_.assign(threads, {});
    alternatives_.resize(threads);
    for (ThreadSlot thread = 0; thread < threads; ++thread) alternatives_[thread] = machine.alternatives(thread);
    for (ThreadSlot thread = 0; thread < threads; ++thread) {
        Prefix& prefix = prefixes_[thread];
        prefix.is_finished = true;
        if (machine.thread(thread).life != Life::announced) continue;
        if (machine.exceeds_threads(thread)) {
            met_thread_limit_ = true;
            continue;
        }
        prefix.is_finished = false;
        prefix.ways = std::max(alternatives_[thread].count, 1u);
        if (alternatives_[thread].count == 0)
            add_waiting(prefix, thread);
        else if (add_step(prefix, thread, 0))
            prefix.is_extendable = prefix.ways == 1;
        while (walk_.track().size() > base_) walk_.back();
        // A step with alternatives has the uses of all of them.
        for (std::uint32_t value = 1; value < prefix.ways; ++value) {
            Prefix other;
            add_step(other, thread, value);
            while (walk_.track().size() > base_) walk_.back();
            Move& move = prefix.moves.front();
            move.changed.insert(move.changed.end(), other.moves.front().changed.begin(),
                                other.moves.front().changed.end());
        }
    }
    for (ThreadSlot thread = 0; thread < threads; ++thread)
        if (!prefixes_[thread].moves.empty()) add_to_vector(thread);
}

// Adds the step to the known moves; the walk is before it, and after it then. False if it is the last one.
bool CartesianSearch::add_step(Prefix& prefix, ThreadSlot thread, std::uint32_t value) {
    const Machine& machine = walk_.machine();
    Move move;
    move.step = {thread, value};
    const Action action = machine.thread(thread).pending;
    const bool takes_all = traits(action.operation).guarded != Mode::none || machine.alternatives(thread).count > 1;
    if (takes_all) move.count = machine.pending_uses(thread, move.uses);
    const bool is_known = walk_.step(thread, value);
    const TrackEvent& event = walk_.track()[walk_.track().size() - 1];
    if (!takes_all) {
        move.count = event.outcome.use_count;
        std::copy_n(event.outcome.uses, move.count, move.uses);
    }
    for (ThreadSlot other = 0; other < alternatives_.size(); ++other) {
        if (other == thread) continue;
        const Alternatives now = machine.alternatives(other);
        if (now.readiness != alternatives_[other].readiness || now.count != alternatives_[other].count)
            move.changed.push_back(other);
    }
    prefix.moves.push_back(std::move(move));
    if (event.outcome.ends_thread)
        prefix.end = End::final;
    else if (action.operation == Operation::thread_create)
        prefix.end = End::branching;  // no prefix of the new thread is in the vector
    else if (!is_known)
        prefix.end = given_up_.find(event.past) == HashIndex::none ? End::unknown : End::final;
    return prefix.end == End::open || prefix.end == End::unknown || prefix.end == End::final;
}

void CartesianSearch::add_waiting(Prefix& prefix, ThreadSlot thread) {
    Move& move = prefix.moves.emplace_back();
    move.step.thread = thread;
    move.count = walk_.machine().pending_uses(thread, move.uses);
    prefix.waits = true;
    prefix.end = End::final;
}

// Finds more moves of the thread, if there are any. False at an unknown past.
bool CartesianSearch::look_further(ThreadSlot thread) {
    Prefix& prefix = prefixes_[thread];
    if (prefix.end == End::final || prefix.end == End::branching) return true;
    constexpr std::size_t least_ahead = 16;
    while (walk_.track().size() > base_) walk_.back();
    for (std::size_t i = 0; i < prefix.moves.size(); ++i)
        if (!take(prefix.moves[i].step)) return false;
    prefix.end = End::open;
    const std::size_t wanted = prefix.moves.size() + std::max(prefix.moves.size(), least_ahead);
    const Machine& machine = walk_.machine();
    while (prefix.end == End::open && prefix.moves.size() < wanted) {
        if (machine.thread(thread).life != Life::announced || machine.exceeds_threads(thread)) {
            met_thread_limit_ = met_thread_limit_ || machine.thread(thread).life == Life::announced;
            prefix.end = End::final;
            break;
        }
        const std::uint32_t ways = machine.alternatives(thread).count;
        if (ways == 0)
            add_waiting(prefix, thread);
        else if (ways > 1)
            prefix.end = End::branching;
        else
            add_step(prefix, thread, 0);
    }
    return true;
}

// Tries to add the thread's next move to the vector.
void CartesianSearch::extend(ThreadSlot thread) {
    Prefix& prefix = prefixes_[thread];
    if (prefix.length == prefix.moves.size()) {
        prefix.is_finished = prefix.end == End::final;
        prefix.is_extendable = false;
        return;
    }
    for (ThreadSlot other = 0; other < prefixes_.size(); ++other)
        for (std::size_t i = 0; other != thread && i + 1 < prefixes_[other].length; ++i)
            if (depend(thread, prefix.length, other, i)) {
                prefix.is_extendable = false;
                return;
            }
    add_to_vector(thread);
}

// Adds the next move, which depends on last moves of others at most: those are not extended any more.
void CartesianSearch::add_to_vector(ThreadSlot thread) {
    Prefix& prefix = prefixes_[thread];
    const std::size_t move = prefix.length++;
    prefix.is_last_dependent = false;
    for (ThreadSlot other = 0; other < prefixes_.size(); ++other) {
        Prefix& another = prefixes_[other];
        if (other == thread || another.length == 0 || !depend(thread, move, other, another.length - 1)) continue;
        prefix.is_extendable = another.is_extendable = false;
        prefix.is_last_dependent = another.is_last_dependent = true;
    }
    const bool is_end = prefix.length == prefix.moves.size() && prefix.end == End::final;
    if (is_end) {
        prefix.is_finished = true;
        prefix.is_extendable = false;
    }
}

bool CartesianSearch::depend(ThreadSlot a, std::size_t a_move, ThreadSlot b, std::size_t b_move) const {
    return depend(prefixes_[a].moves[a_move], a, a_move == 0, prefixes_[b].moves[b_move], b, b_move == 0);
}

bool CartesianSearch::depend(const Move& a, ThreadSlot a_thread, bool a_is_first, const Move& b, ThreadSlot b_thread,
                             bool b_is_first) {
    const auto changes = [](const Move& one, ThreadSlot other) {
        return std::find(one.changed.begin(), one.changed.end(), other) != one.changed.end();
    };
    if ((b_is_first && changes(a, b_thread)) || (a_is_first && changes(b, a_thread))) return true;
    for (std::uint8_t i = 0; i < a.count; ++i)
        for (std::uint8_t j = 0; j < b.count; ++j)
            if (raddle::depend(a.uses[i], b.uses[j])) return true;
    return false;
}

}  // namespace raddle
