// Executions that were made before the campaign. A plan that one of them answers needs no execution of its own.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "supervisor/trace/execution.h"

namespace raddle {

struct KnownExecution {
    Plan plan;
    Execution execution;
};

class KnownExecutions {
public:
    explicit KnownExecutions(std::vector<KnownExecution> known) : known_(std::move(known)) {}

    // The execution of the plan, if it is known. Each is given once: who asks again wants to compare. Any thread may
    // ask.
    std::optional<Execution> take(const Plan& plan);
    std::uint64_t taken() const;

private:
    mutable std::mutex lock_;
    std::vector<KnownExecution> known_;
    std::uint64_t taken_ = 0;
};

}  // namespace raddle
