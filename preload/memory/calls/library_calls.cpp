// Accesses by libc's functions, on behalf of their callers. Only instrumented modules lead here: their tables of
// imported functions are changed before the program's own code runs (linkage.cpp). All other callers, including the
// shim and libc, get libc's functions. A call is treated like a reported call (calls.h): it is watched until it
// accesses shared memory, and visible from then on.
#include "preload/memory/calls/library_calls.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <grp.h>
#include <iconv.h>
#include <libgen.h>
#undef basename  // the header renames it
#include <ifaddrs.h>
#include <libintl.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <termios.h>
#include <uchar.h>
#include <unistd.h>
#include <utime.h>
#include <wchar.h>

#include <cinttypes>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <cwchar>

#include "preload/base/lookup.h"
#include "preload/memory/calls/effects.h"
#include "preload/memory/calls/library_call.h"
#include "preload/schedule/call_notes.h"

// The types of libc's functions carry attributes, which do not matter here.
#pragma GCC diagnostic ignored "-Wignored-attributes"

namespace raddle::memory {

namespace {

void* behind(void* begin, std::size_t bytes) { return static_cast<char*>(begin) + bytes; }

char* token_state = nullptr;  // of strtok()

void note_plain_call(const void* original, const void* caller, const void* first);

// The first argument, if it is a text.
template <typename First = int, typename... Others>
const void* text_of_first(First first = {}, Others...) {
    if constexpr (std::is_same_v<First, const char*>) return first;
    return nullptr;
}

// A function with the effects of these rows. `original`: where the address of libc's function is.
template <typename Function>
struct PlainCall;
template <typename Result, typename... Parameters>
struct PlainCall<Result(Parameters...)> {
    using Pointer = Result (*)(Parameters...);
    template <effects::Rows rows, Pointer* original>
    static Result call(Parameters... arguments) {
        if (call_notes::wanted) [[unlikely]]
            note_plain_call(original, __builtin_return_address(0), text_of_first(arguments...));
        return effects::follow<rows>(__builtin_return_address(0),
                                     [&] { return (*original)(arguments...); })(arguments...);
    }
};
template <typename Result, typename... Parameters>
struct PlainCall<Result(Parameters...) noexcept> : PlainCall<Result(Parameters...)> {};

// ---- the functions, and the original entries of the tables

namespace libc {
#define RADDLE_MEMORY_FUNCTION(type, name, parameters, arguments, how) type(*name) parameters = nullptr;
#define RADDLE_STATEFUL_FUNCTION RADDLE_MEMORY_FUNCTION
#include "preload/memory/calls/functions.def"
#undef RADDLE_MEMORY_FUNCTION
#define RADDLE_PLAIN_CALL_OF(name, type) PlainCall<type>::Pointer name = nullptr;
#define RADDLE_PLAIN_CALL(name) RADDLE_PLAIN_CALL_OF(name, decltype(::name))
#define RADDLE_PRINTING_CALL(name, parameters, to, room, size, format) int(*name) parameters = nullptr;
#define RADDLE_PRINTING_LIST RADDLE_PRINTING_CALL
#include "preload/memory/calls/plain_calls.def"
#define RADDLE_FORMAT_CALL(name, list_name, parameters, list_parameters, arguments, last) \
    int(*name) parameters = nullptr;                                                      \
    int(*list_of_##name) list_parameters = nullptr;
#define RADDLE_FORMAT_LIST(name, parameters, arguments) int(*name) parameters = nullptr;
#include "preload/memory/calls/format_calls.def"
}  // namespace libc

namespace followed {
#define RADDLE_STATEFUL_FUNCTION(type, name, parameters, arguments, how) \
    type name parameters {                                               \
        LibraryCall call(__builtin_return_address(0));                   \
        return how;                                                      \
    }
#define RADDLE_MEMORY_FUNCTION(type, name, parameters, arguments, how) \
    type name parameters {                                             \
        if (!active) return libc::name arguments;                      \
        LibraryCall call(__builtin_return_address(0));                 \
        return how;                                                    \
    }
#include "preload/memory/calls/functions.def"
#define RADDLE_PLAIN_CALL_OF(name, type) \
    constexpr auto name = &PlainCall<type>::call<effects::rows_of(#name), &libc::name>;
#define RADDLE_PLAIN_CALL(name) RADDLE_PLAIN_CALL_OF(name, decltype(::name))
#define RADDLE_PRINT(name, caller, to, room, size, format, list) \
    effects::follow<effects::rows_of(#name)>(                    \
        caller, [&] { return LibraryCall(caller).print(to, room, size, format, list); })(format, list)
#define RADDLE_PRINTING_LIST(name, parameters, to, room, size, format) \
    int name parameters { return RADDLE_PRINT(name, __builtin_return_address(0), to, room, size, format, list); }
#define RADDLE_PRINTING_CALL(name, parameters, to, room, size, format)                                     \
    int name parameters {                                                                                  \
        va_list list;                                                                                      \
        va_start(list, format);                                                                            \
        const int printed = RADDLE_PRINT(name, __builtin_return_address(0), to, room, size, format, list); \
        va_end(list);                                                                                      \
        return printed;                                                                                    \
    }
#include "preload/memory/calls/plain_calls.def"
#define RADDLE_FORMAT_LIST(name, parameters, arguments)                                                  \
    int name parameters {                                                                                \
        return effects::follow<effects::rows_of(#name)>(__builtin_return_address(0),                     \
                                                        [&] { return libc::name arguments; }) arguments; \
    }
#define RADDLE_FORMAT_CALL(name, list_name, parameters, list_parameters, arguments, last)               \
    int name parameters {                                                                               \
        if (libc::list_of_##name == nullptr)                                                            \
            libc::list_of_##name =                                                                      \
                reinterpret_cast<decltype(libc::list_of_##name)>(lookup::in(RTLD_DEFAULT, #list_name)); \
        va_list list;                                                                                   \
        va_start(list, last);                                                                           \
        const int done = effects::follow<effects::rows_of(#name)>(                                      \
            __builtin_return_address(0), [&] { return libc::list_of_##name arguments; }) arguments;     \
        va_end(list);                                                                                   \
        return done;                                                                                    \
    }
#include "preload/memory/calls/format_calls.def"
}  // namespace followed

struct Row {
    std::uint64_t hash;
    FollowedFunction function;
};
#define RADDLE_ROW(name) \
    {hash_of(#name), {#name, reinterpret_cast<void**>(&libc::name), reinterpret_cast<void*>(followed::name)}},
const Row rows[] = {
#define RADDLE_MEMORY_FUNCTION(type, name, ...) RADDLE_ROW(name)
#define RADDLE_STATEFUL_FUNCTION(type, name, ...) RADDLE_ROW(name)
#include "preload/memory/calls/functions.def"
#define RADDLE_PLAIN_CALL_OF(name, type) RADDLE_ROW(name)
#define RADDLE_PLAIN_CALL RADDLE_ROW
#define RADDLE_PRINTING_CALL(name, ...) RADDLE_ROW(name)
#define RADDLE_PRINTING_LIST(name, ...) RADDLE_ROW(name)
#include "preload/memory/calls/plain_calls.def"
#define RADDLE_FORMAT_CALL(name, ...) RADDLE_ROW(name)
#define RADDLE_FORMAT_LIST(name, ...) RADDLE_ROW(name)
#include "preload/memory/calls/format_calls.def"
};
#undef RADDLE_ROW

void note_plain_call(const void* original, const void* caller, const void* first) {
    for (const Row& row : rows) {
        if (row.function.original != original) continue;
        const bool asks = std::strstr(row.function.name, "getenv") != nullptr;
        call_notes::note(row.function.name, caller, nullptr, asks ? static_cast<const char*>(first) : nullptr);
        return;
    }
}

}  // namespace

const FollowedFunction* followed_function(const char* name) {
    const std::uint64_t hash = hash_of(name);
    for (const Row& row : rows)
        if (row.hash == hash && std::strcmp(row.function.name, name) == 0) return &row.function;
    return nullptr;
}

}  // namespace raddle::memory
