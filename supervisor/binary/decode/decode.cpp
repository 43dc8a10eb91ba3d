#include "supervisor/binary/decode/decode.h"

#include <algorithm>
#include <unordered_set>

#include "supervisor/binary/decode/describe.h"
#include "supervisor/binary/decode/entries.h"
#include "supervisor/binary/decode/liveness.h"

namespace raddle::code {

namespace {

using memory::AccessSite;

// Whether the function keeps its frame in rbp throughout, so that memory around rbp is its own.
class FramePointer {
public:
    void see(const Instruction& it) {
        const bool is_setup =
            it.what.mnemonic == ZYDIS_MNEMONIC_MOV && it.operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
            it.operands[0].reg.value == ZYDIS_REGISTER_RBP && it.operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
            it.operands[1].reg.value == ZYDIS_REGISTER_RSP;
        set_up_ |= is_setup;
        if (is_setup || it.what.mnemonic == ZYDIS_MNEMONIC_LEAVE || it.what.mnemonic == ZYDIS_MNEMONIC_POP) return;
        for (unsigned i = 0; i < it.what.operand_count; ++i) {
            const ZydisDecodedOperand& operand = it.operands[i];
            if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER && whole(operand.reg.value) == ZYDIS_REGISTER_RBP &&
                (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0)
                changed_ = true;
        }
    }
    bool kept() const { return set_up_ && !changed_; }

private:
    bool set_up_ = false, changed_ = false;
};
struct Function {
    Range range;
    std::vector<AccessSite> sites;
    std::vector<memory::ReportedCall> calls;
    std::unordered_set<std::uint64_t> starts;
    std::vector<memory::Instruction> instructions;
    std::vector<std::uint64_t> stays;  // addresses of instructions that are left alone, in order
};

// Whether control may pass from the instruction to the next one.
bool falls_through(const Instruction& it) {
    return it.what.meta.category != ZYDIS_CATEGORY_UNCOND_BR && it.what.meta.category != ZYDIS_CATEGORY_RET &&
           it.what.mnemonic != ZYDIS_MNEMONIC_UD2 && it.what.mnemonic != ZYDIS_MNEMONIC_HLT;
}

// A conditional jump or a jump with a direct target; loop and jrcxz have no form that reaches far.
memory::Placement placement_of_branch(const Instruction& it) {
    const bool is_jump = it.what.meta.category == ZYDIS_CATEGORY_UNCOND_BR;
    const bool is_jcc = it.what.meta.category == ZYDIS_CATEGORY_COND_BR &&
                        ((it.what.opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && (it.what.opcode & 0xf0) == 0x70) ||
                         (it.what.opcode_map == ZYDIS_OPCODE_MAP_0F && (it.what.opcode & 0xf0) == 0x80));
    if (is_jump && it.what.meta.branch_type != ZYDIS_BRANCH_TYPE_FAR) return memory::Placement::jump;
    return is_jcc ? memory::Placement::branch : memory::Placement::stays;
}

// Calls by which a copy can do without the original: they push the original return address and jump.
bool can_push_and_jump(const Instruction& it) {
    if (it.what.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR) return false;
    const ZydisDecodedOperand& target = it.operands[0];
    if (target.type == ZYDIS_OPERAND_TYPE_REGISTER) return target.reg.value != ZYDIS_REGISTER_RSP;
    return target.type != ZYDIS_OPERAND_TYPE_MEMORY || target.mem.base != ZYDIS_REGISTER_RSP;
}

memory::Placement placement_of(const Instruction& it) {
    switch (it.what.meta.category) {
        case ZYDIS_CATEGORY_CALL: return can_push_and_jump(it) ? memory::Placement::call : memory::Placement::stays;
        case ZYDIS_CATEGORY_COND_BR: return placement_of_branch(it);
        case ZYDIS_CATEGORY_UNCOND_BR:
            if (direct_target(it)) return placement_of_branch(it);
            break;
        case ZYDIS_CATEGORY_SYSCALL:
        case ZYDIS_CATEGORY_SYSRET:
        case ZYDIS_CATEGORY_SYSTEM:
        case ZYDIS_CATEGORY_INTERRUPT:
        case ZYDIS_CATEGORY_IO: return memory::Placement::stays;
        default: break;
    }
    if (direct_target(it)) return memory::Placement::stays;
    return (it.what.attributes & ZYDIS_ATTRIB_IS_RELATIVE) != 0 ? memory::Placement::relative
                                                                : memory::Placement::anywhere;
}

memory::Instruction in_short(const Instruction& it) {
    memory::Instruction short_one{it.what.length, placement_of(it), 0, 0};
    if (direct_target(it))
        short_one.field = it.what.raw.imm[0].offset;
    else if ((it.what.attributes & ZYDIS_ATTRIB_IS_RELATIVE) != 0)
        short_one.field = it.what.raw.disp.offset;
    return short_one;
}

class Module {
public:
    enum class Wanted { sites, calls };
    Module(const ElfCode& elf, Wanted wanted) : elf_(elf), wanted_(wanted) {
        if (wanted == Wanted::sites) entries_.emplace(elf);
    }

    Decoded decode() {
        std::vector<Function> functions;
        for (const Range& range : elf_.functions()) {
            if (auto function = decode_function(range))
                functions.push_back(std::move(*function));
            else
                skip(range.begin, "code that does not decode from one end to the other");
        }
        if (entries_) entries_->see_between_functions(decoder_);
        for (Function& function : functions) {
            if (is_entered_in_the_middle_of_an_instruction(function)) {
                skip(function.range.begin, "a branch leads into the middle of an instruction");
                continue;
            }
            // In a damaged file, two segments may disagree about what stands there.
            if (elf_.loaded_at(function.range.begin).size() < function.range.end - function.range.begin) {
                skip(function.range.begin, "code that does not lie in one segment");
                continue;
            }
            result_.sites.insert(result_.sites.end(), function.sites.begin(), function.sites.end());
            calls_.insert(calls_.end(), function.calls.begin(), function.calls.end());
            if (!function.sites.empty()) add_copy_of(function);
        }
        return std::move(result_);
    }
    const std::vector<memory::ReportedCall>& calls() const { return calls_; }

private:
    std::optional<Function> decode_function(Range range) {
        Function function{range, {}, {}, {}, {}, {}};
        const std::span<const std::uint8_t> bytes = elf_.bytes(range);
        std::vector<Instruction> wanted;
        std::vector<std::uint64_t> targets;
        FramePointer frame;
        Liveness liveness;
        Instruction it;
        std::size_t at = 0;
        bool follows = true;  // control may come from the instruction before
        if (entries_) entries_->begin_function(range.begin);
        while (at < bytes.size()) {
            if (!decoder_.decode(bytes.subspan(at), range.begin + at, it)) return std::nullopt;
            function.starts.insert(it.address);
            if (entries_) {
                entries_->see(it);
                function.instructions.push_back(in_short(it));
                // Code behind a jump is there to be entered.
                function.instructions.back().entered = !follows && !is_nop(it) ? 1 : 0;
                follows = falls_through(it) || (!follows && is_nop(it));
            }
            frame.see(it);
            liveness.see(it.what, it.operands, it.address, only_tells(it));
            if (const auto target = direct_target(it)) targets.push_back(*target);
            if (is_wanted(it)) wanted.push_back(it);
            at += it.what.length;
            ++result_.decoded;
        }
        if (entries_) entries_->end_function();
        targets_.insert(targets_.end(), targets.begin(), targets.end());
        const Fixture around{&elf_, frame.kept()};
        liveness.settle(frame.kept());
        for (const Instruction& one : wanted) {
            if (wanted_ == Wanted::calls) {
                function.calls.push_back({one.end(), liveness.unread_at(one.address)});
                continue;
            }
            Described described = describe(one, around);
            if (described.site) {
                described.site->unread = liveness.unread_at(one.address);
                described.site->red_zone = liveness.uses_red_zone() ? 1 : 0;
                function.sites.push_back(*described.site);
            }
            if (described.reason != nullptr) {
                skip(one.address, described.reason, described.is_own);
                function.stays.push_back(one.address);
            }
        }
        return function;
    }

    // What the shim needs for a copy of the whole function.
    void add_copy_of(Function& function) {
        const Range range = function.range;
        const bool knows_entries = entries_->are_known_of(range.begin);
        std::uint64_t at = range.begin;
        for (memory::Instruction& it : function.instructions) {
            if (entries_->contains(at)) it.entered = 1;
            if (std::binary_search(function.stays.begin(), function.stays.end(), at))
                it.placement = memory::Placement::stays;
            at += it.length;
        }
        const std::span<const std::uint8_t> loaded = elf_.loaded_at(range.begin);
        add_padding(function, range.begin + loaded.size());
        std::uint32_t bytes = 0;
        for (const memory::Instruction& it : function.instructions) bytes += it.length;
        result_.functions.push_back({range.begin, memory::checksum_of(loaded.data(), bytes), bytes,
                                     static_cast<std::uint32_t>(result_.instructions.size()),
                                     static_cast<std::uint32_t>(function.instructions.size()),
                                     static_cast<std::uint32_t>(result_.sites.size() - function.sites.size()),
                                     static_cast<std::uint32_t>(function.sites.size()), knows_entries ? 1u : 0u});
        result_.instructions.insert(result_.instructions.end(), function.instructions.begin(),
                                    function.instructions.end());
    }

    // The nops behind a function up to the next one.
    void add_padding(Function& function, std::uint64_t end_of_segment) const {
        constexpr std::uint64_t longest = 16;
        const std::vector<Range>& all = elf_.functions();
        const auto next = std::upper_bound(all.begin(), all.end(), function.range.begin,
                                           [](std::uint64_t place, const Range& row) { return place < row.begin; });
        std::uint64_t at = function.range.end;
        const std::uint64_t end = next != all.end() ? std::min({next->begin, at + longest, end_of_segment}) : at;
        Instruction it;
        while (at < end && !entries_->contains(at)) {
            const std::span<const std::uint8_t> bytes = elf_.bytes({at, end});
            if (bytes.empty() || !decoder_.decode(bytes, at, it) || !is_nop(it)) return;
            function.instructions.push_back({it.what.length, memory::Placement::padding, 0, 0});
            at = it.end();
        }
    }

    void skip(std::uint64_t address, const char* why, bool is_own = false) {
        const std::span<const std::uint8_t> first = elf_.bytes({address, address + 1});
        result_.skipped.push_back({address, why, is_own, first.empty() ? std::uint8_t{0} : first[0]});
    }

    bool is_wanted(const Instruction& it) const {
        if (wanted_ == Wanted::calls) return called(it).starts_with("__tsan_");
        return std::any_of(it.operands, it.operands + it.what.operand_count,
                           [&](const ZydisDecodedOperand& one) { return touches_memory(one) && !is_shadow(one); });
    }

    // The state of memory that AddressSanitizer keeps, at a fixed place plus an address divided by eight.
    bool is_shadow(const ZydisDecodedOperand& operand) const {
        const std::int64_t added = operand.mem.disp.value - shadow_offset;
        return elf_.reads_shadow() && operand.mem.base != ZYDIS_REGISTER_RIP && added >= 0 &&
               added < longest_shadow_access;
    }

    // The called function of another module: through a slot that the loader fills, directly or via the linker's stub.
    std::string_view called(const Instruction& call) const {
        if (call.what.meta.category != ZYDIS_CATEGORY_CALL) return {};
        const auto target = direct_target(call);
        if (!target) return elf_.imported(place_of_target(call));
        Instruction it;
        std::uint64_t at = *target;
        do {
            if (!decoder_.decode(elf_.bytes({at, at + shortest_linkage}), at, it)) return {};
            at = it.end();
        } while (it.what.meta.category == ZYDIS_CATEGORY_CET);
        return it.what.meta.category == ZYDIS_CATEGORY_UNCOND_BR ? elf_.imported(place_of_target(it))
                                                                 : std::string_view();
    }

    static std::uint64_t place_of_target(const Instruction& branch) {
        const ZydisDecodedOperand& target = branch.operands[0];
        const bool is_fixed = target.type == ZYDIS_OPERAND_TYPE_MEMORY && target.mem.base == ZYDIS_REGISTER_RIP &&
                              target.mem.index == ZYDIS_REGISTER_NONE;
        return is_fixed ? branch.end() + static_cast<std::uint64_t>(target.mem.disp.value) : 0;
    }

    // Calls that report plain accesses neither touch the memory nor keep a pointer.
    bool only_tells(const Instruction& it) const {
        if (wanted_ != Wanted::calls) return false;
        const std::string_view name = called(it);
        return name.starts_with("__tsan_") && (name.find("read") != name.npos || name.find("write") != name.npos);
    }

    bool is_entered_in_the_middle_of_an_instruction(const Function& function) {
        if (!sorted_) {
            std::sort(targets_.begin(), targets_.end());
            sorted_ = true;
        }
        for (auto target = std::lower_bound(targets_.begin(), targets_.end(), function.range.begin);
             target != targets_.end() && *target < function.range.end; ++target)
            if (!function.starts.contains(*target)) return true;
        return false;
    }

    static constexpr std::uint64_t shortest_linkage = 8;
    const ElfCode& elf_;
    const Wanted wanted_;
    std::optional<Entries> entries_;
    Decoder decoder_;
    Decoded result_;
    std::vector<memory::ReportedCall> calls_;
    std::vector<std::uint64_t> targets_;
    bool sorted_ = false;
};

}  // namespace

Decoded decode(const ElfCode& elf) { return Module(elf, Module::Wanted::sites).decode(); }

std::vector<memory::ReportedCall> calls_out_of(const ElfCode& elf) {
    Module module(elf, Module::Wanted::calls);
    module.decode();
    return module.calls();
}

Decoded decode_one(std::span<const std::uint8_t> bytes, std::uint64_t address) {
    Decoded result;
    Instruction it;
    if (!Decoder().decode(bytes, address, it)) return result;
    result.decoded = 1;
    const Described described = describe(it, {});
    if (described.site) result.sites.push_back(*described.site);
    if (described.reason != nullptr) result.skipped.push_back({address, described.reason});
    return result;
}

}  // namespace raddle::code
