#pragma once

namespace raddle {
// Looks up all functions of RADDLE_FORWARD rows.
void resolve_forwarded_calls();
}  // namespace raddle
