#include "tests/differential/enumeration.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "tests/differential/interpreter.h"

namespace raddle::differential {

namespace {

struct Node {
    State state;
    int last;  // the thread that went last; -1: none
    int preemptions;
};

// Nodes in the order of their preemptions (0-1 breadth first search): the first visit is the cheapest.
class Search {
public:
    Search(const Program& program, Level level, std::size_t most_states)
        : interpreter_(program, level), most_states_(most_states) {}

    std::optional<Outcomes> run() {
        open_.push_back({interpreter_.first(), -1, 0});
        while (!open_.empty()) {
            const Node node = open_.front();
            open_.pop_front();
            std::string key = node.state.key() + static_cast<char>('1' + node.last);
            const auto [known, is_new] = best_.try_emplace(std::move(key), node.preemptions);
            if (!is_new) continue;
            if (node.state.undefined || best_.size() > most_states_) return std::nullopt;
            if (!expand(node)) outcomes_.try_emplace(interpreter_.outcome_of(node.state), node.preemptions);
        }
        return std::move(outcomes_);
    }

private:
    // False if nothing follows.
    bool expand(const Node& node) {
        bool goes_on = false;
        const bool could_go_on = node.last >= 0 && interpreter_.ways(node.state, node.last).goes_on();
        for (int thread = 0; thread < most_threads; ++thread) {
            const Ways ways = interpreter_.ways(node.state, thread);
            const int cost = could_go_on && thread != node.last ? 1 : 0;
            for (int way = 0; way < ways.ready; ++way) follow(node, thread, way, cost);
            if (ways.timeout) follow(node, thread, by_timeout, cost);
            if (ways.handler) follow(node, thread, by_handler, cost);
            if (ways.cancellation) follow(node, thread, by_cancellation, cost);
            if (ways.interruption) follow(node, thread, by_interruption, cost);
            goes_on = goes_on || ways.any();
        }
        return goes_on;
    }
    void follow(const Node& node, int thread, int way, int cost) {
        Node next = node;
        interpreter_.step(next.state, thread, way);
        next.last = thread;
        next.preemptions += cost;
        if (cost == 0)
            open_.push_front(next);
        else
            open_.push_back(next);
    }

    Interpreter interpreter_;
    const std::size_t most_states_;
    std::deque<Node> open_;
    std::unordered_map<std::string, int> best_;
    Outcomes outcomes_;
};

}  // namespace

bool counts_preemptions(const Program& program) {
    constexpr Do unknown[] = {Do::timedlock,   Do::sem_timedwait, Do::cond_timedwait,
                              Do::timedrdlock, Do::timedwrlock,   Do::futex_timedwait,
                              Do::kill};
    return std::ranges::none_of(unknown, [&](Do what) { return program.uses(what); });
}

std::optional<Outcomes> every_outcome(const Program& program, Level level, std::size_t most_states) {
    auto outcomes = Search(program, level, most_states).run();
    if (outcomes && !counts_preemptions(program))
        for (auto& [outcome, preemptions] : *outcomes) preemptions = unknown_preemptions;
    return outcomes;
}

}  // namespace raddle::differential
