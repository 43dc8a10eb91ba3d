// System calls for scheduling. Results are the kernel's: errors are negative.
#pragma once

#include <pthread.h>
#include <sys/types.h>

namespace raddle {
struct Thread;
}

namespace raddle::scheduling {

// Gives a new thread the parameters of its attributes, or of its creator. Returns an error number.
int begin(const Thread& child, const Thread& creator, const pthread_attr_t* attr);

long get_attributes(pid_t pid, void* to, unsigned size, unsigned flags);
long set_attributes(pid_t pid, const void* from, unsigned flags);
long get_disk_priority(int which, int who);
long set_disk_priority(int which, int who, int priority);

}  // namespace raddle::scheduling
