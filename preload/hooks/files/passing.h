// Descriptors on their way through a Unix socket (SCM_RIGHTS). A message holds the descriptions; whoever receives it
// gets new numbers for them. Messages that leave the process, or come from outside, hold none that the shim knows.
#pragma once

#include <sys/socket.h>

#include "preload/hooks/files/descriptors.h"

namespace raddle::passing {

// After the message was sent to this queue.
void sent(fds::Index queue, const msghdr& message);
// Some message in the queue holds descriptors.
bool has_any(fds::Index queue);
// After a message was received from this queue (0: from outside).
void received(fds::Index queue, msghdr& message, bool peeks);
// recv() where the message may hold descriptors: the kernel closes them unseen. Returns the kernel's result.
long receive_without(fds::Index queue, int fd, iovec piece, int flags, sockaddr* address, socklen_t* length);

}  // namespace raddle::passing
