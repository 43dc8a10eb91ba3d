// Judges an execution of a process, from the shim's record and the end of the process.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "supervisor/process/channel/read_channel.h"

namespace raddle {

// The process as seen from outside.
struct ProcessEnd {
    static ProcessEnd with(int wait_status) {
        ProcessEnd process_end;
        process_end.ended = true;
        process_end.wait_status = wait_status;
        return process_end;
    }

    bool ended = false;  // otherwise raddle had to kill it
    int wait_status = 0;
    std::chrono::milliseconds patience{0};
    bool computes = false;                       // until then
    std::string stuck_in;                        // its activity when it was killed
    std::shared_ptr<const Standing> standing{};  // where its threads stood then
};

// The number of events before a SIGKILL; nothing if there was none.
std::optional<std::size_t> events_before_kill(const channel::Channel& channel, const ProcessEnd& process_end);

Execution execution_of(Observed observed, const ProcessEnd& process_end);

}  // namespace raddle
