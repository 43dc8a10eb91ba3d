// The bounded search in memory: context-bounded partial-order reduction over a cache of happens-before graphs.
//
// Idea: depth-first search over the schedules with at most k preemptions (iterative context bounding, Musuvathi and
// Qadeer, PLDI 2007) with backtrack points for races only (bounded partial-order reduction, Coons, Musuvathi, McKinley,
// OOPSLA 2013). A cache of finished nodes cuts equivalent continuations.
//
// Rules, for the next action of every thread u (its intent), enabled or not, and every other thread v:
//   * The race: v's last event that depends on the intent and does not happen before it. u becomes a branch at the race
//     and at the first event of the race's block, as switching may be free there.
//   * If u cannot run there, or only by timing out, every enabled thread becomes a branch. If u did not exist yet
//   there,
//     its creator becomes a branch.
//   * If u waits for a lock and the race is v's unlock, the race moves to v's lock operation: u could not run in
//   between.
//   * A join does not race with the end of its thread. The block with the join is left for free at that end, so races
//     with the block add branches there, too.
//   * The last two rules are switched off as soon as some wait can end by a time-out or by cancellation.
//   * The first branch of a node lets the last thread run on, so that one execution serves the whole first descent.
//   * Of the other branches of equal cost, the one with the best score is first (search/step_scores.h).
//   * A node (see trace/track.h) is cached if it starts a block. A search that reaches it again with no more
//   preemptions
//     left does not enter it. It repeats the effects of the first visit on the nodes above: the races of all intents
//     below the node (its summary), and the threads that raced with the block through the node (its lead).
//   * With a focus (leaves_focus in tail.h) every thread that may go is a branch, and a cached node holds for
//   its own last thread only.
//
// Invariants: no schedule exceeds k, so every leaf is a wanted graph. A node is cached only after every node below it
// was finished. At an unknown past the search either waits until an execution supplies it, or continues and marks the
// nodes above as unfinished.
//
// Risks: a late discovery (a time-out, a clock read) makes earlier cuts wrong; the pass is then repeated with an empty
// cache. At the memory limit the cache is emptied, which costs time only.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "supervisor/search/sets.h"
#include "supervisor/search/step_scores.h"
#include "supervisor/search/thread_set.h"
#include "supervisor/search/walk.h"

namespace raddle {

class BoundedSearch {
public:
    enum class Stop : std::uint8_t {
        unknown,  // the walk has just taken a step to an unknown past
        leaf,     // the walk is at a finished graph
        done,     // the pass is over
    };

    BoundedSearch(Walk& walk, std::size_t memory_limit) : walk_(walk), memory_limit_(memory_limit) {}

    // Starts a pass over all schedules with at most `bound` preemptions.
    void begin_pass(std::uint32_t bound);
    // Ends the pass early; finished nodes stay finished.
    void leave_pass();
    // Empties the cache of finished nodes. This costs time only: they are walked again.
    void forget();
    // Continues to the next stop. After Stop::unknown it first checks if the past is known by now.
    Stop advance();
    // The past of Stop::unknown has no next action: the program ended there.
    void give_up_past(const Hash128& past) { given_up_.find_or_add(past, 0); }
    // Gives up the pasts that the other has given up.
    void give_up_as(const BoundedSearch& other) {
        other.given_up_.each([this](const Hash128& past, std::uint32_t) { give_up_past(past); });
    }

    // Saves the finished nodes, so that a new pass does not walk them again. Only the highest ones are saved: nodes
    // below them are walked again if the search reaches them another way.
    void save(Writer& out) const;
    void load(Reader& in);  // replaces all that was loaded before
    void save_given_up(Writer& out) const;
    void load_given_up(Reader& in);

    bool in_pass() const { return depth_ > 0 || pending_root_; }
    bool at_unknown() const { return at_unknown_; }
    // About the finished pass: it met unknown pasts; it left out a schedule for its preemptions.
    bool unfinished() const { return unfinished_; }
    bool cut() const { return cut_; }
    // Some wait can end by a time-out or by cancellation; some wait is longer than the patience.
    bool waits_can_be_left() const { return waits_can_be_left_; }
    bool met_long_wait() const { return met_long_wait_; }
    // The optimal search cannot check what this one saw: it knows neither values nor a focus, and explores more than
    // patience allows, if it matters.
    bool needs_order() const {
        return walk_.track().goes_by_value() || met_long_wait_ || walk_.machine().options().has_focus;
    }
    // Some schedule would create more threads than allowed: nothing is explored there.
    bool met_thread_limit() const { return met_thread_limit_; }
    // The pass has to be repeated, although there is no new knowledge.
    bool must_repeat() const { return must_repeat_; }
    std::uint32_t preemptions() const { return spent_; }  // at Stop::leaf and Stop::unknown
    std::size_t bytes() const { return done_.bytes() + entries_.capacity() * sizeof(Entry) + pool_.bytes(); }

private:
    static constexpr std::uint32_t without_end = std::numeric_limits<std::uint32_t>::max();

    // A node on the path of the depth-first search.
    struct PathNode {
        void begin(ThreadSlot last_thread, std::uint32_t preemptions);

        ThreadSlot last = no_slot;
        std::uint32_t spent = 0;
        ThreadSet enabled, ready, branches, tried, lead;
        NumberSet summary;
        std::vector<std::uint32_t> intents;  // by thread
        std::vector<Hash128> below;          // the highest finished nodes below
        ThreadSlot current = no_slot;        // the branch being tried, and its alternatives
        std::uint32_t next_value = 0;
        std::uint32_t values = 0;
        bool last_stuck = false;  // the last thread could not go on
        bool unfinished = false;
        bool cut = false;
    };
    // A cached node, for one last thread.
    struct Entry {
        ThreadSlot last;
        std::uint32_t left;  // the preemptions that were left
        std::uint32_t summary;
        std::uint32_t lead;
        std::uint32_t next;
        bool last_stuck;
    };
    // The uses of a thread's next action: the part of the action that decides its races.
    struct Intent {
        ThreadSlot thread;
        std::uint8_t count;
        bool waits_for_end;  // a join that only the end of its thread enables
        ObjectSlot lock;     // the lock it acquires; no_slot if none
        ObjectUse uses[most_uses];
        bool operator==(const Intent& other) const;
    };
    struct HashOfIntent {
        std::uint64_t operator()(const Intent& intent) const;
    };
    static constexpr std::uint32_t no_intent = 0xffffffffu;

    bool enter();
    bool take_next_step(PathNode& node);
    std::uint32_t cost_of(const PathNode& node, std::uint32_t value) const;
    void finish();
    const Entry* finished_before(const Hash128& node, ThreadSlot last, std::uint32_t left) const;
    void remember(const PathNode& finished, const Hash128& node);
    void add_entry(const Hash128& node, const Entry& fresh);
    void start_over();
    void save_entries(Writer& out, const std::vector<Hash128>& nodes) const;
    void load_entries(Reader& in);

    PathNode& push_node();
    PathNode& top() { return path_[depth_ - 1]; }
    PathNode& above() { return path_[depth_ - 2]; }
    void add_first_branch(PathNode& node);
    std::uint32_t intent_of(ThreadSlot thread);
    std::uint32_t fresh_intent_of(ThreadSlot thread);
    bool keeps_intent(ThreadSlot thread) const;
    bool is_left_alone(ThreadSlot thread) const;
    bool had_intent(ThreadSlot thread, std::uint32_t number) const;
    void add_races_of(const Intent& intent);
    void add_race_with_last_event(const Intent& intent);
    void add_race(const Intent& intent, Position own, Position at);
    bool waits_for_release(const Intent& intent, Position own, Position at) const;
    Position dependent_before(const Intent& intent, ThreadSlot other, Position before) const;
    void branch(Position at, ThreadSlot thread);
    ThreadSlot earliest_alive(ThreadSlot thread, Position at) const;
    void branch_at_block(Position at, ThreadSlot thread);

    Walk& walk_;
    StepScores scores_;
    std::size_t memory_limit_;
    std::uint32_t bound_ = 0;
    std::vector<PathNode> path_;  // path_[i]: the node after i events; nodes from depth_ on keep their memory
    std::size_t depth_ = 0;
    std::uint32_t spent_ = 0;  // preemptions up to the last step
    bool at_unknown_ = false;
    bool pending_root_ = false;
    bool unfinished_ = false;
    bool cut_ = false;
    bool waits_can_be_left_ = false;  // by a time-out or by cancellation
    bool met_long_wait_ = false;
    bool met_thread_limit_ = false;
    bool must_repeat_ = false;

    std::vector<Hash128> below_;  // the highest finished nodes of the last pass
    HashIndex done_;              // node → first entry
    std::vector<Entry> entries_;
    SetPool pool_;
    Pool<Intent, HashOfIntent> intents_;
    // A cache of intents, for actions whose intent does not depend on the state.
    struct KnownIntent {
        ThreadSlot thread = no_slot;
        Operation operation{};
        ObjectSlot object = no_slot;
        std::uint32_t number = no_intent;
    };
    std::array<KnownIntent, 256> known_intents_{};
    HashIndex given_up_;
};

}  // namespace raddle
