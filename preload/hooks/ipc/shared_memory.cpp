// System V shared memory (objects.h). Each object is a file in memory, which the program maps like any other file.
#include <sys/shm.h>

#include <cstring>

#include "preload/hooks/ipc/hidden_descriptors.h"
#include "preload/hooks/ipc/objects.h"
#include "preload/hooks/threads/identity.h"
#include "preload/intercept/real.h"

namespace raddle {

namespace {

struct Segment {
    system_v::Head head;
    int fd;  // hidden from the program
    std::size_t bytes;
    std::uint32_t attached;
    bool is_removed;  // it goes with its last attachment
    std::int64_t attached_at, detached_at;
    std::int32_t maker, last;
};

struct Attachment {
    const void* address;  // null: this record is free
    std::uint32_t segment;
};

Segment segments[system_v::most_objects];
constexpr int most_attachments = 1024;
Attachment attachments[most_attachments];
constexpr std::uintptr_t page = 4096;

int make(Segment& segment, std::size_t bytes) {
    if (bytes == 0) return EINVAL;
    const long made = raw::call(SYS_memfd_create, "SYSV", MFD_CLOEXEC);
    if (raw::failed(made)) return static_cast<int>(-made);
    const long size = raw::call(SYS_ftruncate, made, bytes);
    segment.fd = raw::failed(size) ? -1 : hidden_descriptors::hide(static_cast<int>(made));
    if (segment.fd < 0) return ENOMEM;
    segment.bytes = bytes;
    segment.maker = hooks::getpid();
    return 0;
}

void drop_if_unused(Segment& segment) {
    if (!segment.is_removed || segment.attached != 0) return;
    hidden_descriptors::close(segment.fd);
    segment.head.used = false;
}

Attachment* attachment_at(const void* address) {
    for (Attachment& one : attachments)
        if (one.address == address) return &one;
    return nullptr;
}

void* refuse(int error) {
    errno = error;
    return reinterpret_cast<void*>(-1);
}

void tell(const Segment& segment, shmid_ds& told) {
    std::memset(&told, 0, sizeof told);
    system_v::tell(segment.head, told.shm_perm);
    if (segment.is_removed) told.shm_perm.mode |= SHM_DEST;
    told.shm_segsz = segment.bytes;
    told.shm_atime = segment.attached_at;
    told.shm_dtime = segment.detached_at;
    told.shm_ctime = segment.head.changed_at;
    told.shm_cpid = segment.maker;
    told.shm_lpid = segment.last;
    told.shm_nattch = segment.attached;
}

}  // namespace

namespace hooks {

int shmget(key_t key, size_t bytes, int flags) {
    const long id = system_v::get(
        segments, SYS_shmget, key, flags, [&](Segment& segment) { return make(segment, bytes); },
        [&](const Segment& segment) { return bytes > segment.bytes ? EINVAL : 0; });
    return static_cast<int>(from_kernel(id));
}

void* shmat(int id, const void* address, int flags) {
    system_v::enter_numbers();
    Segment* segment = system_v::with_id(segments, id);
    if (segment == nullptr) return refuse(EINVAL);
    Attachment* record = attachment_at(nullptr);
    if (record == nullptr) return refuse(EMFILE);
    auto at = reinterpret_cast<std::uintptr_t>(address);
    if ((flags & SHM_RND) != 0) at &= ~(page - 1);
    if ((at & (page - 1)) != 0 || (at == 0 && (flags & SHM_REMAP) != 0)) return refuse(EINVAL);
    const int rights =
        PROT_READ | ((flags & SHM_RDONLY) == 0 ? PROT_WRITE : 0) | ((flags & SHM_EXEC) != 0 ? PROT_EXEC : 0);
    const int place = at == 0 ? 0 : (flags & SHM_REMAP) != 0 ? MAP_FIXED : MAP_FIXED_NOREPLACE;
    *record = {segment, static_cast<std::uint32_t>(segment - segments)};
    ++segment->attached;
    segment->attached_at = system_v::now();
    segment->last = hooks::getpid();
    void* const mapped =
        hooks::mmap(reinterpret_cast<void*>(at), segment->bytes, rights, MAP_SHARED | place, segment->fd, 0);
    if (mapped == MAP_FAILED) {
        *record = {};
        --segment->attached;
        return refuse(errno == EEXIST ? EINVAL : errno);
    }
    record->address = mapped;
    return mapped;
}

int shmdt(const void* address) {
    system_v::enter_numbers();
    Attachment* known = address != nullptr ? attachment_at(address) : nullptr;
    if (known == nullptr) return as_errno::refused(EINVAL);
    Segment& segment = segments[known->segment];
    *known = {};
    --segment.attached;
    segment.detached_at = system_v::now();
    segment.last = hooks::getpid();
    const std::size_t bytes = segment.bytes;
    drop_if_unused(segment);
    return hooks::munmap(const_cast<void*>(address), bytes);
}

int shmctl(int id, int command, shmid_ds* argument) {
    if (command == IPC_INFO || command == SHM_INFO)
        return static_cast<int>(from_kernel(raw::call(SYS_shmctl, id, command, argument)));
    system_v::enter_numbers();
    Segment* segment = system_v::with_id(segments, id);
    if (segment == nullptr) return as_errno::refused(EINVAL);
    switch (command) {
        case IPC_STAT: tell(*segment, *argument); return 0;
        case IPC_SET:
            segment->head.mode = argument->shm_perm.mode & 0777;
            segment->head.changed_at = system_v::now();
            return 0;
        case IPC_RMID:
            segment->is_removed = true;
            segment->head.key = IPC_PRIVATE;
            drop_if_unused(*segment);
            return 0;
        case SHM_LOCK:
        case SHM_UNLOCK: return 0;  // the memory stays where it is
        default: return as_errno::refused(EINVAL);
    }
}

}  // namespace hooks

}  // namespace raddle
