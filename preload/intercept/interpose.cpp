// Expands functions.def into the exported symbols that calls of the program find first. The symbols have no version,
// so the loader takes them for references to any version (pthread_cond_wait@GLIBC_2.2.5 and @@GLIBC_2.3.2). In C++
// they have other names, because libc's headers declare the real functions.
#include <dlfcn.h>

#include <cstring>
#include <string_view>

#include "preload/base/lookup.h"
#include "preload/intercept/callbacks.h"
#include "preload/intercept/cancellation.h"
#include "preload/intercept/describe.h"
#include "preload/intercept/forwarded_calls.h"
#include "preload/intercept/real.h"
#include "preload/memory/calls/effects.h"
#include "preload/restore/undo.h"
#include "preload/schedule/call_notes.h"
#include "preload/schedule/live_registers.h"
#include "supervisor/protocol/shim_memory.h"

namespace raddle {

void* call_site = nullptr;
void* heap_call_site = nullptr;
std::uint64_t call_frames[thread_arena::count];

namespace {

constexpr const char* function_names[] = {
#define RADDLE_ACTION(type, name, ...) #name,
#define RADDLE_HOOK(type, name, ...) #name,
#define RADDLE_DESCRIPTOR_CALL(type, name, ...) #name,
#include "preload/intercept/functions.def"
};
void* addresses[static_cast<std::size_t>(Function::count_)];

// Files of hooks that use nothing outside memory, or say so themselves where they do (undo.h).
constexpr std::string_view in_memory[] = {"abort",   "cancel", "exit",       "heap",       "identity",   "keys",
                                          "objects", "once",   "processors", "random",     "scheduling", "semaphore",
                                          "thread",  "time",   "timers",     "system_call"};
constexpr bool stays_in_memory(std::string_view file) {
    for (const std::string_view one : in_memory)
        if (one == file) return true;
    return false;
}

}  // namespace

void* real_address(Function function) {
    const auto index = static_cast<std::size_t>(function);
    if (addresses[index] == nullptr) {
        live_registers::keep();
        addresses[index] = lookup::next(function_names[index]);
    }
    if (addresses[index] == nullptr && recorded())
        scheduler::end_with(channel::End::uncontrolled, "this system's libraries have no function ",
                            function_names[index]);
    return addresses[index];
}

void resolve_all() {
    heap::divert(true);
    for (std::size_t i = 0; i < static_cast<std::size_t>(Function::count_); ++i)
        if (addresses[i] == nullptr) addresses[i] = lookup::next(function_names[i]);
    resolve_forwarded_calls();
    dlerror();
    heap::divert(false);
}

}  // namespace raddle

using namespace raddle;

static_assert(mark::known_mutex == shim_memory::mutex_mark && mark::known_rwlock == shim_memory::rwlock_mark);

#define RADDLE_EXPORTED(type, name, parameters)                                                            \
    extern "C" __attribute__((visibility("default"))) type raddle_export_##name parameters __asm__(#name); \
    type raddle_export_##name parameters

// Performs the call with what it reads and writes for its caller.
#define RADDLE_FOLLOW(name, caller, arguments, perform) \
    memory::effects::follow<memory::effects::rows_of(#name)>(caller, [&] { return perform; }) arguments

// The call may use something outside memory.
#define RADDLE_NOTE_OUTSIDE(family) \
    if constexpr (!stays_in_memory(#family)) undo::used_outside();

#define RADDLE_NOTE(name)                \
    if (call_notes::wanted) [[unlikely]] \
        call_notes::note(#name, call_site, __builtin_dwarf_cfa());

// A cancellation point of the table.
#define RADDLE_TEST_BEFORE(name)                            \
    if constexpr (cancellation::tests_before(#name)) {      \
        if (cancellation::armed && recorded()) [[unlikely]] \
            cancellation::test();                           \
    }
#define RADDLE_ACTION(type, name, parameters, arguments, refuse, action, result, gap) \
    RADDLE_EXPORTED(type, name, parameters) {                                         \
        if (!controlled()) [[unlikely]]                                               \
            return real::name arguments;                                              \
        RADDLE_NOTE_CALLER(call_site);                                                \
        RADDLE_NOTE(name)                                                             \
        if (const int error = refuse; error != 0) return result::refused(error);      \
        return RADDLE_FOLLOW(name, call_site, arguments, result::of(act(action)));    \
    }
#define RADDLE_HOOK(type, name, parameters, arguments, family, gap)              \
    RADDLE_EXPORTED(type, name, parameters) {                                    \
        if (!controlled()) [[unlikely]]                                          \
            return real::name arguments;                                         \
        RADDLE_NOTE_CALLER(call_site);                                           \
        RADDLE_NOTE(name)                                                        \
        RADDLE_NOTE_OUTSIDE(family)                                              \
        RADDLE_TEST_BEFORE(name)                                                 \
        return RADDLE_FOLLOW(name, call_site, arguments, hooks::name arguments); \
    }
#define RADDLE_HOOK_LEAVING(type, name, parameters, arguments, family, gap) \
    RADDLE_EXPORTED(type, name, parameters) {                               \
        if (!controlled()) [[unlikely]]                                     \
            real::name arguments;                                           \
        RADDLE_NOTE_CALLER(call_site);                                      \
        RADDLE_NOTE(name)                                                   \
        hooks::name arguments;                                              \
    }
#define RADDLE_DESCRIPTOR_CALL(type, name, parameters, arguments, fd)           \
    RADDLE_EXPORTED(type, name, parameters) {                                   \
        if (!controlled()) [[unlikely]]                                         \
            return real::name arguments;                                        \
        RADDLE_NOTE_CALLER(call_site);                                          \
        RADDLE_NOTE(name)                                                       \
        RADDLE_TEST_BEFORE(name)                                                \
        undo::used_outside();                                                   \
        fds::use_number(fd);                                                    \
        return RADDLE_FOLLOW(name, call_site, arguments, real::name arguments); \
    }
#define RADDLE_HOOK_IN_CHILDREN(type, name, parameters, arguments, family, gap)  \
    RADDLE_EXPORTED(type, name, parameters) {                                    \
        RADDLE_NOTE_CALLER(call_site);                                           \
        RADDLE_NOTE(name)                                                        \
        RADDLE_NOTE_OUTSIDE(family)                                              \
        RADDLE_TEST_BEFORE(name)                                                 \
        return RADDLE_FOLLOW(name, call_site, arguments, hooks::name arguments); \
    }
#define RADDLE_HOOK_ALWAYS(type, name, parameters, arguments, family, gap)            \
    RADDLE_EXPORTED(type, name, parameters) {                                         \
        RADDLE_NOTE_CALLER(heap_call_site);                                           \
        return RADDLE_FOLLOW(name, heap_call_site, arguments, hooks::name arguments); \
    }
#include "preload/intercept/functions.def"

raddle::Substitute raddle::exported_function(const char* name) {
    static void* const exported[] = {
#define RADDLE_ACTION(type, name, ...) reinterpret_cast<void*>(&raddle_export_##name),
#define RADDLE_HOOK(type, name, ...) reinterpret_cast<void*>(&raddle_export_##name),
#define RADDLE_DESCRIPTOR_CALL(type, name, ...) reinterpret_cast<void*>(&raddle_export_##name),
#include "preload/intercept/functions.def"
    };
    for (std::size_t i = 0; i < static_cast<std::size_t>(Function::count_); ++i)
        if (std::strcmp(function_names[i], name) == 0) {
            if (addresses[i] == nullptr) addresses[i] = lookup::next(name);
            return {exported[i], addresses[i]};
        }
    return {};
}
