// Tells the supervisor where the records of the threads lie, so that it can look at them from outside of a process that
// no longer answers (supervisor/protocol/shim_tables.h).
#pragma once

#include "supervisor/protocol/channel.h"

namespace raddle::outside {

void show_threads(channel::Channel& channel);

}  // namespace raddle::outside
