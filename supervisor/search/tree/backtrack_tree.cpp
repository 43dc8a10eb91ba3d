#include "supervisor/search/tree/backtrack_tree.h"

#include <algorithm>

namespace raddle {

bool NamedFootprint::conflicts_with(const NamedFootprint& other) const {
    for (std::uint8_t i = 0; i < count; ++i)
        for (std::uint8_t j = 0; j < other.count; ++j)
            if (object[i] == other.object[j] && !commute(mode[i], other.mode[j])) return true;
    return false;
}

NamedFootprint footprint(const Machine& machine, ThreadSlot thread) {
    ObjectUse uses[most_uses];
    NamedFootprint footprint;
    footprint.count = machine.pending_uses(thread, uses);
    for (std::uint8_t i = 0; i < footprint.count; ++i) {
        footprint.object[i] = machine.object(uses[i].object).id;
        footprint.mode[i] = uses[i].mode;
    }
    return footprint;
}

// ---- growing

BacktrackTree::Node BacktrackTree::fresh_state() {
    if (free_.empty()) {
        states_.emplace_back();
        return static_cast<Node>(states_.size() - 1);
    }
    const Node node = free_.back();
    free_.pop_back();
    State& state = states_[node];
    state.open = state.taken = 0;
    state.threads.clear();
    state.ways.clear();
    return node;
}

void BacktrackTree::link(Node node, const Branch& above) {
    State& state = states_[node];
    state.parent = above.node;
    state.parent_way = above.index;
    state.depth = 0;
    if (above.node == none) {
        root_ = node;
        return;
    }
    State& parent = states_[above.node];
    state.depth = parent.depth + 1;
    parent.ways[above.index].below = node;
    ++parent.open;
}

BacktrackTree::Node BacktrackTree::add(const Branch& above, const Machine& machine, const std::vector<bool>& sleeping) {
    const Node node = fresh_state();
    link(node, above);
    for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot) {
        const Alternatives ways = machine.alternatives(slot);
        if (ways.readiness == Readiness::blocked) continue;
        Candidate& candidate = states_[node].threads.emplace_back();
        candidate.thread = machine.thread(slot).id;
        candidate.ways = ways.count;
        candidate.asleep = slot < sleeping.size() && sleeping[slot];
        candidate.footprint = footprint(machine, slot);
    }
    return node;
}

void BacktrackTree::choose(Node node, std::uint32_t thread) {
    State& state = states_[node];
    Candidate& candidate = state.threads[thread];
    if (candidate.chosen || candidate.asleep) return;
    candidate.chosen = true;
    for (std::uint32_t value = 0; value < candidate.ways; ++value)
        state.ways.push_back({thread, value, Status::wanted, none});
    state.open += candidate.ways;
    wanted_ += candidate.ways;
    queue(node);
}

void BacktrackTree::queue(Node node) {
    State& state = states_[node];
    if (state.queued) return;
    state.queued = true;
    if (queues_.size() <= state.depth) queues_.resize(state.depth + 1);
    queues_[state.depth].push_back(node);
}

BacktrackTree::Branch BacktrackTree::take_first(Node node, ThreadId thread, std::uint32_t value) {
    State& state = states_[node];
    CHECK(state.ways.empty());
    for (std::uint32_t i = 0; i < state.threads.size(); ++i) {
        Candidate& candidate = state.threads[i];
        if (!(candidate.thread == thread)) continue;
        CHECK(value < candidate.ways);
        candidate.asleep = false;
        candidate.chosen = true;
        candidate.order = ++state.taken;
        for (std::uint32_t v = 0; v < candidate.ways; ++v)
            state.ways.push_back({i, v, v == value ? Status::explored : Status::wanted, none});
        state.open += candidate.ways - 1;
        wanted_ += candidate.ways - 1;
        if (candidate.ways > 1) queue(node);
        return {node, value};
    }
    CHECK(!"the thread that went on could go on");
    return {};
}

void BacktrackTree::backtrack(Node node, ThreadId thread) {
    const std::vector<Candidate>& threads = states_[node].threads;
    const auto is_it = [&](const Candidate& candidate) { return candidate.thread == thread && !candidate.asleep; };
    const auto found = std::find_if(threads.begin(), threads.end(), is_it);
    if (found != threads.end()) return choose(node, static_cast<std::uint32_t>(found - threads.begin()));
    for (std::uint32_t i = 0; i < threads.size(); ++i) choose(node, i);
}

// ---- handing out and taking back

BacktrackTree::Branch BacktrackTree::take_wanted() {
    while (!queues_.empty()) {
        if (queues_.back().empty()) {
            queues_.pop_back();
            continue;
        }
        const Node node = queues_.back().back();
        State& state = states_[node];
        const auto is_wanted = [](const Way& way) { return way.status == Status::wanted; };
        const auto way = std::find_if(state.ways.begin(), state.ways.end(), is_wanted);
        if (way == state.ways.end()) {
            state.queued = false;
            queues_.back().pop_back();
            continue;
        }
        way->status = Status::out;
        --wanted_;
        Candidate& candidate = state.threads[way->thread];
        if (candidate.order == 0) candidate.order = ++state.taken;
        return {node, static_cast<std::uint32_t>(way - state.ways.begin())};
    }
    return {};
}

void BacktrackTree::want_again(const Branch& branch) {
    Way& way = states_[branch.node].ways[branch.index];
    CHECK(way.status == Status::out);
    way.status = Status::wanted;
    ++wanted_;
    queue(branch.node);
}

void BacktrackTree::explored(const Branch& branch) {
    Way& way = states_[branch.node].ways[branch.index];
    CHECK(way.status == Status::out);
    way.status = Status::explored;
    --states_[branch.node].open;
}

void BacktrackTree::drop_finished(Node node) {
    while (node != none && states_[node].open == 0) {
        State& state = states_[node];
        const Node parent = state.parent;
        if (state.queued) {
            std::erase(queues_[state.depth], node);
            state.queued = false;
        }
        free_.push_back(node);
        if (parent == none) {
            root_ = none;
        } else {
            states_[parent].ways[state.parent_way].below = none;
            --states_[parent].open;
        }
        node = parent;
    }
}

// ---- prefixes and sleep sets

std::vector<BacktrackTree::Node> BacktrackTree::path(const Branch& branch) const {
    std::vector<Node> nodes;
    for (Node node = branch.node; node != none; node = states_[node].parent) nodes.push_back(node);
    std::reverse(nodes.begin(), nodes.end());
    return nodes;
}

Schedule BacktrackTree::prefix(const Branch& branch) const {
    Schedule steps;
    std::uint32_t index = branch.index;
    for (Node node = branch.node; node != none; node = states_[node].parent) {
        const State& state = states_[node];
        const Way& way = state.ways[index];
        steps.push_back({state.threads[way.thread].thread, way.value});
        index = state.parent_way;
    }
    std::reverse(steps.begin(), steps.end());
    return steps;
}

std::vector<ThreadId> BacktrackTree::sleeping(const Branch& branch) const {
    const State& state = states_[branch.node];
    const Candidate& goes = state.threads[state.ways[branch.index].thread];
    std::vector<ThreadId> asleep;
    for (const Candidate& other : state.threads) {
        const bool before = other.asleep || (other.order != 0 && other.order < goes.order);
        if (before && !other.footprint.conflicts_with(goes.footprint)) asleep.push_back(other.thread);
    }
    return asleep;
}

// ---- saving

void BacktrackTree::save_state(Writer& out, const State& state) const {
    out.number(state.taken);
    out.number(state.threads.size());
    for (const Candidate& candidate : state.threads) {
        out.number(candidate.thread.code);
        out.number(candidate.ways);
        out.number(candidate.order);
        out.number((candidate.asleep ? 1 : 0) | (candidate.chosen ? 2 : 0));
        out.number(candidate.footprint.count);
        for (std::uint8_t i = 0; i < candidate.footprint.count; ++i) {
            out.fixed64(candidate.footprint.object[i].region);
            out.fixed64(candidate.footprint.object[i].offset);
            out.number(static_cast<std::uint64_t>(candidate.footprint.mode[i]));
        }
    }
    out.number(state.ways.size());
    for (const Way& way : state.ways) {
        out.number(way.thread);
        out.number(way.value);
        out.number(way.status == Status::explored ? 1 : 0);
    }
}

void BacktrackTree::load_state(Reader& in, Node node) {
    State& state = states_[node];
    constexpr std::uint64_t any = 1ULL << 32;
    state.taken = static_cast<std::uint32_t>(in.number_below(any, "number of branches taken"));
    state.threads.resize(in.count("number of threads"));
    for (Candidate& candidate : state.threads) {
        candidate.thread = {in.number()};
        candidate.ways = static_cast<std::uint32_t>(in.number_below(any, "number of alternatives"));
        candidate.order = static_cast<std::uint32_t>(in.number_below(any, "order of a branch"));
        const auto flags = in.number_below(4, "state of a thread");
        candidate.asleep = (flags & 1) != 0;
        candidate.chosen = (flags & 2) != 0;
        candidate.footprint.count = static_cast<std::uint8_t>(in.number_below(most_uses + 1, "number of objects"));
        for (std::uint8_t i = 0; i < candidate.footprint.count; ++i) {
            candidate.footprint.object[i].region = in.fixed64();
            candidate.footprint.object[i].offset = in.fixed64();
            candidate.footprint.mode[i] = static_cast<Mode>(in.number_below(mode_count, "mode of an access"));
        }
    }
    state.ways.resize(in.count("number of branches"));
    for (Way& way : state.ways) {
        way.thread = static_cast<std::uint32_t>(in.number_below(state.threads.size(), "thread of a branch"));
        way.value = static_cast<std::uint32_t>(in.number_below(any, "alternative of a branch"));
        way.status = in.number_below(2, "state of a branch") != 0 ? Status::explored : Status::wanted;
        way.below = none;
        if (way.status == Status::explored) continue;
        ++state.open;
        ++wanted_;
    }
    if (state.open > 0) queue(node);
}

// Parents come before their children. A child names its parent by the distance.
void BacktrackTree::save(Writer& out) const {
    std::vector<Node> order, stack;
    std::vector<Node> index(states_.size(), none);
    if (root_ != none) stack.push_back(root_);
    while (!stack.empty()) {
        const Node node = stack.back();
        stack.pop_back();
        index[node] = static_cast<Node>(order.size());
        order.push_back(node);
        for (const Way& way : states_[node].ways)
            if (way.below != none) stack.push_back(way.below);
    }
    out.number(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const State& state = states_[order[i]];
        if (i > 0) {
            out.number(i - index[state.parent]);
            out.number(state.parent_way);
        }
        save_state(out, state);
    }
}

void BacktrackTree::load(Reader& in) {
    *this = {};
    const std::size_t count = in.count("number of states");
    for (std::size_t i = 0; i < count; ++i) {
        Branch above;
        if (i > 0) {
            const auto back = in.number_below(i + 1, "distance to the state before");
            if (back == 0) throw BadInput("saved state is damaged: a state before itself");
            above.node = static_cast<Node>(i - back);
            above.index = static_cast<std::uint32_t>(
                in.number_below(states_[above.node].ways.size(), "branch of the state before"));
        }
        const Node node = fresh_state();
        link(node, above);
        load_state(in, node);
    }
}

}  // namespace raddle
