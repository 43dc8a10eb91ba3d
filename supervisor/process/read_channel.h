// Copies what a target left in the shared memory, believing nothing: every number is bounded, every value of an
// enumeration is checked, and nothing is read twice. The target may still be writing.
#pragma once

#include <string>
#include <vector>

#include "supervisor/protocol/channel.h"
#include "supervisor/trace/execution.h"

namespace raddle {


struct Observed {
    channel::End end = channel::End::running;
    bool damaged = false;              // something in there makes no sense: the target wrote over it
    std::vector<Event> events;
    std::vector<Pending> pending;
    std::int64_t exit_status = 0;
    std::string message;
    channel::Crash crash{};
    std::uint32_t external_events = 0;         // bits of channel::external_event
    ThreadId last_thread{};
    bool has_wait_status = false;
    int wait_status = 0;
    Modules modules;
    std::string replacement;           // what it was about to replace itself by, or has, out of our sight
};

// Text of the target, without what a terminal would obey.
std::string printable(const char* text, std::size_t length);

Observed read_channel(const channel::Channel& channel);

// While it runs: the events from number `from` on that are complete, and the modules. Nothing else is filled in.
Observed read_events_so_far(const channel::Channel& channel, std::uint32_t from);

// What tells that the target gets on.
struct Progress {
    std::uint32_t events = 0;
    std::uint64_t clocks = 0;
    friend bool operator==(const Progress&, const Progress&) = default;
};
Progress progress_of(const channel::Channel& channel);

}  // namespace raddle
