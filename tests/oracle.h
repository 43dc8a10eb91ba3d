// Brute force: every schedule of a program, merged by happens-before graph, layer by layer. It uses no reduction, so it
// knows the graphs that a strategy missed. It also checks on the given programs that the machine's independence
// relation is sound: all linearisations of one graph lead to one state, and independent actions commute.
#pragma once

#include <map>
#include <string>
#include <unordered_map>

#include "tests/replica.h"

namespace raddle::testing {

struct Graph {
    std::uint32_t bound = 0;  // the least preemptions of all its linearisations
    Hash128 end{};            // the event that ends the process, as in Truth::ends; zero if none does
    Verdict verdict = Verdict::ok;
    Schedule schedule;  // one linearisation, not necessarily the cheapest
};

struct OracleOptions {
    MachineOptions machine{};
    std::size_t most_states = 50'000;  // a program with more states is too large
    std::size_t most_graphs = 5'000;
    bool check_independence = false;
};

struct Truth {
    std::unordered_map<GraphKey, Graph, HashOfHash> graphs;
    // The ends of a real process, where no other thread goes on: a hash of the thread that ends it and of all that
    // thread met, and the least preemptions.
    std::unordered_map<Hash128, std::uint32_t, HashOfHash> ends;
    double schedules = 0;    // number of schedules; exact up to 2^53
    std::size_t states = 0;  // graphs of all lengths
    std::size_t steps = 0;
    bool too_large = false;  // the other results are incomplete
    std::string unsound;     // a readable counterexample, if not empty

    // The number of graphs with at most 0, 1, 2 … preemptions, up to the largest bound.
    std::vector<std::size_t> cumulative() const;
    std::map<Verdict, std::size_t> verdicts(std::uint32_t most_preemptions = ~0u) const;
};

Truth all_graphs(Target& target, const OracleOptions& options);

// Names the graph of a schedule's execution.
class GraphNamer {
public:
    GraphNamer(Target& target, MachineOptions options) : replica_(target, options) {}
    // Throws BrokenInvariant if the schedule cannot be followed to an end.
    GraphKey operator()(const Schedule& schedule);
    // The preemptions of this schedule itself.
    std::uint32_t preemptions() const { return preemptions_; }

private:
    Replica replica_;
    std::uint32_t preemptions_ = 0;
};

}  // namespace raddle::testing
