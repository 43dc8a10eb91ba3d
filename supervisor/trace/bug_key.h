// Where a bug is, whatever its schedule: executions with the same verdict and the same place show the same bug. No
// names of threads, no addresses of data: only operations and where the program called them.
#pragma once

#include <string>

#include "supervisor/trace/execution.h"

namespace raddle {

// Parts with "; " between them:
//   deadlock    what each thread of the cycle waits in, and where what it waits for was taken; threads that only wait
//               for one of these are left out
//   misuse      what was misused how, and where
//   crash       where
//   otherwise   the message, and where the thread failed if the message does not say it
std::string bug_key_of(const Execution& execution);

}  // namespace raddle
