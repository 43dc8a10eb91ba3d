// Datagram sockets inside the process. A socket has a queue of the messages that were sent to it. The receiver of a
// message is the socket that is bound to its address. Messages to other addresses leave the process, and answers to
// them come from outside: from then on the sender's queue is external.
#pragma once

#include "preload/hooks/files/descriptors.h"

namespace raddle::datagrams {

// A new socket. Other sockets are left alone.
void made(int fd, int domain, int type);

struct Route {
    fds::Index queue = 0;   // of the receiver
    bool external = false;  // the receiver is not in this process
};
// Where a message goes. `address`: null for the connected peer.
Route route(int fd, const void* address, std::uint32_t length);
bool is_datagram(int fd);

}  // namespace raddle::datagrams
