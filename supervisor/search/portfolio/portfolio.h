// The strategy portfolio, the default: all searches over one body of knowledge. It finds a bug about as soon as the
// best of its parts would, and proves as much as the strategy bounded.
//
// Idea: the parts share the experience (search/experience.h): pasts, graphs, bugs. Three bounded searches run side by
// side, for the lowest bound that is not complete and the two above it. The members (member.h) propose schedules. A
// proposal is carried out in memory first and executed only from the first unknown past on, so every execution shows a
// graph that is new, and no part repeats the work of another. turns.h has the rule that divides the executions.
//
// Rules:
//   * Executions come in rounds. All plans of a round are made before the first one runs, and members hear of the
//     executions in the order of their plans. So the schedules depend on the program, the options and the seed, and not
//     on the number of workers or their speed. The first rounds have one plan, later rounds up to 32.
//   * An execution that a first limit of steps cut holds nobody up. A member's is forgotten, and the bounded searches
//   go
//     around the unknown past of theirs until nothing else is wanted.
//   * The plans of a round are apart (search/plans_out.h): no two can end in one graph.
//   * With --bound, proposals keep to the bound, too: every execution is one that the bounded search needs.
//   * Bounds are claimed in order, each when its search is complete, and exhaustion by the same check as in bounded.
// Invariants: an execution leads to a past that was unknown, except to confirm a bug that was composed in memory; no
// graph is executed twice.
// Risks: those of bounded. With more threads than it can search, the bounded searches stop, and the members go on for
// as many executions as a sampling strategy.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "supervisor/search/bound_progress.h"
#include "supervisor/search/portfolio/bound_pass.h"
#include "supervisor/search/portfolio/member.h"
#include "supervisor/search/portfolio/sweep.h"
#include "supervisor/search/portfolio/turns.h"
#include "supervisor/search/postponing.h"
#include "supervisor/search/strategy.h"

namespace raddle {

class Portfolio final : public Strategy, public Postponing, private IncrementalState {
public:
    explicit Portfolio(const StrategyOptions& options);

    std::optional<Plan> next() override;
    void learn(const Plan& plan, const Execution& execution) override;
    void give_back(const Plan& plan) override;
    Answer postpone(const Plan& plan) override;
    bool finished() const override;
    Coverage coverage() const override;
    std::optional<bool> has_seen(const Hash128& graph) const override {
        const bool seen = experience_.has_seen(graph);
        return sweep_ && !seen ? std::nullopt : std::optional(seen);
    }
    std::vector<Finding> take_findings() override { return experience_.take_findings(); }
    void forget_bug(const Finding& bug) override { experience_.forget_bug(bug); }
    void save(Writer& out) const override;
    void load(Reader& in) override;
    std::unique_ptr<Strategy> outgrown(const Growth& growth) override;
    bool merge(const Strategy& other) override;
    bool has_incremental_state() const override { return true; }
    IncrementalState* incremental_state() override { return this; }

private:
    // portfolio_saving.cpp
    void record_changes() override { experience_.record_changes(); }
    bool records_changes() const override { return experience_.records_changes(); }
    void take_changes(Writer& out) override { experience_.take_changes(out); }
    void load_changes(Reader& in) override { experience_.load_changes(in); }
    void save_summary(Writer& out) const override;
    void load_summary(Reader& in) override;
    void save_explored(Writer& out) const override;
    void load_explored(Reader& in) override;
    void save_small_parts(Writer& out) const;
    void load_small_parts(Reader& in);
    void save_confirmations(Writer& out) const;
    void load_confirmations(Reader& in);
    void save_members(Writer& out) const;
    void load_members(Reader& in);
    void load_sweep(Reader& in);
    void save_passes(Writer& out) const;
    void load_passes(Reader& in);

    // A plan of the current round.
    struct Wanted {
        Plan plan;
        Hash128 awaited{};  // the past that it has to supply; none: it confirms a bug
        std::string found_by;
        BoundPass* pass = nullptr;  // the bounded search that waits for it
        bool is_of_sweep = false;

        bool confirms() const { return awaited == Hash128{} && !is_of_sweep; }
    };

    bool is_over() const { return progress_.finished || ((bounds_stopped_ || is_full_) && is_sampled_enough()); }
    bool is_sampled_enough() const;
    std::uint64_t executions() const { return experience_.executions(); }
    void begin_round();
    void end_round();
    // The lowest bound that is not complete is at place 0.
    BoundPass& pass_at(std::uint32_t place) { return *passes_[(progress_.bound + place) % Turns::bounds]; }
    bool add_plan();
    bool add_plan_of(std::uint32_t part);
    bool add_confirmation();
    bool add_plan_of_pass(std::uint32_t place);
    bool add_plan_of_member(std::size_t number);
    void add(Plan plan, const Track& prefix, const Hash128& awaited, const std::string& found_by, BoundPass* pass);
    Plan plan_of(Schedule prefix);
    void settle_bounds();
    bool all_is_known();
    void assign_bounds();
    void stop_bounds();
    void begin_sweep_if_full();
    bool add_plan_of_sweep();
    void settle_sweep();

    enum class Led : std::uint8_t { to_unknown, to_graph, astray };
    Led carry_out(Proposal& proposal);
    bool has_listener(std::uint64_t number) const;
    void tell_members(std::uint64_t number, const Schedule& schedule);

    const StrategyOptions options_;
    Experience experience_;
    std::array<std::unique_ptr<BoundPass>, Turns::bounds> passes_;  // the i-th has the bounds i, i + 3, i + 6 …
    std::vector<std::unique_ptr<Member>> members_;                  // in the order of member_rows()
    Turns turns_;
    Walk drawn_;  // for proposals
    Chooser chooser_;
    std::uint32_t spent_ = 0;  // the preemptions of the proposal that was carried out last
    HashIndex given_up_;       // pasts that no execution supplies

    std::unique_ptr<Sweep> sweep_;  // null: there is memory left, or no sweep is possible
    bool is_full_ = false;          // the memory is used up, and no sweep is possible

    BoundProgress progress_;
    bool bounds_stopped_ = false;
    std::uint64_t next_id_ = 1;
    std::uint32_t plans_in_round_ = 1;        // at most
    bool is_single_ = true;                   // the round has one plan
    std::deque<Wanted> queue_;                // of the round: not handed out yet
    std::map<std::uint64_t, Wanted> out_;     // of the round: handed out, by id
    PlansOut plans_out_;                      // all of the round that lead to unknown pasts
    std::set<std::uint64_t> postponed_;       // by id: cut, and wanted once nothing else is
    std::uint64_t dropped_ = 0;               // plans of members that were postponed
    std::map<std::uint64_t, Schedule> told_;  // of the round: learned, and members want to know of it
};

}  // namespace raddle
