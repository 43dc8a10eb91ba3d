// Timers in virtual time.
//   * A timerfd is passive. Its readiness depends on its setting and the virtual time of the thread that looks at it.
//     Calls on descriptors first make expired ones readable, and wait no longer than to the next expiration. The
//     descriptor table orders changes of the setting. The program holds an eventfd, which behaves the same.
//   * POSIX timers, alarm and setitimer are active. Each armed one is a thread of the shim that sleeps until the
//     timer's time, so the search explores when it expires. The thread ends when the timer is disarmed, or has
//     expired for the last time.
#pragma once

#include <poll.h>

#include <cstddef>
#include <cstdint>

namespace raddle::timers {

bool is_descriptor(int fd);
void descriptor_closed(int fd);
// Makes the descriptors of expired timers readable, by the current thread's time. Call after an action on the
// descriptor table.
void write_expirations();
// The virtual time when the next of these expires; 0: never. Timers in an epoll count for every epoll.
std::uint64_t next_expiration(const pollfd* descriptors, int count);
void added_to_epoll(int fd);
// Reads from a timerfd, and waits unless it is nonblocking. Returns the kernel's result.
long read(int fd, void* buffer, std::size_t bytes);
void start_over();  // in a forked child: it inherits timerfds only

}  // namespace raddle::timers
