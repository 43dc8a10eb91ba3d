// Every interleaving of a program, by a search over states.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "tests/differential/interpreter.h"

namespace raddle::differential {

// Each outcome, with the fewest preemptions that lead to it: switches from a thread that could have gone on. The
// interpreter does not know the price of a wait that gives up, nor of a signal that comes just before a step.
inline constexpr int unknown_preemptions = -1;
bool counts_preemptions(const Program& program);
using Outcomes = std::map<std::string, int>;

// None if the program may do what POSIX does not define, or has too many states.
std::optional<Outcomes> every_outcome(const Program& program, Level level = Level::accesses,
                                      std::size_t most_states = 60000);

}  // namespace raddle::differential
