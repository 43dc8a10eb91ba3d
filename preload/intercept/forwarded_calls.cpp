// Expands RADDLE_FORWARD rows. Each function notes its effect, translates names, and jumps to the real function. A
// jump keeps any number of arguments, and the real function sees the original caller.
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "preload/base/lookup.h"
#include "preload/intercept/callbacks.h"
#include "preload/intercept/forwarded_calls.h"
#include "preload/intercept/real.h"
#include "preload/intercept/substitute.h"
#include "preload/memory/memory.h"
#include "preload/restore/undo.h"
#include "preload/schedule/call_notes.h"
#include "preload/schedule/call_site.h"
#include "preload/schedule/scheduler.h"

namespace raddle {

namespace {

enum class LastingEffect { nothing, deletes, opens, maps, permanent, per_thread, all_threads, stacks };

// One bit for each argument.
enum NameArguments : unsigned {
    none = 0,
    first = 1,
    second = 2,
    third = 4,
    first_and_second = 3,
    first_and_third = 5,
    second_and_fourth = 10
};

struct Row {
    const char* name;
    LastingEffect effect;
    NameArguments names;
    void* real;
};
Row rows[] = {
#define RADDLE_FORWARD(name, effect, names) {#name, LastingEffect::effect, names, nullptr},
#include "preload/intercept/functions.def"
};

enum Index : unsigned {
#define RADDLE_FORWARD(name, effect, names) row_##name,
#include "preload/intercept/functions.def"
};

constexpr unsigned arguments_in_registers = 6;

int not_there() {
    errno = ENOSYS;
    return -1;
}

}  // namespace

void resolve_forwarded_calls() {
    for (Row& row : rows)
        if (row.real == nullptr) row.real = lookup::next(row.name);
}

// Returns the function to jump to. `arguments`: those in registers, the last one first, followed by the return
// address.
extern "C" __attribute__((used)) void* raddle_forward(unsigned index, const char** arguments) {
    Row& row = rows[index];
    for (unsigned i = 0; row.names != none && i < arguments_in_registers; ++i)
        if ((row.names >> i & 1) != 0) {
            const char*& name = arguments[arguments_in_registers - 1 - i];
            name = names::real_name(name);
        }
    if (controlled()) {
        if (call_notes::wanted && row.effect != LastingEffect::deletes) [[unlikely]]
            call_notes::note(row.name, arguments[arguments_in_registers], arguments + arguments_in_registers + 1);
        switch (row.effect) {
            case LastingEffect::nothing: undo::used_outside(); break;
            case LastingEffect::deletes:
                memory::about_to_delete(arguments[arguments_in_registers - 1], arguments[arguments_in_registers]);
                break;
            case LastingEffect::opens:
                call_site = const_cast<char*>(arguments[arguments_in_registers]);
                fds::announce_table();
                undo::opened();
                undo::mapped();
                break;
            case LastingEffect::maps: undo::mapped(); break;
            case LastingEffect::stacks: memory::makes_stacks = true; break;
            case LastingEffect::per_thread:
                scheduler::needs_kernel_threads(row.name);
                undo::cannot(row.name);
                break;
            case LastingEffect::all_threads: scheduler::needs_fibers(row.name); [[fallthrough]];
            case LastingEffect::permanent: undo::cannot(row.name); break;
        }
    }
    if (row.real == nullptr) row.real = lookup::next(row.name);
    if (row.real != nullptr) return row.real;
    // `operator delete` is not found if the C++ library was loaded apart from the program's own.
    return row.effect == LastingEffect::deletes ? reinterpret_cast<void*>(&::free)
                                                : reinterpret_cast<void*>(&not_there);
}

}  // namespace raddle

// Preserves the argument registers across the call.
__asm__(R"(
    .pushsection .text
    .type raddle_forward_entry, @function
raddle_forward_entry:
    pushq %rdi
    pushq %rsi
    pushq %rdx
    pushq %rcx
    pushq %r8
    pushq %r9
    subq $8, %rsp
    movl %eax, %edi
    leaq 8(%rsp), %rsi
    call raddle_forward
    addq $8, %rsp
    popq %r9
    popq %r8
    popq %rcx
    popq %rdx
    popq %rsi
    popq %rdi
    movq %rax, %r11
    xorl %eax, %eax
    jmp *%r11
    .size raddle_forward_entry, .-raddle_forward_entry
    .popsection
)");

#define RADDLE_FORWARD(name, effect, names)                                                              \
    extern "C" __attribute__((visibility("default"), naked)) void raddle_export_##name() __asm__(#name); \
    void raddle_export_##name() { __asm__("movl %0, %%eax\n\tjmp raddle_forward_entry" ::"i"(raddle::row_##name)); }
#include "preload/intercept/functions.def"

raddle::Substitute raddle::exported_forwarded_call(const char* name) {
    static void* const exported[] = {
#define RADDLE_FORWARD(name, effect, names) reinterpret_cast<void*>(&raddle_export_##name),
#include "preload/intercept/functions.def"
    };
    return substitute_for(name, rows, exported);
}
