// Deadlocks: each thread of a circle has something that the next one waits for, and waits itself (Havelund, GoodLock,
// SPIN 2000). A thread has the locks that it holds. It also owes its own end to a thread that joins it, and a wake-up,
// a unit or an arrival to those that wait for it, until it gives that for the last time.
#include <algorithm>
#include <map>
#include <tuple>

#include "supervisor/base/hash.h"
#include "supervisor/search/predict/predictors.h"

namespace raddle {

namespace {

struct Edge {
    ThreadSlot thread;
    ObjectSlot has, wants;
    Position at;  // the event that waits
};

class Circles {
public:
    Circles(const Recording& recording, Goals& goals) : recording_(recording), goals_(goals) {}

    void find() {
        find_debts();
        find_edges();
        std::stable_sort(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) { return a.has < b.has; });
        std::vector<const Edge*> circle;
        for (const Edge& first : edges_) {
            circle.assign(1, &first);
            extend(circle);
        }
    }

private:
    struct Debt {
        ObjectSlot object;
        Position until;
    };
    static constexpr std::size_t most_edges = 4000;
    static constexpr std::size_t longest = 8;
    static constexpr std::uint32_t most_tries = 400'000;

    static bool is_awaited(Wait wait) { return wait == Wait::wake_up || wait == Wait::units || wait == Wait::arrivals; }

    // The object that the event waits for, or would wait for in another order; no_slot if it waits for none.
    ObjectSlot wanted_by(Position i) const {
        const TrackEvent& event = recording_.event(i);
        const OperationTraits& what = traits(event.action.operation);
        if (event.action.operation == Operation::cond_wake) return no_slot;  // the wait before it stands for both
        const bool waits = what.waits == Wait::owner || what.waits == Wait::holders || what.waits == Wait::thread_end ||
                           what.waits == Wait::units || what.waits == Wait::wake_up;
        const bool starts_wait =
            event.action.operation == Operation::cond_wait || event.action.operation == Operation::barrier_wait;
        return waits || starts_wait ? recording_.object(i) : no_slot;
    }

    void find_debts() {
        debts_.resize(recording_.threads());
        for (Position i = recording_.size(); i-- > 0;) {
            const TrackEvent& event = recording_.event(i);
            const Operation operation = event.action.operation;
            const bool ends = operation == Operation::thread_exit;
            if (!ends && !is_awaited(traits(operation).ends)) continue;
            const ObjectSlot object =
                ends ? recording_.machine().find_object(thread_object(recording_.name(event.thread)))
                     : recording_.object(i);
            if (object == no_slot) continue;
            std::vector<Debt>& own = debts_[event.thread];
            const bool is_known =
                std::any_of(own.begin(), own.end(), [&](const Debt& debt) { return debt.object == object; });
            if (!is_known && own.size() < 16) own.push_back({object, i});
        }
    }

    void find_edges() {
        std::map<std::tuple<ThreadSlot, ObjectSlot, ObjectSlot>, std::uint32_t> instances;
        std::vector<bool> is_wanted(recording_.machine().object_count(), false);
        for (Position i = 0; i < recording_.size(); ++i)
            if (const ObjectSlot wants = wanted_by(i); wants != no_slot) is_wanted[wants] = true;
        const auto add = [&](Position i, ObjectSlot has, ObjectSlot wants) {
            constexpr std::uint32_t most_instances = 4;
            if (has == wants || !is_wanted[has] || edges_.size() >= most_edges) return;
            const ThreadSlot thread = recording_.event(i).thread;
            if (++instances[{thread, has, wants}] <= most_instances) edges_.push_back({thread, has, wants, i});
        };
        for (Position i = 0; i < recording_.size(); ++i) {
            const ObjectSlot wants = wanted_by(i);
            if (wants == no_slot) continue;
            const TrackEvent& event = recording_.event(i);
            const bool gives_second = traits(event.action.operation).second_lock == LockChange::gives_back;
            const ObjectSlot given = gives_second ? recording_.machine().find_object(event.action.second) : no_slot;
            for (const HeldLock& held : recording_.held(i))
                if (held.lock != given) add(i, held.lock, wants);
            for (const Debt& debt : debts_[event.thread])
                if (debt.until > i) add(i, debt.object, wants);
        }
    }

    void extend(std::vector<const Edge*>& circle) {
        const Edge& last = *circle.back();
        auto next = std::lower_bound(edges_.begin(), edges_.end(), last.wants,
                                     [](const Edge& edge, ObjectSlot object) { return edge.has < object; });
        for (; next != edges_.end() && next->has == last.wants; ++next) {
            if (++tries_ > most_tries) return;
            const Edge& edge = *next;
            if (&edge < circle.front()) continue;  // each circle is found once, from its first edge
            const bool excludes = std::any_of(circle.begin(), circle.end(), [&](const Edge* one) {
                return one->thread == edge.thread || one->has == edge.has ||
                       common_lock(recording_.held(one->at), recording_.held(edge.at)) != nullptr;
            });
            if (excludes) continue;
            circle.push_back(&edge);
            if (edge.wants == circle.front()->has)
                add_goal(circle);
            else if (circle.size() < longest)
                extend(circle);
            circle.pop_back();
        }
    }

    void add_goal(const std::vector<const Edge*>& circle) {
        Goal goal;
        for (const Edge* edge : circle) {
            const TrackEvent& event = recording_.event(edge->at);
            goal.stops.push_back({edge->thread, event.number - 1, event.number - 1});
            goal.key += mix64(recording_.code(edge->at));  // the same wherever the circle begins
        }
        if (goals_.wants(goal.key)) goals_.add(goal);
    }

    const Recording& recording_;
    Goals& goals_;
    std::vector<std::vector<Debt>> debts_;  // by thread
    std::vector<Edge> edges_;
    std::uint32_t tries_ = 0;
};

// A reader takes its lock once more while a writer waits, where writers go first.
void find_second_readings(const Recording& recording, Goals& goals) {
    for (const ObjectSlot lock : recording.locks()) {
        if (recording.machine().object(lock).kind != Kind::rwlock) continue;
        for (const Recording::Section& section : recording.sections(lock)) {
            if (!section.shared || !recording.holds(section.taken, lock)) continue;
            const TrackEvent& reading = recording.event(section.taken);
            for (const Track::UsedAt& use : recording.track().uses_of(lock)) {
                if (use.at >= recording.size()) break;
                const TrackEvent& queues = recording.event(use.at);
                if (traits(queues.action.operation).lock != LockChange::queues || queues.thread == reading.thread)
                    continue;
                Goal goal;
                goal.key = recording.code(section.taken) + recording.code(use.at);
                if (!goals.wants(goal.key)) break;
                goal.stops = {{reading.thread, reading.number - 1, reading.number - 1},
                              {queues.thread, queues.number - 1, queues.number - 1}};
                goal.then = {queues.thread};
                goals.add(goal);
            }
        }
    }
}

}  // namespace

void predictors::deadlocks(const Recording& recording, Goals& goals) {
    Circles(recording, goals).find();
    find_second_readings(recording, goals);
}

}  // namespace raddle
