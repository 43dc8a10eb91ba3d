// Stores schedules with common prefixes once. A node stands for the schedule on its path from the root. It lives as
// long as it is held or has nodes below it.
#pragma once

#include <cstdint>
#include <vector>

#include "supervisor/base/bytes.h"
#include "supervisor/trace/execution.h"

namespace raddle {

class PrefixTree {
public:
    using Node = std::uint32_t;
    static constexpr Node root = 0;

    PrefixTree() { clear(); }
    void clear();

    // Adds a node, held once.
    Node extend(Node node, const Step& step);
    void hold(Node node) { ++entries_[node].holds; }
    void release(Node node);
    Schedule schedule(Node node) const;
    std::size_t bytes() const { return (entries_.size() - free_count_) * sizeof(Entry); }

    // Saves all of `nodes`. A loaded tree may number them differently.
    void save(Writer& out, const std::vector<Node>& nodes) const;
    // Each of the loaded nodes is held once.
    std::vector<Node> load(Reader& in);

private:
    static constexpr Node none = 0xffffffffu;
    struct Entry {
        Step step;
        Node parent;  // or the next free entry
        std::uint32_t holds;
    };

    std::vector<Entry> entries_;
    Node free_ = none;
    std::size_t free_count_ = 0;
};

}  // namespace raddle
