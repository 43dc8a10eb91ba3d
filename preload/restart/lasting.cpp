// Expands lasting.def: each function takes its arguments along unseen, is noted, and becomes the real one. A jump, not a
// call, so that any number of arguments arrives as it was, and the real one sees who called it.
#include <cerrno>
#include <cstring>

#include "preload/lookup.h"
#include "preload/real.h"
#include "preload/restart/lasting.h"
#include "preload/restart/undo.h"
#include "preload/scheduler.h"

namespace raddle {

namespace {

enum class Lasting { opens, maps, stays, of_thread, of_all };

struct Row {
    const char* name;
    Lasting effect;
    void* real;
};
Row rows[] = {
#define RADDLE_LASTING(name, effect) {#name, Lasting::effect, nullptr},
#include "preload/restart/lasting.def"
};

enum Index : unsigned {
#define RADDLE_LASTING(name, effect) row_##name,
#include "preload/restart/lasting.def"
};

int not_there() {
    errno = ENOSYS;
    return -1;
}

}  // namespace

namespace undo {
void resolve_lasting() {
    for (Row& row : rows)
        if (row.real == nullptr) row.real = lookup::next(row.name);
}
}  // namespace undo

// Where the call goes on.
extern "C" __attribute__((used)) void* raddle_lasting(unsigned index) {
    Row& row = rows[index];
    if (controlled()) {
        switch (row.effect) {
            case Lasting::opens:
                undo::opened();
                undo::mapped();
                break;
            case Lasting::maps: undo::mapped(); break;
            case Lasting::of_thread: 
                scheduler::needs_kernel_threads(row.name);
                undo::cannot(row.name);
                break;
            case Lasting::of_all: scheduler::needs_fibers(row.name); [[fallthrough]];
            case Lasting::stays: undo::cannot(row.name); break;
        }
    }
    if (row.real == nullptr) row.real = lookup::next(row.name);
    return row.real != nullptr ? row.real : reinterpret_cast<void*>(&not_there);
}

}  // namespace raddle

// Registers of arguments are kept across the question.
__asm__(R"(
    .pushsection .text
    .type raddle_lasting_entry, @function
raddle_lasting_entry:
    pushq %rdi
    pushq %rsi
    pushq %rdx
    pushq %rcx
    pushq %r8
    pushq %r9
    subq $8, %rsp
    movl %eax, %edi
    call raddle_lasting
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
    .size raddle_lasting_entry, .-raddle_lasting_entry
    .popsection
)");

#define RADDLE_LASTING(name, effect)                                                                     \
    extern "C" __attribute__((visibility("default"), naked)) void raddle_export_##name() __asm__(#name); \
    void raddle_export_##name() {                                                                        \
        __asm__("movl %0, %%eax\n\tjmp raddle_lasting_entry" ::"i"(raddle::row_##name));                 \
    }
#include "preload/restart/lasting.def"

raddle::Substitute raddle::exported_lasting(const char* name) {
    static void* const exported[] = {
#define RADDLE_LASTING(name, effect) reinterpret_cast<void*>(&raddle_export_##name),
#include "preload/restart/lasting.def"
    };
    return lookup::substitute_for(name, rows, exported);
}
