// Every interleaving of a program, by a search over states.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "tests/differential/program.h"

namespace raddle::differential {

// Each outcome, with the fewest preemptions that lead to it: switches from a thread that could have gone on. A wait
// that gives up its time counts as none; the figures mean nothing for programs with timed waits.
using Outcomes = std::map<std::string, int>;

// None if the program may do what POSIX does not define, or has too many states.
std::optional<Outcomes> every_outcome(const Program& program, std::size_t most_states = 60000);

}  // namespace raddle::differential
