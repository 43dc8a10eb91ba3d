// The search over a tree of executions: every race of an execution is reversed by a sequence of steps that leads to
// the other order, entered into the tree where the race began, unless what it leads to is covered already.
//   optimal: the whole sequence is entered, as a branch of a wakeup tree; then no execution is ever in vain, and each
//            graph is executed exactly once (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014 and JACM 2017).
//   source:  only its first step is entered, unless the node has a branch for one of the possible first steps;
//            sleep sets cut what turns out to be equivalent.
// Blocking operations, and threads still blocked at the end: a race counts where the later action could take place
// before the earlier one, which is found out by trying it on the machine. An action with several outcomes to choose
// from races with itself.
// Several branches may be out at once. What is covered by a branch that another one sleeps for is found below the first
// only as far as the second does not lead elsewhere; so what reverses a race is entered below branches taken later, too,
// whether they are still to be run, out, or done: down to the end of what was entered there before, as from that end on
// everything is run. (To leave it to the branch taken later, because that begins as the reversal does, misses graphs: each
// would leave it to the other.)
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
    Access access[4]{};
};

struct SleepStep {
    TreeStep step;
    Footprint touches;
};

struct TreePlan {
    std::uint32_t leaf = 0;              // to learn under
    std::vector<TreeStep> path;          // from the beginning
    std::vector<SleepStep> sleeping;     // after it
    Position fresh = 0;                  // where the path leaves what was executed before
};

class TreeSearch {
public:
    enum class Rule : std::uint8_t { optimal, source };

    explicit TreeSearch(Rule rule);

    std::optional<TreePlan> next();
    // The track holds the execution of the plan: its path and what came after, to the end or to where all who could go
    // on slept.
    // The track is taken apart and built again, and is left as it was.
    void learn(const TreePlan& plan, Track& track);
    // The plan came to nothing: its branch counts as done.
    void abandon(const TreePlan& plan);

    bool finished() const { return finished_; }
    std::size_t frontier() const { return wakes_in_use_; }

    // Names of threads and objects are the machine's. Plans that are out are made again after loading.
    void save(Writer& to, const Machine& machine) const;
    void load(Reader& in, Machine& machine);

private:
    static constexpr std::uint32_t none = 0xffffffffu;

    // A branch to be taken: ordered siblings, first child, next sibling.
    struct Wake {
        TreeStep step;
        Footprint touches;
        std::uint32_t child = none;
        std::uint32_t sibling = none;
    };
    // A step that is covered elsewhere.
    struct Asleep {
        SleepStep step;
        std::uint32_t below = none;     // of a branch taken here that led to others: where more may have to be entered
        bool open = false;              // it is a branch taken here, and not done
    };
    struct Node {
        std::uint32_t parent = none;
        std::uint32_t depth = 0;
        TreeStep step;                  // that leads here
        std::uint32_t wake = none;      // branches to be taken, in order
        std::uint32_t open = 0;         // children that are not done
        bool out = false;               // a plan that ends here is out
        bool settled = false;           // executions that go through here have nothing new to reverse its step with
        bool inner = false;             // branches led on from here when it was taken
        bool done = false;              // and is kept only because more may have to be entered below
        std::uint32_t rank = 0;         // among those asleep above
        std::uint32_t own = 0;          // from here on those asleep are branches taken here, in order
        std::vector<Asleep> sleep;      // inherited, then taken here
    };
    // One step of the sequence that reverses a race; `at` is its event on the track, nowhere for the last one.
    struct Reversal {
        TreeStep step;
        Footprint touches;
        Position at = nowhere;
        bool alive = true;
        bool before_last = false;   // it happens before the last one
    };
    std::uint32_t new_node(std::uint32_t parent, TreeStep step, const Footprint& touches);
    std::uint32_t new_wake(TreeStep step, const Footprint& touches);
    void free_wakes(std::uint32_t first);
    void add_sibling(std::uint32_t node, std::uint32_t parent_wake, std::uint32_t wake);
    std::uint32_t take_first_wake(std::uint32_t node);
    TreePlan plan_for(std::uint32_t leaf, Position fresh) const;
    void close(std::uint32_t node);
    void reopen(std::uint32_t node);
    bool may_be_entered(std::uint32_t node) const;
    void discard(std::uint32_t node);
    void discard_what_is_not_entered_any_more(std::uint32_t node);
    void find_rank(Node& node, bool is_known);
    void connect(const std::vector<std::uint64_t>& first_wakes, bool with_branches);

    bool settle(Track& track, Position event);
    void find_races(Track& track, Position event);
    void find_races_of_pending(Track& track, ThreadSlot thread);
    void find_races(Track& track, ThreadSlot thread, Position own, const Access* accesses, std::uint8_t count,
                    Position before, const Action& action, bool succeeded);
    void find_other_values(Track& track, Position event);
    bool reverse(Track& track, Position first, ThreadSlot thread, std::uint32_t value, const Action& action,
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
    bool covered_by(const Track& track, const TreeStep& step, const Footprint& touches, std::size_t* taken) const;

    static bool depend(const Footprint& a, const Footprint& b);
    static Footprint footprint(const Outcome& outcome);

    Rule rule_;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> free_nodes_;
    std::vector<Wake> wakes_;
    std::vector<std::uint32_t> free_wakes_;
    std::size_t wakes_in_use_ = 0;
    std::set<std::pair<std::uint32_t, std::uint32_t>> ready_;  // nodes with branches to take, deepest last
    bool started_ = false;
    bool finished_ = false;
    std::vector<std::uint32_t> redo_;  // leaves whose plans were out when this was saved

    // Of the execution being learned from
    std::vector<std::uint32_t> path_;      // node before each event, and after the last
    StepLog log_;
    std::vector<Reversal> reversal_;
    std::vector<Position> reversed_;
    Position looked_at_ = 0;     // the later event of the races that are being looked for
    bool left_open_ = false;     // one of them is covered in this execution, and need not be in others
};

}  // namespace raddle
