// Functions that descriptors.cpp calls of files that include descriptors.h.
#pragma once

#include <cstdint>

namespace raddle::passing {  // passing.cpp

// The queue with this index is gone, and the messages in it.
void dropped(std::uint16_t queue);

}  // namespace raddle::passing

namespace raddle::signals {  // hooks/signals/signal_descriptors.cpp

// The end of a child, which has its own speed, may send one of these.
bool come_from_children(std::uint64_t set);

}  // namespace raddle::signals
