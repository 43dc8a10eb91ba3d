// Compares two executions of one plan.
#pragma once

#include <optional>
#include <string>

#include "supervisor/trace/execution.h"

namespace raddle {

// The first difference in events or ending; nothing if there is none.
std::optional<std::string> first_difference(const Execution& one, const Execution& other);

}  // namespace raddle
