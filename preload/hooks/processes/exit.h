#pragma once

namespace raddle {

// The first handlers of the process, so that they are called last. To be called before the program starts.
void register_exit_handlers();

}  // namespace raddle
