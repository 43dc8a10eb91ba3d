#pragma once

namespace raddle {
// Looks up all real functions of passing.def.
void resolve_passing();
}  // namespace raddle
