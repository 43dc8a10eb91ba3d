// Ids of processes and threads as the program knows them. They are the same in every execution, so the kernel's differ.
#pragma once

namespace raddle {

struct Thread;

// The id that the program is given with memory exploration, where an id is a value in memory. A real process could have
// it, with the ids of its threads behind it.
inline constexpr int fixed_process_id = 4180000;

// Sets the ids that the program is given for itself and its parent.
void set_process_ids(int process, int parent);
// After a fork: the program is given the kernel's ids.
void renew_process_ids();
// What gettid returns to this thread. Threads that are the kernel's have such ids, too.
int id_of(const Thread& thread);
// The thread with this id; null if there is none.
Thread* thread_with_id(int id);
// The kernel's id of a process or thread that the program knows by `id`. Only its own and its parent's differ.
int kernel_id_of(int id);

}  // namespace raddle
