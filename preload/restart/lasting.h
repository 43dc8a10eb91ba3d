#pragma once

namespace raddle::undo {
// Looks up all real functions of lasting.def.
void resolve_lasting();
}  // namespace raddle::undo
