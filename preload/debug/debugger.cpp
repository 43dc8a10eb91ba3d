// See debugger.h. The two exported names belong to the contract with cli/gdb_commands/shim.py.
#include "preload/debug/debugger.h"

#include "preload/schedule/scheduler.h"
#include "supervisor/protocol/channel.h"

namespace raddle::debugger {

bool attended = false;

// The reason for a call of raddle_debugger_stop.
enum Reason : std::uint64_t { starting = 1, step_taken, misuse_found, execution_ended };

// The debugger reads and writes this, in words of 8 bytes. A change of the layout also changes `version` and
// cli/gdb_commands/shim.py.
struct Description {
    std::uint64_t version = 2;
    channel::DebuggerArea* area = nullptr;
    std::uint64_t reason = 0;
    std::uint64_t stop_after = ~std::uint64_t{0};  // a number of steps, written by the debugger
    std::uint64_t steps = 0;                       // steps taken so far
    std::uint64_t thread_count = 0;
    Thread** threads = nullptr;
    // Offsets in a Thread:
    std::uint64_t id = offsetof(Thread, id);
    std::uint64_t control_block = offsetof(Thread, context) + offsetof(backend::ThreadContext, self);
    std::uint64_t stack_pointer = offsetof(Thread, context) + offsetof(backend::ThreadContext, stack_pointer);
    std::uint64_t ended = offsetof(Thread, ended);
    std::uint64_t name = offsetof(Thread, name);
    // Accesses to memory in changed code: an array that begins each element with an address in its module, the size of
    // an element, and the load address of each one's module.
    const void* sites = nullptr;
    std::uint64_t site_bytes = 0;
    const std::uint64_t* site_bases = nullptr;
    // The code of the checks, below which the registers of the program lie.
    const void* check_begin = nullptr;
    const void* check_end = nullptr;
};

}  // namespace raddle::debugger

extern "C" {
__attribute__((visibility("default"))) raddle::debugger::Description raddle_debugger;

__attribute__((visibility("default"), noinline)) void raddle_debugger_stop() { __asm__ volatile("" ::: "memory"); }
}

namespace raddle::debugger {

namespace {

Thread* listed[thread_table::count];

void stop(Reason reason) {
    raddle_debugger.reason = reason;
    raddle_debugger_stop();
}

}  // namespace

void begin(channel::DebuggerArea* area) {
    attended = true;
    raddle_debugger.area = area;
    raddle_debugger.threads = listed;
}

void leave() { attended = false; }

void introduce(Thread& thread) {
    if (thread.slot >= thread_table::count) return;
    listed[thread.slot] = &thread;
    if (raddle_debugger.thread_count <= thread.slot) raddle_debugger.thread_count = thread.slot + 1;
}

void show_sites(const ChangedCode& code) {
    raddle_debugger.sites = code.sites;
    raddle_debugger.site_bytes = code.site_bytes;
    raddle_debugger.site_bases = code.site_bases;
    raddle_debugger.check_begin = code.check_begin;
    raddle_debugger.check_end = code.check_end;
}

void started() {
    scheduler::publish_modules();
    stop(starting);
}

void stepped(std::uint32_t steps, Misuse misuse) {
    raddle_debugger.steps = steps;
    const bool arrived = steps == raddle_debugger.stop_after;
    if (!arrived && misuse == Misuse::none) return;
    scheduler::publish_modules();
    stop(arrived ? step_taken : misuse_found);
}

void ended() { stop(execution_ended); }

}  // namespace raddle::debugger
