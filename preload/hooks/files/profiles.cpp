#include "preload/hooks/files/profiles.h"

#include "preload/base/raw.h"
#include "preload/base/text.h"
#include "preload/intercept/real.h"

namespace raddle {

namespace profiles {

bool is_path(const char* path, int flags) {
    const bool adds = (flags & O_ACCMODE) == O_RDWR && (flags & O_CREAT) != 0;
    return adds && path != nullptr && *path != 0 && ends_with(path + 1, ".gcda");
}

long open(int flags) { return raw::call(SYS_memfd_create, "profile", (flags & O_CLOEXEC) != 0 ? MFD_CLOEXEC : 0); }

}  // namespace profiles

// -pg: the timer that samples the program would interrupt it at moments of its own, and the file is written without a
// call that the shim could see. So nothing is counted.
namespace hooks {

void __monstartup(unsigned long lowest, unsigned long highest) {
    (void)lowest;
    (void)highest;
}
void _mcleanup() {}

}  // namespace hooks

}  // namespace raddle
