// The unfinished part of a stateless search: the states on the way to plans that are wanted or out. A state holds its
// enabled threads, the branches that were taken or are wanted, and the sleep set. A state is dropped as soon as no
// branch below it is open.
#pragma once

#include <cstdint>
#include <vector>

#include "supervisor/base/bytes.h"
#include "supervisor/model/machine.h"
#include "supervisor/trace/execution.h"

namespace raddle {

// The uses of a thread's next action, with names that hold in every execution.
struct NamedFootprint {
    ObjectId object[most_uses];
    Mode mode[most_uses] = {};
    std::uint8_t count = 0;

    bool conflicts_with(const NamedFootprint& other) const;
};
NamedFootprint footprint(const Machine& machine, ThreadSlot thread);

class BacktrackTree {
public:
    using Node = std::uint32_t;
    static constexpr Node none = 0xffffffffu;

    struct Branch {
        Node node = none;
        std::uint32_t index = 0;
    };

    Node root() const { return root_; }
    std::size_t wanted() const { return wanted_; }

    // Adds a state below a branch, or the first one. `sleeping` marks the sleeping threads by slot.
    Node add(const Branch& above, const Machine& machine, const std::vector<bool>& sleeping);
    // The execution took this step as the first one here; the thread's other alternatives are wanted.
    Branch take_first(Node node, ThreadId thread, std::uint32_t value);
    // Adds a branch for the thread. If it is not enabled or sleeps, all other enabled threads become branches.
    void backtrack(Node node, ThreadId thread);

    // The deepest wanted branch; it is out from now on.
    Branch take_wanted();
    void want_again(const Branch& branch);
    // The execution of the branch came back and was added to the tree.
    void explored(const Branch& branch);
    // Drops this state and those above it, up to a state with open branches.
    void drop_finished(Node node);

    Schedule prefix(const Branch& branch) const;
    // The sleep set after the branch: threads that slept or were taken before, and do not depend on the branch's
    // action.
    std::vector<ThreadId> sleeping(const Branch& branch) const;
    // The states from the root to the branch's state.
    std::vector<Node> path(const Branch& branch) const;

    // Saves branches that are out as wanted.
    void save(Writer& out) const;
    void load(Reader& in);

private:
    enum class Status : std::uint8_t { wanted, out, explored };
    struct Way {
        std::uint32_t thread;  // index in State::threads
        std::uint32_t value;
        Status status;
        Node below = none;
    };
    struct Candidate {
        ThreadId thread;
        std::uint32_t ways = 0;
        std::uint32_t order = 0;  // its number among the threads taken here, from 1; 0: not taken
        bool asleep = false;
        bool chosen = false;  // its ways are among the branches
        NamedFootprint footprint;
    };
    struct State {
        Node parent = none;
        std::uint32_t parent_way = 0;
        std::uint32_t depth = 0;
        std::uint32_t open = 0;  // ways that are wanted or out, or have a state below
        std::uint32_t taken = 0;
        bool queued = false;
        std::vector<Candidate> threads;
        std::vector<Way> ways;
    };

    Node fresh_state();
    void link(Node node, const Branch& above);
    void choose(Node node, std::uint32_t thread);
    void queue(Node node);
    void save_state(Writer& out, const State& state) const;
    void load_state(Reader& in, Node node);

    std::vector<State> states_;
    std::vector<Node> free_;
    std::vector<std::vector<Node>> queues_;  // by depth: the states with wanted ways
    Node root_ = none;
    std::size_t wanted_ = 0;
};

}  // namespace raddle
