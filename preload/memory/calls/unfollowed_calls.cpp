#include "preload/memory/calls/unfollowed_calls.h"

#include <link.h>

#include <cstring>

#include "preload/memory/lockset.h"
#include "preload/memory/state.h"
#include "preload/schedule/call_notes.h"
#include "preload/schedule/scheduler.h"

namespace raddle::memory::unfollowed {

namespace {

// More than there are functions in glibc.
#define RADDLE_STUBS 4096

struct Stub {
    const char* name;
    void* function;
    std::uint64_t noted;  // the execution in which it was noted last
    bool is_in_force;     // its effect lasts
};
Stub stubs[RADDLE_STUBS];
std::uint32_t stub_count = 0;

extern "C" const char raddle_unfollowed_stubs[];
constexpr std::uint64_t bytes_of_a_stub = 16;

// Code of the libraries whose functions the tables describe. Calls of the shim lead on to them.
struct Code {
    std::uint64_t begin, end;
};
constexpr std::uint32_t most_code = 64;
Code code_of_glibc[most_code];
std::uint32_t code_count = 0;

int add_code(dl_phdr_info* info, std::size_t, void*) {
    constexpr const char* beginnings[] = {
        "libc.so.",   "libm.so.",    "libmvec.so.", "libpthread.so.",       "libdl.so.",
        "librt.so.",  "libutil.so.", "libanl.so.",  "libresolv.so.",        "libnss_",
        "libnsl.so.", "libcrypt.so", "ld-linux",    "libraddle-preload.so",
    };
    const char* const slash = info->dlpi_name != nullptr ? std::strrchr(info->dlpi_name, '/') : nullptr;
    bool is_of_glibc = false;
    for (const char* const beginning : beginnings)
        is_of_glibc |= slash != nullptr && std::strncmp(slash + 1, beginning, std::strlen(beginning)) == 0;
    for (ElfW(Half) i = 0; is_of_glibc && i < info->dlpi_phnum && code_count < most_code; ++i) {
        const ElfW(Phdr)& segment = info->dlpi_phdr[i];
        const std::uint64_t begin = info->dlpi_addr + segment.p_vaddr;
        if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0)
            code_of_glibc[code_count++] = {begin, begin + segment.p_memsz};
    }
    return 0;
}

// Functions after which other ones access memory of the program.
bool lasts(const char* name) {
    constexpr const char* names[] = {"fmemopen",  "open_memstream", "open_wmemstream", "setvbuf", "setbuf",
                                     "setbuffer", "fopencookie",    "initstate",       "setstate"};
    for (const char* const one : names)
        if (std::strcmp(one, name) == 0) return true;
    return false;
}
// A stream without a buffer, or with one of its own.
bool gives_no_memory(const char* name, const std::uint64_t* arguments) {
    return std::strncmp(name, "setbuf", 6) == 0 || std::strcmp(name, "setvbuf") == 0 ? arguments[1] == 0 : false;
}

void add(const char* name) {
    channel::Result& result = scheduler::shared()->result;
    std::uint32_t number = 0;
    for (; number < result.unfollowed_count; ++number)
        if (std::strncmp(result.unfollowed[number], name, channel::most_name - 1) == 0) return;
    if (number == channel::most_unfollowed) return;
    std::size_t length = std::strlen(name);
    if (length > channel::most_name - 1) length = channel::most_name - 1;
    std::memcpy(result.unfollowed[number], name, length);
    result.unfollowed[number][length] = 0;
    ++result.unfollowed_count;
}

}  // namespace

void begin_execution() {
    for (std::uint32_t number = 0; number < stub_count; ++number)
        if (stubs[number].is_in_force) add(stubs[number].name);
}

void find_code() {
    code_count = 0;
    dl_iterate_phdr(add_code, nullptr);
}

bool is_of_glibc(const void* function) {
    const auto address = reinterpret_cast<std::uint64_t>(function);
    for (std::uint32_t i = 0; i < code_count; ++i)
        if (address >= code_of_glibc[i].begin && address < code_of_glibc[i].end) return true;
    return false;
}

void* stub_for(const char* name, void* function) {
    const auto distance = static_cast<const char*>(function) - raddle_unfollowed_stubs;
    if (distance >= 0 && static_cast<std::uint64_t>(distance) < RADDLE_STUBS * bytes_of_a_stub) return nullptr;
    std::uint32_t number = 0;
    while (number < stub_count && (stubs[number].function != function || std::strcmp(stubs[number].name, name) != 0))
        ++number;
    if (number == RADDLE_STUBS) return nullptr;
    if (number == stub_count) stubs[stub_count++] = {name, function, 0, false};
    return const_cast<char*>(raddle_unfollowed_stubs) + number * bytes_of_a_stub;
}

void note(const char* name) {
    if (active && !lockset::current().alone) add(name);
}

// Returns the function to jump to. `arguments`: the first two, the second one first, then one word more and the return
// address.
extern "C" __attribute__((used)) void* raddle_unfollowed_call(std::uint32_t number, const std::uint64_t* arguments) {
    Stub& stub = stubs[number];
    const std::uint64_t in_order[] = {arguments[1], arguments[0]};
    if (call_notes::wanted) [[unlikely]]
        call_notes::note(stub.name, reinterpret_cast<const void*>(arguments[3]), arguments + 4);
    if (gives_no_memory(stub.name, in_order)) return stub.function;
    if (!active && lasts(stub.name)) stub.is_in_force = true;
    if (stub.noted != execution_mark + 1 && active && !lockset::current().alone) {
        stub.noted = execution_mark + 1;  // the mark of the first execution may be 0
        add(stub.name);
    }
    return stub.function;
}

}  // namespace raddle::memory::unfollowed

// Preserves the registers of arguments across the call. A jump keeps any number of arguments, and the function sees the
// original caller.
#define RADDLE_TEXT_OF(number) #number
#define RADDLE_AS_TEXT(number) RADDLE_TEXT_OF(number)
__asm__(R"(
    .pushsection .text
    .balign 16
    .type raddle_unfollowed_stubs, @function
raddle_unfollowed_stubs:
    .set raddle_stub, 0
    .rept )" RADDLE_AS_TEXT(RADDLE_STUBS) R"(
    movl $raddle_stub, %r11d
    jmp raddle_unfollowed_entry
    .balign 16
    .set raddle_stub, raddle_stub + 1
    .endr
    .size raddle_unfollowed_stubs, .-raddle_unfollowed_stubs
    .type raddle_unfollowed_entry, @function
raddle_unfollowed_entry:
    pushq %rax
    pushq %rdi
    pushq %rsi
    pushq %rdx
    pushq %rcx
    pushq %r8
    pushq %r9
    pushq %r10
    subq $136, %rsp
    movups %xmm0, (%rsp)
    movups %xmm1, 16(%rsp)
    movups %xmm2, 32(%rsp)
    movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp)
    movups %xmm5, 80(%rsp)
    movups %xmm6, 96(%rsp)
    movups %xmm7, 112(%rsp)
    movl %r11d, %edi
    leaq 176(%rsp), %rsi
    call raddle_unfollowed_call
    movq %rax, %r11
    movups (%rsp), %xmm0
    movups 16(%rsp), %xmm1
    movups 32(%rsp), %xmm2
    movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4
    movups 80(%rsp), %xmm5
    movups 96(%rsp), %xmm6
    movups 112(%rsp), %xmm7
    addq $136, %rsp
    popq %r10
    popq %r9
    popq %r8
    popq %rcx
    popq %rdx
    popq %rsi
    popq %rdi
    popq %rax
    jmp *%r11
    .size raddle_unfollowed_entry, .-raddle_unfollowed_entry
    .popsection
)");
