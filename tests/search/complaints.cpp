#include "tests/search/complaints.h"

#include <cstdlib>
#include <exception>
#include <set>

#include "tests/search/explore.h"

namespace raddle::testing {

namespace {

constexpr double most_schedules = 2'000;  // for strategies that run every schedule
constexpr std::uint32_t largest_bound = 4;

// The result of one exploration.
struct Shown {
    std::unordered_map<GraphKey, unsigned, HashOfHash> told;      // by on_graph
    std::unordered_map<GraphKey, unsigned, HashOfHash> executed;  // finished executions
    std::unordered_map<Verdict, std::uint32_t> findings;          // with the least preemptions
    std::size_t abandoned = 0;
    std::string wrong;
    Coverage coverage;
};

// Follows an exploration: names its graphs, and checks each against the oracle.
class Watcher {
public:
    explicit Watcher(const Case& known)
        : known_(known),
          options_(options_of(known.program, known.machine)),
          target_(code_of(known.program), options_),
          naming_target_(code_of(known.program), options_),
          namer_(naming_target_, options_.machine) {}

    StrategyOptions options(std::optional<std::uint32_t> max_bound) {
        StrategyOptions options;
        options.max_bound = max_bound;
        options.machine = known_.machine;
        options.first_max_steps = known_.first_max_steps;
        options.memory_limit = known_.memory_limit;
        options.on_graph = [this](const Schedule& schedule) {
            const GraphKey key = name(schedule);
            if (shown_.told[key]++ > 0) complain("tells of one graph twice: " + text_of(schedule));
        };
        return options;
    }

    ExploreOptions limits() {
        ExploreOptions options;
        options.most_executions = 1'000 + 50 * known_.truth.graphs.size() + static_cast<std::uint64_t>(most_schedules);
        options.on_execution = [this](const Execution& execution) { note(execution); };
        return options;
    }

    Target& target() { return target_; }

    Shown finish(Strategy& strategy) {
        for (const Finding& finding : strategy.take_findings()) {
            const auto [entry, fresh] = shown_.findings.try_emplace(finding.verdict, finding.preemptions);
            if (!fresh) entry->second = std::min(entry->second, finding.preemptions);
        }
        shown_.coverage = strategy.coverage();
        return std::move(shown_);
    }

private:
    void complain(std::string what) {
        if (shown_.wrong.empty()) shown_.wrong = std::move(what);
    }

    GraphKey name(const Schedule& schedule) {
        const GraphKey key = namer_(schedule);
        if (!known_.truth.graphs.contains(key)) complain("shows a graph that there is not: " + text_of(schedule));
        return key;
    }

    void note(const Execution& execution) {
        if (execution.verdict == Verdict::abandoned) {
            ++shown_.abandoned;
            return;
        }
        if (execution.verdict == Verdict::stopped) return;     // on purpose: to see the pending actions
        if (execution.verdict == Verdict::step_limit) return;  // it comes again with more steps
        if (execution.verdict == Verdict::diverged) return complain("asks for a schedule that cannot be");
        const GraphKey key = name(execution.schedule());
        ++shown_.executed[key];
        const auto graph = known_.truth.graphs.find(key);
        if (graph != known_.truth.graphs.end() && graph->second.verdict != execution.verdict)
            complain("one graph, two verdicts: " + text_of(execution.schedule()));
    }

    const Case& known_;
    ModelOptions options_;
    ModelProgram target_;
    ModelProgram naming_target_;
    GraphNamer namer_;
    Shown shown_;
};

template <typename Explore>
std::string guarded(Explore&& explore) {
    try {
        return explore();
    } catch (const std::exception& error) {
        return std::string("throws: ") + error.what();
    }
}

bool is_too_much(const Claim& claim, const Case& known) {
    return claim.every_schedule && known.truth.schedules > most_schedules;
}

std::size_t wanted_graphs(const Truth& truth, std::uint32_t bound) {
    std::size_t count = 0;
    for (const auto& [key, graph] : truth.graphs) count += graph.bound <= bound;
    return count;
}

// The ends of the process, where the other threads go on, are those of a real process, where they do not.
std::string check_ends(const Shown& shown, const Truth& truth, std::uint32_t bound) {
    std::unordered_map<Hash128, std::uint32_t, HashOfHash> ends;
    for (const auto& [key, times] : shown.told) {
        const Graph& graph = truth.graphs.at(key);
        if (graph.end == Hash128{}) continue;
        const auto [end, first] = ends.try_emplace(graph.end, graph.bound);
        if (!first) end->second = std::min(end->second, graph.bound);
    }
    for (const auto& [end, preemptions] : truth.ends) {
        if (preemptions > bound) continue;
        const auto found = ends.find(end);
        if (found == ends.end())
            return "misses an end of the process with " + std::to_string(preemptions) + " preemptions";
        if (found->second != preemptions)
            return "reaches an end of the process with " + std::to_string(found->second) + " preemptions, not with " +
                   std::to_string(preemptions);
    }
    for (const auto& [end, preemptions] : ends)
        if (!truth.ends.contains(end)) return "shows an end of the process that there is not";
    return {};
}

// Checks that apply to every exploration up to a bound, however it was driven.
std::string check_graphs(const Shown& shown, const Truth& truth, std::uint32_t bound) {
    if (!shown.wrong.empty()) return shown.wrong;
    for (const auto& [key, graph] : truth.graphs) {
        const bool told = shown.told.contains(key);
        if (!told && graph.bound <= bound)
            return "misses a graph of bound " + std::to_string(graph.bound) + ": " + text_of(graph.schedule);
        if (told && graph.bound > bound)
            return "tells of a graph of bound " + std::to_string(graph.bound) + ": " + text_of(graph.schedule);
    }
    if (std::string wrong = check_ends(shown, truth, bound); !wrong.empty()) return wrong;
    std::unordered_map<Verdict, std::uint32_t> least;
    for (const auto& [key, graph] : truth.graphs) {
        if (graph.bound > bound || !is_bug(graph.verdict)) continue;
        const auto [entry, fresh] = least.try_emplace(graph.verdict, graph.bound);
        if (!fresh) entry->second = std::min(entry->second, graph.bound);
    }
    for (const auto& [verdict, preemptions] : least)
        if (!shown.findings.contains(verdict)) return std::string("no finding tells of the ") + name_of(verdict);
    for (const auto& [verdict, preemptions] : shown.findings)
        if (!least.contains(verdict))
            return std::string("a finding tells of a ") + name_of(verdict) + " that there is not";
    return {};
}

std::string check_fewest_preemptions(const Shown& shown, const Truth& truth) {
    for (const auto& [verdict, preemptions] : shown.findings) {
        std::uint32_t least = ~0u;
        for (const auto& [key, graph] : truth.graphs)
            if (graph.verdict == verdict) least = std::min(least, graph.bound);
        if (preemptions != least)
            return std::string("finds the ") + name_of(verdict) + " with " + std::to_string(preemptions) +
                   " preemptions, where " + std::to_string(least) + " are enough";
    }
    return {};
}

std::string check_executions(const Claim& claim, const Shown& shown, const Truth& truth, std::uint32_t bound) {
    for (const auto& [key, times] : shown.executed) {
        const Graph& graph = truth.graphs.at(key);
        if (claim.within_bound && graph.bound > bound)
            return "executes a graph of bound " + std::to_string(graph.bound) + ": " + text_of(graph.schedule);
        if (claim.no_execution_twice && times > 1)
            return "executes one graph " + std::to_string(times) + " times: " + text_of(graph.schedule);
    }
    if (claim.no_execution_twice && shown.abandoned > 0)
        return "abandons " + std::to_string(shown.abandoned) + " executions";
    return {};
}

// Exhaustion must be claimed at the bound with the last graph, and not before.
std::string check_coverage(const Claim& claim, const Shown& shown, const Truth& truth,
                           std::optional<std::uint32_t> bound) {
    const Coverage& coverage = shown.coverage;
    const std::size_t wanted = bound ? wanted_graphs(truth, *bound) : truth.graphs.size();
    if (!coverage.incomplete_because.empty()) return "says it is incomplete: " + coverage.incomplete_because.front();
    if (coverage.graphs != wanted)
        return "counts " + std::to_string(coverage.graphs) + " graphs of " + std::to_string(wanted);
    const bool all = wanted == truth.graphs.size();
    if (coverage.exhausted && !all) return "claims exhaustion with graphs left";
    if (!coverage.exhausted && all && (!claim.bounded || claim.no_execution_twice))
        return "does not know that it is exhausted";
    if (claim.bounded && bound && !coverage.exhausted && coverage.complete_to.value_or(0) < *bound)
        return "does not claim the bound";
    return {};
}

std::string at_bound(const Claim& claim, const Case& known, std::optional<std::uint32_t> bound) {
    Watcher watcher(known);
    const std::unique_ptr<Strategy> strategy = make_strategy(claim.strategy, watcher.options(bound));
    explore(*strategy, watcher.target(), watcher.limits());
    const Shown shown = watcher.finish(*strategy);
    const std::uint32_t most = bound.value_or(~0u);
    std::string wrong = check_graphs(shown, known.truth, most);
    if (wrong.empty()) wrong = check_executions(claim, shown, known.truth, most);
    if (wrong.empty()) wrong = check_coverage(claim, shown, known.truth, bound);
    if (wrong.empty() && claim.bounded) wrong = check_fewest_preemptions(shown, known.truth);
    if (wrong.empty() || !bound) return wrong;
    return "up to " + std::to_string(*bound) + " preemptions: " + wrong;
}

}  // namespace

const std::vector<Claim>& claims() {
    static const std::vector<Claim> table = [] {
        const std::set<std::string> without_repetition = {"portfolio", "bounded", "optimal", "cartesian", "peephole"},
                                    within_bound = {"portfolio", "bounded", "cb-dfs"};
        std::vector<Claim> all;
        for (const StrategyRow& row : strategy_rows()) {
            if (row.is_sampler()) continue;
            all.push_back(
                {.strategy = row.name,
                 .bounded = row.is_bounded(),
                 .no_execution_twice = without_repetition.contains(row.name),
                 .within_bound = within_bound.contains(row.name),
                 .every_schedule = row.unit == SearchUnit::schedules || row.unit == SearchUnit::schedules_by_bound});
        }
        return all;
    }();
    return table;
}

std::optional<Case> make_case(const RandomProgram& program, const MachineOptions& machine) {
    const ModelOptions options = options_of(program, machine);
    ModelProgram target(code_of(program), options);
    Case made{.program = program,
              .machine = machine,
              .truth = all_graphs(target, {.machine = options.machine, .most_states = 3'000, .most_graphs = 300})};
    if (made.truth.too_large) return std::nullopt;
    return made;
}

std::string about_completeness(const Claim& claim, const Case& known) {
    if (is_too_much(claim, known)) return {};
    return guarded([&]() -> std::string {
        if (claim.bounded)
            for (std::uint32_t bound = 0; bound <= largest_bound; ++bound)
                if (std::string wrong = at_bound(claim, known, bound); !wrong.empty()) return wrong;
        return at_bound(claim, known, std::nullopt);
    });
}

std::string about_disorder(const Claim& claim, const Case& known) {
    if (is_too_much(claim, known)) return {};
    return guarded([&]() -> std::string {
        for (const std::size_t workers : {2u, 5u}) {
            Watcher watcher(known);
            const std::unique_ptr<Strategy> strategy = make_strategy(claim.strategy, watcher.options(std::nullopt));
            explore_in_disorder(*strategy, watcher.target(), workers, known.program.seed, watcher.limits());
            const Shown shown = watcher.finish(*strategy);
            std::string wrong = check_graphs(shown, known.truth, ~0u);
            if (wrong.empty() && (!claim.bounded || claim.no_execution_twice))
                wrong = check_executions(claim, shown, known.truth, ~0u);
            if (!wrong.empty()) return "with " + std::to_string(workers) + " workers: " + wrong;
        }
        return {};
    });
}

std::string about_restarts(const Claim& claim, const Case& known) {
    if (is_too_much(claim, known)) return {};
    return guarded([&]() -> std::string {
        // Reference searches by bound may execute a graph twice with several plans out.
        const std::size_t workers = claim.bounded && !claim.no_execution_twice ? 1 : 3;
        Watcher watcher(known);
        const std::unique_ptr<Strategy> strategy =
            explore_with_restarts(claim.strategy, watcher.options(std::nullopt), watcher.target(), workers,
                                  known.program.seed, watcher.limits());
        const Shown shown = watcher.finish(*strategy);
        if (!shown.wrong.empty()) return shown.wrong;
        for (const auto& [key, graph] : known.truth.graphs)
            if (!shown.told.contains(key)) return "saved and loaded, it misses a graph: " + text_of(graph.schedule);
        return check_executions(claim, shown, known.truth, ~0u);
    });
}

std::uint64_t number_of_programs(std::uint64_t by_day, std::uint64_t by_night) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    by_day /= 5;  // the code is what is tested there, and each program takes several times as long
#endif
    return std::getenv("RADDLE_NIGHTLY") != nullptr ? by_night : by_day;
}

std::string shrunk(Complaint complaint, const Claim& claim, const Case& failing) {
    const auto complaint_about = [&](const RandomProgram& program) -> std::string {
        std::optional<Case> known = make_case(program, failing.machine);
        if (known) known->first_max_steps = failing.first_max_steps;
        if (known) known->memory_limit = failing.memory_limit;
        return known ? complaint(claim, *known) : std::string();
    };
    const RandomProgram small =
        shrink(failing.program, [&](const RandomProgram& program) { return !complaint_about(program).empty(); });
    return claim.strategy + ", " + (failing.machine.independence == Independence::plain ? "plain" : "fine") +
           " relation, seed " + std::to_string(failing.program.seed) + ": " + complaint_about(small) + "\n" +
           to_text(small);
}

}  // namespace raddle::testing
