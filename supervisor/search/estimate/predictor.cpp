#include "supervisor/search/estimate/predictor.h"

#include <algorithm>

#include "supervisor/base/hash.h"

namespace raddle {

namespace {

// With so many keys it learns no new exact histories, only similar ones.
constexpr std::size_t max_keys = 400'000;

std::uint64_t hash_of_action(const Action& action) {
    return Hasher()
        .add(static_cast<std::uint64_t>(action.operation) << 32 | static_cast<std::uint64_t>(action.flags) << 16 |
             static_cast<std::uint64_t>(action.attributes) << 8 | static_cast<std::uint64_t>(action.update))
        .add(hash_of(action.object))
        .add(hash_of(action.second))
        .add(static_cast<std::uint64_t>(action.words[0]))
        .add(static_cast<std::uint64_t>(action.words[1]))
        .add(action.limit_or_initial)
        .add(action.site)
        .finish()
        .low;
}

}  // namespace

std::uint32_t Predictor::number_of(const Action& action) {
    const std::uint64_t hash = hash_of_action(action);
    const auto [from, to] = numbers_.equal_range(hash);
    for (auto it = from; it != to; ++it)
        if (actions_[it->second] == action) return it->second;
    actions_.push_back(action);
    const auto number = static_cast<std::uint32_t>(actions_.size() - 1);
    numbers_.emplace(hash, number);
    return number;
}

Predictor::History Predictor::history_after(const History* before, ThreadId thread, const TrackEvent& event) {
    const std::uint64_t what = Hasher()
                                   .add(thread.code)
                                   .add(hash_of_action(event.action))
                                   .add(static_cast<std::uint64_t>(event.outcome.effect) << 32 | event.value)
                                   .add(static_cast<std::uint64_t>(event.outcome.result))
                                   .finish()
                                   .low;
    if (before == nullptr) return {what, what, what, what};
    return {mix64(before->all * 3 + what), what, mix64(before->one * 5 + what), mix64(before->two * 7 + what)};
}

// The keys of a history, from the exact past to the merely similar.
Predictor::Keys Predictor::keys(const TrackEvent& event, ThreadId thread, const History& history) {
    return {{event.past.low ^ event.past.high, mix64(history.all + 1), mix64(history.three + 2), mix64(history.two + 3),
             mix64(history.one + 4), mix64(thread.code * 31 + hash_of_action(event.action))}};
}

void Predictor::learn(const Execution& execution) {
    const Followed& followed = follower_.follow(execution);
    if (const Action* first = follower_.first_of_main(execution).action) {
        first_ = *first;
        started_ = true;
    }
    const double length = track_.size();
    longest_ = std::max<std::size_t>(longest_, track_.size());
    length_ = length_ == 0 ? length : length_ * 0.9 + length * 0.1;
    histories_.resize(track_.size());
    for (Position i = followed.from; i < track_.size() && i < execution.events.size(); ++i) {
        const TrackEvent& event = track_[i];
        const ThreadId thread = track_.machine().thread(event.thread).id;
        note_use(track_.machine(), event);
        histories_[i] = history_after(event.previous == nowhere ? nullptr : &histories_[event.previous], thread, event);
        if (event.outcome.continues || event.outcome.ends_thread) continue;
        const Action* next = follower_.next_of(execution, i);
        if (next == nullptr) continue;
        const std::uint32_t number = number_of(*next);
        const Keys of_event = keys(event, thread, histories_[i]);
        for (std::size_t level = 0; level < std::size(of_event.key); ++level) {
            const bool similar = level >= 2;
            if (!similar && seen_.size() >= max_keys && !seen_.contains(of_event.key[level])) continue;
            std::vector<Seen>& seen = seen_[of_event.key[level]];
            const auto same =
                std::find_if(seen.begin(), seen.end(), [&](const Seen& one) { return one.action == number; });
            if (same != seen.end())
                ++same->times;
            else
                seen.push_back({number, 1});
        }
    }
}

// Creation, start, end and join of a thread are always ordered; any other use of a thread object competes.
void Predictor::note_use(const Machine& machine, const TrackEvent& event) {
    const OperationTraits& what = traits(event.action.operation);
    const bool is_ordered = what.waits == Wait::creation || what.ends == Wait::creation ||
                            what.ends == Wait::thread_end ||
                            (what.waits == Wait::thread_end && !can_be_left(event.action));
    const ThreadId thread = machine.thread(event.thread).id;
    for (std::uint8_t a = 0; a < event.outcome.use_count; ++a) {
        const ObjectUse taken = event.outcome.uses[a];
        const ObjectRecord& object = machine.object(taken.object);
        const bool exclusive = taken.mode == Mode::exclusive;
        Use& use = uses_.try_emplace(hash_of(object.id), Use{thread, false, false}).first->second;
        if (object.kind == Kind::thread && is_ordered) continue;
        if (!(use.first == thread) && (exclusive || use.exclusive)) use.contested = true;
        use.exclusive |= exclusive;
    }
}

bool Predictor::is_contested(const ObjectId& object) const {
    const auto use = uses_.find(hash_of(object));
    return use == uses_.end() || use->second.contested;
}

const Action* Predictor::after(const TrackEvent& event, ThreadId thread, const History& history) const {
    for (const std::uint64_t key : keys(event, thread, history).key) {
        const auto found = seen_.find(key);
        if (found == seen_.end()) continue;
        std::uint64_t all = 0;
        for (const Seen& one : found->second) all += one.times;
        if (all == 0) continue;
        std::uint64_t drawn = mix64(event.past.low) % all;
        for (const Seen& one : found->second) {
            if (drawn < one.times) return &actions_[one.action];
            drawn -= one.times;
        }
    }
    return nullptr;
}

bool PredictedPath::begin() {
    if (track_.started()) return true;
    const Action* first = predictor_.first();
    if (first == nullptr) return false;
    track_.start(*first);
    return true;
}

bool PredictedPath::is_quiet(ThreadSlot thread) const {
    const Machine& machine = track_.machine();
    if (can_time_out(machine.thread(thread).pending)) return false;
    ObjectUse uses[most_uses];
    const std::uint8_t count = machine.pending_uses(thread, uses);
    return std::none_of(uses, uses + count,
                        [&](const ObjectUse& use) { return predictor_.is_contested(machine.object(use.object).id); });
}

bool PredictedPath::push(ThreadSlot thread, std::uint32_t value) {
    const std::uint32_t loud_now = loud() + (is_quiet(thread) ? 0 : 1);
    const TrackEvent& event = track_.push(thread, value);
    const ThreadId id = machine().thread(thread).id;
    loud_.push_back(loud_now);
    histories_.resize(track_.size());
    histories_.back() =
        Predictor::history_after(event.previous == nowhere ? nullptr : &histories_[event.previous], id, event);
    if (event.outcome.continues || event.outcome.ends_thread) return true;
    const Action* next = predictor_.after(event, id, histories_.back());
    if (next == nullptr) return false;
    track_.announce(thread, *next);
    return true;
}

}  // namespace raddle
