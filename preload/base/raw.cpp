#include "preload/base/raw.h"

__asm__(R"(
    .pushsection .text
    .local raddle_gate
    .type raddle_gate, @function
raddle_gate:
    .cfi_startproc
    syscall
    ret
    .cfi_endproc
    .size raddle_gate, .-raddle_gate
    .popsection
)");
extern "C" void raddle_gate();

namespace raddle::raw {

const void* gate = reinterpret_cast<const void*>(&raddle_gate);

}  // namespace raddle::raw
