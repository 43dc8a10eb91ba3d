// mmap and its family. Calls keep their meaning and are noted, because restoring memory does not undo them. If the
// program gives no address, a thread's mappings follow each other in its own zone, as its heap does. The address then
// depends only on the thread and its earlier mappings; the kernel's choice would depend on all threads.
#include <sys/stat.h>

#include "preload/base/raw.h"
#include "preload/hooks/files/descriptors.h"
#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"
#include "preload/restore/undo.h"
#include "preload/schedule/scheduler.h"
#include "preload/schedule/shared_memory.h"

namespace raddle::hooks {

namespace {

void* mapped(long result) {
    if (!raw::failed(result)) return reinterpret_cast<void*>(result);
    errno = static_cast<int>(-result);
    return MAP_FAILED;
}

constexpr std::uint64_t page = 4096;

std::uint64_t used[thread_arena::count];  // bytes used in each zone

std::uint64_t whole_pages(std::size_t bytes) { return (bytes + page - 1) & ~(page - 1); }

// An address in the thread's zone; null to let the kernel choose.
void* own_place(std::size_t bytes) {
    if (phase != Phase::scheduled) return nullptr;
    const std::uint32_t arena = scheduler::current().arena;
    const std::uint64_t size = whole_pages(bytes);
    if (size == 0 || size > thread_arena::mapping_bytes - used[arena]) return nullptr;
    const std::uint64_t begin = thread_arena::mappings_of(arena) + used[arena];
    used[arena] += size;
    return reinterpret_cast<void*>(begin);
}

// Makes the thread's last mapping available again.
void give_back(void* begin, std::size_t bytes) {
    if (phase != Phase::scheduled) return;
    const std::uint32_t arena = scheduler::current().arena;
    const std::uint64_t offset = reinterpret_cast<std::uint64_t>(begin) - thread_arena::mappings_of(arena);
    if (offset < used[arena] && offset + whole_pages(bytes) == used[arena]) used[arena] = offset;
}

long map(void* address, size_t bytes, int rights, int flags, int fd, off_t offset) {
    const bool is_free = address == nullptr &&
                         (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_32BIT | MAP_GROWSDOWN | MAP_HUGETLB)) == 0;
    if (void* own = is_free ? own_place(bytes) : nullptr) {
        const long result = raw::call(SYS_mmap, own, bytes, rights, flags | MAP_FIXED_NOREPLACE, fd, offset);
        if (!raw::failed(result)) return result;
        give_back(own, bytes);
        if (result != -EEXIST) return result;
    }
    return raw::call(SYS_mmap, address, bytes, rights, flags, fd, offset);
}

long remap(void* address, size_t bytes, size_t wanted, int flags, void* to) {
    const bool is_free = (flags & MREMAP_MAYMOVE) != 0 && (flags & MREMAP_FIXED) == 0 && bytes != 0 && wanted > bytes;
    if (void* own = is_free ? own_place(wanted) : nullptr) {
        const long result = raw::call(SYS_mremap, address, bytes, wanted, flags | MREMAP_FIXED, own);
        if (!raw::failed(result)) return result;
        give_back(own, wanted);
    }
    return raw::call(SYS_mremap, address, bytes, wanted, flags, to);
}

// Nobody looks at the accesses of code that the program makes.
void note_rights(int rights) {
    if ((rights & PROT_EXEC) != 0 && scheduler::is_target()) scheduler::shared()->result.made_code = 1;
}

bool is_shared(int flags) { return (flags & MAP_TYPE) == MAP_SHARED || (flags & MAP_TYPE) == MAP_SHARED_VALIDATE; }

// Tells shared_memory about a new mapping.
void note(const void* begin, std::size_t bytes, int flags, int fd, off_t offset) {
    shared_memory::unmapped(begin, bytes);
    if (!is_shared(flags)) return;
    shared_memory::File file{};
    struct stat status;
    if ((flags & MAP_ANONYMOUS) == 0 && !raw::failed(raw::call(SYS_fstat, fd, &status)) && S_ISREG(status.st_mode))
        file = {status.st_dev, status.st_ino, true};
    shared_memory::mapped(begin, bytes, file, static_cast<std::uint64_t>(offset));
}

int done(long result) { return static_cast<int>(from_kernel(result)); }

}  // namespace

void* mmap(void* address, size_t bytes, int rights, int flags, int fd, off_t offset) {
    undo::mapped();
    note_rights(rights);
    if ((flags & MAP_FIXED) != 0)
        undo::mapping_changed(address, bytes, "mmap (over memory that was there before the first thread)");
    if ((flags & (MAP_LOCKED | MAP_GROWSDOWN)) != 0) undo::cannot("mmap");
    if (is_shared(flags) && (flags & MAP_ANONYMOUS) == 0) fds::announce_table();
    void* const made = mapped(map(address, bytes, rights, flags, fd, offset));
    if (made != MAP_FAILED) note(made, bytes, flags, fd, offset);
    return made;
}
void* mmap64(void* address, size_t bytes, int rights, int flags, int fd, off_t offset) {
    return hooks::mmap(address, bytes, rights, flags, fd, offset);
}

int munmap(void* address, size_t bytes) {
    undo::mapping_changed(address, bytes, "munmap (of memory that was there before the first thread)");
    const long result = raw::call(SYS_munmap, address, bytes);
    if (!raw::failed(result)) {
        give_back(address, bytes);
        shared_memory::unmapped(address, bytes);
    }
    return done(result);
}

int mprotect(void* address, size_t bytes, int rights) {
    undo::mapping_changed(address, bytes, "mprotect (of memory that was there before the first thread)");
    note_rights(rights);
    return done(raw::call(SYS_mprotect, address, bytes, rights));
}

int madvise(void* address, size_t bytes, int advice) {
    undo::mapping_changed(address, bytes, "madvise (on memory that was there before the first thread)");
    return done(raw::call(SYS_madvise, address, bytes, advice));
}
int posix_madvise(void* address, size_t bytes, int advice) {
    if (advice == POSIX_MADV_DONTNEED) return 0;  // as in glibc
    return hooks::madvise(address, bytes, advice) == 0 ? 0 : errno;
}

void* mremap(void* address, size_t bytes, size_t wanted, int flags, void* to) {
    undo::mapping_changed(address, bytes, "mremap (of memory that was there before the first thread)");
    if ((flags & MREMAP_FIXED) != 0)
        undo::mapping_changed(to, wanted, "mremap (over memory that was there before the first thread)");
    void* const made = mapped(remap(address, bytes, wanted, flags, to));
    if (made != MAP_FAILED) shared_memory::moved(address, bytes, made, wanted);
    return made;
}

}  // namespace raddle::hooks
