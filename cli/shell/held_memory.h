// Reads a variable of a process that stands still, by its name.
#pragma once

#include <sys/types.h>

#include <string>

#include "supervisor/binary/debuginfo/symbols.h"

namespace raddle::cli {

// "counter = 2 (0x2)", or the reason why it is not known, in one line.
std::string variable_in(pid_t process, const Symbols& symbols, const std::string& name);

}  // namespace raddle::cli
