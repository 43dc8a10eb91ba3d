// The prompt of raddle replay --shell.
#pragma once

#include <iosfwd>

#include "supervisor/engine/bugs/located_bug.h"

namespace raddle::cli {

// Answers commands until `in` ends or one says quit. `is_interactive`: show a prompt.
void run_replay_shell(const LocatedBug& bug, std::istream& in, std::ostream& out, bool is_interactive);

}  // namespace raddle::cli
