// Looks for data races in the executions of a campaign, whatever they are run for. A race is reported once: with an
// execution in which its two accesses happen back to back, which is run for that if the one at hand is not such. Where
// none can be had the two are apart because of another race, and that one is reported. It is reported again when more of
// the program became visible, as earlier schedules mean nothing then. Used by all workers.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "supervisor/search/strategy.h"
#include "supervisor/trace/data_races.h"

namespace raddle {

class RaceWatch {
public:
    // Whether the instruction at this site is the load or store of an atomic type, though it looks like any other.
    using IsAtomicCode = std::function<bool(std::uint64_t site, const Modules& modules)>;

    explicit RaceWatch(const MachineOptions& machine, IsAtomicCode is_atomic_code = {})
        : machine_(machine), is_atomic_code_(std::move(is_atomic_code)) {}

    // What is new in an execution. Without a target, what can be seen in it as it is.
    std::vector<Finding> look(const Plan& plan, const Execution& execution, Target* target);

    // The variable turned out to be atomic since.
    bool is_withdrawn(const Finding& finding) const;
    // Plain accesses raced, or wrote to atomic variables: processors have orders for them that no execution here has.
    bool saw_weaker_orders() const;

private:
    static constexpr unsigned most_tries = 6;  // executions that should have shown it

    struct Known {
        std::uint64_t epoch = 0;  // that tries and `reported` are of
        unsigned tries = 0;
        bool reported = false;
        bool was_reported = false;  // in any
        ObjectId object{};
    };

    std::unique_ptr<DataRaces> borrow();
    const std::vector<DataRace>& find(DataRaces& races, const Execution& execution);
    bool is_atomic_code(std::uint64_t site, const Execution& execution) const;
    bool is_wanted(const std::string& text, const ObjectId& object, std::uint64_t epoch, bool costs);
    static std::optional<Execution> shown(const DataRaces& races, const DataRace& race, const std::string& text, const Plan& plan,
                                   Target* target);
    Finding finding_of(const std::string& text, const Execution& execution) const;

    const MachineOptions machine_;
    const IsAtomicCode is_atomic_code_;

    mutable std::mutex lock_;
    std::vector<std::unique_ptr<DataRaces>> idle_;
    std::set<ObjectId> atomics_;  // all that any of them knows
    std::map<std::string, Known> known_;
    bool atomic_stores_ = false;
};

}  // namespace raddle
