// Looks for data races in all executions of a campaign. It reports a race once, with an execution that has its two
// accesses back to back. If the current execution has not, it runs another one. If no such execution exists, another
// race keeps the two accesses apart, and that one is reported. A race is reported again after the visible set grew, as
// earlier schedules are void then. All workers share one watch.
#pragma once

#include <atomic>
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
    // True if the plain instruction at this site is the load or store of an atomic type.
    using IsAtomicCode = std::function<bool(std::uint64_t site, const Modules& modules)>;

    explicit RaceWatch(const MachineOptions& machine, IsAtomicCode is_atomic_code = {})
        : machine_(machine), is_atomic_code_(std::move(is_atomic_code)) {}

    // The new races of an execution. Without a target, only races that this execution shows.
    std::vector<Finding> find_new_races(const Plan& plan, const Execution& execution, Target* target);

    // The race's variable turned out to be atomic later.
    bool is_withdrawn(const Finding& finding) const;
    // Plain accesses raced, or wrote to atomic variables. Processors may order these in ways that no execution here
    // shows.
    bool saw_weaker_orders() const;
    // Executions made to show races.
    std::uint64_t executions() const { return executions_; }

private:
    static constexpr unsigned most_tries = 6;  // executions that failed to show the race

    struct Known {
        std::uint64_t epoch = 0;  // of `tries` and `reported`
        unsigned tries = 0;
        bool reported = false;
        bool was_reported = false;  // in any epoch
        ObjectId object{};
    };

    std::unique_ptr<DataRaces> borrow();
    const std::vector<DataRace>& find(DataRaces& races, const Execution& execution);
    bool is_atomic_code(std::uint64_t site, const Execution& execution) const;
    bool is_wanted(const std::string& text, const ObjectId& object, std::uint64_t epoch, bool costs);
    std::optional<Execution> shown(const DataRaces& races, const DataRace& race, const std::string& text,
                                   const Plan& plan, Target* target);
    Finding finding_of(const std::string& text, const Execution& execution) const;

    const MachineOptions machine_;
    const IsAtomicCode is_atomic_code_;

    mutable std::mutex lock_;
    std::vector<std::unique_ptr<DataRaces>> idle_;
    std::set<ObjectId> atomics_;  // the atomic variables of all analyses
    std::map<std::string, Known> known_;
    bool atomic_stores_ = false;
    std::atomic<std::uint64_t> executions_{0};
};

}  // namespace raddle
