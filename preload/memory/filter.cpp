// The short way: most accesses are to the thread's own stack, or were noted already. Compiled to use general registers
// only, as nothing else is saved yet; calls nobody.
#include "preload/memory/memory.h"

namespace raddle::memory {

Plan plan;
bool active = false;
std::uint32_t current_place = 0;
std::uint32_t idle_reads = 0;
std::uint64_t main_stack_top = 0;
Noted* noted = nullptr;
std::uint64_t execution_mark = 0;

namespace {

bool is_noted(std::uint64_t site, std::uint64_t address, std::uint64_t bytes) {
    for (std::uint64_t word = address & ~std::uint64_t{7}; word < address + bytes; word += 8) {
        const std::uint64_t key = note_key(word, site);
        const Noted& entry = noted_at(key);
        if (entry.key != key || entry.mark != mark_of_current()) return false;
    }
    return true;
}

}  // namespace

bool is_settled(std::uint64_t site, std::uint64_t address, std::uint64_t bytes, std::uint8_t mode) {
    if (!is_noted(site, address, bytes)) return false;
    if ((mode & writes) != 0) {
        idle_reads = 0;
        if (!is_own_stack(reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)), address)) ++unseen_writes;
        return true;
    }
    return ++idle_reads < most_idle_reads;
}

}  // namespace raddle::memory

// Whether the long way has to be taken.
extern "C" __attribute__((visibility("hidden"), used)) int raddle_memory_filter(raddle::memory::Frame* frame) {
    using namespace raddle::memory;
    if (!active) return 0;
    const Site& site = plan.sites[frame->site];
    if (plan.arming[frame->site] == Arming::visible) {
        if (plan.header->stacks != 0 || site.form >= Form::move) return 1;
        for (const Operand& operand : site.operand)
            if (operand.bytes != 0 && !is_own_stack(*frame, address_of(*frame, operand))) return 1;
        return 0;
    }
    if (site.form >= Form::move) return 1;
    for (const Operand& operand : site.operand) {
        if (operand.bytes == 0) break;
        const std::uint64_t address = address_of(*frame, operand);
        if (plan.header->stacks == 0 && is_own_stack(*frame, address)) continue;
        if (!is_settled(frame->site, address, operand.bytes, operand.mode)) return 1;
    }
    return 0;
}
