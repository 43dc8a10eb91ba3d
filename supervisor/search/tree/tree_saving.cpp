// Saves and loads the search over a tree of executions.
#include <algorithm>

#include "supervisor/base/error.h"
#include "supervisor/search/tree/tree_search.h"

namespace raddle {

namespace {

void save_step(Writer& to, const Machine& machine, const TreeStep& step, std::uint8_t count, const ObjectUse* uses) {
    to.number(machine.thread(step.thread).id.code);
    to.number(step.value);
    to.number(count);
    for (std::uint8_t i = 0; i < count; ++i) {
        const ObjectId id = machine.object(uses[i].object).id;
        to.fixed64(id.region);
        to.number(id.offset);
        to.number(static_cast<std::uint64_t>(uses[i].mode));
    }
}

TreeStep load_step(Reader& in, Machine& machine, std::uint8_t& count, ObjectUse* uses) {
    TreeStep step;
    step.thread = machine.slot_of({in.number()});
    step.value = static_cast<std::uint32_t>(in.number_below(1ULL << 32, "alternative"));
    count = static_cast<std::uint8_t>(in.number_below(most_uses + 1, "number of accesses"));
    for (std::uint8_t i = 0; i < count; ++i) {
        ObjectId id;
        id.region = in.fixed64();
        id.offset = in.number();
        uses[i].object = machine.object_slot(id);
        uses[i].mode = static_cast<Mode>(in.number_below(mode_count, "access mode"));
    }
    return step;
}

// Stored on disk: never renumber. States without this flag come from searches with one plan out at a time.
constexpr std::uint64_t knows_branches = 4;

}  // namespace

void TreeSearch::save(Writer& to, const Machine& machine) const {
    to.number((started_ ? 1u : 0u) | (finished_ ? 2u : 0u) | knows_branches);
    to.number(nodes_.size());
    for (const Node& node : nodes_) {
        to.number(node.parent == none ? 0 : node.parent + 1);
        to.number(node.depth);
        to.number(node.open);
        to.number((node.out ? 1u : 0u) | (node.settled ? 2u : 0u) | (node.inner ? 4u : 0u) | (node.done ? 8u : 0u));
        to.number(node.wake == none ? 0 : node.wake + 1);
        if (node.depth > 0) save_step(to, machine, node.step, 0, nullptr);
        to.number(node.sleep.size());
        for (const auto& [asleep, below, open] : node.sleep) {
            save_step(to, machine, asleep.step, asleep.used.count, asleep.used.use);
            to.number(below == none ? 0 : below + 1);
            to.number(open ? 1 : 0);
        }
        to.number(node.rank);
        to.number(node.own);
    }
    to.number(free_nodes_.size());
    for (const std::uint32_t node : free_nodes_) to.number(node);
    to.number(wakes_.size());
    for (const WakeupNode& wake : wakes_) {
        save_step(to, machine, wake.step, wake.used.count, wake.used.use);
        to.number(wake.child == none ? 0 : wake.child + 1);
        to.number(wake.sibling == none ? 0 : wake.sibling + 1);
    }
    to.number(free_wakes_.size());
    for (const std::uint32_t wake : free_wakes_) to.number(wake);
}

// Finds the index of the node's step in the sleep set above.
void TreeSearch::find_rank(Node& node, bool is_known) {
    const std::vector<Sleeping>& above = nodes_[node.parent].sleep;
    const auto is_it = [&](const Sleeping& one) {
        return one.step.step.thread == node.step.thread && one.step.step.value == node.step.value;
    };
    if (!is_known)
        node.rank = static_cast<std::uint32_t>(above.rend() - std::find_if(above.rbegin(), above.rend(), is_it)) - 1;
    if (node.rank >= above.size() || !is_it(above[node.rank]))
        throw BadInput("saved state is damaged: a branch that was never taken");
}

// A link to another node, stored as its index + 1; 0 is none.
std::uint32_t TreeSearch::load_link(Reader& in, std::size_t limit, const char* what) {
    const std::uint64_t value = in.number_below(limit + 1, what);
    return value == 0 ? none : static_cast<std::uint32_t>(value - 1);
}

void TreeSearch::load_node(Reader& in, Machine& machine, std::size_t number, bool with_branches) {
    const std::size_t nodes = nodes_.size();
    Node& node = nodes_[number];
    node.parent = load_link(in, nodes, "parent");
    node.depth = static_cast<std::uint32_t>(in.number_below(1ULL << 32, "depth"));
    node.open = static_cast<std::uint32_t>(in.number_below(nodes + 1, "open children"));
    const std::uint64_t marks = in.number_below(16, "mark");
    node.out = (marks & 1) != 0;
    node.settled = (marks & 2) != 0;
    node.inner = (marks & 4) != 0;
    node.done = (marks & 8) != 0;
    const std::uint64_t first_wake = in.number();  // checked in link_node(), as the number of branches follows
    if ((node.parent == none) != (number == 0) || (node.depth == 0) != (number == 0) || first_wake > none)
        throw BadInput("saved state is damaged: the tree does not hang together");
    node.wake = first_wake == 0 ? none : static_cast<std::uint32_t>(first_wake - 1);
    Footprint unused;
    if (number > 0) node.step = load_step(in, machine, unused.count, unused.use);
    for (std::size_t asleep = in.count("sleeping steps"); asleep > 0; --asleep) {
        SleepStep step;
        step.step = load_step(in, machine, step.used.count, step.used.use);
        node.sleep.push_back({step});
        if (!with_branches) continue;
        node.sleep.back().below = load_link(in, nodes, "branch below");
        node.sleep.back().open = in.number_below(2, "mark of a branch") != 0;
    }
    if (!with_branches) return;
    node.rank = static_cast<std::uint32_t>(in.number_below(1ULL << 32, "rank"));
    node.own = static_cast<std::uint32_t>(in.number_below(node.sleep.size() + 1, "number of inherited steps"));
}

void TreeSearch::load_wakes(Reader& in, Machine& machine) {
    const std::size_t wakes = in.count("number of branches");
    wakes_.resize(wakes);
    for (WakeupNode& wake : wakes_) {
        wake.step = load_step(in, machine, wake.used.count, wake.used.use);
        wake.child = load_link(in, wakes, "branch");
        wake.sibling = load_link(in, wakes, "branch");
    }
    for (std::size_t count = in.count("free branches"); count > 0; --count)
        free_wakes_.push_back(static_cast<std::uint32_t>(in.number_below(wakes, "free branch")));
    wakes_in_use_ = wakes - std::min(wakes, free_wakes_.size());
}

// Checks the links of a loaded node and enters it into the lists of nodes.
void TreeSearch::link_node(std::uint32_t number, const std::vector<bool>& is_free, bool with_branches) {
    Node& node = nodes_[number];
    if (node.wake != none && node.wake >= wakes_.size()) throw BadInput("saved state is damaged: branch out of range");
    if (number > 0) find_rank(node, with_branches);
    if (number > 0 && (nodes_[node.parent].depth + 1 != node.depth || is_free[node.parent]))
        throw BadInput("saved state is damaged: the tree does not hang together");
    for (const Sleeping& branch : node.sleep)
        if (branch.below != none && (is_free[branch.below] || nodes_[branch.below].parent != number))
            throw BadInput("saved state is damaged: a branch that belongs elsewhere");
    if (node.wake != none) ready_.insert({node.depth, number});
    if (node.out) redo_.push_back(number);
}

void TreeSearch::load(Reader& in, Machine& machine) {
    *this = TreeSearch(rule_);
    const std::uint64_t flags = in.number_below(8, "flags");
    const bool with_branches = (flags & knows_branches) != 0;
    started_ = (flags & 1) != 0;
    finished_ = (flags & 2) != 0;
    const std::size_t nodes = in.count("number of nodes");
    if (nodes == 0) throw BadInput("saved state is damaged: a tree without a root");
    nodes_.resize(nodes);
    for (std::size_t i = 0; i < nodes; ++i) load_node(in, machine, i, with_branches);
    for (std::size_t count = in.count("free nodes"); count > 0; --count)
        free_nodes_.push_back(static_cast<std::uint32_t>(in.number_below(nodes, "free node")));
    load_wakes(in, machine);
    std::vector<bool> is_free(nodes, false);
    for (const std::uint32_t node : free_nodes_) {
        is_free[node] = true;
        nodes_[node].wake = none;
    }
    for (std::uint32_t i = 0; i < nodes; ++i)
        if (!is_free[i]) link_node(i, is_free, with_branches);
}

}  // namespace raddle
