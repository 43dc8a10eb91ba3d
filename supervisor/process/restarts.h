// The ways in which the executions of a target got their process.
#pragma once

#include <cstdint>
#include <string>

#include "supervisor/protocol/channel.h"

namespace raddle {

struct Restarts {
    std::uint64_t launched = 0;     // processes launched
    std::uint64_t forked = 0;       // processes forked from those
    std::uint64_t restored = 0;     // executions in a restored process
    std::uint64_t discarded = 0;    // processes that could not be restored …
    std::string discarded_because;  // … and the reason for the last one
    bool given_up = false;          // restoring no longer paid
    std::uint64_t resumed = 0;      // of the restored executions, those that began at a checkpoint
    std::string no_checkpoint;      // why none was kept where the last one was wanted
    std::uint64_t checked = 0;      // executions repeated in a fresh process
    std::uint64_t differed = 0;     // of these, executions with a difference

    Restarts& operator+=(const Restarts& other);
};
// Whether the execution of this number since the launch is repeated in a fresh process (ProcessOptions::check_every).
constexpr bool is_checked(std::uint64_t number, std::uint64_t check_every) {
    return check_every != 0 && (number == 2 || number == 10 || number == 100 || number % check_every == 0);
}
// As the shim counted them since the launch.
Restarts restarts_in(const channel::Channel& channel);
// One line.
std::string text_of(const Restarts& restarts);

}  // namespace raddle
