// The slow path of an access. It notes the access, and announces it if its instruction is visible. When it is the
// thread's turn, no other thread runs until this one announces its next action, so the instruction can then be executed
// as it is. An instruction that reads and then writes without a lock is two actions. Its copy works on the value that
// it read.
#include <cstring>

#include "preload/debug/stacks.h"
#include "preload/memory/access.h"
#include "preload/memory/checks/filter.h"
#include "preload/memory/foreign_writes.h"
#include "preload/memory/frames.h"
#include "preload/memory/runtime_variables.h"
#include "preload/memory/shadow.h"
#include "preload/memory/spinning.h"
#include "preload/schedule/call_site.h"
#include "preload/schedule/canonical.h"
#include "preload/schedule/focus.h"
#include "preload/schedule/naps.h"
#include "preload/schedule/scheduler.h"
#include "supervisor/model/extent.h"

namespace raddle::memory {

namespace {

constexpr std::uint64_t direction_flag = 1u << 10;
constexpr std::uint64_t nap = 1000000;

std::uint64_t mask_of(std::uint64_t bytes) {
    return bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << bytes * 8) - 1;
}
bool has_value(std::uint64_t bytes) { return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8; }

// One execution of an instruction that accesses memory. perform() announces each of its accesses and returns when the
// instruction's copy may be executed.
class InstructionAccess {
public:
    InstructionAccess(AccessFrame& frame, const unsigned char* vectors, const AccessSite& site,
                      std::uint64_t instruction, bool visible, const ReadableState* readable)
        : frame_(frame),
          vectors_(vectors),
          site_(site),
          number_(static_cast<std::uint32_t>(frame.site)),
          instruction_(instruction),
          visible_(visible),
          readable_(site.form < Form::move ? readable : nullptr) {}

    void perform() {
        switch (site_.form) {
            case Form::access: return plain();
            case Form::update: return update();
            case Form::compare_exchange: return compare_exchange();
            case Form::move:
            case Form::fill:
            case Form::load: return visible_ ? string() : note_string();
            case Form::compare:
            case Form::scan: return search();
        }
    }

    void perform(const PlainAccess& plain_access) {
        plain_access.mode == writes ? write(plain_access.address, plain_access.bytes)
                                    : read(plain_access.address, plain_access.bytes);
    }

private:
    bool is_own(std::uint64_t address) const { return patches.header->stacks == 0 && is_own_stack(frame_, address); }

    std::uint64_t load(std::uint64_t address, std::uint64_t bytes) const {
        std::uint64_t value = 0;
        begin_probe(instruction_, vectors_ != nullptr ? &frame_ : nullptr);
        std::memcpy(&value, reinterpret_cast<const void*>(address), bytes);
        end_probe();
        return value;
    }
    void store(std::uint64_t address, std::uint64_t value, std::uint64_t bytes) const {
        begin_probe(instruction_, vectors_ != nullptr ? &frame_ : nullptr);
        std::memcpy(reinterpret_cast<void*>(address), &value, bytes);
        end_probe();
    }

    // The stack of the next action is the program's here, not the shim's.
    void set_stack() const {
        if (stacks::area != nullptr && vectors_ != nullptr) [[unlikely]]
            stacks::take_from(frame_.registers, frame_.stack_pointer(), instruction_);
    }

    // Notes the access, and announces it if the instruction is visible. False if it was not announced.
    bool announce(Operation operation, std::uint64_t address, std::uint64_t bytes, std::uint8_t mode,
                  const Action* with_values, ActionOutcome& outcome) {
        if (is_own(address)) return false;
        shadow::note(number_, address, bytes, mode, site_.atomic != 0);
        if (runtime_variables::contains(address)) return false;
        if (!visible_) {
            if ((mode & writes) != 0 && !is_own_stack(frame_, address)) ++unseen_writes;
            note_foreign_writes(address, bytes, (mode & writes) != 0);
            return false;
        }
        const std::uint64_t cell = shadow::cell_of(address, bytes);
        begin_probe(instruction_, vectors_ != nullptr ? &frame_ : nullptr);
        shadow::keep_first_value(address, bytes);
        end_probe();
        if (with_values != nullptr && frames::ends_by_return(address)) {
            with_values = nullptr;
            if (operation == Operation::memory_exchange) operation = Operation::memory_update;
        }
        Action action = with_values != nullptr ? *with_values : Action{};
        action.operation = operation;
        action.site = canonical::site_of(reinterpret_cast<const void*>(
            instruction_ + 1));  // like a return address: behind the beginning of the instruction
        action.object = canonical::name_of(reinterpret_cast<const void*>(cell));
        const bool may_spin = readable_ != nullptr && action.site != 0 && operation != Operation::memory_write &&
                              (operation != Operation::memory_read || mode == reads);
        if (may_spin) {
            set_stack();  // of the wait that may be announced first
            spinning::before_read(*readable_, address, bytes, action);
        }
        if (with_values != nullptr && cell == address && (address & 7) + bytes <= 8)
            add_value(action, address, bytes);
        else
            action.set_packed_extent(packed({address - cell, bytes}));
        if (site_.atomic != 0) action.attributes |= attribute::memory::atomic;
        set_stack();
        Thread& me = scheduler::current();
        me.next_address = address;
        std::uint64_t& access_frame = stack_ends::access_frame[current_arena];
        access_frame = vectors_ != nullptr ? frame_.stack_pointer() : 0;
        outcome = act_uncancelled(action);
        access_frame = 0;
        if (outcome.misuse == Misuse::freed_memory) [[unlikely]]
            stop_at_misuse(action, address, bytes);
        note_foreign_writes(address, bytes, operation != Operation::memory_read);
        if (may_spin) spinning::after_read(action, outcome, changes(action, outcome, bytes));
        return true;
    }

    void note_foreign_writes(std::uint64_t address, std::uint64_t bytes, bool is_write) const {
        if (patches.header->stacks == 0) return;
        if (memory::is_own(frame_.stack_pointer(), address))
            foreign_writes::owner_accesses(address, bytes);
        else if (is_write && is_a_stack(address))
            foreign_writes::about_to_write(address, bytes);
    }

    // The thread accessed freed memory: what it would do next means nothing. Its write still happens, as others see it.
    [[noreturn]] void stop_at_misuse(const Action& action, std::uint64_t address, std::uint64_t bytes) const {
        const Machine& machine = scheduler::machine();
        const ObjectSlot slot = machine.find_object(action.object);
        const bool is_written =
            action.operation != Operation::memory_read && (action.flags & flag::contents_unknown) == 0;
        if (is_written && slot != no_slot && knows_value(machine.object(slot), bytes))
            store(address, static_cast<std::uint64_t>(machine.object(slot).value), bytes);
        call_site = reinterpret_cast<void*>(instruction_ + 1);
        fail();
    }

    bool changes(const Action& action, const ActionOutcome& outcome, std::uint64_t bytes) const {
        switch (action.operation) {
            case Operation::memory_exchange: return outcome.effect == Effect::done;
            case Operation::memory_update: {
                const auto before = static_cast<std::uint64_t>(outcome.result);
                return (action.flags & flag::contents_unknown) != 0 || updated(before, bytes) != before;
            }
            default: return false;
        }
    }

    // Adds to the action the value that memory holds, for a machine that does not know it yet.
    void add_value(Action& action, std::uint64_t address, std::uint64_t bytes) const {
        action.attributes = width_attribute(bytes);
        if (action.operation == Operation::memory_write) return;
        const std::uint64_t now = load(address, bytes);
        action.set_initial_value(shadow::first_value(address, bytes));
        const Machine& machine = scheduler::machine();
        const ObjectSlot slot = machine.find_object(action.object);
        if (slot == no_slot || !knows_value(machine.object(slot), bytes)) return;
        if ((static_cast<std::uint64_t>(machine.object(slot).value) & mask_of(bytes)) == now) return;
        // The kernel, or code that is not instrumented, has written here.
        shadow::renew_first_value(address, bytes, now);
        action.attributes |= attribute::memory::replaces_value;
        action.set_initial_value(now);
    }

    std::uint64_t source(std::uint64_t bytes) const {
        std::uint64_t value = 0;
        switch (site_.source) {
            case Source::unknown: break;
            case Source::immediate: value = static_cast<std::uint64_t>(site_.immediate); break;
            case Source::low:
                value = site_.source_register == reg::rsp ? frame_.stack_pointer()
                                                          : frame_.registers[site_.source_register];
                break;
            case Source::high: value = frame_.registers[site_.source_register] >> 8; break;
            case Source::vector: {
                std::memcpy(&value, vectors_ + 16 * std::size_t{site_.source_register}, sizeof value);
                break;
            }
        }
        if (site_.negated != 0) value = 0 - value;
        return value & mask_of(bytes);
    }
    bool knows_source(std::uint64_t bytes) const { return site_.source != Source::unknown && has_value(bytes); }

    std::uint64_t updated(std::uint64_t value, std::uint64_t bytes) const {
        const std::uint64_t operand = source(bytes);
        switch (site_.update) {
            case Update::add: return (value + operand) & mask_of(bytes);
            case Update::exchange: return operand;
            case Update::bit_and: return value & operand;
            case Update::bit_or: return value | operand;
            case Update::bit_xor: return value ^ operand;
        }
        return value;
    }

    void plain() {
        for (const Operand& operand : site_.operand) {
            if (operand.bytes == 0) break;
            const std::uint64_t address = address_of(frame_, operand);
            if (operand.mode == (reads | writes))
                read_then_write(address, operand.bytes);
            else if (operand.mode == writes)
                write(address, operand.bytes);
            else
                read(address, operand.bytes);
        }
    }

    void read(std::uint64_t address, std::uint64_t bytes) {
        const Action action{};
        ActionOutcome outcome;
        announce(Operation::memory_read, address, bytes, reads, has_value(bytes) ? &action : nullptr, outcome);
    }

    void write(std::uint64_t address, std::uint64_t bytes) {
        Action action{.operation = Operation::memory_write};
        ActionOutcome outcome;
        const bool knows = knows_source(bytes);
        if (knows) action.set_value(static_cast<std::int64_t>(source(bytes)));
        announce(Operation::memory_write, address, bytes, writes, knows ? &action : nullptr, outcome);
    }

    void read_then_write(std::uint64_t address, std::uint64_t bytes) {
        Action action{.operation = Operation::memory_write};
        ActionOutcome outcome;
        if (!announce(Operation::memory_read, address, bytes, reads | writes, has_value(bytes) ? &action : nullptr,
                      outcome))
            return;
        unsigned char before[64];
        begin_probe(instruction_, vectors_ != nullptr ? &frame_ : nullptr);
        std::memcpy(before, reinterpret_cast<const void*>(address), bytes);
        end_probe();
        const bool knows = site_.has_update != 0 && knows_source(bytes);
        if (knows) {
            std::uint64_t value = 0;
            std::memcpy(&value, before, bytes);
            action.set_value(static_cast<std::int64_t>(updated(value, bytes)));
        }
        announce(Operation::memory_write, address, bytes, reads | writes, knows ? &action : nullptr, outcome);
        // The instruction works on the value that it read, whatever was written since.
        std::memcpy(reinterpret_cast<void*>(address), before, bytes);
    }

    void update() {
        const Operand& operand = site_.operand[0];
        Action action{.operation = Operation::memory_update};
        ActionOutcome outcome;
        const bool knows = site_.has_update != 0 && knows_source(operand.bytes);
        if (knows) {
            action.update = site_.update;
            action.set_value(static_cast<std::int64_t>(source(operand.bytes)));
        }
        announce(Operation::memory_update, address_of(frame_, operand), operand.bytes, reads | writes,
                 knows ? &action : nullptr, outcome);
    }

    void compare_exchange() {
        const Operand& operand = site_.operand[0];
        const std::uint64_t address = address_of(frame_, operand), bytes = operand.bytes;
        const bool in_two = site_.source == Source::unknown;  // cmpxchg8b and cmpxchg16b use pairs of registers
        Action action{.operation = Operation::memory_exchange};
        ActionOutcome outcome;
        const std::uint64_t* registers = frame_.registers;
        const auto low_half = [](std::uint64_t value) { return value & 0xffffffff; };
        const std::uint64_t expected =
            in_two ? registers[reg::rdx] << 32 | low_half(registers[reg::rax]) : registers[reg::rax] & mask_of(bytes);
        const std::uint64_t wanted = in_two ? registers[reg::rcx] << 32 | low_half(registers[reg::rbx]) : source(bytes);
        action.set_expected(static_cast<std::int64_t>(expected));
        action.set_desired(static_cast<std::int64_t>(wanted));
        const bool knows = has_value(bytes) && (!in_two || bytes == 8);
        const Operation operation = knows ? Operation::memory_exchange : Operation::memory_update;
        if (!announce(operation, address, bytes, reads | writes, knows ? &action : nullptr, outcome) || !knows) return;
        if (outcome.effect == Effect::cancelled) return;
        const bool succeeds = load(address, bytes) == expected;
        const Machine& machine = scheduler::machine();
        const ObjectSlot slot = machine.find_object(canonical::name_of(reinterpret_cast<const void*>(address)));
        if (slot != no_slot && knows_value(machine.object(slot), bytes) && succeeds != (outcome.effect == Effect::done))
            scheduler::end_with(
                channel::End::diverged,
                "an atomic variable changed in a way raddle does not see (by another process, or code that is not instrumented)");
    }

    // ---- string instructions

    std::uint64_t times() const { return site_.repeated != 0 ? frame_.registers[reg::rcx] : 1; }
    std::uint64_t step(std::uint64_t bytes) const { return (frame_.flags & direction_flag) != 0 ? 0 - bytes : bytes; }

    void note_string() {
        for (const Operand& operand : site_.operand) {
            if (operand.bytes == 0) break;
            std::uint64_t address = frame_.registers[operand.base];
            const std::uint64_t all = times() * operand.bytes;
            if (all == 0 || is_own(address)) continue;
            if ((frame_.flags & direction_flag) != 0) address -= all - operand.bytes;
            shadow::note(number_, address, all, operand.mode, false);
            if ((operand.mode & writes) != 0 && !is_own_stack(frame_, address)) ++unseen_writes;
            note_foreign_writes(address, all, (operand.mode & writes) != 0);
        }
    }

    // Element by element, as the processor may do, too. The copy is skipped.
    void string() {
        const bool moves = site_.form == Form::move, fills = site_.form == Form::fill;
        const std::uint64_t bytes = site_.operand[0].bytes;
        std::uint64_t& from = frame_.registers[reg::rsi];
        std::uint64_t& to = frame_.registers[reg::rdi];
        for (std::uint64_t left = times(); left > 0; --left) {
            std::uint64_t value = frame_.registers[reg::rax] & mask_of(bytes);
            ActionOutcome outcome;
            Action action{};
            if (!fills) {
                announce(Operation::memory_read, from, bytes, reads, &action, outcome);
                value = load(from, bytes);
                from += step(bytes);
            }
            if (moves || fills) {
                action = Action{.operation = Operation::memory_write};
                action.set_value(static_cast<std::int64_t>(value));
                announce(Operation::memory_write, to, bytes, writes, &action, outcome);
                store(to, value, bytes);
                to += step(bytes);
            } else {
                std::uint64_t& result = frame_.registers[reg::rax];
                result = bytes == 4 ? value : (result & ~mask_of(bytes)) | value;
            }
            if (site_.repeated != 0) frame_.registers[reg::rcx] = left - 1;
        }
        frame_.return_address += site_.copy_length;
    }

    // Comparing and scanning: announces a read of each element; then the copy does all the work.
    void search() {
        const bool compares = site_.form == Form::compare;
        const std::uint64_t bytes = site_.operand[0].bytes;
        const bool until_equal = site_.repeated != 0 && site_.original[0] == 0xf2;
        std::uint64_t from = frame_.registers[reg::rsi], to = frame_.registers[reg::rdi];
        for (std::uint64_t left = times(); left > 0; --left) {
            if (compares) read(from, bytes);
            read(to, bytes);
            const std::uint64_t other = compares ? load(from, bytes) : frame_.registers[reg::rax] & mask_of(bytes);
            if ((load(to, bytes) == other) == until_equal) break;
            from += step(bytes);
            to += step(bytes);
        }
    }

    AccessFrame& frame_;
    const unsigned char* vectors_;
    const AccessSite& site_;
    const std::uint32_t number_;
    const std::uint64_t instruction_;
    const bool visible_;
    const ReadableState* const readable_;
};

// A thread that reads the same memory without end waits for a thread that it does not let run. From the next epoch on
// its reads will be visible, even if no other thread accesses that memory. So this execution is void and may be short.
std::uint32_t times_let_others_run = 0;
constexpr std::uint32_t most_times = 3;

void let_others_run(const AccessFrame& frame, std::uint64_t address) {
    idle_reads = 0;
    shadow::make_visible(static_cast<std::uint32_t>(frame.site));
    if (!is_own_stack(frame, address)) shadow::wait_for(address);
    if (++times_let_others_run > most_times)
        scheduler::end_with(channel::End::step_limit, "a thread reads the same memory without end");
    Action sleep;
    sleep.operation = Operation::sleep;
    sleep.set_timeout(nap);
    act_uncancelled(sleep);
}

// The thread naps, or the execution ends.
void pause_at_most_accesses() {
    if (!scheduler::naps::after_accesses(scheduler::current()))
        scheduler::end_with(channel::End::step_limit, "more accesses to memory than allowed");
}

}  // namespace

void perform_access(AccessFrame& frame, const AccessSite& site, std::uint64_t instruction, bool visible,
                    const PlainAccess& plain_access, const ReadableState* readable) {
    if (accesses > most_accesses) [[unlikely]]
        pause_at_most_accesses();
    if (idle_reads >= most_idle_reads)
        let_others_run(frame, plain_access.bytes != 0 ? plain_access.address : address_of(frame, site.operand[0]));
    idle_reads = 0;
    const focus::Access now(current_arena, frame.stack_pointer());
    InstructionAccess access(frame, nullptr, site, instruction, visible, readable);
    plain_access.bytes != 0 ? access.perform(plain_access) : access.perform();
}

}  // namespace raddle::memory

extern "C" __attribute__((visibility("hidden"), used)) void raddle_memory_access(raddle::memory::AccessFrame* frame,
                                                                                 const unsigned char* vectors) {
    using namespace raddle::memory;
    if (accesses > most_accesses) [[unlikely]]
        pause_at_most_accesses();
    const AccessSite& site = patches.sites[frame->site];
    if (idle_reads >= most_idle_reads) let_others_run(*frame, address_of(*frame, site.operand[0]));
    idle_reads = 0;
    const std::uint64_t instruction = patches.module_base[frame->site] + site.address;
    const bool visible = patches.arming[frame->site] == Arming::visible;
    const std::uint64_t red_zone = site.red_zone != 0 ? sizeof frame->red_zone : 0;
    const ReadableState readable{frame->registers, frame->stack_pointer(), red_zone, frame->flags, vectors,
                                 &site.unread};
    const raddle::focus::Access now(current_arena, frame->stack_pointer());
    InstructionAccess(*frame, vectors, site, instruction, visible, &readable).perform();
}
