// The search over a tree of executions, for the strategies optimal and source.
//
// Idea: optimal dynamic partial-order reduction (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014 and JACM 2017). For every
// race of an execution, the search computes a reversal: a sequence of steps that leads to the other order of the race.
// It inserts the reversal at the node before the race, unless the tree covers it already.
//   optimal: the whole reversal is inserted as a branch of a wakeup tree. Each graph is then executed exactly once.
//   source:  only the first step of the reversal is inserted, unless the node has a branch for one of the possible
//   first
//            steps. Sleep sets cut executions that turn out to be equivalent.
// Rules beyond the paper:
//   * Blocking actions, and threads that are blocked at the end, race if the later action could run before the earlier
//     event. The machine tries it.
//   * An action with several alternatives races with itself.
//   * Several plans may be out at once. A sleeping branch covers a reversal only as far as later branches do not lead
//     elsewhere. So a reversal is inserted below the later branches, too, be they wanted, out or done. It ends where
//     the earlier insertions end, since everything below is run. Leaving the reversal to a later branch with the same
//     first step would miss graphs: each branch would leave it to the other.
// Invariant: below a node every graph is covered by a branch that is done, out or wanted, or by the sleep set.
// Risks: nodes of done branches stay in memory as long as a reversal may have to be inserted below them.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "supervisor/base/bytes.h"
#include "supervisor/trace/step_log.h"
#include "supervisor/trace/track.h"

namespace raddle {

struct TreeStep {
    ThreadSlot thread = no_slot;
    std::uint32_t value = 0;
};

struct Footprint {
    std::uint8_t count = 0;
    ObjectUse use[most_uses]{};
};

struct SleepStep {
    TreeStep step;
    Footprint used;
};

struct TreePlan {
    std::uint32_t leaf = 0;           // the node for learn()
    std::vector<TreeStep> path;       // from the root to the leaf
    std::vector<SleepStep> sleeping;  // the sleep set at the leaf
    Position fresh = 0;               // earlier steps of the path were executed before
};

class TreeSearch {
public:
    enum class Rule : std::uint8_t { optimal, source };

    explicit TreeSearch(Rule rule);

    std::optional<TreePlan> next();
    // The track holds the whole execution of the plan. It ends early if all enabled threads sleep. learn() takes the
    // track apart and rebuilds it.
    void learn(const TreePlan& plan, Track& track);
    // The plan failed: its branch counts as done.
    void abandon(const TreePlan& plan);

    bool finished() const { return finished_; }
    std::size_t frontier() const { return wakes_in_use_; }

    // The machine supplies the names of threads and objects. A loaded search hands out again the plans that were out.
    void save(Writer& to, const Machine& machine) const;
    void load(Reader& in, Machine& machine);

private:
    static constexpr std::uint32_t none = 0xffffffffu;

    // A node of a wakeup tree: a branch that is wanted. Siblings are ordered.
    struct WakeupNode {
        TreeStep step;
        Footprint used;
        std::uint32_t child = none;
        std::uint32_t sibling = none;
    };
    // A member of a node's sleep set: an inherited step, or a branch taken here.
    struct Sleeping {
        SleepStep step;
        std::uint32_t below = none;  // the branch's node, if reversals may have to be inserted below it
        bool open = false;           // a branch taken here that is not done
    };
    struct Node {
        std::uint32_t parent = none;
        std::uint32_t depth = 0;
        TreeStep step;                // the step from the parent
        std::uint32_t wake = none;    // the first wanted branch
        std::uint32_t open = 0;       // children that are not done
        bool out = false;             // a plan for this leaf is out
        bool settled = false;         // all reversals of its step are inserted, for every execution through this node
        bool inner = false;           // it had wanted branches when it was taken
        bool done = false;            // kept only because reversals may have to be inserted below
        std::uint32_t rank = 0;       // its index in the parent's sleep set
        std::uint32_t own = 0;        // members of the sleep set from here on are branches taken here, in order
        std::vector<Sleeping> sleep;  // the sleep set: inherited steps, then branches taken here
    };
    // A step of a reversal; `at` is its event on the track, nowhere for the last step.
    struct Reversal {
        TreeStep step;
        Footprint used;
        Position at = nowhere;
        bool alive = true;
        bool before_last = false;  // it happens before the last step
    };
    std::uint32_t new_node(std::uint32_t parent, TreeStep step, const Footprint& used);
    std::uint32_t new_wake(TreeStep step, const Footprint& used);
    void add_sibling(std::uint32_t node, std::uint32_t parent_wake, std::uint32_t wake);
    std::uint32_t take_first_wake(std::uint32_t node);
    TreePlan plan_for(std::uint32_t leaf, Position fresh) const;
    void close(std::uint32_t node);
    void reopen(std::uint32_t node);
    bool may_get_insertions(std::uint32_t node) const;
    void discard(std::uint32_t node);
    void discard_finished_branches(std::uint32_t node);
    void find_rank(Node& node, bool is_known);
    static std::uint32_t load_link(Reader& in, std::size_t limit, const char* what);
    void load_node(Reader& in, Machine& machine, std::size_t number, bool with_branches);
    void load_wakes(Reader& in, Machine& machine);
    void link_node(std::uint32_t number, const std::vector<bool>& is_free, bool with_branches);

    bool settle(Track& track, Position event);
    void find_races(Track& track, Position event);
    void find_races_of_pending(Track& track, ThreadSlot thread);
    void find_races(Track& track, ThreadSlot thread, Position own, const ObjectUse* uses, std::uint8_t count,
                    Position before, const Action& action, bool succeeded);
    void find_other_values(Track& track, Position event);
    bool reverse(Track& track, Position first, ThreadSlot thread, std::uint32_t value, const Action& action,
                 const Footprint& expected);
    bool hinders_pending(const Track& track, Position event) const;
    void reverse_with_others(Track& track, Position first, ThreadSlot thread, Position own, const Footprint& expected);
    bool reverse_without(Track& track, Position first, ThreadSlot thread, const std::vector<Position>& dropped,
                         const Footprint& expected);
    const SleepStep* covering_first_step(const Track& track, Position first) const;
    void note_covered(const Track& track, Position first, const SleepStep& covering);
    bool try_on_machine(Track& track, Position first, Reversal& last);
    void insert(const Track& track, Position first);
    void insert_first_step(const Track& track, std::uint32_t node);
    void insert_whole(const Track& track, Position first);
    bool drop_from_reversal(std::size_t taken, std::size_t& left);
    bool comes_first(const Track& track, std::size_t index) const;
    static bool happens_before_in(const Track& track, const Reversal& earlier, const Reversal& later);
    bool covered_by(const Track& track, const TreeStep& step, const Footprint& used, std::size_t* taken) const;

    static bool depend(const Footprint& a, const Footprint& b);
    static bool disturbs(const Footprint& happened, const Footprint& other);
    static bool was_contested(const Footprint& used);
    static Footprint footprint(const ActionOutcome& outcome);

    Rule rule_;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> free_nodes_;
    std::vector<WakeupNode> wakes_;
    std::vector<std::uint32_t> free_wakes_;
    std::size_t wakes_in_use_ = 0;
    std::set<std::pair<std::uint32_t, std::uint32_t>> ready_;  // nodes with wanted branches, the deepest last
    bool started_ = false;
    bool finished_ = false;
    std::vector<std::uint32_t> redo_;  // leaves whose plans were out when this was saved

    // While learning from an execution:
    std::vector<std::uint32_t> path_;  // the node before each event, and after the last
    StepLog log_;
    std::vector<Reversal> reversal_;
    std::vector<Position> reversed_;
    Position later_event_ = 0;  // the later event of the current races
    bool left_open_ = false;    // the tree covers one of these races for this execution only
};

}  // namespace raddle
