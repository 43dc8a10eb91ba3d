// The real functions behind the intercepted ones, as the program would find them without the shim. Looked up on first
// use.
#pragma once

#include "preload/intercept/function_types.h"

namespace raddle {

enum class Function : std::uint32_t {
#define RADDLE_ACTION(type, name, ...) name,
#define RADDLE_HOOK(type, name, ...) name,
#define RADDLE_DESCRIPTOR_CALL(type, name, ...) name,
#define RADDLE_HOOK_LEAVING(type, name, ...) name,
#define RADDLE_HOOK_ALWAYS(type, name, ...) name,
#include "preload/intercept/functions.def"
    count_
};

void* real_address(Function function);
// The shim's function of this name and the real one; nulls if the shim has none.
struct Substitute {
    void* ours = nullptr;
    void* real = nullptr;
};
Substitute exported_function(const char* name);
Substitute exported_forwarded_call(const char* name);
Substitute exported_refused_call(const char* name);
// Looks up all real functions, without allocating on the program's heap.
void resolve_all();

namespace real {
#define RADDLE_REAL(type, name, parameters, arguments) \
    inline type name parameters { return reinterpret_cast<type(*) parameters>(real_address(Function::name)) arguments; }
#define RADDLE_ACTION(type, name, parameters, arguments, ...) RADDLE_REAL(type, name, parameters, arguments)
#define RADDLE_HOOK(type, name, parameters, arguments, ...) RADDLE_REAL(type, name, parameters, arguments)
#define RADDLE_DESCRIPTOR_CALL(type, name, parameters, arguments, fd) RADDLE_REAL(type, name, parameters, arguments)
#define RADDLE_HOOK_LEAVING(type, name, parameters, arguments, ...)                   \
    [[noreturn]] inline type name parameters {                                        \
        reinterpret_cast<type(*) parameters>(real_address(Function::name)) arguments; \
        __builtin_unreachable();                                                      \
    }
#define RADDLE_HOOK_ALWAYS(type, name, parameters, arguments, ...)
#include "preload/intercept/functions.def"
#undef RADDLE_REAL
}  // namespace real

// The hooks, defined in preload/hooks.
namespace hooks {
#define RADDLE_ACTION(...)
#define RADDLE_HOOK(type, name, parameters, ...) type name parameters;
#define RADDLE_HOOK_LEAVING(type, name, parameters, ...) [[noreturn]] type name parameters;
#define RADDLE_HOOK_ALWAYS(type, name, parameters, ...) type name parameters;
#include "preload/intercept/functions.def"
}  // namespace hooks

}  // namespace raddle
