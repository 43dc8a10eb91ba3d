// Memory accesses of the program's own code as actions of the schedule.
//
// Functions with instructions that access memory run from copies (patcher.h, copies/README.md). A check in the copy
// leads to checks/entry.cpp, which saves the registers and asks the filter (checks/filter.h). An access that the filter
// cannot settle takes the slow path (access.h). Afterwards the copied instruction is executed. Two kinds of such
// instructions exist:
//   watched   the shim notes the memory that it accesses (shadow.h), to find memory that several threads share.
//   visible   each access is announced as an action, and happens when it is the thread's turn.
//
// Programs built with -fsanitize=thread report their accesses by calls instead (calls.h). Calls of libc's memory
// functions are redirected (library_calls.h).
//
// This header is for other folders.
#pragma once

#include "preload/memory/frames.h"
#include "preload/memory/freed.h"
#include "preload/memory/patcher.h"
#include "preload/memory/unwatched.h"
