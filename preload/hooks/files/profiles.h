// The files into which programs built with --coverage, -fprofile-generate or -pg write counts at their end. An
// execution under raddle must neither read the counts of the one before nor add its own: a run makes thousands of
// executions.
#pragma once

namespace raddle::profiles {

// Whether a program opens this file in order to add counts to it.
bool is_path(const char* path, int flags);
// An empty file in memory in its place. A descriptor or a negative error number.
long open(int flags);

}  // namespace raddle::profiles
