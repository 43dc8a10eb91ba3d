// dlsym as libc has it: the target's calls of it lead to us (irregular/lookup.cpp), and so would the shim's own.
#pragma once

namespace raddle::lookup {

void* in(void* handle, const char* name);
// Behind the shim: what the target would get without it.
void* next(const char* name);

}  // namespace raddle::lookup
