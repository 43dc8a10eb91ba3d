// Where an execution stands that is not over, or just is, for somebody who looks at it in a debugger: what each thread
// does, who holds which lock and who waits for it, why nobody goes on. Lines of text.
#pragma once

#include "replay/explain/blocked.h"

namespace raddle {

class DebuggerState {
public:
    // `running`: whose code runs, if somebody's does.
    DebuggerState(const Evidence& evidence, MachineOptions machine, std::optional<ThreadId> running);

    std::string threads() const;
    std::string locks() const;
    std::string why() const;
    // Counted from 1: "T1 locks mutex a (abba.c:11)". Empty if it was not taken.
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
