// The key of a bug: two executions with the same verdict and the same key show the same bug. The key holds operations
// and call sites only. It holds no thread names and no data addresses, as these differ between schedules.
#pragma once

#include <string>

#include "supervisor/trace/execution.h"

namespace raddle {

// The key consists of parts with "; " between them:
//   deadlock    for each thread of the cycle its call, and the call that took the lock it waits for; threads outside
//               the cycle are left out
//   misuse      the kind of misuse, the operation and its call site
//   crash       the site of the crash
//   otherwise   the message, and the site of the failure if the message does not hold it
std::string bug_key_of(const Execution& execution);

}  // namespace raddle
