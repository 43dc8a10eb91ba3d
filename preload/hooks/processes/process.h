#pragma once

namespace raddle {

// To be called before the program registers handlers of its own.
void register_fork_handler();

// With --follow-forks, and while there is one thread only: the child goes on as the program that is tested, and its
// parent waits for its end to end as it did.
bool follows_forks();
int fork_followed();

// What the program is told that it and its parent are called.
// With threads and a followed child, still a number that a process could have.
inline constexpr int steady_process_id = 4180000;
void name_process(int process, int parent);
// The process is another now, and goes by its own id.
void note_process_id();
struct Thread;
// The thread that gettid() gives this number; null if there is none.
Thread* thread_with_id(int id);
// What the kernel calls a process that the program knows by this id: its own and its parent's are as they were told.
int kernels_id_of(int process);

}  // namespace raddle
