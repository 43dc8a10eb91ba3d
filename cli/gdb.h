// raddle replay --gdb and --gdbserver: the program in a debugger, held to the schedule of a bug. raddle stays beside it,
// answers what the commands in gdb_commands.py ask, and has the schedule written anew whenever the program is started.
#pragma once

#include <string>

#include "supervisor/engine/bugs/located_bug.h"

namespace raddle::cli {

// Both end when the debugger does. Throw BadInput if there is none, or it cannot be used on this bug.
int replay_in_gdb(const LocatedBug& bug);
int replay_in_gdbserver(const LocatedBug& bug, const std::string& address);

extern const char* const gdb_commands;  // of gdb_commands.py

}  // namespace raddle::cli
