// Clears the words that the shim leaves behind on a thread's stack, below the stack pointer, and in registers that
// calls may overwrite. Later frames of the program could read these words where they do not initialise their variables.
// The program must not see a difference, so the shim clears them wherever its own path differs for reasons that are not
// the program's: another thread ran in between, or memory was found that a fresh process has to map.
#pragma once

namespace raddle::stale_words {

void clear();
// Only the registers: where the path differs by code that writes nothing to the stack.
void clear_registers();

}  // namespace raddle::stale_words
