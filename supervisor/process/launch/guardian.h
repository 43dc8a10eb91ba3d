// Nothing that raddle starts may outlive it, even after SIGKILL; the kernel does not end the children of the programs.
// A small guardian process knows all process groups that were started. It notices our end through a broken pipe and
// kills what is left of the groups.
#pragma once

#include <sys/types.h>

namespace raddle::guardian {

// Takes the numbers of process groups to guard. The first process of a group writes it before it does anything else. -1
// if no guardian exists.
int descriptor();
// Safe between vfork and exec. False if the guardian is gone.
bool tell(int guardian, pid_t word);
void forget(pid_t group);

}  // namespace raddle::guardian
