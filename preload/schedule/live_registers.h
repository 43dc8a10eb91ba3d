// Registers of an interrupted instruction that the shim's own code never changes: the x87 and mask registers, and the
// vector registers but for the low halves of the first sixteen. The entry of an access (memory/checks/entry.cpp) leaves
// them where they are, because saving them costs as much as a whole action. Code that is not the shim's may change
// them: another thread, a signal handler, functions of libc. Whoever is about to run such code keeps them first.
// memory/checks/live_registers.cpp defines these functions.
#pragma once

namespace raddle::live_registers {

struct Kept;

}  // namespace raddle::live_registers

extern "C" {
// Where the entry of the running access looks for what was kept. Null: nothing has to be kept, or it was.
extern __attribute__((visibility("hidden"))) raddle::live_registers::Kept** raddle_live_registers;
// For the entry: loads them again.
__attribute__((visibility("hidden"))) void raddle_load_registers(raddle::live_registers::Kept* kept);
}

namespace raddle::live_registers {

void keep_now();
inline void keep() {
    if (raddle_live_registers != nullptr) keep_now();
}

}  // namespace raddle::live_registers
