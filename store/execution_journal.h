// Executions as a string of bytes, from which a search can learn again what it knew. Repeated events are written once,
// and the common beginning of two neighbouring executions is omitted.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "supervisor/base/bytes.h"
#include "supervisor/base/hash.h"
#include "supervisor/trace/execution.h"

namespace raddle {

// Equal for plans that ask for the same execution, whatever their ids.
std::uint64_t key_of(const Plan& plan);

struct JournalEntry {
    std::uint64_t plan = 0;  // key_of the plan
    Execution execution;
};

class JournalWriter {
public:
    void add(const Plan& plan, const Execution& execution);
    std::uint64_t executions() const { return executions_; }
    // Returns the bytes so far and starts a new journal.
    std::string take();

private:
    void write_event(const Event& event);

    Writer out_;
    std::uint64_t executions_ = 0;
    std::unordered_map<Hash128, std::uint64_t, HashOfHash> known_;  // number of each event, by its content
    Events before_;                                                 // of the previous execution
};

// Throws BadInput if it is damaged.
std::vector<JournalEntry> read_journal(const std::string& bytes);

}  // namespace raddle
