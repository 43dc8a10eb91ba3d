// Runs one execution under a recorded schedule and compares it with the record step by step.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "replay/schedule/schedule_file.h"
#include "replay/schedule/step.h"
#include "supervisor/search/target.h"

namespace raddle {

// The expected result of a replay.
struct Expected {
    Schedule schedule;
    std::vector<RecordedStep> steps;  // empty: only the choices are known
    Verdict verdict = Verdict::ok;
    std::uint64_t key_checksum = 0;              // key_checksum_of(key)
    std::map<std::string, std::string> names{};  // of objects in the steps, if known
};

Expected expected_of(const ScheduleFile& file);

enum class Replayed {
    reproduced,  // the same bug, by the same steps
    clean,       // it ended without a bug
    diverged,    // it took other steps
};

struct ReplayResult {
    Replayed outcome = Replayed::diverged;
    Execution execution;
    std::optional<Divergence> divergence;
    // Steps that had to be added or skipped because the program is not the recorded one.
    std::size_t added = 0, left_out = 0;
};

ReplayResult replay(Target& target, const Expected& expected);

// Options for a program that has changed. The schedule adapts where a thread has new steps or lost some, as long as
// threads, operations and their order in each thread can be recognised. The same kind of bug counts as reproduced, at
// any location.
struct Following {
    unsigned most_executions = 200;
    std::function<bool()> give_up{};  // asked before each further execution
    // The name of an object of the present program; empty: it has none.
    std::function<std::string(const std::string& object)> name_of{};
};
ReplayResult replay_changed(Target& target, const Expected& expected, const Following& how = {});

// Takes the first `steps` steps and stops. Execution::pending holds the announced actions of all threads.
Execution run_until(Target& target, const Schedule& schedule, std::size_t steps);

}  // namespace raddle
