// The launched process becomes the server that all executions are forked from: at the program's first new thread, or at
// its start if it has something there that cannot be forked.
#pragma once

#include <string>

#include "supervisor/process/launch/process_options.h"
#include "supervisor/protocol/channel.h"

namespace raddle {

class ForkChoice {
public:
    explicit ForkChoice(ForkAt wanted) : next_(wanted) {}

    // For the next launch.
    ForkAt next() const { return next_; }
    // After each execution: did the process become a server, and if not, for which reason?
    void learn(const channel::Channel& channel);

    ForkAt way() const { return way_; }
    const std::string& why() const { return why_; }  // one phrase for people

private:
    ForkAt next_;
    ForkAt way_ = ForkAt::first_thread;
    std::string why_;
    std::string why_not_later_ = "as was asked for";
};

}  // namespace raddle
