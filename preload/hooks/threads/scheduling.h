// Scheduling as system calls know it; what each gives is what the kernel would, errors as negative numbers.
#pragma once

#include <sys/types.h>

namespace raddle::scheduling {

long get_attributes(pid_t pid, void* to, unsigned size, unsigned flags);
long set_attributes(pid_t pid, const void* from, unsigned flags);
long get_disk_priority(int which, int who);
long set_disk_priority(int which, int who, int priority);

}  // namespace raddle::scheduling
