// What the shim leaves behind on a thread's stack, below the stack pointer, and in registers that calls overwrite: frames
// to come show it where they do not fill it. So it is cleared where the shim's ways part for reasons that are none of the
// target's: another thread ran in between, or memory was found that is mapped in a fresh process.
#pragma once

namespace raddle::stale_words {

void clear();

}  // namespace raddle::stale_words
