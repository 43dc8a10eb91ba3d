// The part of a stateless search that is not finished: the states on the way to executions that are wanted or out,
// each with the threads that can go on there, the branches taken and wanted, and who sleeps. A state is dropped as soon
// as nothing below it is open.
#pragma once

#include <cstdint>
#include <vector>

#include "supervisor/base/bytes.h"
#include "supervisor/model/machine.h"
#include "supervisor/trace/execution.h"

namespace raddle {

// What a thread's next action may touch, by names that hold in every execution.
struct Touches {
    ObjectId object[4];
    Mode mode[4] = {};
    std::uint8_t count = 0;

    bool conflicts_with(const Touches& other) const;
};
Touches footprint(const Machine& machine, ThreadSlot thread);

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

    // A state below a branch, or the first one; sleeping tells by slot who sleeps there.
    Node add(const Branch& above, const Machine& machine, const std::vector<bool>& sleeping);
    // The execution at hand took this step here, the first one taken; other values of it are wanted.
    Branch take_first(Node node, ThreadId thread, std::uint32_t value);
    // The thread is to go on at this state too; if it cannot, or sleeps, all others who can are.
    void backtrack(Node node, ThreadId thread);

    // The deepest branch that is wanted, which then is out.
    Branch take_wanted();
    void want_again(const Branch& branch);
    // The execution of a branch that was out came back; what is below it was added.
    void explored(const Branch& branch);
    // Drops this state and those above it as far as nothing is open below them.
    void drop_finished(Node node);

    Schedule prefix(const Branch& branch) const;
    // Who sleeps after the branch: whoever slept or was taken before, unless it depends on the branch's action.
    std::vector<ThreadId> sleeping(const Branch& branch) const;
    // The states on the way to the branch, its own included.
    std::vector<Node> path(const Branch& branch) const;

    // Branches that are out are saved as wanted.
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
        std::uint32_t order = 0;  // the how-manieth to be taken here; 0: not taken
        bool asleep = false;
        bool chosen = false;      // has its ways among the branches
        Touches footprint;
    };
    struct State {
        Node parent = none;
        std::uint32_t parent_way = 0;
        std::uint32_t depth = 0;
        std::uint32_t open = 0;   // ways that are wanted or out, or have a state below
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
