// Attaches the shim to the process: at the first intercepted call, or before the program's own constructors, whichever
// comes first. Nothing of the C library can be relied on at that point. attach() finds the channel by the environment
// and removes it from there, so that neither the program nor its children see it. It leaves the user's own libraries in
// LD_PRELOAD.
#include <sys/wait.h>

#include <cstring>

#include "preload/base/fixed_memory.h"
#include "preload/base/own_imports.h"
#include "preload/base/raw.h"
#include "preload/base/sanitizer.h"
#include "preload/debug/debugger.h"
#include "preload/debug/outside.h"
#include "preload/debug/stacks.h"
#include "preload/hooks/files/output.h"
#include "preload/hooks/heap/stream_buffers.h"
#include "preload/hooks/names/names.h"
#include "preload/hooks/processes/exit.h"
#include "preload/hooks/processes/fork.h"
#include "preload/hooks/processes/origin.h"
#include "preload/hooks/signals/crash.h"
#include "preload/hooks/signals/signals.h"
#include "preload/hooks/system/inline_calls.h"
#include "preload/hooks/system/sanitizers.h"
#include "preload/hooks/threads/identity.h"
#include "preload/intercept/callbacks.h"
#include "preload/memory/memory.h"
#include "preload/restore/restore.h"
#include "preload/schedule/call_notes.h"
#include "preload/schedule/canonical.h"
#include "preload/schedule/scheduler.h"
#include "preload/threads/backend.h"
#include "supervisor/protocol/origin.h"

extern "C" void* __libc_stack_end;

namespace raddle {

namespace {

// The environment as the kernel laid it out on the stack, above the arguments.
char** initial_environment() {
    auto* words = static_cast<char**>(__libc_stack_end);
    if (words == nullptr) return nullptr;
    const auto count = reinterpret_cast<std::uintptr_t>(*words);
    return words + 1 + count + 1;
}

char* value_of(char* entry, const char* name) {
    const std::size_t length = std::strlen(name);
    return std::strncmp(entry, name, length) == 0 && entry[length] == '=' ? entry + length + 1 : nullptr;
}

void remove(char** entry) {
    do entry[0] = entry[1];
    while (*entry++ != nullptr);
}

// The part of a list behind its first names. Null if there are no more.
char* after_names(char* list, std::uint32_t names) {
    for (; list != nullptr && names > 1; --names) {
        list = std::strchr(list, ':');
        if (list != nullptr) ++list;
    }
    return list != nullptr ? std::strchr(list, ':') : nullptr;
}

void hide(char** environment, bool bound_now, std::uint32_t preloads) {
    for (char** entry = environment; *entry != nullptr;) {
        char* preloaded = value_of(*entry, "LD_PRELOAD");
        char* others = after_names(preloaded, preloads);
        const bool is_ours =
            value_of(*entry, channel::environment_name) != nullptr || value_of(*entry, channel::room_name) != nullptr;
        if (is_ours || (bound_now && value_of(*entry, "LD_BIND_NOW") != nullptr) ||
            (preloaded != nullptr && others == nullptr)) {
            remove(entry);
            continue;
        }
        if (others != nullptr) std::memmove(preloaded, others + 1, std::strlen(others + 1) + 1);
        ++entry;
    }
}

long code = -1;  // descriptor of the description of the program's code; -1: none

long read_number(const char*& text) {
    long number = 0;
    for (; *text >= '0' && *text <= '9'; ++text) number = number * 10 + (*text - '0');
    return number;
}

// The descriptor of the channel, by the text in the environment. Sets `code`.
long find_channel(const char* numbers) {
    if (*numbers == origin::mark) {
        const NewLaunch launch = serve_as_origin(read_number(++numbers));
        code = launch.code;
        return launch.channel;
    }
    const long descriptor = read_number(numbers);
    if (*numbers == ',') code = read_number(++numbers);
    return descriptor;
}

channel::Channel* map_channel(const char* numbers) {
    const long descriptor = find_channel(numbers);
    const long mapped = raw::call(SYS_mmap, fixed_memory::shared_channel, sizeof(channel::Channel),
                                  PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0L);
    auto* channel = raw::failed(mapped) ? nullptr : reinterpret_cast<channel::Channel*>(mapped);
    if (channel != nullptr && (channel->magic != channel::magic || channel->bytes != sizeof(channel::Channel))) {
        raw::unmap(channel, sizeof(channel::Channel));
        channel = nullptr;
    }
    if (channel != nullptr && channel->settings.take_stacks != 0) {
        const long area = raw::call(SYS_mmap, 0L, sizeof(channel::StackArea), PROT_READ | PROT_WRITE, MAP_SHARED,
                                    descriptor, sizeof(channel::Channel));
        if (!raw::failed(area)) stacks::begin(reinterpret_cast<channel::StackArea*>(area));
    }
    if (channel != nullptr && channel->settings.in_debugger != 0) {
        const long area = raw::call(SYS_mmap, 0L, sizeof(channel::DebuggerArea), PROT_READ | PROT_WRITE, MAP_SHARED,
                                    descriptor, sizeof(channel::Channel) + sizeof(channel::StackArea));
        if (!raw::failed(area)) debugger::begin(reinterpret_cast<channel::DebuggerArea*>(area));
    }
    raw::call(SYS_close, descriptor);
    return channel;
}

// The program has replaced itself (exec): this is not the first image of the process. The execution begins again.
void begin_new_image(channel::Channel& channel) {
    channel.result = {};
    channel.module_count = 0;
    channel.threads[0] = {};
    channel.replacement[0] = 0;
    channel::store(channel.replaced, channel.replaced + 1);
    signals::read_start_mask();
    // This image inherits the children of the one before.
    siginfo_t info;
    const bool has_children =
        !raw::failed(raw::call(SYS_waitid, P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT, nullptr));
    if (has_children || channel.stage == static_cast<std::uint32_t>(channel::Stage::serving))
        restore::rule_out_fork_server();
}

bool prepared = false;

// Prepares everything that needs a working C library. Called at the latest before the program's own constructors.
void prepare() {
    if (prepared) return;
    prepared = true;
    sanitizers::prepare();
    canonical::refresh();
    stream_buffers::prepare();
    cancellation::find_callers();
    register_exit_handlers();
    output::begin();
    register_fork_handler();
    crash::install();
    if (code >= 0) memory::describe(code);
    // The program's start runs as it is, up to the place where executions begin.
    if (scheduler::shared()->settings.fork_at != channel::ForkAt::first_thread)
        memory::arm_loaded_modules();
    else
        memory::redirect_loaded_modules();
}

}  // namespace

bool attach() {
    own_imports::lead_to_libc();
    phase = Phase::off;
    char** environment = initial_environment();
    if (environment == nullptr) {
        phase = Phase::unknown;  // the loader has not set it up yet
        return false;
    }
    channel::Channel* channel = nullptr;
    for (char** entry = environment; *entry != nullptr; ++entry)
        if (const char* number = value_of(*entry, channel::environment_name)) channel = map_channel(number);
    if (channel == nullptr) return false;
    const bool first = channel->stage == static_cast<std::uint32_t>(channel::Stage::launched);
    hide(environment, channel->settings.bound_now != 0, first ? channel->settings.preloads : 1);
    if (first) {
        channel->process = static_cast<std::int32_t>(raw::call(SYS_getpid));
        channel->parent = static_cast<std::int32_t>(raw::call(SYS_getppid));
        // The program may keep its process id in memory, so the id has to be the same in every process.
        if (code >= 0) {
            names::set_process_number(fixed_process_id, channel->process);
            names::set_process_number(fixed_process_id - 1, channel->parent);
            channel->process = fixed_process_id;
            channel->parent = fixed_process_id - 1;
        }
    } else {
        begin_new_image(*channel);
    }
    set_process_ids(channel->process, channel->parent);
    channel::store(channel->executor, static_cast<std::uint32_t>(raw::call(SYS_getpid)));
    scheduler::begin(channel);
    outside::show_threads(*channel);
    call_notes::wanted = channel->settings.note_calls != 0;
    if (first) channel::store(channel->stage, static_cast<std::uint32_t>(channel::Stage::attached));
    sanitizers::take_over();
    return true;
}

// Constructors of other preloaded libraries may run before the shim's, so this may come first from a call.
void restore::be_ready() {
    static bool ready = false;
    if (ready) return;
    ready = true;
    prepare();
    inline_calls::watch();
    // libthread_db finds threads by the kernel's ids.
    if (const char* why = backend::prepare(debugger::attended ? 0 : fixed_process_id))
        scheduler::end_with(channel::End::uncontrolled, why);
    fork_at_start();
    if (debugger::attended) debugger::started();
}

}  // namespace raddle

__attribute__((constructor(101))) static void raddle_constructor() {
    if (raddle::controlled()) raddle::restore::be_ready();
}
