// The bytes of an action in saved searches and journals. They are stored on disk: never change them.
#pragma once

#include "supervisor/base/bytes.h"
#include "supervisor/model/action.h"

namespace raddle {

void save_action(Writer& out, const Action& action);
Action load_action(Reader& in);

}  // namespace raddle
