// One execution under a recorded schedule, held to the record step by step.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "replay/schedule/schedule_file.h"
#include "replay/schedule/step.h"
#include "supervisor/search/target.h"

namespace raddle {

// What a replay has to come to.
struct Expected {
    Schedule schedule;
    std::vector<RecordedStep> steps;  // empty: only the choices are known
    Verdict verdict = Verdict::ok;
    std::uint64_t place = 0;          // place_mark()
    std::map<std::string, std::string> names{};  // of objects among the steps, where they are known
};

Expected expected_of(const ScheduleFile& file);

enum class Replayed {
    reproduced,  // the same bug, by the same steps
    clean,       // it ended as it should
    diverged,    // it was another execution
};

struct ReplayResult {
    Replayed outcome = Replayed::diverged;
    Execution execution;
    std::optional<Divergence> divergence;
    // Of a program that is not the one recorded: steps that had to be added or left out.
    std::size_t added = 0, left_out = 0;
};

ReplayResult replay(Target& target, const Expected& expected);

// For a program that has changed since: where a thread does something new, or no longer does something, the schedule
// gives way, as long as threads, operations and their order in each thread can still be recognised. The same kind of
// bug counts as reproduced, wherever it is.
struct Following {
    unsigned most_executions = 200;
    std::function<bool()> give_up{};  // none after that
    // Of an object of the program as it is now; empty: it has none.
    std::function<std::string(const std::string& object)> name_of{};
};
ReplayResult replay_changed(Target& target, const Expected& expected, const Following& how = {});

// The first `steps` steps, and then a stop: what everybody is about to do is in Execution::pending.
Execution run_until(Target& target, const Schedule& schedule, std::size_t steps);

}  // namespace raddle
