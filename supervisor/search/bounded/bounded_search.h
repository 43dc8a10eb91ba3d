// The bounded search in memory: context-bounded partial-order reduction over a cache of happens-before graphs.
//
// Depth first over schedules with at most k preemptions; the first branch of a node lets the last thread run on.
//   * For the next action of every thread u, enabled or not, and every other thread v: at v's last event that depends
//     on it and does not happen before it, and at the first event of the block that event stands in (where switching
//     may be free), u becomes a branch; if it cannot go there, or only by running out of time, every thread that can
//     (or its maker, if it was not there yet).
//     Where u waits for a lock that v gives back there, the race is with v's taking of it. A join races with the end
//     it waits for only if somebody races with the block the join is in, which then might have been left for free.
//     (Neither short cut is taken where waits can end otherwise: by time running out, or by cancellation.)
//   * A node (see trace/track.h) at the beginning of a block that was finished with no fewer preemptions left is not entered again. What its first visit told
//     the nodes above is told again: the actions seen below it (its summary), and the threads that raced with the
//     block running through it (its lead).
// No schedule exceeds k, so every leaf is a graph that was asked for. Where a past is met that was never seen, the
// search stands still until it is told; or it goes on, and counts the nodes above as not finished.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "supervisor/search/sets.h"
#include "supervisor/search/thread_set.h"
#include "supervisor/search/walk.h"

namespace raddle {

class BoundedSearch {
public:
    enum class Stop : std::uint8_t {
        unknown,  // the walk stands behind a step that leads to an unknown past
        leaf,     // the walk stands at a finished graph
        done,     // the pass is over
    };

    BoundedSearch(Walk& walk, std::size_t memory_limit) : walk_(walk), memory_limit_(memory_limit) {}

    // Starts a pass over all schedules with at most `bound` preemptions.
    void begin_pass(std::uint32_t bound);
    // Back to before begin_pass(); what was finished on the way stays finished.
    void leave_pass();
    // Goes on to the next thing worth knowing. After Stop::unknown it looks again whether the past is known by now.
    Stop advance();
    // The past behind Stop::unknown will never be known: its thread ends there.
    void give_up_past(const Hash128& past) { dead_.find_or_add(past, 0); }

    void give_up_what(const BoundedSearch& other) {
        other.dead_.each([this](const Hash128& past, std::uint32_t) { give_up_past(past); });
    }

    // What a new pass needs so as not to walk again what this one finished: of the finished nodes those that no other
    // finished one stands above. What lies below them is walked again where it is met another way.
    void save(Writer& out) const;
    void load(Reader& in);  // nothing is left of what was loaded before
    void save_given_up(Writer& out) const;
    void load_given_up(Reader& in);

    bool in_pass() const { return depth_ > 0 || pending_root_; }
    bool at_unknown() const { return at_unknown_; }
    // Of the pass just done: whether all was known, and whether a schedule was left out for its preemptions.
    bool unfinished() const { return unfinished_; }
    bool cut() const { return cut_; }
    // It turned out in the pass that it has to be done again, though nothing new is known.
    bool again() const { return again_; }
    std::uint32_t preemptions() const { return spent_; }  // at Stop::leaf and Stop::unknown
    std::size_t bytes() const { return done_.bytes() + entries_.capacity() * sizeof(Entry) + pool_.bytes(); }

private:
    static constexpr std::uint32_t without_end = std::numeric_limits<std::uint32_t>::max();

    struct Frame {
        void begin(ThreadSlot last_thread, std::uint32_t preemptions);

        ThreadSlot last = no_slot;
        std::uint32_t spent = 0;
        ThreadSet enabled, ready, branches, tried, lead;
        NumberSet summary;
        std::vector<std::uint32_t> intents;  // by thread
        std::vector<Hash128> below;        // finished nodes below, with none of them above another
        ThreadSlot current = no_slot;      // the branch being tried, and its alternatives
        std::uint32_t next_value = 0;
        std::uint32_t values = 0;
        bool last_stuck = false;           // the last thread could not go on
        bool unfinished = false;
        bool cut = false;
    };
    // What is remembered of a finished node, for one last thread.
    struct Entry {
        ThreadSlot last;
        std::uint32_t left;                // preemptions that were left
        std::uint32_t summary;
        std::uint32_t lead;
        std::uint32_t next;
        bool last_stuck;
    };
    // What a thread was about to touch: the part of an action that races are about.
    struct Intent {
        ThreadSlot thread;
        std::uint8_t count;
        bool waits_for_end;            // a join that only the end of the thread it waits for lets go on
        ObjectSlot lock;               // that it is to take; no_slot if it takes none
        Access access[4];
        bool operator==(const Intent& other) const;
    };
    struct HashOfIntent {
        std::uint64_t operator()(const Intent& intent) const;
    };
    static constexpr std::uint32_t no_intent = 0xffffffffu;

    bool enter();
    bool take_next_step(Frame& frame);
    std::uint32_t cost_of(const Frame& frame, std::uint32_t value) const;
    void finish();
    const Entry* finished_before(const Hash128& node, ThreadSlot last, std::uint32_t left) const;
    void remember(const Frame& frame, const Hash128& node);
    void add_entry(const Hash128& node, const Entry& fresh);
    void forget();
    void start_over();
    void save_entries(Writer& out, const std::vector<Hash128>& nodes) const;
    void load_entries(Reader& in);

    Frame& push_frame();
    Frame& top() { return frames_[depth_ - 1]; }
    Frame& above() { return frames_[depth_ - 2]; }
    void add_first_branch(Frame& frame);
    std::uint32_t intent_of(ThreadSlot thread);
    std::uint32_t fresh_intent_of(ThreadSlot thread);
    bool keeps_intent(ThreadSlot thread) const;
    bool is_left_alone(ThreadSlot thread) const;
    bool had_intent(ThreadSlot thread, std::uint32_t number) const;
    void tell(const Intent& intent);
    void tell_about_last_event(const Intent& intent);
    void tell_of_race(const Intent& intent, Position own, Position at);
    bool waits_for_release(const Intent& intent, Position own, Position at) const;
    Position dependent_before(const Intent& intent, ThreadSlot other, Position before) const;
    void branch(Position at, ThreadSlot thread);
    ThreadSlot earliest_alive(ThreadSlot thread, Position at) const;
    void branch_at_block(Position at, ThreadSlot thread);

    Walk& walk_;
    std::size_t memory_limit_;
    std::uint32_t bound_ = 0;
    std::vector<Frame> frames_;     // frames_[i]: the node after i events; those from depth_ on keep their memory
    std::size_t depth_ = 0;
    std::uint32_t spent_ = 0;       // of the step just taken
    bool at_unknown_ = false;
    bool pending_root_ = false;
    bool unfinished_ = false;
    bool cut_ = false;
    bool waits_can_be_left_ = false;     // by running out of time, or by being cancelled
    bool again_ = false;

    std::vector<Hash128> below_;    // as in a frame, of the last pass as a whole
    HashIndex done_;                // node → first entry
    std::vector<Entry> entries_;
    SetPool pool_;
    Pool<Intent, HashOfIntent> intents_;
    // What was asked lately, of actions that intend the same whenever they are announced.
    struct KnownIntent {
        ThreadSlot thread = no_slot;
        Operation operation{};
        ObjectSlot object = no_slot;
        std::uint32_t number = no_intent;
    };
    std::array<KnownIntent, 256> known_intents_{};
    HashIndex dead_;
};

}  // namespace raddle
