// State that the parts of memory/ share: the description of the program's code, the running thread, and the registers
// of an interrupted instruction.
#pragma once

#include "preload/base/thread_arena.h"
#include "preload/schedule/callbacks.h"
#include "supervisor/protocol/patches.h"

namespace raddle::memory {

// The registers of the interrupted thread, as checks/entry.cpp pushes them. Changes take effect when the thread goes
// on.
struct AccessFrame {
    std::uint64_t registers[16];  // by number (namespace reg); the entry of rsp is not filled in
    std::uint64_t flags;
    std::uint64_t return_address;  // address of the instruction's copy
    std::uint64_t site;
    std::uint8_t red_zone[128];

    std::uint64_t stack_pointer() const { return reinterpret_cast<std::uint64_t>(this + 1); }
};

// The supervisor's description, mapped by patcher.cpp. It does not change after that.
struct Patches {
    const Header* header = nullptr;
    const AccessSite* sites = nullptr;
    const Arming* arming = nullptr;
    std::uint64_t* module_base = nullptr;  // by site
};
extern Patches patches;
// The running access came by a breakpoint.
extern bool is_by_breakpoint;
// An array of the description, by its offset in the header.
template <typename Row>
const Row* described(std::uint64_t offset) {
    return reinterpret_cast<const Row*>(reinterpret_cast<const char*>(patches.header) + offset);
}

// Whether this code belongs to a module whose accesses are followed. patcher.cpp defines this.
bool is_instrumented(const void* code);

// The instruction for which the shim itself accesses the program's memory; 0 otherwise. A crash is reported as its
// crash.
extern std::uint64_t probing;
extern const AccessFrame* probing_frame;  // the registers of that instruction; null: it is a call of the shim
inline void begin_probe(std::uint64_t instruction, const AccessFrame* frame) {
    probing_frame = frame;
    probing = instruction;
}
inline void end_probe() { probing = 0; }
extern std::uint64_t execution_mark;                                   // different in each execution of the process
inline constexpr std::uint64_t after_arenas = std::uint64_t{1} << 31;  // keeps action marks apart from marks of arenas

// The address that a memory operand stands for.
inline std::uint64_t address_of(const AccessFrame& frame, const Operand& operand) {
    auto address = static_cast<std::uint64_t>(operand.displacement);
    if (operand.base == reg::module)
        address += patches.module_base[frame.site];
    else if (operand.base == reg::rsp)
        address += frame.stack_pointer();
    else if (operand.base != reg::none)
        address += frame.registers[operand.base];
    if (operand.index != reg::none) address += frame.registers[operand.index] * operand.scale;
    if (operand.thread_local_base != 0) {
        std::uint64_t base;
        __asm__("movq %%fs:0, %0" : "=r"(base));
        address += base;
    }
    return address;
}

// Whether an address lies on the running thread's stack, or on some thread's stack. These look at addresses alone, so a
// stack that the program allocated itself counts as other memory.
extern std::uint64_t main_stack_top;
inline constexpr std::uint64_t main_reach = std::uint64_t{1} << 27;  // so far below, addresses belong to that stack
inline bool is_own_stack(std::uint64_t pointer, std::uint64_t address) {
    if (thread_arena::contains(pointer)) {
        const std::uint32_t arena = thread_arena::index_of(pointer);
        const bool in_heap = pointer - thread_arena::start_of(arena) < thread_arena::heap_bytes;
        return !in_heap && address >= pointer - 128 && address < thread_arena::end_of(arena);
    }
    return current_arena == 0 && address >= pointer - 128 && address < main_stack_top;
}
inline bool is_own_stack(const AccessFrame& frame, std::uint64_t address) {
    return is_own_stack(frame.stack_pointer(), address);
}
// The main thread's thread-local variables do not lie on its stack.
extern std::uint64_t main_thread_locals, main_thread_locals_end;
inline bool is_main_thread_local(std::uint64_t address) {
    return address >= main_thread_locals && address < main_thread_locals_end;
}
// A thread's stack, or its thread-local variables.
inline bool is_own(std::uint64_t pointer, std::uint64_t address) {
    return is_own_stack(pointer, address) || (current_arena == 0 && is_main_thread_local(address));
}
inline bool is_a_stack(std::uint64_t address) {
    if (is_main_thread_local(address)) return true;
    if (thread_arena::contains(address))
        return address - thread_arena::start_of(thread_arena::index_of(address)) >= thread_arena::heap_bytes;
    return address < main_stack_top && main_stack_top - address < main_reach;
}

// The state of a thread before a read: everything that its code can still read by itself. Spinning threads are
// recognised by it (spinning.cpp).
struct ReadableState {
    const std::uint64_t* registers;
    std::uint64_t stack_pointer;  // the stack above this address is part of the state ...
    std::uint64_t below;          // ... and this many bytes below it
    std::uint64_t flags;
    const unsigned char* vectors;  // 16 bytes of each; null: the call overwrites them
    const Unread* unread;
};

}  // namespace raddle::memory
