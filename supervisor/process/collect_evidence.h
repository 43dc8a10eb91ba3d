// Runs one execution with everything that explains it: the stack of every action, the origin of heap blocks, the
// address of a crash, names of objects. This is much slower than a plain run, so it happens once for a bug and once for
// the execution it is compared with.
#pragma once

#include "supervisor/process/launch/process_options.h"
#include "supervisor/protocol/stack_area.h"
#include "supervisor/search/target.h"
#include "supervisor/trace/evidence.h"

namespace raddle {

// Throws what ProcessTarget throws.
Evidence collect_evidence(ProcessOptions options, const Plan& plan);

// The evidence of an execution whose stacks are in `stacks`, finished or not. `options` name the shim.
Evidence evidence_of(const channel::StackArea& stacks, const channel::Crash& crash, const ProcessOptions& options,
                     Execution execution);

}  // namespace raddle
