// Functions of the hooks that intercept/ calls: declared here, defined there (see schedule/callbacks.h).
#pragma once

namespace raddle::names {  // hooks/names/names.cpp

// The name of a file as the kernel knows it. Returns `name` itself if there is nothing to translate, and otherwise text
// that stays valid for the next few calls.
const char* real_name(const char* name);

}  // namespace raddle::names
