// Whether two executions of one plan were the same.
#pragma once

#include <optional>
#include <string>

#include "supervisor/trace/execution.h"

namespace raddle {

// The first difference in what happened or how it ended; nothing if there is none.
std::optional<std::string> first_difference(const Execution& one, const Execution& other);

}  // namespace raddle
