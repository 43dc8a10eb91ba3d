// The state of an execution in a debugger: the action of each thread, owners and waiters of locks, and the reason why
// no thread continues. Lines of text.
#pragma once

#include "replay/explain/blocked.h"

namespace raddle {

class DebuggerState {
public:
    // `running`: the thread whose code runs now, if any.
    DebuggerState(const Evidence& evidence, MachineOptions machine, std::optional<ThreadId> running);

    std::string threads() const;
    std::string locks() const;
    std::string why() const;
    // Steps count from 1: "T1 locks mutex a (abba.c:11)". Empty if that step was not taken.
    std::string step(std::size_t number) const;

private:
    std::string state_of(ThreadSlot slot) const;
    const BlockedThread* blocked(ThreadId thread) const;

    const Evidence& evidence_;
    const History history_;
    const Blocked blocked_;
    const std::optional<ThreadId> running_;
};

}  // namespace raddle
