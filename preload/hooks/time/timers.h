// Timers in virtual time.
//   * What a timerfd gives is a function of its setting and of the virtual time of whoever looks, so it takes no part of
//     its own: who looks at descriptors is brought up to date first, and waits no longer than to the next expiration.
//     Its setting is ordered by the table of descriptors, as all that those look at who wait for one of many. What is
//     there to be read lies in an eventfd, which looks the same to the program.
//   * Timers that send signals or start threads, alarm and setitimer among them, do so by themselves: each armed one is a
//     thread of the shim's, which sleeps until the timer's time. So when it expires is explored as when any sleeper goes
//     on is. It ends when its timer is disarmed, or has expired and does not repeat.
#pragma once

#include <poll.h>

#include <cstddef>
#include <cstdint>

namespace raddle::timers {

bool is_descriptor(int fd);
void descriptor_closed(int fd);
// What is due for the current thread becomes readable. To be called when the table of descriptors was looked at.
void bring_up_to_date();
// When the next of these expires, in virtual time; 0: none does. Those in an epoll count for every epoll.
std::uint64_t next_expiration(const pollfd* descriptors, int count);
void added_to_epoll(int fd);
// One look, or a wait until it has expired; gives what the kernel gives.
long read(int fd, void* buffer, std::size_t bytes);
void start_over();  // in a child, which inherits none but timerfds

}  // namespace raddle::timers
