#include "preload/schedule/live_registers.h"

#include "preload/base/fixed_memory.h"
#include "preload/schedule/scheduler.h"

namespace raddle::live_registers {

// Not on the program's stack: whether an access keeps them depends on other threads, and a later frame could show the
// words.
struct alignas(64) Kept {
    unsigned char extended[2816];  // as xsave writes them
    std::uint32_t mxcsr;
    Kept* next;
};

namespace {

Kept* unused = nullptr;  // a list

}  // namespace

void keep_now() {
    Kept** const slot = raddle_live_registers;
    raddle_live_registers = nullptr;
    Kept* kept = unused;
    if (kept != nullptr)
        unused = kept->next;
    else
        kept = static_cast<Kept*>(fixed_memory::grow(nullptr, 0, sizeof(Kept)));
    if (kept == nullptr)
        scheduler::end_with(channel::End::out_of_memory, "no memory is left for the tables of raddle's shim");
    // All but the low halves, which the entry has saved.
    __asm__ volatile("xsave64 %0\n\tstmxcsr %1" : "+m"(kept->extended), "=m"(kept->mxcsr) : "a"(0xe5), "d"(0));
    *slot = kept;
}

}  // namespace raddle::live_registers

extern "C" {

raddle::live_registers::Kept** raddle_live_registers = nullptr;

void raddle_load_registers(raddle::live_registers::Kept* kept) {
    using namespace raddle::live_registers;
    __asm__ volatile("xrstor64 %0\n\tldmxcsr %1" ::"m"(kept->extended), "m"(kept->mxcsr), "a"(0xe5), "d"(0) : "memory");
    kept->next = unused;
    unused = kept;
}
}
