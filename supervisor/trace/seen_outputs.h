// The different outputs of a program: standard output and exit status of the executions that came to an end of their
// own. They are no bugs. Outputs are compared by a hash, and the number of those that are kept is bounded.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "supervisor/base/hash.h"
#include "supervisor/trace/execution.h"

namespace raddle {

struct SeenOutput {
    std::int64_t exit_status = 0;
    Hash128 hash{};           // of the standard output
    std::uint64_t bytes = 0;  // of it
    std::string begins;       // its first bytes
    std::uint64_t times = 0;
    Schedule schedule;        // of an execution with it; empty: none is known under which it would show again
    std::uint64_t epoch = 0;  // of that schedule
};

struct SeenOutputs {
    std::vector<SeenOutput> rows;  // the most frequent first
    std::uint64_t others = 0;      // executions with outputs beyond the limit: these are different from all rows
    bool is_cut = false;           // an output was longer than what was looked at

    std::uint64_t executions() const;
};

// Collects them.
class OutputCollector {
public:
    static constexpr std::size_t most_outputs = 100;
    static constexpr std::size_t longest_begin = 200;

    // `limit`: the length at which captured output is cut off.
    explicit OutputCollector(std::size_t limit) : limit_(limit) {}

    // `epoch`: of the execution's plan. Where more accesses are visible, earlier schedules mean something else.
    void add(const Execution& execution, std::uint64_t epoch);
    // Those of earlier runs of the campaign, or of another campaign. `may_overlap`: some executions may be the same.
    void add(const SeenOutputs& others, bool may_overlap = false);
    SeenOutputs outputs() const;

private:
    using Key = std::tuple<Hash128, std::uint64_t, std::int64_t>;
    SeenOutput* find_or_add(const Key& key);
    void keep_schedule(SeenOutput& row, const Execution& execution);

    const std::size_t limit_;
    std::map<Key, SeenOutput> rows_;
    SeenOutput* latest_ = nullptr;  // most executions have the output of the one before
    std::uint64_t epoch_ = 0;       // the newest
    std::uint64_t steps_ = 0;       // in all schedules
    std::uint64_t others_ = 0;
    bool is_cut_ = false;
};

// "3 different outputs", "more than 100 different outputs".
std::string text_of_number(const SeenOutputs& outputs);

// "3 different outputs in 12 executions"; empty if there is at most one.
std::string summary_of(const SeenOutputs& outputs);
// "10 × exit 0, 6 bytes: 'sum 3'", one for each, and the rest as a number.
std::vector<std::string> lines_of(const SeenOutputs& outputs, bool with_schedules);

}  // namespace raddle
