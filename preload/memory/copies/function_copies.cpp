#include "preload/memory/copies/function_copies.h"

#include "preload/base/search.h"
#include "preload/memory/checks/check.h"
#include "preload/memory/copies/emitter.h"
#include "preload/memory/copies/patch_plan.h"
#include "preload/schedule/callbacks.h"

extern "C" void raddle_memory_entry();

namespace raddle::memory::copies {

namespace {

constexpr std::uint8_t breakpoint = 0xcc, jump = 0xe9, short_jump = 0xeb;
// A debugger takes breakpoints for its own. This instruction does not exist, and raises SIGILL.
constexpr std::uint8_t trap_beside_debugger = 0x06;
// An area begins with the addresses of the entry and of the quick checks.
constexpr std::uint32_t entry_bytes = 8, table_bytes = entry_bytes * (1 + check::kinds);
constexpr std::uint32_t most_check = 48, most_branch = 6, most_call = 32;

// Whether the copy of a call has to do without the original.
bool replaces_call(const InstructionRow& row) { return row.fate != Fate::native; }

// Whether check.h decides like filter.cpp for this access.
bool has_quick_check(const Area& area, std::uint32_t site) {
    const AccessSite& it = patches.sites[site];
    const Operand& operand = it.operand[0];
    const std::uint8_t bytes = operand.bytes;
    if (patches.header->stacks != 0 || patches.arming[site] != Arming::watched || it.operand[1].bytes != 0)
        return false;
    if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) return false;
    if (operand.thread_local_base != 0 || operand.base == reg::rsp || operand.index == reg::rsp) return false;
    if (operand.displacement != static_cast<std::int32_t>(operand.displacement) && operand.base != reg::module)
        return false;
    if (operand.base == reg::module && operand.index != reg::none &&
        (area.module_base != 0 || operand.displacement != static_cast<std::int32_t>(operand.displacement)))
        return false;
    const bool is_update = it.form == Form::update && it.has_update != 0 && it.update != Update::exchange;
    return it.form == Form::access || is_update;
}

class FunctionCopy {
public:
    FunctionCopy(Area& area, std::uint32_t number)
        : area_(area),
          function_(function_at(number)),
          end_(function_.first_instruction + function_.instruction_count),
          single_(states[number] == State::single),
          out_(area) {}

    bool write() {
        for (std::uint32_t at = function_.first_instruction; at < end_; ++at) {
            rows[at].place = out_.offset();
            const std::uint32_t site = rows[at].site;
            if (site == 0 && !single_) write_instruction(at);
            if (site == 0) continue;
            if (is_to_be_armed(site - 1)) write_check(site - 1);
            write_access(at, patches.sites[site - 1]);
            if (single_) out_.jump_to(original(at) + instruction_at(at).length);
        }
        out_.jump_to(area_.module_base + function_.address + function_.bytes);
        if (!single_) lead_branches();
        return out_.reaches();
    }

private:
    std::uint64_t original(std::uint32_t at) const { return copies::address_of(area_, function_, at); }
    const std::uint8_t* bytes_of(std::uint32_t at) const { return reinterpret_cast<const std::uint8_t*>(original(at)); }

    void write_check(std::uint32_t site) {
        checks[site] = out_.here();
        if (has_quick_check(area_, site)) return write_quick_check(site);
        out_.code({0x48, 0x8d, 0x64, 0x24, 0x80});  // lea -128(%rsp), %rsp: below the red zone
        out_.code({0x68});                          // push $site
        out_.number(site);
        out_.code({0xff, 0x15});  // call *entry
        out_.distance_to(area_.begin);
    }

    void write_quick_check(std::uint32_t site) {
        const AccessSite& it = patches.sites[site];
        out_.code({0x48, 0x8d, 0x64, 0x24, 0x80});  // lea -128(%rsp), %rsp
        out_.code({0x51, 0x52});                    // push %rcx; push %rdx
        write_address(it.operand[0]);
        out_.code({0xba});  // mov $site, %edx
        out_.number(site);
        const std::uint32_t kind = check::kind_of(it.operand[0].bytes, (it.operand[0].mode & writes) != 0);
        out_.code({0xff, 0x15});  // call *check
        out_.distance_to(area_.begin + entry_bytes * (1 + kind));
        static_assert(check::restore_bytes == 10);
        out_.code({0x5a, 0x59, 0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0});  // pop %rdx; pop %rcx; lea 128(%rsp), %rsp
    }

    // lea operand, %rcx
    void write_address(const Operand& operand) {
        const auto displacement = static_cast<std::int32_t>(operand.displacement);
        const bool has_index = operand.index != reg::none;
        if (operand.base == reg::module && !has_index) {
            out_.code({0x48, 0x8d, 0x0d});
            return out_.distance_to(area_.module_base + static_cast<std::uint64_t>(operand.displacement));
        }
        const bool has_base = operand.base < reg::none;
        const unsigned base = has_base ? operand.base : 5u, index = has_index ? operand.index : 4u;
        const unsigned scale = operand.scale == 8 ? 3u : operand.scale == 4 ? 2u : operand.scale == 2 ? 1u : 0u;
        out_.code({static_cast<std::uint8_t>(0x48 | (index & 8) >> 2 | (base & 8) >> 3), 0x8d,
                   static_cast<std::uint8_t>(has_base ? 0x8c : 0x0c),
                   static_cast<std::uint8_t>(scale << 6 | (index & 7) << 3 | (base & 7))});
        out_.number(displacement);
    }

    void write_access(std::uint32_t at, const AccessSite& site) {
        unsigned char* const copy = out_.bytes(site.copy, site.copy_length);
        const std::uint64_t end = out_.here();
        if (site.relative_at != 0) {
            const Operand& operand = site.operand[site.operand[0].base == reg::module ? 0 : 1];
            out_.set_distance(copy + site.relative_at,
                              area_.module_base + static_cast<std::uint64_t>(operand.displacement), end);
        }
        if (site.return_at == 0) return;
        unsigned char* const field = copy + site.return_at;
        out_.set_distance(field, end, reinterpret_cast<std::uint64_t>(field) + 4);
        out_.number(original(at) + site.length);
    }

    void write_instruction(std::uint32_t at) {
        const Instruction& it = instruction_at(at);
        switch (it.placement) {
            case Placement::anywhere: out_.bytes(bytes_of(at), it.length); return;
            case Placement::relative: return write_relative(at, bytes_of(at), it.length, it.field);
            case Placement::branch:
                out_.code({0x0f, static_cast<std::uint8_t>(0x80 | (bytes_of(at)[it.field - 1] & 0x0f))});
                return out_.distance_to(target_of(at));
            case Placement::jump: return out_.jump_to(target_of(at));
            case Placement::call: return replaces_call(rows[at]) ? write_call(at) : out_.jump_to(original(at));
            case Placement::stays: return out_.jump_to(original(at));
            case Placement::padding: return;
        }
    }

    // An instruction with a displacement from its end.
    void write_relative(std::uint32_t at, const std::uint8_t* code, std::uint32_t length, std::uint32_t field) {
        unsigned char* const copy = out_.bytes(code, length);
        std::int32_t displacement;
        std::memcpy(&displacement, bytes_of(at) + instruction_at(at).field, sizeof displacement);
        out_.set_distance(
            copy + field,
            original(at) + instruction_at(at).length + static_cast<std::uint64_t>(std::int64_t{displacement}),
            out_.here());
    }

    // The function that it calls has to see the original return address.
    void write_call(std::uint32_t at) {
        const Instruction& it = instruction_at(at);
        out_.code({0xff, 0x35});  // push return address
        unsigned char* const field = out_.bytes("\0\0\0", 4);
        const std::uint64_t pushed = out_.here();
        const std::uint8_t* const code = bytes_of(at);
        std::uint32_t opcode = 0;
        while (code[opcode] != 0xff && code[opcode] != 0xe8) ++opcode;
        if (code[opcode] == 0xe8) {
            out_.jump_to(target_of(at));
        } else {
            std::uint8_t changed[longest_instruction];
            std::memcpy(changed, code, it.length);
            constexpr std::uint8_t jump_near = 4;
            changed[opcode + 1] = static_cast<std::uint8_t>((changed[opcode + 1] & ~0x38) | jump_near << 3);
            if (it.field != 0)
                write_relative(at, changed, it.length, it.field);
            else
                out_.bytes(changed, it.length);
        }
        out_.set_distance(field, out_.here(), pushed);
        out_.number(original(at) + it.length);
    }

    std::uint64_t target_of(std::uint32_t at) const {
        const Instruction& it = instruction_at(at);
        std::int64_t distance;
        if (it.length - it.field == 1) {
            distance = static_cast<std::int8_t>(bytes_of(at)[it.field]);
        } else {
            std::int32_t wide;
            std::memcpy(&wide, bytes_of(at) + it.field, sizeof wide);
            distance = wide;
        }
        return original(at) + it.length + static_cast<std::uint64_t>(distance);
    }

    // Branches whose target is in the function stay in the copy.
    void lead_branches() {
        for (std::uint32_t at = function_.first_instruction; at < end_; ++at) {
            const Placement placement = instruction_at(at).placement;
            if (rows[at].site != 0 || (placement != Placement::branch && placement != Placement::jump)) continue;
            const std::uint64_t offset = target_of(at) - (area_.module_base + function_.address);
            const std::uint32_t found = first_not_before(function_.instruction_count, [&](std::uint32_t row) {
                return rows[function_.first_instruction + row].offset < offset;
            });
            if (found == function_.instruction_count) continue;
            const InstructionRow& target = rows[function_.first_instruction + found];
            if (target.offset != offset) continue;
            const std::uint64_t field = area_.begin + rows[at].place + (placement == Placement::branch ? 2u : 1u);
            out_.set_distance(reinterpret_cast<unsigned char*>(field), area_.begin + target.place, field + 4);
        }
    }

    Area& area_;
    const CodeFunction& function_;
    const std::uint32_t end_;
    const bool single_;  // each access has a copy of its own
    Emitter out_;
};

void write_jump(std::uint64_t at, std::uint64_t target) {
    auto* const code = reinterpret_cast<unsigned char*>(at);
    const auto distance = static_cast<std::int32_t>(target - (at + jump_bytes));
    code[0] = jump;
    std::memcpy(code + 1, &distance, sizeof distance);
}

void write_way_to_copy(const Area& area, const CodeFunction& function, std::uint32_t instruction) {
    const InstructionRow& row = rows[instruction];
    const std::uint64_t at = copies::address_of(area, function, instruction), copy = area.begin + row.place;
    auto* const code = reinterpret_cast<unsigned char*>(at);
    if (row.fate == Fate::native || row.fate == Fate::covered) return;
    if (row.fate == Fate::jump) return write_jump(at, copy);
    if (row.fate == Fate::breakpoint) {
        code[0] = debugger::attended ? trap_beside_debugger : breakpoint;
        return;
    }
    const std::uint64_t long_jump = area.module_base + row.long_jump;
    write_jump(long_jump, copy);
    code[0] = short_jump;
    code[1] = static_cast<std::uint8_t>(long_jump - (at + 2));
}

// Some byte that changes tells later whether the module is patched; a jump may begin like the instruction before.
void patch(Area& area, const CodeFunction& function, std::uint32_t instruction) {
    const std::uint64_t at = copies::address_of(area, function, instruction);
    const auto* const code = reinterpret_cast<const unsigned char*>(at);
    const std::uint8_t before = code[0];
    write_way_to_copy(area, function, instruction);
    if (code[0] == before) return;
    area.patched_at = at;
    area.original_byte = before;
}

}  // namespace

std::uint64_t room_for(const InstrumentedModule& module) {
    std::uint64_t bytes = table_bytes;
    for (std::uint32_t number = module.first_function; number < module.first_function + module.function_count;
         ++number) {
        const CodeFunction& function = function_at(number);
        bytes +=
            std::uint64_t{function.bytes} + std::uint64_t{function.site_count} * (most_check + longest_copy + 13) + 5;
        for (std::uint32_t i = 0; i < function.instruction_count; ++i)
            switch (instruction_at(function.first_instruction + i).placement) {
                case Placement::branch:
                case Placement::jump:
                case Placement::stays: bytes += most_branch; break;
                case Placement::call: bytes += most_call; break;
                default: break;
            }
    }
    return bytes;
}

bool write_copies(Area& area) {
    area.used = 0;
    {
        Emitter table(area);
        table.number(reinterpret_cast<std::uint64_t>(&raddle_memory_entry));
        for (std::uint32_t kind = 0; kind < check::kinds; ++kind)
            table.number(reinterpret_cast<std::uint64_t>(check::function_of(kind)));
    }
    bool reaches = true;
    for_functions(area, [&](std::uint32_t number) { reaches = FunctionCopy(area, number).write() && reaches; });
    return reaches;
}

void patch_originals(Area& area) {
    for_functions(area, [&](std::uint32_t number) {
        const CodeFunction& function = function_at(number);
        for (std::uint32_t i = 0; i < function.instruction_count; ++i)
            patch(area, function, function.first_instruction + i);
    });
}

std::uint64_t original_in(const Area& area, std::uint64_t instruction) {
    const auto offset = static_cast<std::uint32_t>(instruction - area.begin);
    std::uint64_t original = instruction;
    for_functions(area, [&](std::uint32_t number) {
        const CodeFunction& function = function_at(number);
        const std::uint32_t first = function.first_instruction;
        if (rows[first].place > offset) return;
        const std::uint32_t after = first_not_before(function.instruction_count,
                                                     [&](std::uint32_t i) { return rows[first + i].place <= offset; });
        original = copies::address_of(area, function, first + after - 1);
    });
    return original;
}

}  // namespace raddle::memory::copies
