// Parts of a bug's page: the failing execution beside the nearest one that passes, and the values of variables.
#pragma once

#include "replay/explain/explanation.h"
#include "replay/report/markup.h"

namespace raddle {

// Nothing if no execution that passes is known.
void write_comparison(Markup& page, const Explanation& explanation);
// Nothing if no variable changed.
void write_values(Markup& page, const Explanation& explanation);

}  // namespace raddle
