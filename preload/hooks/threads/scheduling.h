// System calls for scheduling. Results are the kernel's: errors are negative.
#pragma once

#include <sys/types.h>

namespace raddle::scheduling {

long get_attributes(pid_t pid, void* to, unsigned size, unsigned flags);
long set_attributes(pid_t pid, const void* from, unsigned flags);
long get_disk_priority(int which, int who);
long set_disk_priority(int which, int who, int priority);

}  // namespace raddle::scheduling
