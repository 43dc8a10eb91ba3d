// The program always sees the number of processors that the campaign recorded.
#include <unistd.h>

#include <cstring>

#include "preload/hooks/threads/identity.h"
#include "preload/hooks/threads/thread.h"
#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"

namespace raddle {

namespace {
int processors() {
    const channel::Channel* channel = scheduler::shared();
    const std::uint32_t count = channel->settings.cpus;
    return count == 0 ? 1 : count > 64 ? 64 : static_cast<int>(count);
}
std::uint64_t all() { return ~std::uint64_t{0} >> (64 - processors()); }

int read_set(const Thread& thread, std::size_t bytes, cpu_set_t* set) {
    const std::uint64_t mask = thread.processors != 0 ? thread.processors : all();
    if (bytes < sizeof mask) return EINVAL;
    std::memset(set, 0, bytes);
    std::memcpy(set, &mask, sizeof mask);
    return 0;
}

// Other processes appear to have the values of the calling thread.
Thread& thread_of(pid_t id) {
    Thread* thread = thread_with_id(id);
    return id != 0 && thread != nullptr ? *thread : scheduler::current();
}
}  // namespace

int bind_to_processors(Thread& thread, std::size_t bytes, const cpu_set_t* set) {
    std::uint64_t mask = 0;
    std::memcpy(&mask, set, bytes < sizeof mask ? bytes : sizeof mask);
    if ((mask & all()) == 0) return EINVAL;
    thread.processors = mask & all();
    return 0;
}

namespace hooks {

int sched_getaffinity(pid_t id, size_t bytes, cpu_set_t* set) {
    const int error = read_set(thread_of(id), bytes, set);
    return error == 0 ? 0 : as_errno::refused(error);
}

int sched_setaffinity(pid_t id, size_t bytes, const cpu_set_t* set) {
    const int error = bind_to_processors(thread_of(id), bytes, set);
    return error == 0 ? 0 : as_errno::refused(error);
}

int pthread_getaffinity_np(pthread_t handle, size_t bytes, cpu_set_t* set) {
    const Thread* thread = thread_table::find(handle);
    return thread == nullptr ? ESRCH : read_set(*thread, bytes, set);
}

int pthread_setaffinity_np(pthread_t handle, size_t bytes, const cpu_set_t* set) {
    Thread* thread = thread_table::find(handle);
    return thread == nullptr ? ESRCH : bind_to_processors(*thread, bytes, set);
}

int get_nprocs() { return processors(); }
int get_nprocs_conf() { return processors(); }

long sysconf(int name) {
    if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF) return processors();
    return real::sysconf(name);
}

int sched_getcpu() { return 0; }

}  // namespace hooks

}  // namespace raddle
