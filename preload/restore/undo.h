// What an execution did that putting its memory back does not undo. Whoever lets the target do such a thing says so
// here; at the end of the execution the process is mended where that is simple (undo.cpp), and otherwise given up.
#pragma once

namespace raddle::undo {

// Descriptors were made: those that were not there at the start are closed.
void opened();
// This number does not lead any more where it led.
void closed(int fd);
// Something about this one changed that is not in memory.
void changed(int fd, const char* call);
// Mappings were made: those that were not there at the start are taken away.
void mapped();
// So were these changed or taken away.
void mapping_changed(const void* begin, unsigned long bytes, const char* call);
// How the kernel deals with signals.
void signals_changed();
// Nothing helps.
void cannot(const char* call);

// At the start of executions that may have to be undone; sees what there is.
void begin();
// At the end: null, or why it cannot be undone. Then undoes all but what is in memory.
const char* reason();
bool wants_look_at_mappings();
const char* carry_out();

}  // namespace raddle::undo
