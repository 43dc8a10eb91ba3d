// The different ways a program ended: what it ended with, and what it wrote, over all executions of a run.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "supervisor/campaign/observer.h"

namespace raddle {

struct ProgramOutcome {
    Verdict verdict = Verdict::ok;
    std::int64_t exit_status = 0;
    std::string output, errors;
    std::uint64_t times = 0;
    Schedule schedule;  // of one that ended so: the shortest, and of these the first
};

struct ProgramOutcomes {
    std::vector<ProgramOutcome> rows;  // the most frequent first
    std::uint64_t others = 0;   // executions that ended in yet other ways, there being too many
};

class OutcomeTable final : public Observer {
public:
    void executed(const Plan&, const Execution& execution, Strategy&) override;
    ProgramOutcomes outcomes() const;

private:
    using Key = std::tuple<Verdict, std::int64_t, std::string, std::string>;
    std::map<Key, ProgramOutcome> rows_;
    std::uint64_t others_ = 0;
};

std::string outcomes_for_people(const ProgramOutcomes& outcomes);

}  // namespace raddle
