// Processor time, which depends less on who else uses the machine than what the clock says.
#pragma once

namespace raddle {

// The processor time of this process, of those it started that have ended, and of those that were added.
double processor_seconds();
// Of a process that ends without its parent waiting for it: the kernel counts its time nowhere.
void add_processor_seconds(double seconds);

}  // namespace raddle
