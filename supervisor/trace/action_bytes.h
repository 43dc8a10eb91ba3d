// Actions as bytes, as saved searches and journals hold them. Stored on disk: never change.
#pragma once

#include "supervisor/base/bytes.h"
#include "supervisor/model/operation.h"

namespace raddle {

void save_action(Writer& out, const Action& action);
Action load_action(Reader& in);

}  // namespace raddle
