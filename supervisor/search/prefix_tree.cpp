#include "supervisor/search/prefix_tree.h"

#include <algorithm>

namespace raddle {

void PrefixTree::clear() {
    entries_.assign(1, {{}, none, 1});
    free_ = none;
    free_count_ = 0;
}

PrefixTree::Node PrefixTree::extend(Node node, const Step& step) {
    Node fresh = free_;
    if (fresh == none) {
        fresh = static_cast<Node>(entries_.size());
        CHECK(fresh != none);
        entries_.emplace_back();
    } else {
        free_ = entries_[fresh].parent;
        --free_count_;
    }
    entries_[fresh] = {step, node, 1};
    hold(node);
    return fresh;
}

void PrefixTree::release(Node node) {
    while (--entries_[node].holds == 0) {
        const Node parent = entries_[node].parent;
        entries_[node].parent = free_;
        free_ = node;
        ++free_count_;
        node = parent;
    }
}

Schedule PrefixTree::schedule(Node node) const {
    Schedule steps;
    for (; node != root; node = entries_[node].parent) steps.push_back(entries_[node].step);
    std::reverse(steps.begin(), steps.end());
    return steps;
}

// Saves every node above a wanted one, parents first: the distance to its parent in this order, and its step.
void PrefixTree::save(Writer& out, const std::vector<Node>& nodes) const {
    std::vector<Node> index(entries_.size(), none);
    std::vector<Node> order, path;
    index[root] = 0;
    for (const Node wanted : nodes) {
        for (Node node = wanted; index[node] == none; node = entries_[node].parent) {
            path.push_back(node);
            index[node] = root;  // visited; numbered below
        }
        for (; !path.empty(); path.pop_back()) {
            order.push_back(path.back());
            index[path.back()] = static_cast<Node>(order.size());
        }
    }
    out.number(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Entry& entry = entries_[order[i]];
        out.number(i + 1 - (entry.parent == root ? 0 : index[entry.parent]));
        out.number(entry.step.thread.code);
        out.number(entry.step.value);
    }
    out.number(nodes.size());
    for (const Node node : nodes) out.number(node == root ? 0 : index[node]);
}

std::vector<PrefixTree::Node> PrefixTree::load(Reader& in) {
    clear();
    const std::size_t count = in.count("number of prefixes");
    for (std::size_t i = 1; i <= count; ++i) {
        const auto back = in.number_below(i + 1, "distance to a shorter prefix");
        if (back == 0) throw BadInput("saved state is damaged: a prefix continues itself");
        const ThreadId thread{in.number()};
        const auto value = static_cast<std::uint32_t>(in.number_below(1ULL << 32, "number of an alternative"));
        extend(static_cast<Node>(i - back), {thread, value});
    }
    std::vector<Node> nodes(in.count("number of wanted prefixes"));
    for (Node& node : nodes) {
        node = static_cast<Node>(in.number_below(count + 1, "a wanted prefix"));
        hold(node);
    }
    for (std::size_t i = 1; i <= count; ++i) release(static_cast<Node>(i));
    return nodes;
}

}  // namespace raddle
