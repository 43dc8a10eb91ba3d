// dlsym returns the shim's function in place of libc's. The loader does this by itself, except for lookups in a
// library by its handle (libc.so.6) and for RTLD_NEXT from a library behind the shim. Such a lookup could start
// threads unseen.
#include "preload/base/lookup.h"
#include "preload/base/sanitizer.h"

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

// The result for the program; null if the loader has to answer.
extern "C" __attribute__((used)) void* raddle_shim_dlsym(void* handle, const char* name) {
    if (name == nullptr || handle == RTLD_DEFAULT || !controlled()) return nullptr;
    const Substitute substitute = substitute_of(name);
    if (substitute.ours == nullptr || substitute.real == nullptr) return nullptr;
    // The caller is behind the shim, or already has the shim's function. libc's function is next for all of them
    // if no other library defines it.
    if (handle == RTLD_NEXT && sanitizer::present) [[unlikely]] {
        // Behind the runtime of a sanitizer is the shim, where the runtime itself is behind the shim's function.
        if (std::strcmp(name, "pthread_create") == 0 && sanitizer::is_library_code(substitute.real))
            return substitute.ours;
    }
    if (handle == RTLD_NEXT) return is_of_libc(substitute.real) ? substitute.ours : nullptr;
    return lookup::in(handle, name) == substitute.real ? substitute.ours : nullptr;
}
extern "C" __attribute__((used)) void* raddle_libc_dlsym() { return reinterpret_cast<void*>(lookup::libc_dlsym()); }

}  // namespace raddle

// A jump in place of a call: the loader looks at its return address to find the caller.
__asm__(R"(
    .pushsection .text
    .globl dlsym
    .type dlsym, @function
dlsym:
    pushq %rdi
    pushq %rsi
    subq $8, %rsp
    call raddle_shim_dlsym
    testq %rax, %rax
    jne 1f
    call raddle_libc_dlsym
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
