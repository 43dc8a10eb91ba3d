// One execution under a plan with all that explains it: stacks of every action, where heap blocks come from, what a
// crash hit, names of objects. Much slower than a plain run, so done once for a bug and once for what it is compared to.
#pragma once

#include "supervisor/process/process_target.h"
#include "supervisor/trace/evidence.h"

namespace raddle {

// Throws what ProcessTarget throws.
Evidence gather_evidence(ProcessOptions options, const Plan& plan);

// Of one whose stacks lie there, over or not. `options` name the shim.
Evidence evidence_of(const channel::StackArea& stacks, const channel::Crash& crash, const ProcessOptions& options, Execution execution);

}  // namespace raddle
