// The positions of files that are open at the start. Forked processes share the position with their parent's
// descriptor, so after one execution has read a file, the next must find it rewound. Standard output and standard error
// stay as they are.
#pragma once

#include <sys/stat.h>

#include "preload/base/raw.h"

namespace raddle::restore {

struct FilePositions {
    static constexpr int most = 64;
    int descriptor[most];
    long position[most];
    int count;

    void note() {
        count = 0;
        for (int fd = 0; fd < 256 && count < most; ++fd) {
            struct stat status {};
            if (fd == 1 || fd == 2 || raw::failed(raw::call(SYS_fstat, fd, &status)) || !S_ISREG(status.st_mode))
                continue;
            descriptor[count] = fd;
            position[count] = raw::call(SYS_lseek, fd, 0L, 1L);
            if (!raw::failed(position[count])) ++count;
        }
    }
    bool are_as_noted() const {
        for (int i = 0; i < count; ++i)
            if (raw::call(SYS_lseek, descriptor[i], 0L, 1L) != position[i]) return false;
        return true;
    }
    void restore() const {
        for (int i = 0; i < count; ++i) raw::call(SYS_lseek, descriptor[i], position[i], 0L);
    }
};

}  // namespace raddle::restore
