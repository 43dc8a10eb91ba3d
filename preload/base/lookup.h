// Symbol lookup with libc's own dlsym. The program's calls of dlsym lead to the shim (hooks/system/dlsym.cpp), and the
// shim's own calls would, too.
#pragma once

namespace raddle::lookup {

using Dlsym = void* (*)(void*, const char*);

Dlsym libc_dlsym();
// As dlsym(handle, name).
void* in(void* handle, const char* name);
// The function behind the shim: the one that the program would get without it.
void* next(const char* name);

}  // namespace raddle::lookup
