// Libraries whose accesses are not followed, such as very large ones: notes whether two threads run their code. The
// code is made inaccessible to all but the first thread that ran it. A second thread that gets there raises SIGSEGV,
// and from then on everybody may run the code.
#pragma once

#include <link.h>

#include "preload/schedule/callbacks.h"

namespace raddle::memory::unwatched {

// A loaded module, the `number`-th unwatched one of the description.
void add(const dl_phdr_info& module, std::uint32_t number);
// In the handler of SIGSEGV: whether the current thread came to such code, and may go on now.
bool entered(std::uint64_t instruction);
// The program handles SIGSEGV itself, so nothing can be found out: every unwatched library counts as run by two
// threads.
void give_up();

}  // namespace raddle::memory::unwatched
