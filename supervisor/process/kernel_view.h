// What a process that shows nothing any more is doing, as the kernel tells it.
#pragma once

#include <sys/types.h>

#include <string>

namespace raddle {

// The number comes from the target: empty unless it is the server or a child of the server. With kernel threads all
// but one wait for their turn; that one is looked at.
std::string what_it_does(pid_t process, pid_t server, bool has_kernel_threads);

}  // namespace raddle
