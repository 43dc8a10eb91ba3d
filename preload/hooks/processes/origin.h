// This process as the origin of others (supervisor/protocol/origin.h).
#pragma once

namespace raddle {

struct NewLaunch {
    long channel, code;  // descriptors; code -1: none
};

// Serves requests for ever. Returns in each new process.
NewLaunch serve_as_origin(long socket);

}  // namespace raddle
