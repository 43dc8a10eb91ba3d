// The claims of each strategy, and checks of them on one program; a check returns a complaint, or nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "supervisor/search/strategy.h"
#include "tests/oracle.h"
#include "tests/random_program.h"
#include "tests/sources.h"

namespace raddle::testing {

struct Claim {
    std::string strategy;
    bool bounded = false;             // counts preemptions and takes max_bound
    bool no_execution_twice = false;  // no two executions have the same graph, and none is abandoned
    bool within_bound = false;        // every execution is a graph within the bound
    bool every_schedule = false;      // its executions are the schedules: not for programs with many schedules
};
// The strategies that claim completeness: every row of strategies.def that is not a sampler.
const std::vector<Claim>& claims();

struct Case {
    RandomProgram program;
    MachineOptions machine;
    Truth truth;
    std::uint64_t first_max_steps = StrategyOptions{}.first_max_steps;
    std::size_t memory_limit = StrategyOptions{}.memory_limit;
};
// The program with the oracle's result; nothing if the program is too large for the oracle.
std::optional<Case> make_case(const RandomProgram& program, const MachineOptions& machine);

using Complaint = std::string (*)(const Claim&, const Case&);
std::string about_completeness(const Claim& claim, const Case& known);  // at every bound, if it has bounds
std::string about_disorder(const Claim& claim, const Case& known);      // several plans running
std::string about_restarts(const Claim& claim, const Case& known);      // saved and loaded

// The number of programs: the second if RADDLE_NIGHTLY is set, fewer than the first under a sanitizer.
std::uint64_t number_of_programs(std::uint64_t by_day, std::uint64_t by_night);

// The complaint about a program, which is shrunk as long as any complaint of this kind remains.
std::string shrunk(Complaint complaint, const Claim& claim, const Case& failing);

}  // namespace raddle::testing
