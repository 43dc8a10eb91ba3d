#include "preload/base/lookup.h"

#include <dlfcn.h>

namespace raddle::lookup {

Dlsym libc_dlsym() {
    static Dlsym found = nullptr;
    if (found != nullptr) return found;
    constexpr const char* versions[] = {"GLIBC_2.34", "GLIBC_2.2.5"};
    for (const char* version : versions)
        if (found == nullptr) found = reinterpret_cast<Dlsym>(::dlvsym(RTLD_NEXT, "dlsym", version));
    return found;
}

void* in(void* handle, const char* name) { return libc_dlsym()(handle, name); }
void* next(const char* name) { return libc_dlsym()(RTLD_NEXT, name); }

}  // namespace raddle::lookup
