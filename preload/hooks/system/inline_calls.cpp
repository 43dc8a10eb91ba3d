// Uses the kernel's "syscall user dispatch": every system call from outside libc's code raises SIGSYS. The shim
// itself calls through an instruction of libc (raw::gate). Calls of the loader are executed unchanged.
//
// The handler lets the thread continue in a piece of code that calls the shim and returns behind the instruction. No
// signal frame is left while other threads run during the call.
#include "preload/hooks/system/inline_calls.h"

#include <elf.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <ucontext.h>

#include <cstring>

#include "preload/base/raw.h"
#include "preload/base/sanitizer.h"
#include "preload/hooks/signals/crash.h"
#include "preload/hooks/signals/signals.h"
#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"
#include "preload/memory/memory.h"
#include "preload/restore/undo.h"

// The kernel preserves all registers but %rax, %rcx and %r11, and %rcx holds the return address; this code does the
// same. The 128 bytes below the stack pointer belong to the caller.
__asm__(R"(
    .pushsection .text
    .local raddle_inline_call
    .type raddle_inline_call, @function
raddle_inline_call:
    .cfi_startproc
    .cfi_def_cfa %rsp, 0
    .cfi_register %rip, %rcx
    leaq -128(%rsp), %rsp
    .cfi_def_cfa_offset 128
    pushq %rcx
    .cfi_def_cfa_offset 136
    .cfi_offset %rip, -136
    pushfq
    pushq %rbx
    .cfi_def_cfa_offset 152
    .cfi_offset %rbx, -152
    pushq %rbp
    pushq %r12
    .cfi_def_cfa_offset 168
    .cfi_offset %rbp, -160
    .cfi_offset %r12, -168
    pushq %r9
    pushq %r8
    pushq %r10
    pushq %rdx
    pushq %rsi
    pushq %rdi
    pushq %rax
    .cfi_def_cfa_offset 224
    cld
    movq %rsp, %rbx
    .cfi_def_cfa_register %rbx
    subq raddle_memory_state_bytes(%rip), %rsp
    andq $-64, %rsp
    movq %rsp, %r12
    leaq 512(%rsp), %rdi
    movl $8, %ecx
    xorl %eax, %eax
    rep stosq
    movl $0xe7, %eax
    xorl %edx, %edx
    xsave64 (%r12)
    movq %rbx, %rdi
    call raddle_inline_syscall
    movq %rax, (%rbx)
    movl $0xe7, %eax
    xorl %edx, %edx
    xrstor64 (%r12)
    movq %rbx, %rsp
    .cfi_def_cfa_register %rsp
    popq %rax
    popq %rdi
    popq %rsi
    popq %rdx
    popq %r10
    popq %r8
    popq %r9
    popq %r12
    popq %rbp
    popq %rbx
    popfq
    popq %rcx
    leaq 128(%rsp), %rsp
    .cfi_def_cfa_offset 0
    .cfi_register %rip, %rcx
    jmp *%rcx
    .cfi_endproc
    .size raddle_inline_call, .-raddle_inline_call
    .popsection
)");
extern "C" void raddle_inline_call();

namespace raddle::inline_calls {

// The stack as the code above lays it out.
struct Registers {
    long number, words[6], r12, rbp, rbx, flags, behind;
};

extern "C" __attribute__((used)) long raddle_inline_syscall(const Registers* call) {
    // rdi, rsi, rdx, r10, r8, r9
    const long(&words)[6] = call->words;
    if (!recorded()) return raw::call6(call->number, words[0], words[1], words[2], words[3], words[4], words[5]);
    const int error = errno;
    call_site = reinterpret_cast<void*>(call->behind);
    const long result = hooks::syscall(call->number, words[0], words[1], words[2], words[3], words[4], words[5]);
    const long given = result == -1 ? -errno : result;
    errno = error;
    return given;
}

namespace {

constexpr int by_dispatch = 2;              // SYS_USER_DISPATCH
constexpr std::size_t most_code = 1 << 20;  // larger modules are not searched: libraries with such calls are small
constexpr unsigned char instruction[2] = {0x0f, 0x05};
constexpr unsigned char gate_code[3] = {0x0f, 0x05, 0xc3};  // syscall; ret

struct Range {
    std::uint64_t begin = 0, end = 0;
    bool contains(std::uint64_t address) const { return address - begin < end - begin; }
};

Range of_libc, of_loader;
unsigned long long known = 0;  // value of dlpi_adds at the last search
bool on = false;

bool ends_with(const char* text, const char* end) {
    const std::size_t length = std::strlen(text), wanted = std::strlen(end);
    return length >= wanted && std::strcmp(text + length - wanted, end) == 0;
}

bool holds(const Range& code, const unsigned char* bytes, std::size_t count) {
    const auto* from = reinterpret_cast<const unsigned char*>(code.begin);
    return memmem(from, code.end - code.begin, bytes, count) != nullptr;
}

struct CodeSearch {
    unsigned long long loaded = 0;  // modules loaded so far (dlpi_adds)
    bool found = false;
};

int search_module(dl_phdr_info* module, std::size_t, void* argument) {
    CodeSearch& search = *static_cast<CodeSearch*>(argument);
    search.loaded = module->dlpi_adds;
    if (search.loaded == known) return 1;
    if (sanitizer::is_runtime(module->dlpi_addr + (module->dlpi_phdr != nullptr ? module->dlpi_phdr[0].p_vaddr : 0)))
        return 0;
    const bool is_shim = module->dlpi_phdr != nullptr && ends_with(module->dlpi_name, "libraddle-preload.so");
    const bool is_kernels = module->dlpi_addr == getauxval(AT_SYSINFO_EHDR);
    const bool is_loader = module->dlpi_addr == getauxval(AT_BASE),
               is_libc = ends_with(module->dlpi_name, "/libc.so.6");
    for (int i = 0; i < module->dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = module->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0 || (segment.p_flags & PF_R) == 0) continue;
        const Range code{module->dlpi_addr + segment.p_vaddr, module->dlpi_addr + segment.p_vaddr + segment.p_memsz};
        if (is_libc)
            of_libc = code;
        else if (is_loader)
            of_loader = code;
        else if (!is_shim && !is_kernels && segment.p_filesz <= most_code)
            search.found = search.found || holds(code, instruction, sizeof instruction);
    }
    return 0;
}

// The address of a system call instruction in libc that returns directly.
void* find_gate() {
    const auto* from = reinterpret_cast<const unsigned char*>(of_libc.begin);
    return of_libc.end == 0 ? nullptr : memmem(from, of_libc.end - of_libc.begin, gate_code, sizeof gate_code);
}

void on_call(int signal, siginfo_t* info, void* context) {
    if (info->si_code != by_dispatch) return signals::pass_to_program(signal, info, context);
    greg_t* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    const auto caller = static_cast<std::uint64_t>(registers[REG_RIP]);
    if (of_loader.contains(caller) || sanitizer::is_runtime(caller)) {
        registers[REG_RAX] = raw::call6(info->si_syscall, registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                                        registers[REG_R10], registers[REG_R8], registers[REG_R9]);
        return;
    }
    registers[REG_RAX] = info->si_syscall;
    registers[REG_RCX] = registers[REG_RIP];
    registers[REG_RIP] = reinterpret_cast<greg_t>(&raddle_inline_call);
}

bool dispatch(bool handed) {
    const long result = handed
                            ? raw::call(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, of_libc.begin,
                                        of_libc.end - of_libc.begin, nullptr)
                            : raw::call(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_OFF, 0L, 0L, nullptr);
    return !raw::failed(result);
}

}  // namespace

void watch() {
    CodeSearch search;
    dl_iterate_phdr(search_module, &search);
    known = search.loaded;
    void* const gate = on || !search.found ? nullptr : find_gate();
    if (gate == nullptr || !memory::prepare_entry()) return;
    undo::cannot("a library with system calls of its own, loaded after the first thread");
    struct sigaction action = {};
    action.sa_sigaction = on_call;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    real::sigaction(SIGSYS, &action, nullptr);
    raw::gate = gate;
    crash::return_through_libc();
    on = dispatch(true);
}

void watch_here() {
    if (on) dispatch(true);
}

void pause_here() {
    if (on) dispatch(false);
}

bool watched() { return on; }

}  // namespace raddle::inline_calls
