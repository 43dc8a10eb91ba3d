// The program always sees the number of processors that the campaign recorded.
#include <unistd.h>

#include <cstring>

#include "preload/hooks/threads/identity.h"
#include "preload/hooks/threads/thread.h"
#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"

namespace raddle {

namespace {
std::uint64_t all() { return ~std::uint64_t{0} >> (64 - processor_count()); }

int read_set(const Thread& thread, std::size_t bytes, cpu_set_t* set) {
    const std::uint64_t mask = processors_of(thread);
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

int processor_count() {
    const std::uint32_t count = scheduler::shared()->settings.cpus;
    return count == 0 ? 1 : count > 64 ? 64 : static_cast<int>(count);
}

std::uint64_t processors_of(const Thread& thread) { return thread.processors != 0 ? thread.processors : all(); }

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

int get_nprocs() { return processor_count(); }
int get_nprocs_conf() { return processor_count(); }

long sysconf(int name) {
    if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF) return processor_count();
    return real::sysconf(name);
}

int sched_getcpu() { return 0; }
int getcpu(unsigned* processor, unsigned* node) {
    if (processor != nullptr) *processor = 0;
    if (node != nullptr) *node = 0;
    return 0;
}

}  // namespace hooks

}  // namespace raddle
