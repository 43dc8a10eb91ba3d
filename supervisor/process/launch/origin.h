// Launches that do not depend on address randomisation. Where the system does not let raddle switch it off, one process
// of the program is launched, and all others are forked from it before its code runs (supervisor/protocol/origin.h).
#pragma once

#include "supervisor/process/launch/launch.h"

namespace raddle {

// As execute(), for all launches of this process of raddle. Throws CannotRun.
Launched launch(const ProcessOptions& options, const Launch& how);

}  // namespace raddle
