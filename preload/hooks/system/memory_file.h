// A file that the shim makes up in memory, opened for reading.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>

#include <cerrno>

#include "preload/base/raw.h"
#include "preload/base/text.h"

namespace raddle {

// `write(descriptor)` fills the file and returns whether that worked. Returns a descriptor or a negative error number.
// `flags`: as for open().
template <typename Write>
long open_memory_file(const char* name, int flags, Write write) {
    const long made = raw::call(SYS_memfd_create, name, MFD_CLOEXEC);
    if (raw::failed(made)) return made;
    long fd = -EIO;
    if (write(static_cast<int>(made))) {
        Text<64> path;
        path.add("/proc/self/fd/").add(static_cast<unsigned long>(made));
        fd = raw::call(SYS_openat, AT_FDCWD, path.bytes, (flags & O_CLOEXEC) | O_RDONLY, 0L);
    }
    // The real file would have got the lower number.
    if (!raw::failed(fd))
        fd = raw::call(SYS_dup3, fd, made, flags & O_CLOEXEC) < 0 ? -EMFILE : (raw::call(SYS_close, fd), made);
    if (raw::failed(fd)) raw::call(SYS_close, made);
    return fd;
}

}  // namespace raddle
