// What the supervisor tells the shim of a program's machine code: which instructions touch memory, how their addresses
// are computed, and how to execute each of them in another place. Written once, sealed, and mapped read-only by the
// shim, which checks every instruction against the bytes it finds before it changes anything.
#pragma once

#include <cstdint>
#include <type_traits>

#include "supervisor/model/operation.h"

namespace raddle::memory {

inline constexpr std::uint64_t magic = 0x31736e6c64617231ULL;
inline constexpr std::uint32_t most_sites = 1u << 20;
inline constexpr std::uint32_t most_operands = 2;
inline constexpr std::uint32_t longest_instruction = 15;
inline constexpr std::uint32_t longest_copy = 24;
inline constexpr std::uint32_t jump_bytes = 5;

inline constexpr std::uint32_t frame_bytes = 256;  // of a function's frame, whose use is followed byte by byte

// Registers by their numbers in the encoding (rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 … r15).
namespace reg {
inline constexpr std::uint8_t rax = 0, rcx = 1, rdx = 2, rbx = 3, rsp = 4, rbp = 5, rsi = 6, rdi = 7;
inline constexpr std::uint8_t none = 16, module = 17;  // of a base: the address counts from that of the module
}  // namespace reg

enum class Form : std::uint8_t {
    access,            // it reads, writes, or reads and then writes
    update,            // in one step: what `update` says
    compare_exchange,  // in one step
    move, fill, load, compare, scan,  // string instructions, by their registers
};

inline constexpr std::uint8_t reads = 1, writes = 2;

struct Operand {
    std::int64_t displacement;
    std::uint8_t base, index, scale;  // of namespace reg
    std::uint8_t thread_local_base;   // counts from fs
    std::uint8_t bytes;               // 0: there is no such operand
    std::uint8_t mode;                // reads, writes
    std::uint8_t reserved[2];
};

// Where the value comes from that is written, or that an update is done with.
enum class Source : std::uint8_t { unknown, immediate, low, high, vector };  // low, high: of a register (al, ah)

// What a thread that stands at an instruction will not look at before writing it.
struct Unread {
    std::uint16_t registers;                   // general registers, by their numbers
    std::uint16_t vectors;                     // xmm0 … xmm15
    std::uint8_t flags;
    std::uint8_t frame[frame_bytes / 8];       // bit i: the byte at rbp - 1 - i
};

struct AccessSite {
    std::uint64_t address;            // as the module's own headers count
    Operand operand[most_operands];
    std::int64_t immediate;
    std::uint8_t original[longest_instruction];
    std::uint8_t length;
    std::uint8_t copy[longest_copy];  // to be executed anywhere near the module
    std::uint8_t copy_length;
    std::uint8_t relative_at;         // where in the copy the displacement lies that counts from its end; 0: none
    std::uint8_t return_at;           // where in the copy the displacement lies of the place that holds the address
                                      // after the original (of a call); 0: none
    std::uint8_t leaves;              // it does not come back to what follows it
    std::uint8_t jump;                // a jump may take its place, otherwise only a breakpoint
    Form form;
    Update update;
    std::uint8_t has_update;          // `update` with the source makes what is written out of what was read
    std::uint8_t negated;             // the source is subtracted
    Source source;
    std::uint8_t source_register;
    std::uint8_t repeated;            // a string instruction with rep: so often as rcx says
    std::uint8_t own;                 // addressed by stack pointer, frame or thread: touches its thread's own memory
    std::uint8_t atomic;              // locked, or an exchange
    std::uint8_t red_zone;            // its function keeps something below its stack pointer
    Unread unread;
};

// A call out of a module that tells of its accesses (calls.h).
struct ReportedCall {
    std::uint64_t address;            // where it returns to, as the module's own headers count
    Unread unread;
};

// What is done at a site.
enum class Arming : std::uint8_t { off, watched, visible };

struct InstrumentedModule {
    char path[256];          // empty: the executable
    std::uint64_t device, inode;
    std::uint32_t first_site, site_count;
    std::uint32_t first_reported, reported_count;  // of one that tells of its accesses
};

// Bytes of an aligned word that belong to the same variable as the byte before, by wider or overlapping accesses.
struct JoinedWord {
    ObjectId word;
    std::uint8_t joined;     // bit i: byte i with byte i - 1
    std::uint8_t reserved[7];
};

// Blocks of a size that code at one place gives back, while others than the thread that does it have used them: what
// variables are in them.
inline constexpr std::uint32_t freed_bytes = 512;  // of a longer block, its beginning
struct FreedBlock {
    std::uint64_t site;      // of the call, as actions name it
    std::uint64_t bytes;     // of the block
    std::uint8_t width[freed_bytes];  // of the variable that begins at this byte, at most: 1, 2, 4 or 8; 0: none does
};

// A thread that looks at memory here in this state, and finds one of these values, comes back there in the same state.
struct SpinState {
    std::uint64_t state;     // a hash of all that the thread could still look at
    std::uint64_t site;      // as actions name it
    ValueRange futile[2];
};
constexpr bool comes_before(const SpinState& a, const SpinState& b) { return a.site != b.site ? a.site < b.site : a.state < b.state; }

struct Header {
    std::uint64_t magic;
    std::uint64_t bytes;     // of the whole
    std::uint32_t module_count, site_count, joined_count, call_count, reported_count, spin_count, freed_count;
    std::uint8_t atomics_only;   // only what instructions that are atomic touch is of interest
    std::uint8_t everything;     // every access is an action
    std::uint8_t stacks;         // stacks are looked at too: a thread was seen in another's
    std::uint8_t spins_full;     // no more states in which threads spin are wanted
    std::uint8_t signals;        // the program's threads are sent signals
    std::uint8_t reserved[7];
    std::uint64_t modules, sites, arming, joined;  // where each array begins
    std::uint64_t spins;     // sorted
    std::uint64_t calls;     // of calls.h that are visible, in order: places in the code, as actions name them
    std::uint64_t reported;      // of each module in order
    std::uint64_t freed;
};

static_assert(std::is_trivially_copyable_v<AccessSite> && std::is_trivially_copyable_v<Header>);

}  // namespace raddle::memory
