// The end of an execution: messages, the list of loaded modules, and the result for the supervisor.
#include <cstring>

#include "preload/base/raw.h"
#include "preload/base/text.h"
#include "preload/schedule/call_notes.h"
#include "preload/schedule/callbacks.h"
#include "preload/schedule/canonical.h"
#include "preload/schedule/scheduler.h"

namespace raddle::scheduler {

namespace {

using channel::Channel;
using channel::End;

bool concluded = false;

void append(char* text, std::uint32_t& length, const char* more) {
    while (*more != 0 && length + 1 < channel::most_message) text[length++] = *more++;
    text[length] = 0;
}

}  // namespace

void set_message(const char* message, const char* detail) {
    channel::Result& result = shared()->result;
    if (result.message_length != 0) return;  // the first message names the cause
    std::uint32_t length = 0;
    append(result.message, length, message);
    append(result.message, length, detail);
    result.message_length = length;
}

End end_of(Ending ending) {
    switch (ending) {
        case Ending::exited:
        case Ending::replaced: return End::exited;
        case Ending::finished: return End::finished;
        case Ending::deadlock: return End::deadlock;
        case Ending::livelock: return End::livelock;
        case Ending::failed: return End::failed;
        case Ending::crashed: return End::crash;
        case Ending::running: break;
    }
    return End::running;
}

void publish_last_words(const Thread& thread) {
    channel::Result& result = shared()->result;
    result.exit_status = machine().exit_status();
    if (thread.last_words != nullptr) set_message(thread.last_words);
    if (thread.crash == nullptr) return;
    result.crash = *thread.crash;
    if (stacks::area != nullptr) stacks::publish_crash(thread);
}

void cut_after_end(const Thread& thread) {
    shared()->result.cut_after_end = 1;
    publish_last_words(thread);
    end_with(end_of(machine().how_process_ended()), "");
}

void needs_kernel_threads(const char* what) {
    if (backend::kind == backend::Kind::kernel_threads || phase != Phase::scheduled || !is_target()) return;
    shared()->result.wants_kernel_threads = 1;
    end_with(End::uncontrolled, "the program changes state that the kernel keeps per thread: ", what);
}

void needs_fibers(const char* what) {
    if (backend::kind == backend::Kind::fibers || phase != Phase::scheduled || !is_target()) return;
    end_with(End::uncontrolled,
             "with kernel threads raddle cannot change all threads at once, as the program asks: ", what);
}

void publish_modules() {
    Channel& channel = *shared();
    std::uint32_t count = canonical::module_count();
    if (count > channel::most_modules) count = channel::most_modules;
    for (std::uint32_t i = channel.module_count; i < count; ++i) {
        const canonical::Module& from = canonical::module(i);
        channel::ModuleRow& to = channel.modules[i];
        to.base = from.base;
        to.end = from.end;
        static_assert(sizeof to.path == sizeof from.path);
        std::memcpy(to.path, from.path, sizeof to.path);
        // The loader has no name for the executable. After an exec the supervisor does not know its name, either.
        if (i == 0 && to.path[0] == 0 && channel.replaced != 0)
            raw::call(SYS_readlink, "/proc/self/exe", to.path, sizeof to.path - 1);
    }
    channel.module_count = count;
}

void conclude(End end) {
    Channel* const channel = shared();
    if (concluded || channel == nullptr) return;
    concluded = true;
    memory::active = false;
    memory::shadow::report();
    channel->result.accesses = memory::accesses + memory::breakpoints * (memory::accesses_of_a_breakpoint - 1);
    channel->result.visible_accesses = memory::visible_accesses;
    channel->result.visible_breakpoints = memory::visible_breakpoints;
    for (ThreadSlot slot = 0; slot < machine().thread_count(); ++slot) show_pending(slot);
    publish_modules();
    __atomic_store_n(reinterpret_cast<std::uint32_t*>(&channel->result.end), static_cast<std::uint32_t>(end),
                     __ATOMIC_RELEASE);
    if (channel->stage != static_cast<std::uint32_t>(channel::Stage::serving)) raw::futex_wake(&channel->reply);
    if (debugger::attended) debugger::ended();
}

// A child of the program ends as it would without raddle. It has no verdict.
[[noreturn]] void end_child(End end, const char* message, const char* detail) {
    if (end == End::deadlock || end == End::livelock) {
        note_external_event(channel::external_event::child_stuck);
        for (;;) raw::call(SYS_pause);
    }
    Text<1024> text;
    text.add("raddle: a child process of the program cannot go on under raddle: ").add(message).add(detail).add("\n");
    raw::call(SYS_write, 2, text.bytes, std::strlen(text.bytes));
    raw::exit_process(70);
}

void forget_conclusion() { concluded = false; }

// The supervisor reads the memory of the process meanwhile.
static void hold_still() {
    Channel& channel = *shared();
    if (channel.plan.hold == 0 || !is_target()) return;
    const auto stack_pointer = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < thread_table::count && count < channel::most_held_stacks; ++i) {
        const Thread& thread = thread_table::at(i);
        if (!thread.known || thread.ended) continue;
        const std::uint64_t lowest =
            &thread == &current() ? stack_pointer : reinterpret_cast<std::uint64_t>(thread.context.stack_pointer);
        // Without the shim's own frames, which hold traces of earlier calls.
        const std::uint64_t frame = call_notes::last_frame_of(thread);
        channel.held_stacks[count++] = frame > lowest ? frame : lowest;
    }
    channel.held_stack_count = count;
    channel::store(channel.held, 1);
    raw::futex_wake(&channel.reply);
    constexpr std::uint64_t second = 1000000000;
    while (channel::load(channel.held) != 0) raw::futex_wait(&channel.held, 1, second);
}

void end_with(End end, const char* message, const char* detail) {
    if (end == End::stopped) hold_still();
    if (!is_target() && end != End::exited && end != End::finished && end != End::failed)
        end_child(end, message, detail);
    if (message[0] != 0) set_message(message, detail);
    conclude(end);
    restore::leave(0);
}

}  // namespace raddle::scheduler
