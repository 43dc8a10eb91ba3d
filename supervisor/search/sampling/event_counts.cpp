#include "supervisor/search/sampling/event_counts.h"

#include <algorithm>
#include <set>

namespace raddle {

namespace {

// The objects that several threads use in the execution, one of them exclusively.
std::set<ObjectId> contended_in(const Track& track) {
    struct Users {
        ThreadSlot first = no_slot;
        bool are_several = false, is_exclusive = false;
    };
    std::vector<Users> users(track.machine().object_count());
    for (Position i = 0; i < track.size(); ++i) {
        const ActionOutcome& outcome = track[i].outcome;
        for (std::uint8_t use = 0; use < outcome.use_count; ++use) {
            Users& one = users[outcome.uses[use].object];
            if (one.first == no_slot) one.first = track[i].thread;
            one.are_several = one.are_several || one.first != track[i].thread;
            one.is_exclusive = one.is_exclusive || outcome.uses[use].mode == Mode::exclusive;
        }
    }
    std::set<ObjectId> contended;
    for (ObjectSlot slot = 0; slot < users.size(); ++slot)
        if (users[slot].are_several && users[slot].is_exclusive) contended.insert(track.machine().object(slot).id);
    return contended;
}

}  // namespace

void EventCounts::learn(const Track& track) {
    longest_ = std::max<std::uint64_t>(longest_, track.size());
    const std::set<ObjectId> contended = contended_in(track);
    const Machine& machine = track.machine();
    std::map<std::uint64_t, OfThread> seen;
    std::set<ObjectId> named;
    bool has_company = false;
    for (Position i = 0; i < track.size(); ++i) {
        const TrackEvent& event = track[i];
        const std::uint64_t code = machine.thread(event.thread).id.code;
        OfThread& thread = seen[code];
        const auto count_on = [&](const ObjectId& object) {
            if (!contended.contains(object)) return;
            ++thread.on_object[object];
            named.insert(object);
        };
        if (has_company) {
            ++thread.events;
            count_on(event.action.object);
            if (!(event.action.second == event.action.object)) count_on(event.action.second);
        }
        if (event.action.operation != Operation::thread_create) continue;
        has_company = true;
        const std::uint64_t child = thread_of(event.action.object).code;
        if (!threads_.contains(child)) threads_[child].creator = code;
        if (std::find(order_.begin(), order_.end(), code) == order_.end()) order_.push_back(code);
        if (std::find(order_.begin(), order_.end(), child) == order_.end()) order_.push_back(child);
    }
    for (const auto& [code, thread] : seen) {
        if (std::find(order_.begin(), order_.end(), code) == order_.end()) order_.push_back(code);
        OfThread& known = threads_[code];
        known.events = std::max(known.events, thread.events);
        for (const auto& [object, events] : thread.on_object) {
            std::uint32_t& most = known.on_object[object];
            most = std::max(most, events);
        }
    }
    for (const ObjectId& object : named) {
        const auto at = std::lower_bound(contended_.begin(), contended_.end(), object);
        if (contended_.size() < most_objects && (at == contended_.end() || !(*at == object)))
            contended_.insert(at, object);
    }
}

std::vector<ThreadWeight> EventCounts::weights(const ObjectId& interest) const {
    std::vector<ThreadWeight> rows;
    std::map<std::uint64_t, std::uint32_t> row_of;
    for (const std::uint64_t code : order_) {
        const OfThread& thread = threads_.at(code);
        ThreadWeight row{{code}, thread.events, ThreadWeight::none};
        if (interest.region != Tail::everything) {
            const auto found = thread.on_object.find(interest);
            row.events = found == thread.on_object.end() ? 0 : found->second;
        }
        if (const auto creator = row_of.find(thread.creator); creator != row_of.end()) row.creator = creator->second;
        row_of[code] = static_cast<std::uint32_t>(rows.size());
        rows.push_back(row);
    }
    return rows;
}

ObjectId interest_of_draw(const EventCounts& counts, std::uint64_t seed) {
    const std::uint64_t number = mix64(seed ^ 0x517cc1b727220a95ULL);
    if (counts.objects().empty() || number % 2 == 0) return {Tail::everything, 0};
    return counts.objects()[number / 2 % counts.objects().size()];
}

void EventCounts::save(Writer& out) const {
    out.number(longest_);
    out.number(order_.size());
    for (const std::uint64_t code : order_) {
        const OfThread& thread = threads_.at(code);
        out.number(code);
        out.number(thread.events);
        out.number(thread.creator);
        out.number(thread.on_object.size());
        for (const auto& [object, events] : thread.on_object) {
            out.number(object.region);
            out.number(object.offset);
            out.number(events);
        }
    }
    out.number(contended_.size());
    for (const ObjectId& object : contended_) {
        out.number(object.region);
        out.number(object.offset);
    }
}

void EventCounts::load(Reader& in) {
    *this = {};
    constexpr std::uint64_t most_events = 1ULL << 32;
    longest_ = in.number();
    for (std::size_t left = in.count("number of threads"); left > 0; --left) {
        const std::uint64_t code = in.number();
        if (threads_.contains(code)) throw BadInput("saved state is damaged: a thread is there twice");
        order_.push_back(code);
        OfThread& thread = threads_[code];
        thread.events = static_cast<std::uint32_t>(in.number_below(most_events, "number of events"));
        thread.creator = in.number();
        for (std::size_t objects = in.count("number of objects"); objects > 0; --objects) {
            const std::uint64_t region = in.number(), offset = in.number();
            thread.on_object[{region, offset}] =
                static_cast<std::uint32_t>(in.number_below(most_events, "number of events"));
        }
    }
    for (std::size_t left = in.count("number of objects"); left > 0; --left) {
        const std::uint64_t region = in.number(), offset = in.number();
        contended_.push_back({region, offset});
    }
    std::sort(contended_.begin(), contended_.end());
}

}  // namespace raddle
