// A failing execution beside the nearest one that passes, as text of at most 100 columns.
#pragma once

#include <string>

#include "replay/explain/explanation.h"

namespace raddle {

// One line if no execution that passes is known.
std::string side_by_side_text(const Explanation& explanation);

}  // namespace raddle
