// The order in which threads write to the program's standard output and error. Where output is judged
// (Settings::orders_output), each call that writes there is an action on the file. No thread writes after the end of
// the process then. Elsewhere such calls are free, and the channel notes them. Where files are judged, writes to
// regular files are actions too: on one object for all of them, because their numbers differ between executions.
#pragma once

#include <sys/stat.h>

#include <cstdio>

namespace raddle::output {

// Notes which files standard output and error are. Called before the program's own code runs.
void begin();
// A descriptor of this status leads to one of the two.
bool is_standard(const struct stat& status);
// A descriptor was duplicated, or opened by this name: it may lead to one of the two.
void duplicated(int fd);
void opened(const char* path);

// Call these immediately before the system call, or the call of libc that writes: a descriptor, a stream. errno stays.
void announce(int fd);
void announce(const FILE* stream);
// Call it after a call of libc that writes to the stream, which may have lost its buffer to exit().
void wrote(FILE* stream);
// fflush(NULL): each file in its turn.
int flush_all();
// exit() writes what the streams still hold. Where output is judged, that is an action before the end of the process:
// true, and libc must not flush again.
bool flush_before_end();

}  // namespace raddle::output
