// Processor time, which depends less on who else uses the machine than what the clock says.
#pragma once

namespace raddle {

// The processor time of this process, and of those it started that have ended.
double processor_seconds();

}  // namespace raddle
