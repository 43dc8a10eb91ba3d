// The different ways a program ended, over all executions of a run: exit status and output.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "supervisor/campaign/observer.h"
#include "supervisor/trace/seen_outputs.h"

namespace raddle {

struct ProgramOutcome {
    Verdict verdict = Verdict::ok;
    std::int64_t exit_status = 0;
    std::string output, errors;
    std::uint64_t times = 0;
    Schedule schedule;  // the first of the shortest schedules with this end
};

struct ProgramOutcomes {
    std::vector<ProgramOutcome> rows;  // the most frequent first
    std::uint64_t others = 0;          // executions beyond the limit on different ways
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

// The different outputs, which every run collects that can see them. They are no bugs.
class OutputTable final : public Observer {
public:
    explicit OutputTable(std::size_t limit) : collector_(limit) {}

    void add(const SeenOutputs& earlier) { collector_.add(earlier); }
    void executed(const Plan& plan, const Execution& execution, Strategy&) override {
        collector_.add(execution, plan.epoch);
    }
    SeenOutputs outputs() const { return collector_.outputs(); }

private:
    OutputCollector collector_;
};

}  // namespace raddle
