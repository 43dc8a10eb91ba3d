// What an execution of a process came to: from what the shim wrote and how the process ended.
#pragma once

#include <chrono>
#include <string>

#include "supervisor/process/read_channel.h"

namespace raddle {

// How the process went, seen from outside.
struct Passing {
    bool ended = false;         // else we had to kill it
    int wait_status = 0;
    std::chrono::milliseconds patience{0};
    std::string stuck_in;       // what it did when it was killed
};

Execution judge(Observed observed, const Passing& passing);

}  // namespace raddle
