// The functions of libc that the shim itself calls. A library in front of libc may define functions with the same
// names, as the runtimes of sanitizers do (strcmp, memcpy …). They check what they are asked to do, and some are called
// before that runtime works. The shim must reach libc's.
#pragma once

namespace raddle::own_imports {

// Leads the shim's own calls to libc. Does nothing where they lead there already, and when called again. It calls no
// function that another library could define.
void lead_to_libc();

}  // namespace raddle::own_imports
