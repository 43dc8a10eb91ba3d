// The program's descriptors. As in the kernel, a number leads to a description, and a description to the queues that
// hold bytes, messages or connections. A queue with all ends in this process is an object of the machine with exact
// amounts. All other descriptors that can block are external.
#pragma once

#include "preload/base/raw.h"
#include "preload/intercept/describe.h"

namespace raddle::fds {

enum class Nature : std::uint8_t {
    unknown,  // not created under control
    plain,    // never blocks: a file or a device
    pipe,
    stream,
    packets,
    counter,
    listener,
    watcher,   // epoll
    signals,   // signalfd: an eventfd that the shim makes readable
    external,  // can block until another process acts
};

using Index = std::uint16_t;  // 0: none
inline constexpr std::uint32_t most = 1u << 14;

struct Queue {
    ObjectId object;
    Index readers, writers;  // number of descriptions
    bool used, external;
};

// A connection that waits to be accepted.
struct Pending {
    Index to_server, to_client, next;
};

struct Description {
    Nature nature;
    bool semaphore;         // an eventfd in semaphore mode
    bool watches_external;  // an epoll that watches external descriptors
    bool is_datagram;       // a socket without a connection: its queue belongs to its address
    bool begins_again;      // reading starts again at the end of the file
    Index numbers;          // number of descriptor numbers that lead here
    Index in, out;
    Index first_pending;
    std::int64_t room;                            // a listener: number of clients that can wait
    std::uint64_t receive_timeout, send_timeout;  // nanoseconds; 0: none
    std::uint64_t awaited_signals;                // of a signalfd, or of those that an epoll watches
};

// A number that was closed, as it was before. A thread that uses it cannot know that: it announces the same action as
// before, and learns by its result.
struct Closed {
    Description description;
    ObjectId in, out;
    bool nonblocking;
};

Queue& queue(Index index);
Pending& pending(Index index);
Index take_pending();
void give_back_pending(Index index);

Description* find(int fd);  // null: not created under control
Nature nature_of(int fd);   // asks the kernel if necessary
inline bool in_range(int fd) { return fd >= 0 && static_cast<std::uint32_t>(fd) < most; }

Description* adopt(int fd, Nature nature);        // makes a new description for this number
Index new_queue(int fd, std::uint64_t part = 0);  // part: 0, or 1 for the second queue of a number
void duplicate(int fd, int other);                // as dup()
// The first number from `fd` on that leads to a description of this nature; -1: none.
int next_of(Nature nature, int fd);
bool depends_on_external(int fd);  // whether another process decides about its readiness
// The queues that lose an end when this number is closed: at most two.
struct Ends {
    ObjectId queue[2];
    int count = 0;
};
Ends ends_of(int fd);
void forget(int fd);  // drops the number
// A message in a socket holds the description of a number; 0: it is not known. It lets go of it, or a new number leads
// there.
Index hold(int fd);
void let_go(Index description);
void lead(int fd, Index description);
// Before a number is closed; null if it was not, or leads to something else by now.
void remember(int fd);
const Closed* closed(int fd);

// ---- actions
inline ObjectId table() { return object_in(Space::descriptors, 0, 0); }
inline ObjectId named(int fd, std::uint64_t part = 0) {
    return object_in(Space::descriptor, part, static_cast<std::uint64_t>(fd));
}

// All descriptors with an unknown other end share one object.
inline ObjectId external_object() { return named(1 << 20); }
inline ObjectId own_object() {
    return object_in(Space::descriptor, scheduler::current().id.code, std::uint64_t{1} << 62);
}
// A wait that only another process can end.
inline Action external_wait() {
    Action action = of(Operation::descriptor_wait);
    action.object = external_object();
    action.second = own_object();
    action.flags = flag::contents_unknown;
    return action;
}

// Announces that descriptor numbers will be allocated.
void announce_table();
// The number as an object: for calls on files and on closed numbers, in order with open and close.
inline ObjectId number(int fd) { return named(fd, std::uint64_t{1} << 50); }
// Announces that the number was allocated.
void announce_number(int fd);
// Announces that numbers were freed, or that something else changed for poll, select or epoll.
void announce_change();
// Which sockets have which address: announces a look at it, or a change.
void announce_look_at_addresses();
void announce_change_of_addresses();
// Announces a new queue with this much room.
void announce_queue(Index index, std::int64_t room, std::int64_t filled = 0);
// Announces amounts of the kernel that differ from the model's.
void announce_correction(Index index, std::int64_t room, std::int64_t filled);
// Announces a larger capacity.
void announce_capacity(Index index, std::int64_t more);
void announce_closing(const ObjectId& queue);
// Until the thread's next action no other thread uses the queue.
void claim(Index index);
// An object keeps the queue beside the descriptors, as both ends; and no longer.
void keep(Index index);
void drop(Index index);
// Announces that other processes share all queues from now on.
void share_all();
void share(Index index);
void start_over();  // in a forked child
// The first open descriptor that forked copies of this process would share; none if they can be forked safely.
channel::Obstacle obstacle_to_forking();

constexpr std::int64_t much_room = 1 << 30;

}  // namespace raddle::fds
