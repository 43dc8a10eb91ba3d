// Ways to be at the start of an execution again. The fork server: the launched process runs up to the fork point (the
// first thread, or its start), and from then on forks a child for each plan. Without it, every plan is a launch.
#pragma once

namespace raddle::restart {

// Where a server would be made. Comes back in the process that is to carry out the plan, governed.
void fork_point();
void fork_at_start();  // called before the program's own code

// The program did something that a forked copy of it does not have: from now on no server can be made here, and every
// plan takes a launch. For anything done before the fork point: children, kernel threads, …
void rule_out_fork_server();

}  // namespace raddle::restart
