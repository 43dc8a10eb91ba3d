// Only general registers may be used here: the program's other registers are not saved yet (see CMakeLists.txt). The
// functions call nothing outside this file.
#include "preload/memory/checks/filter.h"

#include "preload/memory/foreign_writes.h"

namespace raddle::memory {

CacheEntry* filter_cache = nullptr;
std::uint64_t accesses = 0, most_accesses = ~std::uint64_t{0}, breakpoints = 0;
std::uint64_t visible_accesses = 0, visible_breakpoints = 0;
bool is_by_breakpoint = false;

namespace {

// An exchange that left memory unchanged was noted as a read, and so were the reads of a call that writes as well.
bool is_in_cache(std::uint64_t site, std::uint64_t address, std::uint64_t bytes, std::uint8_t mode) {
    const std::uint64_t ignored = (mode & writes) != 0 ? 0 : noted_as_written;
    const std::uint64_t wanted = noted_as_written ^ ignored;
    for (std::uint64_t word = address & ~std::uint64_t{7}; word < address + bytes; word += 8) {
        const std::uint64_t key = cache_key(word, site);
        const CacheEntry& entry = cache_entry(key);
        const std::uint64_t mark = entry.mark & ~ignored;
        if (entry.key != key || (mark != (mark_of_current() | wanted) && mark != (action_mark | wanted))) return false;
    }
    return true;
}

std::uint64_t load(const AccessFrame& frame, std::uint64_t address, std::uint64_t bytes, std::uint64_t instruction) {
    std::uint64_t value = 0;
    begin_probe(instruction, &frame);
    if (bytes == 8) value = *reinterpret_cast<const volatile std::uint64_t*>(address);
    if (bytes == 4) value = *reinterpret_cast<const volatile std::uint32_t*>(address);
    if (bytes == 2) value = *reinterpret_cast<const volatile std::uint16_t*>(address);
    if (bytes == 1) value = *reinterpret_cast<const volatile std::uint8_t*>(address);
    end_probe();
    return value;
}

}  // namespace

std::uint8_t mode_now(const AccessFrame& frame, const AccessSite& site, const Operand& operand, std::uint64_t address,
                      std::uint64_t instruction) {
    const std::uint64_t bytes = operand.bytes;
    const bool is_pair = site.form == Form::compare_exchange && bytes == 16;
    const bool is_exchange = site.form == Form::update && site.has_update != 0 && site.update == Update::exchange;
    if ((site.form != Form::compare_exchange && !is_exchange) || (bytes > 8 && !is_pair)) return operand.mode;
    const std::uint64_t all = bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << bytes * 8) - 1;
    const std::uint64_t found = load(frame, address, is_pair ? 8 : bytes, instruction);
    bool changes;
    if (is_exchange)
        changes = site.source != Source::low || site.source_register == reg::rsp ||
                  (frame.registers[site.source_register] & all) != found;
    else if (is_pair)
        changes =
            found == frame.registers[reg::rax] && load(frame, address + 8, 8, instruction) == frame.registers[reg::rdx];
    else if (site.source == Source::unknown)
        changes = found == (frame.registers[reg::rdx] << 32 | (frame.registers[reg::rax] & 0xffffffff));
    else
        changes = found == (frame.registers[reg::rax] & all);
    return changes ? operand.mode : reads;
}

namespace {

bool takes_action(const AccessFrame& frame, const AccessSite& site) {
    if (patches.header->stacks != 0 || site.form >= Form::move) return true;
    for (const Operand& operand : site.operand)
        if (operand.bytes != 0 && !is_own_stack(frame, address_of(frame, operand))) return true;
    return false;
}

// A write to another thread's stack, or an access to a word of its own stack that another thread wrote. These count
// each time, even where a lock guards the variable and the accesses are no actions.
bool concerns_foreign_writes(std::uint64_t address, std::uint64_t bytes, std::uint8_t mode) {
    if (patches.header->stacks == 0) return false;
    if (is_own(reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)), address))
        return foreign_writes::may_contain(address, bytes);
    return (mode & writes) != 0 && is_a_stack(address);
}

}  // namespace

bool brings_nothing_new(std::uint64_t site, std::uint64_t address, std::uint64_t bytes, std::uint8_t mode) {
    if (concerns_foreign_writes(address, bytes, mode)) return false;
    if (!is_in_cache(site, address, bytes, mode)) return false;
    if ((mode & writes) != 0) {
        idle_reads = 0;
        if (!is_own_stack(reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)), address)) ++unseen_writes;
        return true;
    }
    return ++idle_reads < most_idle_reads;
}

}  // namespace raddle::memory

// Called by entry.cpp. Whether the access has to take the slow path.
extern "C" __attribute__((visibility("hidden"), used)) int raddle_memory_filter(raddle::memory::AccessFrame* frame) {
    using namespace raddle::memory;
    const bool by_breakpoint = is_by_breakpoint;
    is_by_breakpoint = false;
    if (!active) return 0;
    const AccessSite& site = patches.sites[frame->site];
    const bool is_visible = patches.arming[frame->site] == Arming::visible;
    const bool acts = is_visible && takes_action(*frame, site);
    visible_accesses += acts;
    visible_breakpoints += acts && by_breakpoint;
    if (++accesses > most_accesses) return 1;
    if (is_visible) return acts;
    if (site.form >= Form::move) return 1;
    for (const Operand& operand : site.operand) {
        if (operand.bytes == 0) break;
        const std::uint64_t address = address_of(*frame, operand);
        if (patches.header->stacks == 0 && is_own_stack(*frame, address)) continue;
        const std::uint64_t instruction = patches.module_base[frame->site] + site.address;
        if (!brings_nothing_new(frame->site, address, operand.bytes,
                                mode_now(*frame, site, operand, address, instruction)))
            return 1;
    }
    return 0;
}
