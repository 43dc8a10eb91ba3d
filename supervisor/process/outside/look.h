// Looks at a process that does nothing visible any more, and at its children, from outside: it stops their threads for
// a moment (ptrace) and names the places where they stand. Threads that are fibers are found by the tables of the shim.
#pragma once

#include "supervisor/protocol/shim_tables.h"
#include "supervisor/trace/execution.h"

namespace raddle {

struct WhatToLookAt {
    pid_t process = 0;
    channel::ShimTables tables{};
    std::vector<Pending> pending;  // the next actions of the threads
    std::string executable;        // for a relative path of the program
    std::string directory;
    std::string hidden;  // the file of the shim, whose frames are left out
};

Standing look_from_outside(const WhatToLookAt& what);

}  // namespace raddle
