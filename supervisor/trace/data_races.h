// The data races of an execution. A race is a pair of plain accesses to the same bytes by different threads; at least
// one of them writes, and no synchronisation orders them. Two things order events here: synchronisation
// (operation.def, `order`) and the machine's enabling events. A search also orders every pair of accesses that does not
// commute; the race check must not. Variables touched by atomic instructions have no races: a read acquires from the
// last write, as on x86.
//
// The two sites in the code name a race, in either order. An execution shows a race if its two accesses are adjacent.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "supervisor/trace/execution.h"
#include "supervisor/trace/race_clocks.h"
#include "supervisor/trace/replay_machine.h"

namespace raddle {

// The name of a race: the same in all executions. An execution that shows the race has this text as its message.
std::string text_of(const Execution& execution, const DataRace& race);

class DataRaces {
public:
    explicit DataRaces(const MachineOptions& options, Ordering ordering = Ordering::by_calls_and_atomics)
        : replay_(options, ReplayMachine::Back::goes_back), ordering_(ordering) {}

    // One race for each pair of sites. Races that can be shown without any other change are preferred. The cost grows
    // with the events that differ from the last execution. The execution has to live until the next call.
    const std::vector<DataRace>& find(const Execution& execution);

    // Variables touched by atomic instructions: the given ones, and those seen in any execution.
    void add_atomics(const std::set<ObjectId>& variables);
    const std::vector<ObjectId>& atomics() const { return clocks_.atomics(); }
    bool saw_plain_store_to_atomic() const { return clocks_.saw_plain_store_to_atomic(); }

    // Schedules that may put the two accesses back to back, likely ones first.
    std::vector<Schedule> back_to_back(const DataRace& race) const;

private:
    void add(const DataRace& race);
    bool is_immediate(const DataRace& race) const;
    Step step_of(Position i) const;

    ReplayMachine replay_;
    const Ordering ordering_;
    RaceClocks clocks_{replay_.track(), ordering_};
    const Execution* execution_ = nullptr;
    std::vector<DataRace> races_;
};

// The races with adjacent accesses; only the start of the second access's thread may lie between.
std::vector<DataRace> races_back_to_back(const Execution& execution);

// Sets the verdict to `race` if the execution shows a wanted race. Executions that were cut short, were abandoned or
// diverged keep their verdict.
void set_race_verdict(Execution& execution, const std::function<bool(const std::string& text)>& is_wanted);

}  // namespace raddle
