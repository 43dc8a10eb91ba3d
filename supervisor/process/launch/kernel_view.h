// The kernel's view of a process that no longer responds.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>

namespace raddle {

// The process id comes from the target: empty unless it is the server or its child. With kernel threads only one thread
// does not wait for its turn; the result describes that one.
std::string describe_activity(pid_t process, pid_t server, bool has_kernel_threads);

// One thread of a process: "runs", "is blocked in system call 202", "sleeps".
std::string describe_thread(pid_t process, pid_t thread);

// Whether it runs, or waits for a processor.
bool is_runnable(pid_t process, pid_t thread);

// The use that a process makes of the processors. The process id comes from the target: nothing unless it is the server
// or its child.
struct Activity {
    std::chrono::nanoseconds processor_time{};
    bool is_runnable = false;                    // some thread runs, or waits for a processor
    std::chrono::nanoseconds processor_delay{};  // how long its threads have waited for a processor
};
std::optional<Activity> activity_of(pid_t process, pid_t server);

// Call it before the server is killed: nobody waits for the processes below it then, and the kernel forgets their time.
// Adds (base/processor_time.h) the time of this process, of those between it and the server, and of the children that
// they waited for. The process id comes from the target: nothing is added if it is not below the server.
void count_processor_time_below(pid_t server, pid_t process);

}  // namespace raddle
