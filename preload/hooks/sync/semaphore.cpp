// Semaphores that need more than a row: reading the value, and named semaphores. Named ones exist in this process
// only and are new in every execution; the program gets a sem_t of the shim.
#include <fcntl.h>

#include <climits>
#include <cstring>

#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"

namespace raddle {

namespace {

constexpr std::uint32_t most_named = 256;

struct Named {
    sem_t handle;
    char name[NAME_MAX + 1];
    std::uint32_t opened;  // number of sem_open calls not yet closed
    bool linked;           // not unlinked yet
};
Named named[most_named];

Named* find_named(const char* name) {
    for (Named& one : named)
        if (one.linked && std::strcmp(one.name, name) == 0) return &one;
    return nullptr;
}

bool is_name(const char* name) {
    return name[0] != 0 && std::strlen(name) < NAME_MAX - 4 && std::strchr(name, '/') == nullptr;
}

const char* without_slashes(const char* name) {
    while (*name == '/') ++name;
    return name;
}

sem_t* refuse(int error) {
    errno = error;
    return SEM_FAILED;
}

}  // namespace

namespace hooks {

sem_t* sem_open(const char* path, int flags, mode_t, unsigned value) {
    const char* name = without_slashes(path);
    if (!is_name(name)) return refuse(EINVAL);
    if (Named* known = find_named(name)) {
        if ((flags & O_CREAT) != 0 && (flags & O_EXCL) != 0) return refuse(EEXIST);
        ++known->opened;
        return &known->handle;
    }
    if ((flags & O_CREAT) == 0) return refuse(ENOENT);
    if (value > static_cast<unsigned>(SEM_VALUE_MAX)) return refuse(EINVAL);
    shared_memory::named_object(named, sizeof named);
    for (Named& one : named) {
        if (one.linked || one.opened != 0) continue;
        std::strcpy(one.name, name);
        one.linked = true;
        one.opened = 1;
        act(with_count(on(Operation::sem_init, &one.handle), static_cast<int>(value)));
        return &one.handle;
    }
    if (recorded())
        scheduler::end_with(channel::End::uncontrolled,
                            "the program has more named semaphores at once than raddle can follow (256)");
    return refuse(ENFILE);
}

int sem_close(sem_t* semaphore) {
    for (Named& one : named) {
        if (&one.handle != semaphore || one.opened == 0) continue;
        --one.opened;
        return 0;
    }
    return as_errno::refused(EINVAL);
}

int sem_unlink(const char* path) {
    Named* known = find_named(without_slashes(path));
    if (known == nullptr) return as_errno::refused(ENOENT);
    known->linked = false;
    return 0;
}

namespace {
int wait(const Action& action) {
    const std::int64_t error = act(action).result;
    return error == 0 ? 0 : as_errno::refused(static_cast<int>(error));
}
}  // namespace

int sem_wait(sem_t* semaphore) { return wait(point(on(Operation::sem_wait, semaphore))); }

int sem_timedwait(sem_t* semaphore, const timespec* time) {
    return hooks::sem_clockwait(semaphore, CLOCK_REALTIME, time);
}

int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* time) {
    if (const int error = bad_time(clock, time); error != 0) return as_errno::refused(error);
    return wait(point(until(on(Operation::sem_wait, semaphore), clock, time)));
}

int sem_post(sem_t* semaphore) { return as_errno::of(act(on(Operation::sem_post, semaphore))); }

int sem_getvalue(sem_t* semaphore, int* value) {
    *value = static_cast<int>(act(on(Operation::sem_getvalue, semaphore)).result);
    return 0;
}

}  // namespace hooks

}  // namespace raddle
