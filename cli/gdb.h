// raddle replay --gdb and --gdbserver: the program in a debugger, held to the schedule of a bug. raddle stays beside
// it, answers the questions of cli/gdb_commands, and writes the schedule again each time the program starts.
#pragma once

#include <string>

#include "supervisor/engine/bugs/located_bug.h"

namespace raddle::cli {

// Both end with the debugger. They throw BadInput if there is none, or if it cannot be used on this bug.
int replay_in_gdb(const LocatedBug& bug);
int replay_in_gdbserver(const LocatedBug& bug, const std::string& address);

extern const char* const gdb_commands;  // the script in cli/gdb_commands

}  // namespace raddle::cli
