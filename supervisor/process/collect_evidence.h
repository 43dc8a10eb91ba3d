// Runs executions with everything that explains them: the stack of every action, the origin of heap blocks, the address
// of a crash, names of objects. This is much slower than a plain run, so it happens once for a bug and once for the
// execution it is compared with. Both run in one target: the program is launched, and its files are read, once.
#pragma once

#include <memory>

#include "supervisor/process/launch/process_options.h"
#include "supervisor/protocol/stack_area.h"
#include "supervisor/search/target.h"
#include "supervisor/trace/evidence.h"

namespace raddle {

class EvidenceTarget {
public:
    explicit EvidenceTarget(ProcessOptions options);
    ~EvidenceTarget();
    EvidenceTarget(const EvidenceTarget&) = delete;
    EvidenceTarget& operator=(const EvidenceTarget&) = delete;

    // Throws what ProcessTarget throws.
    Evidence collect(const Plan& plan);

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

// For one execution.
Evidence collect_evidence(ProcessOptions options, const Plan& plan);

// The evidence of an execution whose stacks are in `stacks`, finished or not. `options` name the shim.
Evidence evidence_of(const channel::StackArea& stacks, const channel::Crash& crash, const ProcessOptions& options,
                     Execution execution);

}  // namespace raddle
