// The target's descriptors as the shim knows them: numbers lead to descriptions, as in the kernel, and those to the
// queues that bytes, messages or connections stand in. A queue all of whose ends are in this process is an object of
// the machine with exact amounts; any other descriptor that can block belongs to the outside.
#pragma once

#include "preload/base/raw.h"
#include "preload/intercept/describe.h"

namespace raddle::fds {

enum class Nature : std::uint8_t {
    unknown,   // not made before our eyes
    plain,     // never blocks: a file, a device
    pipe, stream, packets, counter, listener,
    watcher,   // epoll
    external,  // can block, for others to end it
};

using Index = std::uint16_t;           // 0: none
inline constexpr std::uint32_t most = 1u << 14;

struct Queue {
    ObjectId object;
    Index readers, writers;            // descriptions
    bool used, external;
};

// A connection that nobody has accepted yet.
struct Pending {
    Index to_server, to_client, next;
};

struct Description {
    Nature nature;
    bool semaphore;                    // an eventfd that gives one at a time
    bool watches_external;              // an epoll
    bool begins_again;                 // a file that has no end
    Index numbers;                     // how many lead here
    Index in, out;
    Index first_pending;
    std::uint64_t receive_timeout, send_timeout;  // nanoseconds; 0: none
};

Queue& queue(Index index);
Pending& pending(Index index);
Index take_pending();
void give_back_pending(Index index);

Description* find(int fd);             // null: not made before our eyes
Nature nature_of(int fd);              // asks the kernel if need be
inline bool in_range(int fd) { return fd >= 0 && static_cast<std::uint32_t>(fd) < most; }

Description* adopt(int fd, Nature nature);   // a new description behind this number
Index new_queue(int fd, std::uint64_t part = 0);   // part: 0, or 1 where one number leads to two
void lead_to(int fd, int other);       // as dup does
bool depends_on_external(int fd);       // what can be read or written there
// Whose address this is; null if nobody's in this process.
Description* listener_at(const void* address, std::uint32_t length);
// The queues that end with this number: at most two.
struct Ends {
    ObjectId queue[2];
    int count = 0;
};
Ends ends_of(int fd);
void forget(int fd);                   // the number leads nowhere any more

// ---- actions
inline ObjectId table() { return object_in(Space::descriptors, 0, 0); }
inline ObjectId named(int fd, std::uint64_t part = 0) { return object_in(Space::descriptor, part, static_cast<std::uint64_t>(fd)); }

// What nobody knows the other end of is one object.
inline ObjectId external_object() { return named(1 << 20); }
inline ObjectId own_object() { return object_in(Space::descriptor, scheduler::current().id.code, std::uint64_t{1} << 62); }
// A wait that the outside alone can end.
inline Action external_wait() {
    Action action = of(Operation::descriptor_wait);
    action.object = external_object();
    action.second = own_object();
    action.flags = flag::external;
    return action;
}

// Numbers are about to be given out.
void announce_table();
// Numbers are taken back, or something else changes what waits for many at once see.
void announce_change();
// The queue is there, with so much room.
void announce_queue(Index index, std::int64_t room, std::int64_t filled = 0);
// The operating system had other amounts.
void announce_correction(Index index, std::int64_t room, std::int64_t filled);
// It holds so much more.
void announce_capacity(Index index, std::int64_t more);
void announce_closing(const ObjectId& queue);
// From now on others use all of our queues, too.
void share_all();
void share(Index index);
void start_over();                     // in a child
// Processes forked from here, one after the other, do not find in a descriptor what another left there.
channel::Obstacle obstacle_to_forking();

constexpr std::int64_t much_room = 1 << 30;

// What a call returns for what the kernel gave.
inline long returned(long result) {
    if (!raw::failed(result)) return result;
    errno = static_cast<int>(-result);
    return -1;
}

}  // namespace raddle::fds
