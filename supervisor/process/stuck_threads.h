// A look at a target that makes no progress, before raddle kills it.
#pragma once

#include <memory>

#include "supervisor/process/launch/process_options.h"
#include "supervisor/protocol/channel.h"
#include "supervisor/protocol/stack_area.h"
#include "supervisor/trace/standing.h"

namespace raddle {

// `process` belongs to the target: the caller has checked it. `executable`: the path of the program.
std::shared_ptr<const Standing> stuck_threads(const channel::Channel& channel, pid_t process,
                                              const ProcessOptions& options, const std::string& executable);
// The shim handles this signal like a crash: it leaves the stack of the running thread.
void ask_for_stack(pid_t process, const channel::StackArea& stacks);
// "; T1 runs: spin at hang.c:7", for a message of one line; empty if nothing is known.
std::string first_of(const std::shared_ptr<const Standing>& standing);

}  // namespace raddle
