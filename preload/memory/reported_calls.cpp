// Each reported call takes the path of a patched instruction (filter.cpp, access.cpp), without a breakpoint or a
// copy.
#include "preload/memory/calls/calls.h"

#include <cstring>

#include "preload/base/search.h"
#include "preload/memory/access.h"
#include "preload/memory/checks/filter.h"
#include "preload/memory/map.h"
#include "preload/memory/passed_code.h"
#include "preload/memory/reported_calls.h"
#include "preload/memory/shadow.h"
#include "preload/schedule/canonical.h"
#include "preload/schedule/scheduler.h"

namespace raddle::memory {

namespace {

constexpr unsigned overwritten_by_calls = 0x0fc7;  // rax, rcx, rdx, rsi, rdi, r8 to r11

struct KnownCall {
    std::uint64_t id;      // return address
    std::uint32_t number;  // number of the site: those of calls follow those of the description
    Arming arming;
    std::uint8_t reported;  // reported to the supervisor
    std::uint64_t made_by;  // the thread that made it last, and the execution
    Unread unread;
};

Map<KnownCall> calls;
std::uint64_t* by_number = nullptr;
std::uint32_t known = 0, room = 0;

// A loaded module with described calls.
struct ReportingModule {
    std::uint64_t base;
    std::uint32_t first, count;
};
constexpr std::uint32_t most_modules = 64;
ReportingModule modules[most_modules];
std::uint32_t module_count = 0;

// The described call that returns to this address; null if there is none.
const ReportedCall* reported_call(std::uint64_t address) {
    const auto* rows = described<ReportedCall>(patches.header->reported);
    for (std::uint32_t i = 0; i < module_count; ++i) {
        const ReportingModule& module = modules[i];
        const ReportedCall* const all = rows + module.first;
        const std::uint32_t at =
            first_not_before(module.count, [&](std::uint32_t row) { return module.base + all[row].address < address; });
        if (at < module.count && module.base + all[at].address == address) return &all[at];
    }
    return nullptr;
}

bool is_visible(std::uint64_t site) {
    const auto* rows = described<std::uint64_t>(patches.header->calls);
    const std::uint32_t count = patches.header->call_count;
    const std::uint32_t at = first_not_before(count, [&](std::uint32_t row) { return rows[row] < site; });
    return at < count && rows[at] == site;
}

// Null if there are too many calls.
KnownCall* add(std::uint64_t address) {
    if (patches.header->site_count + known + 1 >= most_sites) return nullptr;
    if (known == room) {
        const std::uint32_t wider = room == 0 ? 64 : room * 2;
        auto* grown = static_cast<std::uint64_t*>(
            fixed_memory::grow(by_number, room * sizeof *by_number, wider * sizeof *by_number));
        if (grown == nullptr) return nullptr;
        by_number = grown;
        room = wider;
    }
    KnownCall* call = calls.find_or_add(address);
    if (call == nullptr) return nullptr;
    by_number[known] = address;
    call->number = patches.header->site_count + known++;
    const bool visible =
        patches.header->everything != 0 || is_visible(canonical::site_of(reinterpret_cast<const void*>(address)));
    call->arming = visible ? Arming::visible : Arming::watched;
    const ReportedCall* row = reported_call(address);
    call->unread = row != nullptr ? row->unread : Unread{};
    constexpr unsigned arguments = 1u << reg::rdi | 1u << reg::rsi | 1u << reg::rax | 1u << reg::rdx;
    call->unread.registers = static_cast<std::uint16_t>((call->unread.registers | overwritten_by_calls) & ~arguments);
    call->unread.flags = 1;
    return call;
}

const KnownCall& at(std::uint64_t address) {
    static constexpr KnownCall one_too_many = {0, most_sites - 1, Arming::visible, 0, 0, {}};
    if (const KnownCall* call = calls.find(address)) return *call;
    const KnownCall* added = add(address);
    return added != nullptr ? *added : one_too_many;
}

AccessSite site_of(Called what, std::uint64_t bytes) {
    AccessSite site{};
    site.operand[0].base = reg::rdi;
    site.operand[0].index = reg::none;
    site.operand[0].bytes = static_cast<std::uint8_t>(bytes);
    site.operand[0].mode = what == Called::load                             ? reads
                           : what == Called::store || what == Called::write ? writes
                                                                            : reads | writes;
    site.atomic = what != Called::write;
    site.form = Form::update;
    site.has_update = 1;
    if (what != Called::load && bytes <= 8) {
        site.source = Source::low;
        site.source_register = reg::rsi;
    }
    switch (what) {
        case Called::write:
        case Called::load:
        case Called::store: site.form = Form::access; break;
        case Called::exchange: site.update = Update::exchange; break;
        case Called::add: site.update = Update::add; break;
        case Called::subtract:
            site.update = Update::add;
            site.negated = 1;
            break;
        case Called::bit_and: site.update = Update::bit_and; break;
        case Called::bit_or: site.update = Update::bit_or; break;
        case Called::bit_xor: site.update = Update::bit_xor; break;
        case Called::bit_nand: site.has_update = 0; break;
        case Called::compare_exchange: site.form = Form::compare_exchange; break;
    }
    return site;
}

void copy_registers(AccessFrame& frame, const Caller& caller) {
    frame.registers[reg::rbx] = caller.rbx;
    frame.registers[reg::rbp] = caller.rbp;
    frame.registers[12] = caller.r12;
    frame.registers[13] = caller.r13;
    frame.registers[14] = caller.r14;
    frame.registers[15] = caller.r15;
}

ReadableState readable_state_of(const AccessFrame& frame, const Caller& caller, const KnownCall& call) {
    return {frame.registers, reinterpret_cast<std::uint64_t>(&caller + 1), 0, 0, nullptr, &call.unread};
}

bool is_private(const AccessFrame& frame, std::uint64_t address) {
    return patches.header->stacks == 0 && is_own_stack(frame, address);
}

}  // namespace

void add_reporting_module(const InstrumentedModule& module, const canonical::Module& loaded) {
    const std::uint32_t all = patches.header->reported_count;
    if (module.reported_count == 0 || module_count == most_modules || module.first_reported > all ||
        module.reported_count > all - module.first_reported)
        return;
    modules[module_count++] = {loaded.base, module.first_reported, module.reported_count};
}

bool is_visible_call(std::uint64_t call) { return at(call).arming == Arming::visible; }

void access_by_call(std::uint64_t address, std::uint64_t bytes, std::uint8_t mode, std::uint64_t call,
                    const std::uint64_t* value) {
    if (!active) return;
    if (value == nullptr || !is_visible_call(call)) return raddle_memory_plain(address, bytes, mode, call, nullptr);
    AccessFrame frame;
    const AccessSite site = site_of(Called::write, bytes);
    std::memset(frame.registers, 0, sizeof frame.registers);
    frame.site = at(call).number;
    frame.registers[reg::rdi] = address;
    frame.registers[reg::rsi] = *value;
    perform_access(frame, site, call - 1, true, {}, nullptr);
}

void note_atomic_read(std::uint64_t address, std::uint64_t bytes, std::uint64_t call) {
    if (active) shadow::note(at(call).number, address, bytes, reads, true);
}

namespace shadow {
void mark_call(std::uint32_t number) {
    if (number - patches.header->site_count >= known) return;
    const std::uint64_t address = by_number[number - patches.header->site_count];
    KnownCall* call = calls.find(address);
    channel::Channel& channel = *scheduler::shared();
    if (call == nullptr || call->reported != 0 || call->arming == Arming::visible ||
        channel.result.memory_calls == channel::most_calls)
        return;
    call->reported = 1;
    channel.memory_calls[channel.result.memory_calls++] = canonical::site_of(reinterpret_cast<const void*>(address));
}
}  // namespace shadow

namespace passed_code {
std::uint64_t call_of(std::uint32_t number) {
    if (number - patches.header->site_count >= known) return 0;
    const std::uint64_t address = by_number[number - patches.header->site_count];
    KnownCall* call = calls.find(address);
    if (call == nullptr || call->arming == Arming::visible || call->made_by == mark_of_current()) return 0;
    call->made_by = mark_of_current();
    return canonical::site_of(reinterpret_cast<const void*>(address));
}
}  // namespace passed_code

}  // namespace raddle::memory

using namespace raddle::memory;

extern "C" __attribute__((visibility("default"))) void raddle_memory_plain(std::uint64_t address, std::uint64_t bytes,
                                                                           std::uint8_t mode, std::uint64_t call,
                                                                           const Caller* caller) {
    if (!active || bytes == 0) return;
    AccessFrame frame;
    if (is_private(frame, address)) return;
    const KnownCall& known_call = at(call);
    const bool visible = known_call.arming == Arming::visible;
    if (++accesses <= most_accesses && !visible && brings_nothing_new(known_call.number, address, bytes, mode)) return;
    const AccessSite site{};
    frame.site = known_call.number;
    if (!visible || caller == nullptr)
        return perform_access(frame, site, call - 1, visible, {address, bytes, mode}, nullptr);
    std::memset(frame.registers, 0, sizeof frame.registers);
    copy_registers(frame, *caller);
    const ReadableState readable = readable_state_of(frame, *caller, known_call);
    perform_access(frame, site, call - 1, visible, {address, bytes, mode}, &readable);
}

extern "C" __attribute__((visibility("default"))) void raddle_memory_called(const ReportedAccess& access,
                                                                            const Caller& caller) {
    if (!active) return;
    AccessFrame frame;
    if (is_private(frame, access.address)) return;
    const KnownCall& call = at(caller.call);
    const AccessSite site = site_of(access.what, access.bytes);
    const bool visible = call.arming == Arming::visible;
    std::memset(frame.registers, 0, sizeof frame.registers);
    frame.site = call.number;
    frame.registers[reg::rdi] = access.address;
    frame.registers[reg::rsi] = access.operand;
    frame.registers[reg::rax] = access.expected;
    frame.registers[reg::rdx] = reinterpret_cast<std::uint64_t>(access.expected_at);
    const bool is_wide = access.bytes > sizeof(std::uint64_t);  // the value is not known in full
    const Operand& operand = site.operand[0];
    const std::uint8_t mode = is_wide ? operand.mode : mode_now(frame, site, operand, access.address, caller.call - 1);
    const bool is_within_limit = ++accesses <= most_accesses;
    if (is_within_limit && !visible && brings_nothing_new(call.number, access.address, access.bytes, mode)) return;
    copy_registers(frame, caller);
    const ReadableState readable = readable_state_of(frame, caller, call);
    perform_access(frame, site, caller.call - 1, visible, {}, &readable);
}
