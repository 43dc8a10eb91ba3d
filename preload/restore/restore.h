// Ways to be at the start of an execution again. The fork server (fork_server.cpp): the launched process runs up to the
// fork point (the first thread, or its start), and from then on forks a child for each plan. In-process restore
// (restorable_child.cpp): such a child, when its execution is over, puts itself back to where it was forked and takes the next
// plan. Without a server, every plan is a launch.
#pragma once

#include "preload/schedule/callbacks.h"
#include "supervisor/protocol/channel.h"

namespace raddle::restore {

// Before the program's first thread, and before its main at the latest: all is as executions need it.
void be_ready();

// Where a server would be made. Comes back in the process that is to carry out the plan, governed.
void fork_point();
void fork_at_start();  // called before the program's own code

// The program did something that a forked copy of it does not have: from now on no server can be made here, and every
// plan takes a launch. For anything done before the fork point: children, kernel threads, …
void rule_out_fork_server();

// Whether leave() may come back to the start: then what an ending process does by itself has to be done before.
bool comes_back();
// Different for each execution of a process that comes back.
std::uint32_t execution_number();

// Whether some of this memory was there at the start.
bool was_there(const void* begin, std::size_t bytes);
// The contents of these pages are about to be given up.
void dropping(const void* begin, std::size_t bytes);

}  // namespace raddle::restore
