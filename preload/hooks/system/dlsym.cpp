// dlsym: who looks up a function that the shim stands in front of gets the shim's. By default the loader would see to
// that; not for who asks a library by its handle (libpthread.so.0, libc.so.6), or asks for the next one from behind us,
// as libraries do that stand in front of a function themselves. Threads would be started behind our back that way.
#include "preload/base/lookup.h"

#include <dlfcn.h>

#include <cstring>

#include "preload/intercept/real.h"
#include "preload/schedule/scheduler.h"

namespace raddle {

namespace {

bool is_of_libc(const void* address) {
    Dl_info info{};
    if (::dladdr(address, &info) == 0 || info.dli_fname == nullptr) return false;
    const char* name = std::strrchr(info.dli_fname, '/');
    return name != nullptr && std::strcmp(name, "/libc.so.6") == 0;
}

Substitute substitute_of(const char* name) {
    Substitute found = exported_function(name);
    if (found.ours == nullptr) found = exported_forwarded_call(name);
    if (found.ours == nullptr) found = exported_refused_call(name);
    return found;
}

}  // namespace

// What the target is to get; null if that is the loader's to say.
extern "C" __attribute__((used)) void* raddle_dlsym_of_ours(void* handle, const char* name) {
    if (name == nullptr || handle == RTLD_DEFAULT || !controlled()) return nullptr;
    const Substitute substitute = substitute_of(name);
    if (substitute.ours == nullptr || substitute.real == nullptr) return nullptr;
    // Who asks stands behind us, or has got ours. If nobody else is in front of libc, libc's is next for all of them.
    if (handle == RTLD_NEXT) return is_of_libc(substitute.real) ? substitute.ours : nullptr;
    return lookup::in(handle, name) == substitute.real ? substitute.ours : nullptr;
}
extern "C" __attribute__((used)) void* raddle_dlsym_of_libcs() { return reinterpret_cast<void*>(lookup::libc_dlsym()); }

}  // namespace raddle

// A jump, not a call: the loader asks who called.
__asm__(R"(
    .pushsection .text
    .globl dlsym
    .type dlsym, @function
dlsym:
    pushq %rdi
    pushq %rsi
    subq $8, %rsp
    call raddle_dlsym_of_ours
    testq %rax, %rax
    jne 1f
    call raddle_dlsym_of_libcs
    movq %rax, %r11
    addq $8, %rsp
    popq %rsi
    popq %rdi
    jmp *%r11
1:  addq $24, %rsp
    ret
    .size dlsym, .-dlsym
    .popsection
)");
