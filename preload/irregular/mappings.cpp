// Mappings that the target makes and takes away: they mean what they always mean, and are noted, as memory that is
// copied back does not bring them back.
#include "preload/describe.h"
#include "preload/raw.h"
#include "preload/real.h"
#include "preload/restart/undo.h"

namespace raddle::irregular {

namespace {

void* mapped(long result) {
    if (!raw::failed(result)) return reinterpret_cast<void*>(result);
    errno = static_cast<int>(-result);
    return MAP_FAILED;
}

int done(long result) {
    if (!raw::failed(result)) return 0;
    errno = static_cast<int>(-result);
    return -1;
}

}  // namespace

void* mmap(void* place, size_t bytes, int rights, int flags, int fd, off_t offset) {
    undo::mapped();
    if ((flags & MAP_FIXED) != 0) undo::mapping_changed(place, bytes, "mmap (over memory that was there before the first thread)");
    if ((flags & (MAP_LOCKED | MAP_GROWSDOWN)) != 0) undo::cannot("mmap");
    return mapped(raw::call(SYS_mmap, place, bytes, rights, flags, fd, offset));
}
void* mmap64(void* place, size_t bytes, int rights, int flags, int fd, off_t offset) {
    return irregular::mmap(place, bytes, rights, flags, fd, offset);
}

int munmap(void* place, size_t bytes) {
    undo::mapping_changed(place, bytes, "munmap (of memory that was there before the first thread)");
    return done(raw::call(SYS_munmap, place, bytes));
}

int mprotect(void* place, size_t bytes, int rights) {
    undo::mapping_changed(place, bytes, "mprotect (of memory that was there before the first thread)");
    return done(raw::call(SYS_mprotect, place, bytes, rights));
}

int madvise(void* place, size_t bytes, int advice) {
    undo::mapping_changed(place, bytes, "madvise (on memory that was there before the first thread)");
    return done(raw::call(SYS_madvise, place, bytes, advice));
}
int posix_madvise(void* place, size_t bytes, int advice) {
    if (advice == POSIX_MADV_DONTNEED) return 0;  // as glibc does
    return irregular::madvise(place, bytes, advice) == 0 ? 0 : errno;
}

void* mremap(void* place, size_t bytes, size_t wanted, int flags, void* to) {
    undo::mapping_changed(place, bytes, "mremap (of memory that was there before the first thread)");
    if ((flags & MREMAP_FIXED) != 0) undo::mapping_changed(to, wanted, "mremap (over memory that was there before the first thread)");
    return mapped(raw::call(SYS_mremap, place, bytes, wanted, flags, to));
}

}  // namespace raddle::irregular
