// Three ways to be at the start of an execution again.
//   * Restore in the process (restorable_child.cpp): a child of the fork server, after its execution, puts itself back
//   to
//     the fork point and takes the next plan. This is the fastest way.
//   * The fork server (fork_server.cpp): the launched process runs up to the fork point (the first thread, or the start
//   of
//     the program) and from then on forks a child for each plan.
//   * A launch for every plan, if there is no server.
#pragma once

#include "preload/schedule/callbacks.h"
#include "supervisor/protocol/channel.h"

namespace raddle::restore {

// Prepares everything for executions: before the program's first thread, at the latest before main. (attach.cpp)
void be_ready();

// The point where the process may become a server. Returns in the process that runs the plan, in phase `scheduled`.
void fork_point();
void fork_at_start();  // called before the program's own code

// The program did something before the fork point that a forked copy would lack: it started a child or a kernel thread.
// From now on this process cannot become a server, and every plan takes a launch.
void rule_out_fork_server();

// leave() is in schedule/callbacks.h. Whether it goes back to the start: then the caller has to do before it what the
// kernel does for a process that ends.
bool comes_back();
// A different number for each execution of the process.
std::uint32_t execution_number();

// Whether some of this memory was mapped at the start.
bool was_there(const void* begin, std::size_t bytes);
// Discards the contents of these pages: they read as zeros from then on.
void drop(void* begin, std::size_t bytes);

}  // namespace raddle::restore
