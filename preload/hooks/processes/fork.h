// Forks of the program: children start over as programs of their own, or are followed.
#pragma once

namespace raddle {

// Must be called before the program registers fork handlers of its own.
void register_fork_handler();

// Whether the child of the next fork becomes the program under test (--follow-forks). Only while there is one thread.
bool follows_forks();
// Forks. The child goes on as the program under test; the parent waits for it and ends with the same status.
int fork_followed();

}  // namespace raddle
