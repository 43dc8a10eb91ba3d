// Accesses to variables, and critical sections: races, violations of atomicity and of order.
#include <algorithm>

#include "supervisor/base/hash.h"
#include "supervisor/search/predict/predictors.h"

namespace raddle {

namespace {

constexpr std::size_t most_uses_read = 50'000;  // of one variable or lock

// The accesses to the variable; false if it is none, or if nobody else uses it.
bool accesses_to(const Recording& recording, ObjectSlot object, std::vector<Position>& accesses) {
    accesses.clear();
    if (recording.machine().object(object).kind != Kind::memory) return false;
    bool is_shared = false;
    for (const Track::UsedAt& use : recording.track().uses_of(object)) {
        if (use.at >= recording.size() || accesses.size() >= most_uses_read) break;
        if (traits(recording.event(use.at).action.operation).access == MemoryAccess::no_access) continue;
        if (!accesses.empty() && recording.event(accesses.front()).thread != recording.event(use.at).thread)
            is_shared = true;
        accesses.push_back(use.at);
    }
    return is_shared;
}

// What a thread does to a variable or under a lock, from one event to another.
struct Part {
    Position begin, end;
    bool writes;
};

// Another thread's part between two successive parts of one thread.
void separate(const Recording& recording, Goals& goals, const std::vector<Part>& parts,
              bool (*is_violation)(bool, bool, bool)) {
    const ThreadSlot threads = recording.threads();
    const auto thread_of_part = [&](std::size_t i) { return recording.event(parts[i].begin).thread; };
    constexpr std::size_t none = ~std::size_t{0};
    // By part: the next part of each thread is found from behind, the last one from the front.
    std::vector<std::size_t> following(parts.size(), none), next(threads, none);
    for (std::size_t i = parts.size(); i-- > 0;) {
        following[i] = next[thread_of_part(i)];
        next[thread_of_part(i)] = i;
    }
    const auto add = [&](std::size_t a, std::size_t w, std::size_t b) {
        if (!is_violation(parts[a].writes, parts[w].writes, parts[b].writes)) return;
        const TrackEvent &first = recording.event(parts[a].end), &second = recording.event(parts[b].begin);
        const TrackEvent &from = recording.event(parts[w].begin), &to = recording.event(parts[w].end);
        if (recording.must_precede(parts[w].begin, parts[a].end) ||
            recording.must_precede(parts[b].begin, parts[w].end))
            return;
        const std::uint64_t key = Hasher()
                                      .add(recording.code(parts[a].begin))
                                      .add(recording.code(parts[w].begin))
                                      .add(recording.code(parts[b].begin))
                                      .finish()
                                      .low;
        constexpr std::uint32_t longest = 64;
        if (to.number - from.number >= longest || !goals.wants(key)) return;
        Goal goal;
        goal.key = key;
        goal.stops = {{first.thread, second.number - 1, second.number - 1},
                      {from.thread, from.number - 1, from.number - 1}};
        goal.then.assign(to.number - from.number + 1, from.thread);
        goal.onward = first.thread;
        goal.onward_to = second.number;
        goals.add(goal);
        goal.stops[0].least = first.number;
        goal.is_fallback = true;
        goals.add(goal);
    };
    std::vector<std::size_t> last(threads, none);
    // The cursor of each thread: its first part behind the pair.
    std::vector<std::size_t> cursor(threads, none);
    for (std::size_t i = parts.size(); i-- > 0;) cursor[thread_of_part(i)] = i;
    for (std::size_t a = 0; a < parts.size(); ++a) {
        const std::size_t b = following[a];
        last[thread_of_part(a)] = a;
        if (b == none) continue;
        for (ThreadSlot thread = 0; thread < threads; ++thread) {
            if (thread == thread_of_part(a)) continue;
            if (last[thread] != none) add(a, last[thread], b);
            std::size_t& behind = cursor[thread];
            while (behind != none && behind < a) behind = following[behind];
            std::size_t w = behind;
            for (int tries = 0; w != none && w < b && tries < 8; ++tries) w = following[w];
            if (w != none && w > b) add(a, w, b);
        }
    }
}

}  // namespace

// Accesses of two threads; atomic ones do not race, nor do others of a variable with atomic accesses.
void predictors::races(const Recording& recording, Goals& goals) {
    std::vector<Position> accesses;
    for (ObjectSlot object = 0; object < recording.machine().object_count(); ++object) {
        if (!accesses_to(recording, object, accesses)) continue;
        const auto is_synchronising = [&](Position at) { return is_atomic(recording.event(at).action); };
        if (std::any_of(accesses.begin(), accesses.end(), is_synchronising)) continue;
        RecentUses recent(recording);
        for (const Position later : accesses) {
            const TrackEvent& b = recording.event(later);
            recent.each_foreign(b.thread, [&](Position earlier) {
                const TrackEvent& a = recording.event(earlier);
                if ((!has_written(a) && !has_written(b)) || recording.must_precede(earlier, later)) return;
                if (common_lock(recording.held(earlier), recording.held(later)) != nullptr) return;
                if (later == earlier + 1) return;  // this execution shows it
                Goal goal;
                goal.key = mix64(recording.code(earlier)) + mix64(recording.code(later));
                if (!goals.wants(goal.key)) return;
                goal.stops = {{a.thread, a.number - 1, a.number - 1}, {b.thread, b.number - 1, b.number - 1}};
                goal.then = {b.thread, a.thread};  // the other order: it may show more
                goal.is_weak = has_written(a) && has_written(b);
                goals.add(goal);
            });
            recent.add(later);
        }
    }
}

// The four orders that no serial one resembles (Lu, Tucek, Qin, Zhou, AVIO, ASPLOS 2006). Of critical sections nothing
// is known but the lock: their variables need no actions of their own.
void predictors::atomicity_violations(const Recording& recording, Goals& goals) {
    std::vector<Position> accesses;
    std::vector<Part> parts;
    for (ObjectSlot object = 0; object < recording.machine().object_count(); ++object) {
        if (!accesses_to(recording, object, accesses)) continue;
        parts.clear();
        for (const Position at : accesses) parts.push_back({at, at, has_written(recording.event(at))});
        separate(recording, goals, parts,
                 [](bool first, bool between, bool second) { return between ? !first || !second : first && second; });
    }
    for (const ObjectSlot lock : recording.locks()) {
        parts.clear();
        for (const Recording::Section& section : recording.sections(lock))
            if (section.given != nowhere && parts.size() < most_uses_read)
                parts.push_back({section.taken, section.given, !section.shared});
        separate(recording, goals, parts, [](bool, bool between, bool) { return between; });
    }
}

void predictors::order_violations(const Recording& recording, Goals& goals) {
    std::vector<Position> accesses;
    for (ObjectSlot object = 0; object < recording.machine().object_count(); ++object) {
        if (!accesses_to(recording, object, accesses)) continue;
        RecentUses recent(recording);
        for (const Position later : accesses) {
            recent.each_foreign(recording.event(later).thread, [&](Position earlier) {
                const bool first = has_written(recording.event(earlier)), second = has_written(recording.event(later));
                // A read that gets the value from before the write is the use before the initialisation.
                if (first || second) goals.reverse(earlier, later, second);
            });
            recent.add(later);
        }
    }
    // The other thread's critical section first: its taking of the lock before that of the earlier one.
    for (const ObjectSlot lock : recording.locks()) {
        RecentUses recent(recording);
        std::size_t read = 0;
        for (const Recording::Section& section : recording.sections(lock)) {
            if (++read > most_uses_read) break;
            recent.each_foreign(section.thread, [&](Position earlier) { goals.reverse(earlier, section.taken); });
            recent.add(section.taken);
        }
    }
    // The process ends before other threads do.
    for (Position i = 0; i < recording.size(); ++i) {
        if (recording.event(i).action.operation != Operation::process_exit) continue;
        for (ThreadSlot thread = 0; thread < recording.threads(); ++thread)
            if (const std::uint32_t events = recording.events_of(thread);
                events > 0 && recording.at(thread, events) < i)
                goals.reverse(recording.at(thread, events), i);
    }
}

}  // namespace raddle
