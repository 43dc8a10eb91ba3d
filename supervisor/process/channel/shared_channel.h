// The supervisor's side of the shared memory: creates it, prepares it for a launch, and writes plans.
#pragma once

#include <cstddef>

#include "supervisor/process/launch/process_options.h"
#include "supervisor/protocol/channel.h"
#include "supervisor/protocol/debugger_area.h"
#include "supervisor/protocol/stack_area.h"

namespace raddle {

// Nameless and of fixed size, so that no target can shrink it while we read.
class SharedChannel {
public:
    enum class Areas { none, stacks, stacks_and_debugger };

    explicit SharedChannel(Areas areas);
    ~SharedChannel();
    SharedChannel(const SharedChannel&) = delete;
    SharedChannel& operator=(const SharedChannel&) = delete;

    channel::Channel& operator*() const { return *channel_; }
    channel::Channel* operator->() const { return channel_; }
    channel::StackArea* stacks() const { return stacks_; }         // null if stacks are not taken
    channel::DebuggerArea* debugger() const { return debugger_; }  // null without a debugger
    int file() const { return file_; }

    struct Circumstances {
        ForkAt fork_at;
        bool bind_now;          // we set LD_BIND_NOW, not the user
        bool external_clients;  // another process may connect to the program
        bool has_stand_in;      // a library of ours is preloaded beside the shim
        bool check_signals;     // threads check for signals from the start
    };
    // Resets everything for a launch, except the debugger's questions.
    void prepare(const ProcessOptions& options, const Circumstances& now);
    // `shared_steps`: so many first steps are those of the last execution.
    void write(const Plan& plan, std::uint64_t most_steps, std::uint32_t shared_steps = 0);
    // These records were read: where they are many, they take no memory of this process any more.
    void release_events(std::size_t from, std::size_t to);

private:
    const std::size_t bytes_;
    int file_ = -1;
    channel::Channel* channel_ = nullptr;
    channel::StackArea* stacks_ = nullptr;
    channel::DebuggerArea* debugger_ = nullptr;
};

}  // namespace raddle
