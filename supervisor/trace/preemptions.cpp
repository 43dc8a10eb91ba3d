#include "supervisor/trace/preemptions.h"

#include <unordered_set>

namespace raddle {

namespace {

class Search {
public:
    Search(Track& track, std::uint64_t effort) : track_(track), effort_(effort) {
        log_.record(track);
        const std::uint32_t threads = track.machine().thread_count();
        events_.resize(threads);
        needs_.resize(log_.size());
        for (Position i = 0; i < log_.size(); ++i) {
            events_[log_.thread(i)].push_back(i);
            for (ThreadSlot t = 0; t < threads; ++t) needs_[i].push_back(track.clock(i, t));
        }
        track_.pop_to(0);
    }
    ~Search() {
        track_.pop_to(0);
        for (Position i = 0; i < log_.size(); ++i) log_.replay(track_, i);
    }
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;

    std::optional<std::uint32_t> least() {
        for (std::uint32_t bound = 0;; ++bound) {
            failed_.clear();
            if (fits(bound)) return bound;
            if (effort_ == 0) return std::nullopt;
        }
    }

private:
    static constexpr std::uint32_t most_cost_of_a_step = 2;

    // A node of the descent: its last thread, the next thread to try, and the preemptions spent so far.
    struct Node {
        ThreadSlot last;
        ThreadSlot next;
        std::uint32_t spent;
        std::uint32_t phase;  // the cost that is tried now: free steps come first
    };

    bool fits(std::uint32_t bound) {
        track_.pop_to(0);
        std::vector<Node> path{{no_slot, 0, 0, 0}};
        while (!path.empty()) {
            if (track_.size() == log_.size()) return true;
            if (effort_ == 0) return false;
            if (!descend(path, bound)) {
                failed_.insert(key(path.back()));
                path.pop_back();
                if (track_.size() > 0) track_.pop();
            }
        }
        return false;
    }

    bool descend(std::vector<Node>& path, std::uint32_t bound) {
        Node& node = path.back();
        for (; node.phase <= most_cost_of_a_step; ++node.phase, node.next = 0) {
            for (; node.next < events_.size(); ++node.next) {
                // The last thread is tried first.
                const ThreadSlot thread = node.last == no_slot ? node.next
                                          : node.next == 0     ? node.last
                                                               : (node.next <= node.last ? node.next - 1 : node.next);
                const std::uint32_t done = track_.machine().thread(thread).events;
                if (done >= events_[thread].size() || !is_next(events_[thread][done])) continue;
                const Position event = events_[thread][done];
                const std::uint32_t cost = track_.machine().cost(node.last, thread, log_.value(event));
                if (cost != node.phase || node.spent + cost > bound) continue;
                --effort_;
                ++node.next;
                const Node below{thread, 0, node.spent + cost, 0};
                log_.replay(track_, event);
                if (failed_.contains(key(below))) {
                    track_.pop();
                    if (effort_ == 0) return false;
                    --node.next;
                    continue;
                }
                path.push_back(below);
                return true;
            }
        }
        return false;
    }

    bool is_next(Position event) const {
        for (ThreadSlot t = 0; t < events_.size(); ++t)
            if (t != log_.thread(event) && track_.machine().thread(t).events < needs_[event][t]) return false;
        return true;
    }

    std::uint64_t key(const Node& node) const {
        return track_.graph().low ^ mix64(std::uint64_t{node.last} << 32 | node.spent);
    }

    Track& track_;
    std::uint64_t effort_;
    StepLog log_;
    std::vector<std::vector<Position>> events_;      // by thread
    std::vector<std::vector<std::uint32_t>> needs_;  // by event: the number of earlier events of each thread
    std::unordered_set<std::uint64_t> failed_;
};

}  // namespace

std::optional<std::uint32_t> least_preemptions(Track& track, std::uint64_t effort) {
    return Search(track, effort).least();
}

}  // namespace raddle
