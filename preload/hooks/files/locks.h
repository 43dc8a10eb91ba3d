// Locks of files: flock, and those of fcntl.
#pragma once

namespace raddle::file_locks {

// fcntl with F_SETLK, F_SETLKW, F_OFD_SETLK or F_OFD_SETLKW. Returns the kernel's result.
long control(int fd, int command, long argument);

}  // namespace raddle::file_locks
