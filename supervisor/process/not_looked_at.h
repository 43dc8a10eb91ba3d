// The memory of an execution that was not looked at although threads could have met there, for people.
#pragma once

#include <string>

#include "supervisor/process/channel/read_channel.h"
#include "supervisor/process/launch/instrumented_code.h"

namespace raddle {

// Empty if there is none.
std::string not_looked_at_in(const Observed& observed, const InstrumentedCode& code);

}  // namespace raddle
