#include "supervisor/search/bounded/bounded_search.h"

#include <algorithm>
#include <span>

#include "supervisor/base/error.h"
#include "supervisor/model/tail.h"

namespace raddle {

namespace {

bool depend(const Access& a, const Access& b) {
    return a.object == b.object && (a.mode == Mode::exclusive || b.mode == Mode::exclusive);
}

// Others change neither what such an action touches nor, but through the object it names, whether it can go on.
bool stands_by_itself(const Action& action) {
    switch (action.operation) {
        case Operation::memory_read:
        case Operation::memory_write:
        case Operation::memory_update:
        case Operation::memory_exchange:
        case Operation::mutex_lock:
        case Operation::mutex_unlock:
        case Operation::thread_start:
        case Operation::thread_exit: return true;
        default: return false;
    }
}

}  // namespace

void BoundedSearch::begin_pass(std::uint32_t bound) {
    CHECK(depth_ == 0 && walk_.track().size() == 0);
    bound_ = bound;
    spent_ = 0;
    unfinished_ = false;
    again_ = false;
    cut_ = false;
    at_unknown_ = false;
    pending_root_ = true;
}

void BoundedSearch::leave_pass() {
    for (; depth_ > 0; --depth_) below_.insert(below_.end(), top().below.begin(), top().below.end());
    pending_root_ = at_unknown_ = false;
    walk_.track().pop_to(0);
}

BoundedSearch::Stop BoundedSearch::advance() {
    if (pending_root_) {
        pending_root_ = false;
        if (!enter()) return Stop::done;
        if (top().enabled.empty()) return Stop::leaf;
    } else if (at_unknown_) {
        at_unknown_ = false;
        const TrackEvent& last = walk_.track()[walk_.track().size() - 1];
        if (walk_.announce(last.past)) {
            if (enter() && top().enabled.empty()) return Stop::leaf;
        } else {
            top().unfinished = true;
            walk_.back();
        }
    }
    while (depth_ > 0) {
        if (!take_next_step(top())) {
            finish();
            continue;
        }
        if (at_unknown_) return Stop::unknown;
        if (enter() && top().enabled.empty()) return Stop::leaf;
    }
    return Stop::done;
}

// Takes the next step below the frame that the bound allows. False if there is none left.
bool BoundedSearch::take_next_step(Frame& frame) {
    Machine& machine = walk_.machine();
    for (;;) {
        if (frame.current == no_slot || frame.next_value == frame.values) {
            const bool last_first =
                frame.last != no_slot && frame.branches.has(frame.last) && !frame.tried.has(frame.last);
            frame.current = last_first ? frame.last : frame.branches.first_beyond(frame.tried);
            if (frame.current == no_slot) return false;
            frame.tried.add(frame.current);
            frame.next_value = 0;
            frame.values = machine.alternatives(frame.current).count;
        }
        const std::uint32_t value = frame.next_value++;
        const std::uint32_t cost = cost_of(frame, value);
        if (cost >= Machine::never) continue;
        spent_ = frame.spent + cost;
        if (spent_ > bound_) {
            frame.cut = true;
            continue;
        }
        if (!walk_.step(frame.current, value)) {
            const Hash128 past = walk_.track()[walk_.track().size() - 1].past;
            at_unknown_ = dead_.find(past) == HashIndex::none;
        }
        return true;
    }
}

// As Machine::cost, by what the frame knows.
std::uint32_t BoundedSearch::cost_of(const Frame& frame, std::uint32_t value) const {
    const Machine& machine = walk_.machine();
    if (!frame.ready.has(frame.current) || value > 0) return machine.cost(frame.last, frame.current, value);
    return frame.last != no_slot && frame.last != frame.current && frame.ready.has(frame.last) ? 1 : 0;
}

// Enters the node the walk stands at; false if it was finished before and is left at once.
bool BoundedSearch::enter() {
    Track& track = walk_.track();
    const ThreadSlot last = track.last_thread();
    const std::uint32_t left = bound_ - spent_;
    const Entry* known = walk_.is_on_new_ground() ? nullptr : finished_before(track.node(), last, left);
    if (known != nullptr) {
        const Position depth = track.size();
        const NumberSet& summary = pool_[known->summary];
        summary.each([&](std::uint32_t number) { tell(intents_[number]); });
        if (depth > 0) {
            pool_[known->lead].each([&](std::uint32_t thread) { branch_at_block(depth - 1, thread); });
            top().summary.add(summary);
            top().below.push_back(track.node());
            if (known->left != without_end) top().cut = true;
            walk_.back();
        } else {
            cut_ = known->left != without_end;
        }
        return false;
    }
    Frame& frame = push_frame();
    frame.begin(last, spent_);
    const Machine& machine = walk_.machine();
    const std::uint32_t threads = machine.thread_count();
    CHECK(threads <= ThreadSet::capacity);
    frame.intents.resize(threads);
    for (ThreadSlot thread = 0; thread < threads; ++thread) {
        std::uint32_t& intent = frame.intents[thread];
        intent = no_intent;
        if (machine.thread(thread).life != Life::announced) continue;
        const bool keeps = thread != last && keeps_intent(thread);
        if (keeps && is_left_alone(thread)) {
            if (above().ready.has(thread)) frame.ready.add(thread);
            if (above().enabled.has(thread)) frame.enabled.add(thread);
        } else {
            switch (machine.alternatives(thread).readiness) {
                case Readiness::ready: frame.ready.add(thread); [[fallthrough]];
                case Readiness::lapse: frame.enabled.add(thread); break;
                case Readiness::blocked: break;
            }
        }
        intent = keeps ? above().intents[thread] : intent_of(thread);
        frame.summary.add(intent);
    }
    frame.last_stuck = last != no_slot && !frame.ready.has(last);
    for (ThreadSlot thread = 0; thread < threads; ++thread) {
        const std::uint32_t number = frame.intents[thread];
        if (number == no_intent) continue;
        // What was intended before was told before; only the last event is new to it.
        const bool told = track.size() > 0 && thread != last && had_intent(thread, number);
        if (told)
            tell_about_last_event(intents_[number]);
        else
            tell(intents_[number]);
    }
    add_first_branch(top());
    return true;
}

// Whether the thread, which did not move, intends what it intended at the frame above.
bool BoundedSearch::keeps_intent(ThreadSlot thread) const {
    if (depth_ < 2) return false;
    const std::vector<std::uint32_t>& above = frames_[depth_ - 2].intents;
    if (thread >= above.size() || above[thread] == no_intent) return false;
    const Action& pending = walk_.machine().thread(thread).pending;
    return stands_by_itself(pending) || (pending.operation == Operation::thread_join && is_left_alone(thread));
}

// Only through the object it names, or by being cancelled, could it change what it can do, and the last event touched neither.
bool BoundedSearch::is_left_alone(ThreadSlot thread) const {
    const ThreadRecord& record = walk_.machine().thread(thread);
    if ((record.pending.flags & flag::timed) != 0) return false;
    const bool cancellable = (record.pending.flags & flag::cancellable) != 0;
    const Outcome& last = walk_.track()[walk_.track().size() - 1].outcome;
    for (std::uint8_t a = 0; a < last.access_count; ++a)
        if (last.access[a].object == record.object || (cancellable && last.access[a].object == record.cancel_mark)) return false;
    return true;
}

// The frame above the one just entered had it.
bool BoundedSearch::had_intent(ThreadSlot thread, std::uint32_t number) const {
    const std::vector<std::uint32_t>& above = frames_[depth_ - 2].intents;
    return thread < above.size() && above[thread] == number;
}

void BoundedSearch::finish() {
    Track& track = walk_.track();
    Frame& frame = top();
    // Within a block little is to be gained: who comes here another way soon leaves it, to what is remembered.
    const bool begins_block = track.size() == 0 || track[track.size() - 1].block == track.size() - 1;
    if (!frame.unfinished && begins_block) {
        remember(frame, track.node());
        frame.below.assign(1, track.node());
    }
    if (depth_ == 1) {
        below_ = frame.below;
        unfinished_ = frame.unfinished || again_;
        cut_ = frame.cut;
    } else {
        Frame& above = this->above();
        above.summary.add(frame.summary);
        if (above.below.empty())
            above.below.swap(frame.below);
        else
            above.below.insert(above.below.end(), frame.below.begin(), frame.below.end());
        above.unfinished |= frame.unfinished;
        above.cut |= frame.cut;
        // A thread that raced with the block running through here raced with it at each node inside the block.
        const Position depth = track.size();
        if (track[depth - 1].block < depth - 1) above.lead.add(frame.lead);
        walk_.back();
    }
    --depth_;
}

void BoundedSearch::Frame::begin(ThreadSlot last_thread, std::uint32_t preemptions) {
    last = last_thread;
    spent = preemptions;
    enabled = ready = branches = tried = lead = {};
    summary.clear();
    below.clear();
    current = no_slot;
    next_value = values = 0;
    last_stuck = unfinished = cut = false;
}

BoundedSearch::Frame& BoundedSearch::push_frame() {
    if (depth_ == frames_.size()) frames_.emplace_back();
    return frames_[depth_++];
}

// As a plan's tail runs on, so that one execution serves the whole first descent.
void BoundedSearch::add_first_branch(Frame& frame) {
    const bool goes_on = frame.last != no_slot && frame.ready.has(frame.last);
    const ThreadSlot first =
        goes_on ? frame.last : run_on_thread(walk_.machine(), frame.last, [](ThreadSlot) { return true; });
    if (first != no_slot) frame.branches.add(first);
}

// ---- races

std::uint32_t BoundedSearch::intent_of(ThreadSlot thread) {
    const ThreadRecord& record = walk_.machine().thread(thread);
    const Operation operation = record.pending.operation;
    if (!stands_by_itself(record.pending) || (record.pending.flags & (flag::timed | flag::cancellable)) != 0)
        return fresh_intent_of(thread);
    KnownIntent& known =
        known_intents_[(thread * 31 + record.object * 5 + static_cast<std::uint32_t>(operation)) % known_intents_.size()];
    if (known.thread != thread || known.operation != operation || known.object != record.object)
        known = {thread, operation, record.object, fresh_intent_of(thread)};
    return known.number;
}

std::uint32_t BoundedSearch::fresh_intent_of(ThreadSlot thread) {
    Intent intent{};
    intent.thread = thread;
    intent.count = walk_.machine().pending_accesses(thread, intent.access);
    const Machine& machine = walk_.machine();
    const ThreadRecord& record = machine.thread(thread);
    constexpr std::uint32_t joinable = 0;
    intent.waits_for_end = record.pending.operation == Operation::thread_join && !can_lapse(record.pending) &&
                           record.object != record.self && machine.object(record.object).kind == Kind::thread &&
                           machine.object(record.object).count == joinable;
    switch (record.pending.operation) {
        case Operation::mutex_lock:
        case Operation::mutex_relock:
        case Operation::spin_lock: intent.lock = record.object; break;
        default: intent.lock = no_slot; break;
    }
    const bool leaves = can_lapse(record.pending) || record.pending.operation == Operation::thread_cancel;
    const bool goes_by_time = can_lapse(record.pending) || record.pending.operation == Operation::clock_read;
    if (leaves && !waits_can_be_left_) {
        // What was left out so far because somebody had to wait may matter now.
        waits_can_be_left_ = true;
        start_over();
    }
    if (goes_by_time && !walk_.track().time_matters()) {
        walk_.track().let_time_matter();
        if (walk_.track().goes_by_value()) start_over();
    }
    return intents_.keep(intent);
}

// The pass is to be done again, and nothing counts as finished.
void BoundedSearch::start_over() {
    again_ = true;
    for (std::size_t i = 0; i < depth_; ++i) frames_[i].unfinished = true;
    forget();
}

bool BoundedSearch::Intent::operator==(const Intent& other) const {
    if (thread != other.thread || count != other.count || waits_for_end != other.waits_for_end || lock != other.lock)
        return false;
    for (std::uint8_t i = 0; i < count; ++i)
        if (access[i].object != other.access[i].object || access[i].mode != other.access[i].mode) return false;
    return true;
}

std::uint64_t BoundedSearch::HashOfIntent::operator()(const Intent& intent) const {
    std::uint64_t hash = (std::uint64_t{intent.thread} << 1 | (intent.waits_for_end ? 1 : 0)) * 0x9fb21c651e98df25ULL +
                         intent.lock * 0xd6e8feb86659fd93ULL;
    for (std::uint8_t a = 0; a < intent.count; ++a)
        hash = hash * 0x9e3779b97f4a7c15ULL +
               (std::uint64_t{intent.access[a].object} << 8 | static_cast<std::uint64_t>(intent.access[a].mode));
    return mix64(hash);
}

// The thread, or where it was not made yet at this point, who made it, or that one's maker.
ThreadSlot BoundedSearch::earliest_alive(ThreadSlot thread, Position at) const {
    const Track& track = walk_.track();
    for (;;) {
        const bool ran = track.last_of(thread) != nowhere;
        const EventName made =
            ran ? track[track.position_of(thread, 1)].outcome.enabler : walk_.machine().thread(thread).enabler;
        if (made.number == 0 || track.position_of(made.thread, made.number) < at) return thread;
        thread = made.thread;
    }
}

void BoundedSearch::branch(Position at, ThreadSlot thread) {
    // Where it could only run out of time, the others may make its way cheaper, or another one. Where it was not even
    // there, whoever is to make it goes.
    Frame& frame = frames_[at];
    if (frame.ready.has(thread)) return frame.branches.add(thread);
    const ThreadSlot first = waits_can_be_left_ ? thread : earliest_alive(thread, at);
    if (frame.ready.has(first))
        frame.branches.add(first);
    else
        frame.branches.add(frame.enabled);
}

void BoundedSearch::branch_at_block(Position at, ThreadSlot thread) {
    const Track& track = walk_.track();
    const Position start = track[at].block;
    branch(start, thread);
    if (at > start) frames_[at].lead.add(thread);
    if (waits_can_be_left_) return;
    // Had the block's thread had to wait for one it joins on the way, leaving it there would have been free.
    for (Position i = track[at].join; i != nowhere && i > start; i = track[i - 1].join) {
        const TrackEvent& event = track[i];
        const ThreadSlot joined = track.machine().find_thread(thread_of(event.action.object));
        const Position end = joined == no_slot ? nowhere : track.last_of(joined);
        if (end == nowhere || end > i) continue;
        branch(end, event.thread);
        branch_at_block(end, event.thread);
    }
}

void BoundedSearch::tell(const Intent& intent) {
    if (intent.count == 0) return;
    const Track& track = walk_.track();
    const Position own = track.last_of(intent.thread);
    std::span<const Track::LastAccess> last[std::size(Intent{}.access)];
    std::size_t threads = 0;
    for (std::uint8_t a = 0; a < intent.count; ++a) {
        last[a] = track.last_accesses(intent.access[a].object);
        threads = std::max(threads, last[a].size());
    }
    for (ThreadSlot other = 0; other < threads; ++other) {
        if (other == intent.thread) continue;
        Position latest = nowhere;
        for (std::uint8_t a = 0; a < intent.count; ++a) {
            const Position at = other < last[a].size() ? last[a][other].dependent(intent.access[a].mode) : nowhere;
            if (at != nowhere && (latest == nowhere || at > latest)) latest = at;
        }
        if (latest != nowhere) tell_of_race(intent, own, latest);
    }
}

void BoundedSearch::tell_about_last_event(const Intent& intent) {
    const Track& track = walk_.track();
    const Position at = track.size() - 1;
    const Outcome& outcome = track[at].outcome;
    for (std::uint8_t a = 0; a < intent.count; ++a)
        for (std::uint8_t b = 0; b < outcome.access_count; ++b)
            if (depend(intent.access[a], outcome.access[b]))
                return tell_of_race(intent, track.last_of(intent.thread), at);
}

// The intent races with the event at `at`, the last of its thread that it depends on.
void BoundedSearch::tell_of_race(const Intent& intent, Position own, Position at) {
    const Track& track = walk_.track();
    const ThreadSlot other = track[at].thread;
    if (own != nowhere && track.before(at, own)) return;
    if (intent.waits_for_end && !waits_can_be_left_ && track[at].action.operation == Operation::thread_exit) return;
    if (waits_for_release(intent, own, at)) {
        // While the other held the lock nobody could have helped; the race is with the taking of it.
        for (Position taken = at; taken != nowhere && (own == nowhere || own < taken);
             taken = dependent_before(intent, other, taken)) {
            if (!frames_[taken].enabled.has(intent.thread)) continue;
            branch(taken, intent.thread);
            branch_at_block(taken, intent.thread);
            return;
        }
    }
    if (track[at].block != at) branch(at, intent.thread);
    branch_at_block(at, intent.thread);
}

bool BoundedSearch::waits_for_release(const Intent& intent, Position own, Position at) const {
    const TrackEvent& event = walk_.track()[at];
    const bool release =
        event.action.operation == Operation::mutex_unlock || event.action.operation == Operation::spin_unlock;
    return release && !waits_can_be_left_ && intent.lock != no_slot && event.outcome.access_count > 0 &&
           event.outcome.access[0].object == intent.lock && event.outcome.effect == Effect::done &&
           event.outcome.misuse == Misuse::none && (own == nowhere || own < at) &&
           !frames_[at].enabled.has(intent.thread);
}

// The last event of the thread before `before` that the intent depends on.
Position BoundedSearch::dependent_before(const Intent& intent, ThreadSlot other, Position before) const {
    const Track& track = walk_.track();
    Position latest = nowhere;
    for (std::uint8_t a = 0; a < intent.count; ++a) {
        const std::vector<Track::Accessed>& log = track.accesses(intent.access[a].object);
        auto from = std::partition_point(log.begin(), log.end(), [&](const Track::Accessed& one) { return one.at < before; });
        while (from != log.begin()) {
            --from;
            const bool depends = intent.access[a].mode == Mode::exclusive || from->mode == Mode::exclusive;
            if (track[from->at].thread != other || !depends) continue;
            if (latest == nowhere || from->at > latest) latest = from->at;
            break;
        }
    }
    return latest;
}

// ---- finished nodes

const BoundedSearch::Entry* BoundedSearch::finished_before(const Hash128& node, ThreadSlot last,
                                                           std::uint32_t left) const {
    for (std::uint32_t at = done_.find(node); at != HashIndex::none; at = entries_[at].next) {
        const Entry& entry = entries_[at];
        const bool same_start = entry.last == last || entry.last_stuck;
        if (entry.left == without_end || entry.left >= left + (same_start ? 0u : 1u)) return &entry;
    }
    return nullptr;
}

void BoundedSearch::remember(const Frame& frame, const Hash128& node) {
    if (bytes() > memory_limit_) forget();
    NumberSet lead;
    frame.lead.each([&](ThreadSlot thread) { lead.add(thread); });
    const std::uint32_t left = frame.cut ? bound_ - frame.spent : without_end;
    add_entry(node, {frame.last, left, pool_.keep(frame.summary), pool_.keep(lead), HashIndex::none, frame.last_stuck});
}

void BoundedSearch::add_entry(const Hash128& node, const Entry& fresh) {
    std::uint32_t& first = done_.find_or_add(node, HashIndex::none);
    for (std::uint32_t at = first; at != HashIndex::none; at = entries_[at].next) {
        Entry& entry = entries_[at];
        if (entry.last != fresh.last) continue;
        if (entry.left == without_end || entry.left > fresh.left) return;
        const std::uint32_t next = entry.next;
        entry = fresh;
        entry.next = next;
        return;
    }
    entries_.push_back(fresh);
    entries_.back().next = first;
    first = static_cast<std::uint32_t>(entries_.size() - 1);
}

// Forgetting costs time, never truth: what is forgotten is walked again.
void BoundedSearch::forget() {
    done_.clear();
    entries_.clear();
    pool_.clear();
}

}  // namespace raddle
