// Expands RADDLE_REFUSE rows. Under control, the function ends the execution with a message; otherwise it jumps to
// the real function. A jump keeps any number of arguments.
#include <cstring>

#include "preload/base/lookup.h"
#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"
#include "preload/intercept/substitute.h"

namespace raddle {

namespace {

struct Row {
    const char* name;
    const char* text;
    void* real;
};
Row rows[] = {
#define RADDLE_REFUSE(name, why) {#name, #name ": it " why, nullptr},
#include "preload/intercept/functions.def"
};

enum Index : unsigned {
#define RADDLE_REFUSE(name, why) row_##name,
#include "preload/intercept/functions.def"
};

int not_there() {
    errno = ENOSYS;
    return -1;
}

}  // namespace

// Returns the function to jump to.
extern "C" __attribute__((used)) void* raddle_refuse(unsigned index) {
    Row& row = rows[index];
    if (controlled() && recorded() && scheduler::is_target())
        scheduler::end_with(channel::End::uncontrolled, "the program calls ", row.text);
    if (row.real == nullptr) row.real = lookup::next(row.name);
    return row.real != nullptr ? row.real : reinterpret_cast<void*>(&not_there);
}

}  // namespace raddle

// Preserves the argument registers across the call.
__asm__(R"(
    .pushsection .text
    .type raddle_refuse_entry, @function
raddle_refuse_entry:
    pushq %rdi
    pushq %rsi
    pushq %rdx
    pushq %rcx
    pushq %r8
    pushq %r9
    subq $8, %rsp
    movl %eax, %edi
    call raddle_refuse
    addq $8, %rsp
    popq %r9
    popq %r8
    popq %rcx
    popq %rdx
    popq %rsi
    popq %rdi
    jmp *%rax
    .size raddle_refuse_entry, .-raddle_refuse_entry
    .popsection
)");

#define RADDLE_REFUSE(name, why)                                                                         \
    extern "C" __attribute__((visibility("default"), naked)) void raddle_export_##name() __asm__(#name); \
    void raddle_export_##name() { __asm__("movl %0, %%eax\n\tjmp raddle_refuse_entry" ::"i"(raddle::row_##name)); }
#include "preload/intercept/functions.def"

raddle::Substitute raddle::exported_refused_call(const char* name) {
    static void* const exported[] = {
#define RADDLE_REFUSE(name, why) reinterpret_cast<void*>(&raddle_export_##name),
#include "preload/intercept/functions.def"
    };
    return substitute_for(name, rows, exported);
}
