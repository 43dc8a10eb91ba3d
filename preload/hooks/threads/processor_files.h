// The files of the kernel that name the processors. They show the number of processors that the program sees elsewhere.
#pragma once

namespace raddle::processor_files {

// Whether this file names the processors. `path`: as the kernel knows it; null for none.
bool is_path(const char* path);
// Opens what the program sees of it. Returns a descriptor or a negative error number. `flags`: as for open().
long open(const char* path, int flags);

}  // namespace raddle::processor_files
