#pragma once

namespace raddle {
// Looks up all real functions of forwarded_calls.def.
void resolve_forwarded_calls();
}  // namespace raddle
