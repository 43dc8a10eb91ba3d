#pragma once

namespace raddle {

// Registers the shim's exit handlers first, so that they run last. Must be called before the program starts.
void register_exit_handlers();

}  // namespace raddle
