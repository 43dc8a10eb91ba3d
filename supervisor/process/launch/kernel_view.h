// The kernel's view of a process that no longer responds.
#pragma once

#include <sys/types.h>

#include <string>

namespace raddle {

// The process id comes from the target: empty unless it is the server or its child. With kernel threads only one thread
// does not wait for its turn; the result describes that one.
std::string describe_activity(pid_t process, pid_t server, bool has_kernel_threads);

}  // namespace raddle
