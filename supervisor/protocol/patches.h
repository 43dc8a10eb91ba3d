// The description of a program's machine code that the supervisor gives to the shim: the instructions that access
// memory, the way in which each computes its address, and a copy of each that works at another address. The shim uses
// it to make accesses visible (preload/memory).
//
// The supervisor writes the description once and seals it; the shim maps it read-only. The shim compares every
// instruction with the bytes in memory before it changes anything, and leaves instructions alone that differ.
#pragma once

#include <cstdint>
#include <type_traits>

#include "supervisor/model/action.h"
#include "supervisor/protocol/access_mode.h"

namespace raddle::memory {

inline constexpr std::uint64_t magic = 0x31736e6c64617231ULL;
inline constexpr std::uint32_t most_sites = 1u << 20;
inline constexpr std::uint32_t most_operands = 2;
inline constexpr std::uint32_t longest_instruction = 15;
inline constexpr std::uint32_t longest_copy = 24;
inline constexpr std::uint32_t jump_bytes = 5;

inline constexpr std::uint32_t frame_bytes = 256;  // this much of a function's frame is analysed byte by byte

// Register numbers as instructions encode them: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15.
namespace reg {
inline constexpr std::uint8_t rax = 0, rcx = 1, rdx = 2, rbx = 3, rsp = 4, rbp = 5, rsi = 6, rdi = 7;
inline constexpr std::uint8_t none = 16, module = 17;  // special bases: no register; the load address of the module
}  // namespace reg

// The kind of access that an instruction makes.
enum class Form : std::uint8_t {
    access,            // reads, writes, or reads and then writes
    update,            // one atomic step, as `update` says
    compare_exchange,  // one atomic step
    move,
    fill,
    load,
    compare,
    scan,  // string instructions: operands are in fixed registers
};

// A memory operand: address = base + index * scale + displacement.
struct Operand {
    std::int64_t displacement;
    std::uint8_t base, index, scale;  // numbers of namespace reg
    std::uint8_t thread_local_base;   // the address is relative to the register fs
    std::uint8_t bytes;               // 0: this operand does not exist
    std::uint8_t mode;                // reads, writes
    std::uint8_t reserved[2];
};

// The source of the value that the instruction writes, or uses for its update.
enum class Source : std::uint8_t {
    unknown,
    immediate,
    low,
    high,
    vector
};  // low, high: the byte of a register (al, ah)

// State that the code after an instruction overwrites before it reads it ("dead" state, in the words of compilers). It
// does not matter for what the thread does next.
struct Unread {
    std::uint16_t registers;  // one bit for each general register
    std::uint16_t vectors;    // one bit for each of xmm0 to xmm15
    std::uint8_t flags;
    std::uint8_t frame[frame_bytes / 8];  // bit i: the byte at rbp - 1 - i
};

// An instruction that accesses memory.
struct AccessSite {
    std::uint64_t address;  // relative to the module's load address
    Operand operand[most_operands];
    std::int64_t immediate;
    std::uint8_t original[longest_instruction];
    std::uint8_t length;
    std::uint8_t copy[longest_copy];  // a copy of the instruction that works near the module
    std::uint8_t copy_length;
    std::uint8_t relative_at;  // offset in the copy of its rip-relative displacement; 0: none
    std::uint8_t return_at;    // for a call: offset in the copy of the displacement of the word that holds the
                               // original return address; 0: none
    std::uint8_t leaves;       // execution does not continue behind the instruction
    Form form;
    Update update;
    std::uint8_t has_update;  // `update` tells how to compute the written value from the value read and the source
    std::uint8_t negated;     // the source is negated first (subtraction)
    Source source;
    std::uint8_t source_register;
    std::uint8_t repeated;  // a string instruction with a rep prefix: repeated rcx times
    std::uint8_t own;       // addressed by stack pointer, frame pointer or fs: the thread's own memory
    std::uint8_t atomic;    // a locked instruction, or an exchange
    std::uint8_t red_zone;  // the function keeps data below its stack pointer
    Unread unread;
};

// How an instruction runs at another place.
enum class Placement : std::uint8_t {
    anywhere,  // as it is
    relative,  // with another displacement from its end
    branch,    // conditional, to a direct target
    jump,      // to a direct target
    call,      // pushes the original return address
    stays,     // not at all
    padding,   // nops behind the function: never run
};

// One instruction of a function whose accesses are followed, or padding behind the function.
struct Instruction {
    std::uint8_t length;
    Placement placement;
    std::uint8_t field;    // offset of the displacement; 0: none
    std::uint8_t entered;  // something else than the instruction before may lead here: a branch, a return, an exception
};
inline constexpr std::uint32_t most_instructions = 1u << 24;

// A function with access sites, of which the shim makes a copy. The copy contains the checks. Its instructions follow
// each other in `Header::instructions`.
struct CodeFunction {
    std::uint64_t address;   // relative to the module's load address
    std::uint64_t checksum;  // of its bytes in the file
    std::uint32_t bytes;     // with the padding behind it
    std::uint32_t first_instruction, instruction_count;
    std::uint32_t first_site, site_count;
    std::uint32_t knows_entries;  // all instructions to which something may lead are marked
};

inline std::uint64_t checksum_of(const std::uint8_t* bytes, std::uint32_t count) {
    std::uint64_t sum = 0xcbf29ce484222325ULL;
    for (std::uint32_t at = 0; at < count; ++at) sum = (sum ^ bytes[at]) * 0x100000001b3ULL;
    return sum;
}

// Code of an instrumented module whose accesses are not followed: the first instruction of a function that does not
// decode, or one instruction. The shim notes whether two threads run it.
struct SkippedPlace {
    std::uint64_t address;  // relative to the module's load address
    std::uint32_t module;   // its row in the description
    std::uint8_t original;  // the first byte
    std::uint8_t reserved[3];
};
inline constexpr std::uint32_t most_skipped = 4096;
// So many skipped places are told apart; the last one stands for all further ones.
inline constexpr std::uint32_t most_told_skipped = 64;

// A call by which a module built with -fsanitize=thread reports an access (preload/memory/calls/calls.h).
struct ReportedCall {
    std::uint64_t address;  // the return address, relative to the module's load address
    Unread unread;
};

// The treatment of a site. `watched`: the shim notes the memory that it accesses. `visible`: each access is an action
// of the schedule.
enum class Arming : std::uint8_t { off, watched, visible };

// A file whose accesses are followed: by its instructions, or by the calls with which it reports them.
struct InstrumentedModule {
    char path[256];  // empty: the executable
    std::uint64_t device, inode;
    std::uint32_t first_site, site_count;
    std::uint32_t first_function, function_count;
    std::uint32_t first_reported, reported_count;  // if it reports its accesses
    std::uint32_t unwatched;        // 1: its accesses are not followed, only the threads that run its code
    std::uint32_t keeps_own_state;  // 1: accesses to its own variables are no actions
};
// So many unwatched modules are told apart; the last one stands for all further ones.
inline constexpr std::uint32_t most_unwatched = 64;

// Bytes of an aligned word that belong to the same variable as the byte before: some access covers both.
struct JoinedWord {
    ObjectId word;
    std::uint8_t joined;  // bit i: byte i belongs to byte i - 1
    std::uint8_t reserved[7];
};

// The variables in a part of the blocks of one size that one call frees, if other threads have used such a block.
// Frames that end are described in the same way.
inline constexpr std::uint32_t freed_bytes = 512;  // size of a part
struct FreedBlock {
    std::uint64_t site;    // of the freeing call, as in Action::site
    std::uint64_t bytes;   // size of the block
    std::uint64_t offset;  // of the part, a multiple of freed_bytes
    std::uint8_t
        width[freed_bytes];  // greatest width of a variable that begins at this byte: 1, 2, 4 or 8; 0: none begins
};

// A thread spins: it reads memory at this site in this state, and with one of these values it comes back in the same
// state.
struct SpinState {
    std::uint64_t state;  // a hash of everything that the thread can still read
    std::uint64_t site;   // as in Action::site
    ValueRange spin_values[2];
};
constexpr bool comes_before(const SpinState& a, const SpinState& b) {
    return a.site != b.site ? a.site < b.site : a.state < b.state;
}

// The beginning of the description. Arrays follow; their offsets count from the header.
struct Header {
    std::uint64_t magic;
    std::uint64_t bytes;  // size of the whole description
    std::uint32_t module_count, site_count, joined_count, call_count, reported_count, spin_count, freed_count;
    std::uint8_t atomics_only;  // only variables that atomic instructions access can become visible
    std::uint8_t everything;    // every access is an action
    std::uint8_t stacks;        // stacks are followed too, because a thread accessed another thread's stack
    std::uint8_t spins_full;    // the table of spins is full: report no more
    std::uint8_t signals;       // signals are sent to threads of the program
    std::uint8_t reserved[7];
    std::uint64_t modules, sites, arming, joined;  // offset of each array
    std::uint64_t spins;                           // sorted
    std::uint64_t calls;                           // sites of the reported calls that are visible, sorted
    std::uint64_t reported;                        // the ReportedCalls of each module, sorted by address
    std::uint64_t freed;
    std::uint64_t skipped;  // SkippedPlaces, in no order
    std::uint64_t functions, instructions;
    std::uint32_t skipped_count, function_count, instruction_count;
    std::uint32_t reserved_too;
};

static_assert(std::is_trivially_copyable_v<AccessSite> && std::is_trivially_copyable_v<Header>);

}  // namespace raddle::memory
