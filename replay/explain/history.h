// Derived from the events of an execution: the owners of locks at the end and at each misuse, the preemptions, and the
// final state of the machine.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "supervisor/trace/replay_machine.h"

namespace raddle {

struct Hold {
    ThreadId thread{};
    std::size_t event = 0;  // the event that took the lock
    bool shared = false;
};
using Holds = std::map<ObjectId, std::vector<Hold>>;

// A hold from its acquisition to its release.
struct PastHold {
    ObjectId object{};
    Hold hold;
    std::optional<std::size_t> until;  // the event that released it; none: held to the end
};

class History {
public:
    History(const Execution& execution, MachineOptions options);

    const Execution& execution() const { return execution_; }
    const Machine& machine() const { return replay_.machine(); }
    const Track& track() const { return replay_.track(); }
    const Holds& holds() const { return holds_; }
    // All holds, by the event that took each.
    const std::map<std::size_t, PastHold>& past_holds() const { return past_; }
    // The holds just before this event. Known only for events with misuse or in a race.
    const Holds* holds_before(std::size_t event) const;
    bool preempts(std::size_t event) const { return preempting_.contains(event); }
    // A wait that ran out although another thread could have continued, and its length in nanoseconds.
    struct EarlyEnd {
        std::size_t event;
        std::uint64_t wait;
    };
    const std::vector<EarlyEnd>& early_ends() const { return early_ends_; }
    std::uint32_t preemptions() const { return replay_.preemptions(); }

private:
    void follow(const Event& event, std::size_t at);
    void follow(LockChange change, const ObjectId& lock, ThreadId thread, std::size_t at);
    void take(const ObjectId& object, Hold hold);
    void give_back(const ObjectId& object, ThreadId thread, std::size_t at);

    const Execution& execution_;
    ReplayMachine replay_;
    Holds holds_;
    std::map<std::size_t, PastHold> past_;
    std::map<std::size_t, Holds> before_;
    std::set<std::size_t> preempting_;
    std::vector<EarlyEnd> early_ends_;
};

}  // namespace raddle
