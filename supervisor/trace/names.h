// Names of threads and objects, for people and for schedules.
#pragma once

#include <string>

#include "supervisor/model/types.h"

namespace raddle {

// T0 is the main thread, T2.1 the first child of the second child of it. parse_thread() in execution.h reads it back.
std::string name_of(ThreadId thread);
// modules.h has a variant with names of modules.
std::string name_of(const ObjectId& object);

}  // namespace raddle
