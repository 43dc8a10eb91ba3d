// The failure of an execution in one sentence, with the facts and stacks that support it.
#pragma once

#include "replay/explain/failing.h"

namespace raddle {

Failure failure_of(const Failing& failing);

}  // namespace raddle
