// The directed search in memory: the pasts that it knows, and a director that proposes schedules over them. It needs
// no execution but those it is told about, in any order that the caller fixes.
#pragma once

#include <optional>

#include "supervisor/search/directed/director.h"
#include "supervisor/search/hash_index.h"
#include "supervisor/search/strategy.h"

namespace raddle {

class DirectedSearch {
public:
    // It keeps at most so many pasts, at about a hundred bytes each, with their candidates.
    DirectedSearch(const StrategyOptions& options, std::size_t most_pasts, BugPatterns patterns = {});

    // The next actions after the pasts on the track. The order of calls makes no difference.
    void learn_pasts(const Track& track);
    // Looks for candidates in the execution on the track, or in the one of known pasts with this schedule.
    void learn_orders(const Track& track, std::uint32_t preemptions);
    void learn_orders(const Schedule& schedule);
    void note_graph(const Hash128& graph) { graphs_.find_or_add(graph, 0); }
    bool knows(const Hash128& past) const { return knowledge_.has_learned(past); }

    // A schedule that leads beyond what is known, or to a bug that was only seen in memory. Several may be out. It ends
    // with an unknown past, or with its graph; the execution runs on from there.
    std::optional<Director::Proposal> propose();
    // The executions of all proposals are known now. Beyond its limit it forgets pasts and candidates.
    void begin_batch();
    // The visible set grew: pasts, graphs and candidates name events that have other names now.
    void outgrow();

    void save(Writer& out) const;
    void load(Reader& in);

private:
    void learn(const Hash128& past, const Action& next) { knowledge_.learn(past, 0, next, 0); }
    void forget_pasts();
    Director::Use judge(const Walk& walk, ScheduleBuilder::Built built);

    const StrategyOptions& options_;
    const std::size_t most_pasts_;
    Knowledge knowledge_;
    Walk walk_;
    Director director_;
    HashIndex graphs_;   // executed, or composed of known pasts
    HashIndex awaited_;  // the unknown pasts of the proposals that are out
};

// The strategy `directed` without a row of scores.def, for measurements.
std::unique_ptr<Strategy> make_directed_without(const StrategyOptions& options, BugPattern pattern);

}  // namespace raddle
