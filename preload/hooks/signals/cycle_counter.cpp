#include "preload/hooks/signals/cycle_counter.h"

#include <sys/prctl.h>
#include <x86intrin.h>

#include "preload/base/raw.h"
#include "preload/schedule/call_notes.h"

namespace raddle::cycle_counter {

namespace {

bool trapped = false;

void set(long mode) { raw::call(SYS_prctl, PR_SET_TSC, mode, 0L, 0L, 0L); }

}  // namespace

void trap() {
    trapped = true;
    set(PR_TSC_SIGSEGV);
}

void give_up() {
    if (!trapped) return;
    trapped = false;
    set(PR_TSC_ENABLE);
}

void suspend() {
    if (trapped) set(PR_TSC_ENABLE);
}

void resume() {
    if (trapped) set(PR_TSC_SIGSEGV);
}

bool perform(greg_t* registers) {
    constexpr int address_bits = 47;
    if (!trapped || (registers[REG_RIP] >> address_bits) != 0) return false;
    const auto* const code = reinterpret_cast<const unsigned char*>(registers[REG_RIP]);
    const bool is_plain = code[0] == 0x0f && code[1] == 0x31;
    const bool has_processor = code[0] == 0x0f && code[1] == 0x01 && code[2] == 0xf9;
    if (!is_plain && !has_processor) return false;
    set(PR_TSC_ENABLE);
    unsigned processor = 0;
    const unsigned long long time = __rdtscp(&processor);
    set(PR_TSC_SIGSEGV);
    registers[REG_RAX] = static_cast<greg_t>(time & 0xffffffffu);
    registers[REG_RDX] = static_cast<greg_t>(time >> 32);
    if (has_processor) registers[REG_RCX] = static_cast<greg_t>(processor);
    registers[REG_RIP] += is_plain ? 2 : 3;
    // Like the return address of a call, the place behind it.
    call_notes::note(is_plain ? "rdtsc" : "rdtscp", reinterpret_cast<const void*>(registers[REG_RIP]), nullptr);
    return true;
}

}  // namespace raddle::cycle_counter
