// Data races of an execution: two plain accesses to the same bytes by different threads, at least one of which writes,
// that nothing orders but the order in which they happened. What orders is synchronisation (synchronisation.def) and
// what the machine says enables what; plain accesses do not, unlike in a search, whose order contains every pair that
// does not commute. A variable that an atomic instruction touches is no business of races: reading it acquires what the
// last to write it released, as every load and store on x86 does.
//
// A race is named by the two places in the code, whichever of them came first, and is shown by an execution in which
// nothing happens between the two.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "supervisor/trace/execution.h"
#include "supervisor/trace/race_clocks.h"
#include "supervisor/trace/replay_machine.h"

namespace raddle {

// The same for all executions that show it, and for it alone; also what such an execution has as its message.
std::string text_of(const Execution& execution, const DataRace& race);

class DataRaces {
public:
    explicit DataRaces(const MachineOptions& options) : replay_(options) {}

    // Of each pair of places the first; those that can be shown without doing anything else differently, if there are
    // any. Costs what is new since the last execution. The execution has to live until the next call.
    const std::vector<DataRace>& find(const Execution& execution);

    // Variables that atomic instructions touch: those that it is told, and those of all executions.
    void know_atomic(const std::set<ObjectId>& variables);
    const std::vector<ObjectId>& atomics() const { return clocks_.atomics(); }
    bool saw_plain_store_to_atomic() const { return clocks_.saw_plain_store_to_atomic(); }

    // Schedules in which the two may happen back to back, likely ones first.
    std::vector<Schedule> back_to_back(const DataRace& race) const;

private:
    void add(const DataRace& race);
    bool is_immediate(const DataRace& race) const;
    Step step_of(Position i) const;

    ReplayMachine replay_;
    RaceClocks clocks_{replay_.track()};
    const Execution* execution_ = nullptr;
    std::vector<DataRace> races_;
};

// Races whose two accesses come one after the other; nothing but the start of the second's thread may lie between.
std::vector<DataRace> races_back_to_back(const Execution& execution);

// An execution as it is judged where one race is looked for: its verdict is that race if it shows it back to back. What
// was cut short or went another way stays what it is.
void set_race_verdict(Execution& execution, const std::function<bool(const std::string& text)>& is_wanted);

}  // namespace raddle
