// Programs that were built with a sanitizer: the shim takes over what their runtime intercepts, and its reports become
// the end of the execution.
#pragma once

namespace raddle::sanitizers {

// Leads the functions that a runtime intercepts to the shim's, where the runtime's come first. Called before the
// program's own code and the runtime's own work.
void take_over();
// Called when the runtime can work: takes its shadow memory for the heap, and asks it to announce its errors.
void prepare();

}  // namespace raddle::sanitizers
