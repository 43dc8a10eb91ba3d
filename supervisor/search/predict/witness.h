// The ways to find a witness: a schedule that leads to a goal. Each way is a class of its own, cheap ones are asked
// first (predictions.cpp). No way has to be right: the target executes the schedule, and only what it shows is
// reported.
#pragma once

#include <memory>
#include <optional>
#include <unordered_set>

#include "supervisor/search/predict/goal.h"
#include "supervisor/search/predict/path.h"

namespace raddle {

struct Witness {
    Schedule schedule;
    std::uint64_t order = 0;  // the same for schedules that differ only in commuting events, up to the goal
};

class WitnessFinder {
public:
    WitnessFinder() = default;
    virtual ~WitnessFinder() = default;
    WitnessFinder(const WitnessFinder&) = delete;
    WitnessFinder& operator=(const WitnessFinder&) = delete;

    // Nothing: this way finds none.
    virtual std::optional<Witness> find(const Goal& goal) = 0;
    // The steps taken in memory so far.
    virtual std::uint64_t effort() const = 0;
};

// The stops of the goal hold.
bool is_reached(const Path& path, const Goal& goal);
// Takes the last steps of the goal and returns the whole schedule; nothing if the first of them is impossible. The
// others may be: what a thread does after a step that took effect in another way is unknown. The path stays as it was.
std::optional<Witness> finish(Path& path, const Recording& recording, const Goal& goal);

// Where in the recording the threads would stop, and a little more: windows begin before `first`.
struct GoalSpan {
    Position first;
    Position end;
};
GoalSpan span_of(const Goal& goal, const Recording& recording);

// Keeps the order of the critical sections of each lock and the writer of each read, and leaves out events that the
// goal does not need. Linear in the events (Mathur, Pavlogiannis, Viswanathan, POPL 2021; Tunc, Mathur, Pavlogiannis,
// Viswanathan, PLDI 2023). The machine checks the result: it knows operations that the papers do not have.
class SyncPreserving final : public WitnessFinder {
public:
    SyncPreserving(const Recording& recording, MachineOptions options)
        : recording_(recording), path_(recording, options) {}

    std::optional<Witness> find(const Goal& goal) override;
    std::uint64_t effort() const override { return path_.effort(); }

private:
    // The number of events of each thread.
    using Ideal = std::vector<std::uint32_t>;
    struct WantedLock {
        ObjectSlot lock;
        ThreadSlot by;
        bool shared;
    };

    bool close(Ideal& ideal, const Goal& goal, const std::vector<WantedLock>& wanted) const;
    bool give_locks(Ideal& ideal, const std::vector<WantedLock>& wanted, bool& changed) const;
    void require_last_steps(Ideal& ideal, const Goal& goal, std::vector<WantedLock>& wanted) const;
    bool carry_out(const Ideal& ideal);

    const Recording& recording_;
    Path path_;
    std::vector<Position> taken_;  // the events on the path
};

// Tries the orders of the events in a window, each state once: exact, as long as the window and the number of states
// suffice.
class Reorderings final : public WitnessFinder {
public:
    Reorderings(const Recording& recording, MachineOptions options)
        : recording_(recording), path_(recording, options) {}

    std::optional<Witness> find(const Goal& goal) override;
    std::uint64_t effort() const override { return path_.effort(); }
    // The last search for a goal tried all orders of all events.
    bool was_exact() const { return is_exact_; }

    // A bug that some order of the events shows, whatever its class.
    struct Shown {
        BugClass bug;
        std::uint64_t key;
        Witness witness;
    };
    // All that the orders of all events show, up to so many states. Only for short recordings.
    std::vector<Shown> find_all(std::uint32_t most_states);

private:
    bool search(const Goal& goal, std::optional<Witness>& found);
    void look_everywhere(std::vector<Shown>& found);
    void note(BugClass bug, std::uint64_t key, std::vector<Shown>& found);
    std::vector<ThreadSlot> in_recorded_order() const;
    bool is_new_state() { return visited_.insert(path_.state()).second; }

    const Recording& recording_;
    Path path_;
    std::vector<std::uint32_t> limits_;  // by thread: the most events
    std::unordered_set<std::uint64_t> visited_;
    std::unordered_set<std::uint64_t> keys_;
    std::size_t most_states_ = 0;
    bool is_exact_ = false;
};

// Asks a solver for an order of the events in a window that is larger than those of Reorderings: it need not visit the
// states in between (symbolic/possible_orders.h). Finds nothing if raddle was built without a solver.
class Solved final : public WitnessFinder {
public:
    Solved(const Recording& recording, MachineOptions options);
    ~Solved() override;

    std::optional<Witness> find(const Goal& goal) override;
    // And the solver's own, in about the same unit.
    std::uint64_t effort() const override { return path_.effort() + effort_; }
    // Gave up at some goal because it would have taken too much effort.
    bool was_cut() const { return was_cut_; }

private:
    struct Window;
    Window* window(Position begin, Position end);
    std::optional<Witness> go(const Schedule& schedule, const Goal& goal);

    const Recording& recording_;
    Path path_;
    std::unique_ptr<Window> window_;
    std::uint64_t effort_ = 0;
    bool was_cut_ = false;
};

}  // namespace raddle
