// The memory shared with a target, from the supervisor's side: made, put in order before a launch, given a plan.
#pragma once

#include <cstddef>

#include "supervisor/process/process_target.h"
#include "supervisor/protocol/channel.h"
#include "supervisor/protocol/debugger_area.h"
#include "supervisor/protocol/stack_area.h"

namespace raddle {

// Without a name and of fixed size: no target can make it shorter under our hands.
class SharedChannel {
public:
    enum class Areas { none, stacks, stacks_and_debugger };

    explicit SharedChannel(Areas areas);
    ~SharedChannel();
    SharedChannel(const SharedChannel&) = delete;
    SharedChannel& operator=(const SharedChannel&) = delete;

    channel::Channel& operator*() const { return *channel_; }
    channel::Channel* operator->() const { return channel_; }
    channel::StackArea* stacks() const { return stacks_; }        // null if there are to be none
    channel::DebuggerArea* debugger() const { return debugger_; }  // null if there is none
    int file() const { return file_; }

    struct Circumstances {
        ForkAt fork_at;
        bool bind_now;          // all calls are bound at once, which was not the user's wish
        bool external_clients;   // somebody beside the program may connect to it
        bool has_stand_in;      // a library of ours is preloaded beside the shim
    };
    // As it has to be before a launch; what a debugger asked stays.
    void prepare(const ProcessOptions& options, const Circumstances& now);
    void write(const Plan& plan, std::uint64_t most_steps);

private:
    const std::size_t bytes_;
    int file_ = -1;
    channel::Channel* channel_ = nullptr;
    channel::StackArea* stacks_ = nullptr;
    channel::DebuggerArea* debugger_ = nullptr;
};

}  // namespace raddle
