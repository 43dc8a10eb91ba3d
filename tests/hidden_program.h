// Programs in memory with accesses that are hidden at first, as the accesses of a process are: an access becomes an
// action only after an execution showed that its variable is shared. Random, small, and reproducible.
//
// Rule, as in the shim: the instructions that touched a variable become visible if several threads touched it, one of
// them wrote it, and no lock was held at every access.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "supervisor/search/target.h"
#include "tests/model_program.h"

namespace raddle::testing {

struct HiddenInstruction {
    enum Kind : std::uint8_t { read, write, lock, unlock, skip_if_odd } kind;
    std::uint32_t object;  // variable or lock; for skip_if_odd: the number of instructions
    std::int64_t value;    // added to the written value
};

// Each thread runs one of the functions; threads with the same function run the same instructions.
struct HiddenProgram {
    std::vector<std::vector<HiddenInstruction>> functions;
    std::vector<std::uint32_t> threads;  // the function of each
    bool reads_at_the_end = false;       // main reads all variables after the joins
};
HiddenProgram random_hidden_program(std::uint64_t seed);
std::string text_of(const HiddenProgram& program);

// An instruction: function and index.
using HiddenSite = std::uint32_t;

class HiddenSites final : public VisibleSet {
public:
    // Without the growth in detail, every growth may have changed everything.
    explicit HiddenSites(bool tells_growth = true) : tells_growth_(tells_growth) {}

    std::uint64_t epoch() const override { return epoch_; }
    std::unique_ptr<Growth> growth_since(std::uint64_t epoch) const override;
    void save(Writer& out) const override;
    void load(Reader& in) override;

    bool is_visible(HiddenSite site) const { return visible_.contains(site); }
    void show(const std::set<HiddenSite>& sites);
    std::uint64_t growths() const { return growths_; }
    // The label of these instructions.
    std::uint64_t label_of(const std::set<HiddenSite>& sites);

private:
    const bool tells_growth_;
    std::uint64_t epoch_ = 1;
    std::uint64_t growths_ = 0;
    std::set<HiddenSite> visible_;
    std::map<std::set<HiddenSite>, std::uint64_t> labels_;
    std::map<HiddenSite, std::uint64_t> shown_in_;  // the epoch that each one began
    std::uint64_t loaded_in_ = 0;                   // growth before this epoch is unknown
};

class HiddenTarget final : public Target {
public:
    HiddenTarget(const HiddenProgram& program, std::shared_ptr<HiddenSites> sites, MachineOptions machine,
                 bool may_grow = true);

    Execution run(const Plan& plan) override;
    // In some execution a variable was shared, and some of its accesses were hidden.
    bool missed_sharing() const { return missed_sharing_; }

private:
    // Accesses to a variable in this execution.
    struct Use {
        std::set<std::uint64_t> threads;
        std::set<HiddenSite> sites;
        std::set<std::uint32_t> locks;  // held at every access
        bool is_written = false;
    };
    // A thread in this execution.
    struct State {
        std::set<HiddenSite> passed, since_action;
        std::set<std::uint32_t> held;
        std::vector<std::uint64_t> labels;  // of its actions, in order
        std::int64_t sum = 0;
    };

    Body main(Thread& t);
    Body work(Thread& t, std::uint32_t function);
    void note(Thread& t, HiddenSite site, std::uint32_t variable, bool writes);
    void announce(Thread& t);
    void label(Execution& execution);
    std::set<HiddenSite> shared_sites() const;
    State& state_of(const Thread& t) { return states_[t.id().code]; }

    const HiddenProgram program_;
    const std::shared_ptr<HiddenSites> sites_;
    const bool may_grow_;
    bool missed_sharing_ = false;
    std::map<std::uint32_t, std::int64_t> memory_;
    std::map<std::uint32_t, Use> uses_;
    std::map<std::uint64_t, State> states_;
    ModelProgram model_;
};

}  // namespace raddle::testing
