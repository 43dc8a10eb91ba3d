// Libraries whose accesses are not followed, such as very large ones: notes whether two threads run their code. The
// code is made inaccessible to all but the first thread that ran it. A second thread that gets there raises SIGSEGV,
// and from then on everybody may run the code. Single places of followed modules are treated alike, with breakpoints.
// If Settings::count_unwatched, threads run such libraries step by step, and the instructions of two threads are
// counted.
#pragma once

#include <link.h>

#include "preload/schedule/callbacks.h"

namespace raddle::memory::unwatched {

// A loaded module, the `number`-th unwatched one of the description.
void add(const dl_phdr_info& module, std::uint32_t number);
// In the handler of SIGSEGV: whether the current thread came to such code, and may go on now.
bool entered(std::uint64_t instruction, std::uint64_t& flags);
// The skipped places of a followed module that is loaded at this address.
void add_skipped(std::uint32_t module, std::uint64_t base, std::uint64_t end);
// In the handler of SIGTRAP, with the address of the next instruction: whether the thread came to a skipped place, or
// made one step. The thread goes on at `instruction`.
bool trapped(std::uint64_t& instruction, std::uint64_t& flags);
// The program handles SIGSEGV itself, so nothing can be found out: every unwatched library counts as run by two
// threads.
void give_up();

}  // namespace raddle::memory::unwatched
