// dlopen: the loader maps the library and runs its constructors, and then the shim patches its code. The loader finds
// the caller by the return address, because the caller's run path counts. So the shim does not call dlopen, it jumps
// there with two return addresses on the stack: a `ret` instruction in the caller's own code, then the shim's
// continuation.
#include <dlfcn.h>

#include <cstring>

#include "preload/base/lookup.h"
#include "preload/intercept/callbacks.h"
#include "preload/memory/memory.h"
#include "preload/restore/undo.h"
#include "preload/schedule/scheduler.h"

namespace raddle {

namespace {

constexpr unsigned char ret = 0xc3;

// A byte of the caller's page that is a `ret`, whatever instruction it belongs to, and that stays one.
const unsigned char* find_ret(const unsigned char* caller) {
    constexpr std::uintptr_t page = 4096;
    const auto* begin = reinterpret_cast<const unsigned char*>(reinterpret_cast<std::uintptr_t>(caller) & ~(page - 1));
    for (const unsigned char* at = begin; at < begin + page; ++at)
        if (*at == ret && !memory::may_be_patched(at)) return at;
    return nullptr;
}

}  // namespace

extern "C" __attribute__((used)) void* raddle_real_dlopen() {
    static void* real = nullptr;
    if (real == nullptr) real = lookup::next("dlopen");
    return real;
}

// Translates the name. Returns the `ret`; null if nothing has to be done afterwards.
extern "C" __attribute__((used)) const void* raddle_before_dlopen(const char** name, const unsigned char* caller) {
    *name = names::real_name(*name);
    if (!controlled()) return nullptr;
    undo::mapped();
    if (!memory::armed() || !scheduler::is_target()) return nullptr;
    const void* found = find_ret(caller);
    if (found == nullptr) scheduler::shared()->result.made_code = 1;  // nobody can patch it in time
    return found;
}

// Before the first thread there is time until its creation.
extern "C" __attribute__((used)) void raddle_after_dlopen() {
    phase == Phase::scheduled ? memory::arm_loaded_modules() : memory::redirect_loaded_modules();
}

}  // namespace raddle

__asm__(R"(
    .pushsection .text
    .globl dlopen
    .type dlopen, @function
dlopen:
    pushq %rsi
    pushq %rdi
    movq %rsp, %rdi
    movq 16(%rsp), %rsi
    subq $8, %rsp
    call raddle_before_dlopen
    movq %rax, (%rsp)
    call raddle_real_dlopen
    movq %rax, %r11
    popq %rax
    popq %rdi
    popq %rsi
    testq %rax, %rax
    je 1f
    leaq 2f(%rip), %r10
    pushq %r10
    pushq %rax
1:  jmp *%r11
2:  pushq %rax
    call raddle_after_dlopen
    popq %rax
    ret
    .size dlopen, .-dlopen
    .popsection
)");
