// Effects of an execution outside its memory, such as descriptors and signal handlers. Hooks that let the program cause
// such an effect note it here. At the end of the execution the effects are undone where that is simple; otherwise the
// process is given up (reason()).
#pragma once

namespace raddle::undo {

// The program opened descriptors. Those that were not open at the start are closed again.
void opened();
// The program closed this descriptor.
void closed(int fd);
// The state of this descriptor in the kernel changed.
void changed(int fd, const char* call);
// The program mapped memory. Mappings that were not there at the start are unmapped again.
void mapped();
// The program changed or removed these mappings.
void mapping_changed(const void* begin, unsigned long bytes, const char* call);
// The program changed signal handlers or masks.
void signals_changed();
// The effect of this call cannot be undone.
void cannot(const char* call);
// The program may have read, written or otherwise used something outside its memory. This is undone, but only as a
// whole: no execution can begin after it.
void used_outside();

// Call this at the start of executions: it notes the present state.
void begin();
// At the end: null, or the call that cannot be undone. put_back() then undoes everything outside memory; null, or the
// reason why that failed.
const char* reason();
// Null if there is nothing outside memory to undo so far, or what there is.
const char* effect_so_far();
bool mappings_may_differ();
const char* put_back();

}  // namespace raddle::undo
