#pragma once

namespace raddle {

// To be called before the program registers handlers of its own.
void register_fork_handler();

}  // namespace raddle
