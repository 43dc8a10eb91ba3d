// Memory accesses of the target's own code as actions. Instructions that touch memory are armed before the program's
// own code runs (patcher.cpp): each leads through a trampoline to entry.cpp, which saves the registers and asks
// filter.cpp; what cannot be settled there goes to access.cpp. Then a copy of the instruction is executed.
//   watched   what it touches is noted (shadow.cpp), to find memory that several threads touch; nothing else happens
//   visible   what it touches is announced, and happens when it is the thread's turn
#pragma once

#include "preload/schedule/callbacks.h"
#include "preload/schedule/canonical.h"
#include "supervisor/protocol/patches.h"

namespace raddle::memory {

// The interrupted thread's registers, as entry.cpp lays them down; changes are taken over.
struct AccessFrame {
    std::uint64_t registers[16];  // by their numbers; that of rsp is not filled in
    std::uint64_t flags;
    std::uint64_t return_address;  // the copy of the instruction
    std::uint64_t site;
    std::uint8_t red_zone[128];

    std::uint64_t stack_pointer() const { return reinterpret_cast<std::uint64_t>(this + 1); }
};

// What filter and patcher share; fixed once armed.
struct Patches {
    const Header* header = nullptr;
    const AccessSite* sites = nullptr;
    const Arming* arming = nullptr;
    std::uint64_t* module_base = nullptr;  // by site
};
extern Patches patches;
inline constexpr std::uint32_t most_idle_reads = 40000;

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

// The stack of the thread that runs, as far as that can be told without asking anybody.
extern std::uint64_t main_stack_top;
inline bool is_own_stack(std::uint64_t pointer, std::uint64_t address) {
    if (thread_arena::contains(pointer)) return address >= pointer - 128 && address < thread_arena::end_of(thread_arena::index_of(pointer));
    return current_arena == 0 && address >= pointer - 128 && address < main_stack_top;
}
inline bool is_a_stack(std::uint64_t address) {
    constexpr std::uint64_t reach = std::uint64_t{1} << 27;
    if (thread_arena::contains(address)) return address - thread_arena::start_of(thread_arena::index_of(address)) >= thread_arena::heap_bytes;
    return address < main_stack_top && main_stack_top - address < reach;
}
inline bool is_own_stack(const AccessFrame& frame, std::uint64_t address) { return is_own_stack(frame.stack_pointer(), address); }

// ---- access.cpp
struct Stretch {
    std::uint64_t address, bytes;
    std::uint8_t mode;
};
// A thread before a look: what its code could still look at itself.
struct ReadableState {
    const std::uint64_t* registers;
    std::uint64_t stack_pointer;   // what lies above it …
    std::uint64_t below;           // … and so many bytes below it
    std::uint64_t flags;
    const unsigned char* vectors;  // none: they are overwritten by the call
    const Unread* unread;
};
// For an access that is a call (calls.h). `stretch`: what is accessed plainly, where that is all there is to say.
// `standing`: none if nothing is known of the caller.
void take_long_way(AccessFrame& frame, const AccessSite& site, std::uint64_t instruction, bool visible, const Stretch& stretch, const ReadableState* readable);

// ---- patcher.cpp
void arm(long descriptor);             // the supervisor's description; once, before the program's own code
bool armed();
bool is_looked_at(const void* code);   // it is of a module whose accesses are
std::uint64_t original_of(std::uint64_t instruction);  // where the instruction stands that was executed elsewhere
bool redirect(std::uint64_t& instruction);  // after a breakpoint: where to go on; false if it is none of ours
const ReportedCall* reported_call(std::uint64_t address);  // which returns there; null if nothing is known of it
extern std::uint64_t probing;          // the instruction for which the shim itself touches the target's memory; else 0

// ---- calls.cpp
bool is_visible_call(std::uint64_t call);  // one that returns there

// ---- library_calls.cpp
void redirect_calls_of(const canonical::Module& module);  // of libc's memory and string functions

// ---- freed.cpp: heap blocks that are given back
// By `operator delete`, which calls free(), it is the code behind it that does.
void is_about_to_delete(const void* block, const void* call);
// Before it is done, by the call that returns to `call`: others may come first, and may do the same. True if what threads
// have names for in it was filled with what fills blocks that are given back, variable by variable.
bool give_back(const void* block, std::uint64_t bytes, const void* call);
void give_out(const void* block);  // it begins anew
// The block it lies in was given out, and back.
bool is_freed(std::uint64_t address);

// ---- shadow.cpp
namespace shadow {
// Of variables that were named in a word, by the bytes where they begin; 0: none does.
struct Widths {
    std::uint8_t of[8];
};
// A word of a block that is given back counts as written. False if nobody else has used it.
bool give_back(std::uint64_t word, Widths& widths);
Widths widths_of(std::uint64_t word);
// Of a variable that begins there: its own end came, which that of its block may be behind.
void mark_freed(std::uint64_t address);
bool is_marked_freed(std::uint64_t address);
void give_out(std::uint64_t word);
void note(std::uint32_t site, std::uint64_t address, std::uint64_t bytes, std::uint8_t mode, bool atomic);
// The variable's first byte: that of the access, unless others reach over it.
std::uint64_t cell_of(std::uint64_t address, std::uint64_t bytes);
// What the memory held before anything visible was done to it in this execution; of what lies within one word.
void keep_first_value(std::uint64_t address, std::uint64_t bytes);
std::uint64_t first_value(std::uint64_t address, std::uint64_t bytes);
void renew_first_value(std::uint64_t address, std::uint64_t bytes, std::uint64_t value);
void find(std::uint32_t site);         // is to become visible
void wait_for(std::uint64_t address);  // a variable that threads wait for counts as one that atomics touch
void mark_call(std::uint32_t number);  // in calls.cpp: one of them is this call
}  // namespace shadow

// ---- spinning.cpp: threads that look at the same memory again and again
namespace spinning {
// Before a look is announced: what it has to wait for; a thread that came round waits here already.
void arrive(const ReadableState& readable, std::uint64_t address, std::uint64_t bytes, Action& action);
// After it.
void looked(const Action& action, const Outcome& outcome, bool changed);
}  // namespace spinning

// ---- views.cpp: words of stacks that other threads wrote to, as their owners know them

namespace foreign_writes {
bool any();
bool are_lost();    // there were too many
std::uint64_t as_owner_knows(std::uint64_t at, std::uint64_t word);
// The current thread is about to write to another's stack …
void about_to_write(std::uint64_t address, std::uint64_t bytes);
// The current thread looks at its own, or writes.
void owner_accesses(std::uint64_t address, std::uint64_t bytes);
}  // namespace foreign_writes

// What the filter knows to have been noted already. Its memory is not put back after an execution: what was noted in
// another one is recognised by `mark`.
struct Noted {
    std::uint64_t key;                 // word and site
    std::uint64_t mark;                // the thread's place plus one, and which execution it was; or the passing mark
};
inline constexpr std::uint32_t noted_count = 1u << 12;
extern Noted* noted;
extern std::uint64_t execution_mark;
inline constexpr std::uint64_t passing = std::uint64_t{1} << 31;  // so that it is nobody's place
inline std::uint64_t mark_of_current() { return execution_mark + current_arena + 1; }
inline std::uint64_t note_key(std::uint64_t word, std::uint64_t site) { return (word >> 3) | site << 44; }
inline std::uint64_t word_of(std::uint64_t key) { return (key & ((std::uint64_t{1} << 44) - 1)) << 3; }
inline Noted& noted_at(std::uint64_t key) { return noted[(key * 0x9e3779b97f4a7c15ULL) >> 52]; }

// What the instruction does with what is in memory now: an exchange may leave it as it is.
std::uint8_t mode_now(const AccessFrame& frame, const AccessSite& site, const Operand& operand, std::uint64_t address, std::uint64_t instruction);
// Whether there is nothing new about an access by a watched site; counts reads that bring nothing new.
bool is_settled(std::uint64_t site, std::uint64_t address, std::uint64_t bytes, std::uint8_t mode);

// False if this processor cannot save its registers as it is needed where instructions become calls.
bool prepare_entry();

}  // namespace raddle::memory
