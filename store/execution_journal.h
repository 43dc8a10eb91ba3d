// Executions as a run of bytes: what a search has to be told again to know what it knew. Events that occur again and
// again are written once, and what an execution has in common with the one before is not written.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "supervisor/base/bytes.h"
#include "supervisor/base/hash.h"
#include "supervisor/trace/execution.h"

namespace raddle {

// Plans that ask for the same have the same; their ids do not count.
std::uint64_t key_of(const Plan& plan);

struct JournalEntry {
    std::uint64_t plan = 0;  // its key
    Execution execution;
};

class JournalWriter {
public:
    void add(const Plan& plan, const Execution& execution);
    std::uint64_t executions() const { return executions_; }
    // Begins anew.
    std::string take();

private:
    void write_event(const Event& event);

    Writer out_;
    std::uint64_t executions_ = 0;
    std::unordered_map<Hash128, std::uint64_t, HashOfHash> known_;  // events, by what they are, and their numbers
    std::vector<Event> before_;                                     // of the execution before
};

// Throws BadInput if it is damaged.
std::vector<JournalEntry> read_journal(const std::string& bytes);

}  // namespace raddle
