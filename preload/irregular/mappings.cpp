// Mappings that the target makes and takes away: they mean what they always mean, and are noted, as memory that is
// copied back does not bring them back. Where the program leaves the place to the kernel, each thread has places of its
// own: the kernel's choice depends on who came first, and gives one thread what another has just given back.
#include "preload/describe.h"
#include "preload/raw.h"
#include "preload/real.h"
#include "preload/restart/undo.h"
#include "preload/scheduler.h"
#include "preload/territory.h"

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

constexpr std::uint64_t page_bytes = 4096;
constexpr int says_where = MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_32BIT | MAP_HUGETLB | MAP_GROWSDOWN;

std::uint64_t used[territory::count];  // by thread: of its places, from the first on

std::uint64_t whole_pages(std::uint64_t bytes) { return (bytes + page_bytes - 1) & ~(page_bytes - 1); }
std::uint64_t first_place() { return territory::maps_base + scheduler::current().place * territory::maps_bytes; }

// Where the current thread maps next; 0 if the kernel is to choose.
std::uint64_t next_place(const void* place, std::uint64_t bytes, int flags) {
    if (phase != Phase::governed || place != nullptr || (flags & says_where) != 0) return 0;
    const std::uint64_t before = used[scheduler::current().place];
    return bytes < territory::maps_bytes - before ? first_place() + before : 0;
}

// What was taken last and is given back is taken again.
void give_back(const void* place, std::uint64_t bytes) {
    if (phase != Phase::governed) return;
    const std::uint64_t at = reinterpret_cast<std::uint64_t>(place) - first_place();
    std::uint64_t& mine = used[scheduler::current().place];
    if (at < mine && at + whole_pages(bytes) == mine) mine = at;
}

// What was taken last may have grown.
void reach(long place, std::uint64_t bytes) {
    if (phase != Phase::governed) return;
    const std::uint64_t at = static_cast<std::uint64_t>(place) - first_place();
    std::uint64_t& mine = used[scheduler::current().place];
    if (at < mine && at + whole_pages(bytes) > mine) mine = at + whole_pages(bytes);
}

}  // namespace

void* mmap(void* place, size_t bytes, int rights, int flags, int fd, off_t offset) {
    undo::mapped();
    if ((flags & MAP_FIXED) != 0) undo::mapping_changed(place, bytes, "mmap (over memory that was there before the first thread)");
    if ((flags & (MAP_LOCKED | MAP_GROWSDOWN)) != 0) undo::cannot("mmap");
    if (const std::uint64_t own = next_place(place, bytes, flags)) {
        const long result = raw::call(SYS_mmap, own, bytes, rights, flags | MAP_FIXED_NOREPLACE, fd, offset);
        if (result == static_cast<long>(own)) used[scheduler::current().place] += whole_pages(bytes);
        if (result != -EEXIST) return mapped(result);
    }
    return mapped(raw::call(SYS_mmap, place, bytes, rights, flags, fd, offset));
}
void* mmap64(void* place, size_t bytes, int rights, int flags, int fd, off_t offset) {
    return irregular::mmap(place, bytes, rights, flags, fd, offset);
}

int munmap(void* place, size_t bytes) {
    undo::mapping_changed(place, bytes, "munmap (of memory that was there before the first thread)");
    const long result = raw::call(SYS_munmap, place, bytes);
    if (result == 0) give_back(place, bytes);
    return done(result);
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
    const long result = raw::call(SYS_mremap, place, bytes, wanted, flags, to);
    if (!raw::failed(result)) reach(result, wanted);
    return mapped(result);
}

}  // namespace raddle::irregular
