// Where the threads of a program stand that does nothing visible any more, as seen from outside of it. Its places
// depend on the moment at which raddle looked, so they are no part of a bug key.
#pragma once

#include <string>
#include <vector>

#include "supervisor/base/bytes.h"
#include "supervisor/trace/stack.h"

namespace raddle {

struct StandingThread {
    std::string name;   // "T1", "child process 1", "thread 2 of child process 1"
    std::string state;  // "runs", "is blocked in system call 202", "waits in mutex_lock"
    Stack stack;        // empty: unknown
};

struct Standing {
    std::vector<StandingThread> threads;
    std::string gap;  // what could not be seen, and why, in one line; empty: nothing is missing
};

// A line for each thread, "T1 runs: spin at hang.c:7 < body at hang.c:12", and one for the gap.
std::vector<std::string> lines_of(const Standing& standing);

void save(const Standing& standing, Writer& out);
// Throws BadInput.
Standing load_standing(Reader& in);

}  // namespace raddle
