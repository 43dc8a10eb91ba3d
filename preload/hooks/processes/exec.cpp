// exec. The new image is followed as long as the program has only one thread: it finds the channel through a
// descriptor and the environment, and the execution begins anew (attach.cpp). With a second thread, events of two
// programs would be mixed, so the execution ends there. Programs that children execute run free.
#include <alloca.h>
#include <dlfcn.h>

#include <cstdarg>
#include <cstring>

#include "preload/base/raw.h"
#include "preload/base/text.h"
#include "preload/hooks/names/names.h"
#include "preload/hooks/signals/cycle_counter.h"
#include "preload/hooks/signals/signals.h"
#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"
#include "preload/memory/memory.h"
#include "preload/restore/restore.h"

extern "C" char** environ;

namespace raddle {

namespace {

constexpr std::size_t longest_path = 4096;

using Path = Text<2 * longest_path>;

// Whether this process runs the plan. A vfork child shares the memory of the process that does, but is another
// process.
bool runs_the_plan() {
    return scheduler::is_target() &&
           raw::call(SYS_getpid) == static_cast<long>(channel::load(scheduler::shared()->executor));
}

bool is_executable(const char* path) { return raw::call(SYS_faccessat, AT_FDCWD, path, 1L) == 0; }

// Whether a program of this name exists, in a folder of PATH if the name has no slash.
bool program_exists(const char* name) {
    if (std::strchr(name, '/') != nullptr) return is_executable(name);
    const char* folders = nullptr;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
        if (std::strncmp(*entry, "PATH=", 5) == 0) folders = *entry + 5;
    if (folders == nullptr) folders = "/bin:/usr/bin";
    for (;;) {
        const std::size_t length = std::strcspn(folders, ":");
        char path[longest_path];
        if (length + std::strlen(name) + 2 <= sizeof path) {
            std::memcpy(path, folders, length);
            path[length] = '/';
            std::strcpy(path + length + (length != 0 ? 1 : 0), name);
            if (is_executable(path)) return true;
        }
        if (folders[length] == 0) return false;
        folders += length + 1;
    }
}

// Opens the channel through the supervisor. The shim does not keep a descriptor, because the program could close or
// use it.
long open_channel() {
    constexpr long out_of_the_way = 1000;
    const channel::Settings& settings = scheduler::shared()->settings;
    Path path;
    path.add("/proc/").add(settings.supervisor_pid).add("/fd/").add(static_cast<unsigned long>(settings.channel_file));
    const long low = raw::call(SYS_openat, AT_FDCWD, path.bytes, O_RDWR, 0L);
    if (raw::failed(low)) return -1;
    const long high = raw::call(SYS_fcntl, low, F_DUPFD, out_of_the_way);
    if (raw::failed(high)) return low;
    raw::call(SYS_close, low);
    return high;
}

const char* path_of_shim() {
    Dl_info info{};
    return dladdr(reinterpret_cast<const void*>(&path_of_shim), &info) != 0 && info.dli_fname != nullptr
               ? info.dli_fname
               : "";
}

bool is_set(const char* entry, const char* name) {
    const std::size_t length = std::strlen(name);
    return std::strncmp(entry, name, length) == 0 && entry[length] == '=';
}

void note_replacement(const char* name) {
    char* to = scheduler::shared()->replacement;
    const std::size_t length = strnlen(name, channel::most_path - 1);
    std::memcpy(to, name, length);
    to[length] = 0;
}

[[noreturn]] void refuse(const char* why, const char* name) {
    scheduler::end_with(channel::End::uncontrolled, why, name);
}

// Calls `really` with an environment that leads the new image to the channel.
template <typename Really>
int replace_followed(const char* name, char* const* environment, Really really) {
    if (memory::armed())
        refuse(
            "with --memory a program that replaces itself (exec) is not followed; give raddle the one that has the threads: ",
            name);
    const long descriptor = open_channel();
    if (descriptor < 0)
        refuse("raddle's shared memory cannot be opened again for what replaces the program (exec), ", name);
    std::size_t count = 0;
    for (char* const* entry = environment; entry != nullptr && *entry != nullptr; ++entry) ++count;
    constexpr std::size_t added = 4;
    auto** entries = static_cast<char**>(alloca((count + added) * sizeof(char*)));
    std::size_t used = 0;
    const char* preloaded = nullptr;
    for (std::size_t i = 0; i < count; ++i) {
        if (is_set(environment[i], "LD_PRELOAD"))
            preloaded = environment[i] + std::strlen("LD_PRELOAD=");
        else
            entries[used++] = environment[i];
    }
    Path preload, channel;
    preload.add("LD_PRELOAD=").add(path_of_shim());
    if (preloaded != nullptr && *preloaded != 0) preload.add(":").add(preloaded);
    channel.add(channel::environment_name).add("=").add(descriptor);
    char bind_now[] = "LD_BIND_NOW=1";
    entries[used++] = preload.bytes;
    entries[used++] = channel.bytes;
    if (scheduler::shared()->settings.bound_now != 0) entries[used++] = bind_now;
    entries[used] = nullptr;

    note_replacement(name);
    const int result = really(entries);
    note_replacement("");
    const int error = errno;
    raw::call(SYS_close, descriptor);
    errno = error;
    return result;
}

// The other threads go on first, as at every end of the process. What the process becomes is not tested.
[[noreturn]] void end_by_exec() {
    scheduler::current().leaving = true;
    act(of(Operation::process_replace));
    restore::leave(0);
}

template <typename Really>
int replace(const char* name, char* const* environment, Really really) {
    if (!controlled()) return names::with_words(environment, really);
    cycle_counter::give_up();
    std::uint64_t before = 0;
    signals::mask_to_kernel(&before);
    int result = -1;
    if (!runs_the_plan() || !recorded())
        result = names::with_words(environment, really);
    else if (phase == Phase::alone)
        result = replace_followed(name, environment, really);
    else if (!program_exists(name))
        result = really(environment);
    else
        end_by_exec();
    signals::mask_from_kernel(before);
    return result;
}

}  // namespace

namespace hooks {

int execve(const char* path, char* const* values, char* const* environment) {
    return replace(path, environment, [&](char* const* entries) {
        return names::with_words(
            values, [&](char* const* words) { return real::execve(names::real_name(path), words, entries); });
    });
}
int execv(const char* path, char* const* values) { return hooks::execve(path, values, environ); }

int execvpe(const char* file, char* const* values, char* const* environment) {
    return replace(file, environment, [&](char* const* entries) {
        return names::with_words(
            values, [&](char* const* words) { return real::execvpe(names::real_name(file), words, entries); });
    });
}
int execvp(const char* file, char* const* values) { return hooks::execvpe(file, values, environ); }

int fexecve(int fd, char* const* values, char* const* environment) {
    Path path;
    path.add("/proc/self/fd/").add(static_cast<unsigned long>(fd));
    return replace(path.bytes, environment, [&](char* const* entries) {
        return names::with_words(values, [&](char* const* words) { return real::fexecve(fd, words, entries); });
    });
}

int execveat(int folder, const char* path, char* const* values, char* const* environment, int flags) {
    Path descriptor;
    descriptor.add("/proc/self/fd/").add(static_cast<unsigned long>(folder < 0 ? 0 : folder));
    return replace(path[0] != 0 ? path : descriptor.bytes, environment, [&](char* const* entries) {
        return names::with_words(values, [&](char* const* words) {
            return real::execveat(folder, names::real_name(path), words, entries, flags);
        });
    });
}

}  // namespace hooks

}  // namespace raddle

// execl and its family have variable arguments, so they have no row in functions.def. The macro collects the
// arguments in `values`.
#define RADDLE_WORDS(first)                                                   \
    std::va_list list;                                                        \
    std::size_t count = 1;                                                    \
    va_start(list, first);                                                    \
    while (va_arg(list, char*) != nullptr) ++count;                           \
    va_end(list);                                                             \
    auto** values = static_cast<char**>(alloca((count + 1) * sizeof(char*))); \
    values[0] = const_cast<char*>(first);                                     \
    va_start(list, first);                                                    \
    for (std::size_t i = 1; i <= count; ++i) values[i] = va_arg(list, char*); \
    raddle::call_site = __builtin_return_address(0)

#define RADDLE_LISTED(name)                                                                                         \
    extern "C" __attribute__((visibility("default"))) int raddle_export_##name(const char* file, const char* first, \
                                                                               ...) __asm__(#name);                 \
    int raddle_export_##name(const char* file, const char* first, ...)

RADDLE_LISTED(execl) {
    RADDLE_WORDS(first);
    va_end(list);
    return raddle::hooks::execve(file, values, environ);
}
RADDLE_LISTED(execlp) {
    RADDLE_WORDS(first);
    va_end(list);
    return raddle::hooks::execvpe(file, values, environ);
}
RADDLE_LISTED(execle) {
    RADDLE_WORDS(first);
    char** const given = va_arg(list, char**);
    va_end(list);
    return raddle::hooks::execve(file, values, given);
}
