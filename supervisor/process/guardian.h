// What runs under us must not outlive us, not even if we are killed without a chance to do anything: the programs' own
// children, which the kernel does not end with their parents. A small process of ours knows the process groups that were
// started, learns of our end by a pipe that breaks, and kills what is left of them.
#pragma once

#include <sys/types.h>

namespace raddle::guardian {

// Where the number of a process group is written to have it watched: by its first process itself, before it can do
// anything. -1 if there is no guardian.
int descriptor();
void forget(pid_t group);

}  // namespace raddle::guardian
