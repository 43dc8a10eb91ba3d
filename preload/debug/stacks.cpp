#include "preload/debug/stacks.h"

#include <sys/uio.h>
#include <ucontext.h>

#include <cstring>

#include "preload/base/raw.h"
#include "preload/base/thread_arena.h"
#include "preload/schedule/canonical.h"
#include "preload/schedule/scheduler.h"

namespace raddle::stacks {

channel::StackArea* area = nullptr;

namespace {

using channel::register_count;

constexpr int rsp = 7;  // DWARF's number
// The registers of a signal handler's context in the order of DWARF.
constexpr int order[register_count] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
                                       REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};

// The registers of an interrupted instruction, for the next snapshot.
std::uint64_t interrupted[register_count];
bool has_interrupted = false;
bool by_fault = false;  // the interrupted instruction raised a fatal signal

// Counts of this process. A forked process goes on from those of the fork server.
std::uint64_t snapshots_taken = 0;
std::uint64_t notes_taken = 0;
// The slot of each thread's last snapshot plus one (0: none), and the slots in use that way.
std::uint32_t last_slot[thread_table::count];
bool is_last[channel::most_snapshots];

std::uint32_t copy_carefully(unsigned char* to, std::uint64_t from, std::uint32_t most) {
    const iovec local = {to, most};
    const iovec remote = {reinterpret_cast<void*>(from), most};
    const long copied = raw::call(SYS_process_vm_readv, raw::call(SYS_getpid), &local, 1L, &remote, 1L, 0L);
    return raw::failed(copied) ? 0 : static_cast<std::uint32_t>(copied);
}

std::uint32_t copy_stack(unsigned char* to, const Thread& thread, std::uint64_t pointer, std::uint32_t most) {
    const std::uint64_t end = end_of_stack(thread, pointer);
    if (end == 0) return copy_carefully(to, pointer, most);  // a stack that the program made itself, or one for signals
    const std::uint32_t bytes = end - pointer < most ? static_cast<std::uint32_t>(end - pointer) : most;
    std::memcpy(to, reinterpret_cast<const void*>(pointer), bytes);
    return bytes;
}

// Only registers that calls preserve. Unwinders do not ask for the others.
[[gnu::always_inline]] inline void read_registers(std::uint64_t (&registers)[register_count]) {
    for (std::uint64_t& value : registers) value = 0;
    __asm__ volatile(
        "movq %%rbx, 24(%0)\n\t"
        "movq %%rbp, 48(%0)\n\t"
        "movq %%rsp, 56(%0)\n\t"
        "movq %%r12, 96(%0)\n\t"
        "movq %%r13, 104(%0)\n\t"
        "movq %%r14, 112(%0)\n\t"
        "movq %%r15, 120(%0)\n\t"
        "leaq 0(%%rip), %%rax\n\t"
        "movq %%rax, 128(%0)"
        :
        : "r"(registers)
        : "rax", "memory");
}

std::uint32_t free_slot(const Thread& thread) {
    if (last_slot[thread.arena] != 0) is_last[last_slot[thread.arena] - 1] = false;
    auto slot = static_cast<std::uint32_t>(snapshots_taken % channel::most_snapshots);
    for (std::uint32_t tried = 0; is_last[slot] && tried < channel::most_snapshots; ++tried) {
        ++snapshots_taken;
        slot = static_cast<std::uint32_t>(snapshots_taken % channel::most_snapshots);
    }
    ++snapshots_taken;
    last_slot[thread.arena] = slot + 1;
    is_last[slot] = true;
    return slot;
}

}  // namespace

void begin(channel::StackArea* shared) { area = shared; }

void stop() { area = nullptr; }

void publish() {
    area->crashed = 0;
    area->snapshots_taken = snapshots_taken;
    area->notes_taken = notes_taken;
}

void take_from(const std::uint64_t (&registers)[16], std::uint64_t stack_pointer, std::uint64_t instruction) {
    static constexpr int numbered[16] = {0, 2, 1, 3, 6, 7, 5, 4, 8, 9, 10, 11, 12, 13, 14, 15};  // DWARF's order
    for (int i = 0; i < 16; ++i) interrupted[i] = registers[numbered[i]];
    interrupted[rsp] = stack_pointer;
    interrupted[register_count - 1] = instruction;
    has_interrupted = true;
}

[[gnu::noinline]] void take(const Thread& thread, std::uint32_t number) {
    channel::Snapshot& snapshot = area->snapshots[free_slot(thread)];
    snapshot.thread = thread.id;
    snapshot.number = number;
    if (has_interrupted)
        std::memcpy(snapshot.registers, interrupted, sizeof interrupted);
    else
        read_registers(snapshot.registers);
    has_interrupted = false;
    snapshot.counted_from =
        thread.context.stack == nullptr ? canonical::main_stack_end() : thread_arena::end_of(thread.arena);
    // The pointer of a stack that has overflowed may lie in unmapped memory.
    snapshot.stack_bytes = by_fault
                               ? copy_carefully(snapshot.stack, snapshot.registers[rsp], channel::most_stack_bytes)
                               : copy_stack(snapshot.stack, thread, snapshot.registers[rsp], channel::most_stack_bytes);
    by_fault = false;
    area->snapshots_taken = snapshots_taken;
}

void take_from_fault(const long long* at_fault) {
    for (std::uint32_t i = 0; i < register_count; ++i) interrupted[i] = static_cast<std::uint64_t>(at_fault[order[i]]);
    has_interrupted = by_fault = true;
}

void publish_crash(const Thread& thread) {
    if (last_slot[thread.arena] == 0) return;
    area->crash = area->snapshots[last_slot[thread.arena] - 1];
    area->crash.number = 0;
    area->crashed = 1;
}

void take_crash(const Thread& thread, const long long* at_fault) {
    channel::Snapshot& snapshot = area->crash;
    snapshot.thread = thread.id;
    snapshot.number = 0;
    for (std::uint32_t i = 0; i < register_count; ++i)
        snapshot.registers[i] = static_cast<std::uint64_t>(at_fault[order[i]]);
    // The pointer of a stack that has overflowed may lie in unmapped memory.
    snapshot.stack_bytes = copy_carefully(snapshot.stack, snapshot.registers[rsp], channel::most_stack_bytes);
    area->crashed = 1;
}

[[gnu::noinline]] void take_crash_here() {
    channel::Snapshot& snapshot = area->crash;
    snapshot.thread = scheduler::current().id;
    snapshot.number = 0;
    read_registers(snapshot.registers);
    snapshot.stack_bytes = copy_carefully(snapshot.stack, snapshot.registers[rsp], channel::most_stack_bytes);
    area->crashed = 1;
}

[[gnu::noinline]] void note_block(const void* block, std::size_t bytes, bool is_free) {
    channel::BlockNote& note = area->notes[notes_taken++ % channel::most_block_notes];
    const Thread& thread = scheduler::current();
    note.begin = canonical::name_of(block);
    note.bytes = bytes;
    note.thread = thread.id;
    note.is_free = is_free ? 1 : 0;
    read_registers(note.registers);
    note.stack_bytes = copy_stack(note.stack, thread, note.registers[rsp], channel::most_note_stack_bytes);
    area->notes_taken = notes_taken;
}

}  // namespace raddle::stacks
