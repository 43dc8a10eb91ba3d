#include "supervisor/binary/decode/liveness.h"

#include <algorithm>

namespace raddle::code {

namespace {

constexpr std::size_t longest_function = 50000;
constexpr unsigned rsp = memory::reg::rsp, rbp = memory::reg::rbp;
constexpr std::uint16_t passed = 0x07c7 | 1u << rsp;    // arguments of a function: rax, rcx, rdx, rsi, rdi, r8, r9, r10
constexpr std::uint16_t overwritten_by_calls = 0x0fc7;  // rax, rcx, rdx, rsi, rdi, r8 … r11
constexpr std::uint64_t first_vectors = 0xffULL << 17;  // arguments too
constexpr std::uint64_t all_vectors = 0xffffULL << 17;  // calls overwrite all of them
constexpr std::uint64_t vectors_given_back = 0x3ULL << 17;
constexpr std::uint16_t left_by_functions =
    0xf03d;  // results, and registers that functions preserve: rax, rdx; rbx, rsp, rbp, r12 … r15

constexpr std::uint64_t given_back = 1ULL << memory::reg::rax | 1ULL << memory::reg::rdx | vectors_given_back;
constexpr std::uint64_t not_given_back = (overwritten_by_calls | all_vectors) & ~given_back;

std::optional<unsigned> general(ZydisRegister part) {
    const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, part);
    if (ZydisRegisterGetClass(whole) != ZYDIS_REGCLASS_GPR64) return std::nullopt;
    return static_cast<unsigned>(ZydisRegisterGetId(whole));
}

bool reads(const ZydisDecodedOperand& operand) { return (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0; }
bool surely_writes(const ZydisDecodedOperand& operand) { return (operand.actions & ZYDIS_OPERAND_ACTION_WRITE) != 0; }

// xor eax, eax does not read the old value.
bool only_clears(const ZydisDecodedInstruction& what, const ZydisDecodedOperand* operands) {
    return (what.mnemonic == ZYDIS_MNEMONIC_XOR || what.mnemonic == ZYDIS_MNEMONIC_SUB) &&
           operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER && operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
           operands[0].reg.value == operands[1].reg.value;
}

bool moves_frame_pointer(const ZydisDecodedInstruction& what, const ZydisDecodedOperand* operands) {
    return what.mnemonic == ZYDIS_MNEMONIC_LEAVE || what.mnemonic == ZYDIS_MNEMONIC_PUSH ||
           what.mnemonic == ZYDIS_MNEMONIC_POP ||
           (what.mnemonic == ZYDIS_MNEMONIC_MOV && operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
            operands[0].reg.value == ZYDIS_REGISTER_RSP);
}

}  // namespace

void Liveness::see(const ZydisDecodedInstruction& what, const ZydisDecodedOperand* operands, std::uint64_t address,
                   bool only_tells) {
    see_escape(what, operands, only_tells);
    Step& step = steps_.emplace_back();
    step.address = address;
    at_[address] = steps_.size() - 1;
    step.is_padding = what.meta.category == ZYDIS_CATEGORY_NOP || what.meta.category == ZYDIS_CATEGORY_WIDENOP;
    const bool clears = only_clears(what, operands);
    for (unsigned i = 0; i < what.operand_count; ++i) {
        const ZydisDecodedOperand& operand = operands[i];
        if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY) see_memory(operand, step);
        if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER) see_register(operand, step);
        const bool is_frame = operand.type == ZYDIS_OPERAND_TYPE_REGISTER && operand.reg.value == ZYDIS_REGISTER_RBP;
        if (is_frame && reads(operand) && !moves_frame_pointer(what, operands)) frame_is_followed_ = false;
    }
    if (clears)
        for (unsigned i = 0; i < 2; ++i)
            if (const auto number = general(operands[i].reg.value)) step.uses.reset(*number);
    if (what.cpu_flags != nullptr) {
        const ZydisAccessedFlags& touched = *what.cpu_flags;
        constexpr ZydisAccessedFlagsMask status =
            ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_ZF | ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF;
        if ((touched.tested & status) != 0) step.uses.set(flags);
        if (((touched.modified | touched.set_0 | touched.set_1 | touched.undefined) & status) == status)
            step.kills.set(flags);
    }
    if (what.meta.category == ZYDIS_CATEGORY_CALL) step.addressed = step.uses;
    see_branch(what, operands, step);
}

void Liveness::see_register(const ZydisDecodedOperand& operand, Step& step) {
    const ZydisRegisterClass kind = ZydisRegisterGetClass(operand.reg.value);
    if (kind == ZYDIS_REGCLASS_XMM || kind == ZYDIS_REGCLASS_YMM || kind == ZYDIS_REGCLASS_ZMM) {
        const auto vector = static_cast<std::uint8_t>(ZydisRegisterGetId(operand.reg.value));
        uses_vectors_ = true;
        if (vector >= registers) return;
        if (reads(operand)) step.uses.set(vectors + vector);
        if (surely_writes(operand)) (reads(operand) ? step.partly : step.kills).set(vectors + vector);
        return;
    }
    const auto number = general(operand.reg.value);
    if (!number) return;
    if (reads(operand)) step.uses.set(*number);
    if (surely_writes(operand)) (operand.size >= 32 ? step.kills : step.partly).set(*number);
}

void Liveness::see_memory(const ZydisDecodedOperand& operand, Step& step) {
    const ZydisDecodedOperandMem& memory_operand = operand.mem;
    for (const ZydisRegister part : {memory_operand.base, memory_operand.index})
        if (const auto number = general(part)) step.uses.set(*number);
    const std::int64_t displacement = memory_operand.disp.has_displacement ? memory_operand.disp.value : 0;
    const bool is_explicit = operand.visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT;
    if (memory_operand.base == ZYDIS_REGISTER_RSP && is_explicit) {
        frame_is_followed_ = false;
        uses_red_zone_ |= displacement < 0 || memory_operand.index != ZYDIS_REGISTER_NONE;
    }
    if (memory_operand.base != ZYDIS_REGISTER_RBP || !is_explicit) return;
    if (memory_operand.index != ZYDIS_REGISTER_NONE) frame_is_followed_ = false;
    if (displacement >= 0) return;
    const auto below = static_cast<std::size_t>(-displacement);
    if (memory_operand.type == ZYDIS_MEMOP_TYPE_AGEN || below > memory::frame_bytes) return;
    const std::size_t bytes = std::min<std::size_t>(operand.size / 8, below);
    for (std::size_t byte = 0; byte < bytes; ++byte) {
        const std::size_t number = frame + below - 1 - byte;
        if (reads(operand)) step.uses.set(number);
        if (surely_writes(operand)) step.kills.set(number);
    }
}

// An address of the frame does not escape if it is only reported, and the reporting call overwrites it.
void Liveness::see_escape(const ZydisDecodedInstruction& what, const ZydisDecodedOperand* operands, bool only_tells) {
    const auto is_register = [&](unsigned number, ZydisRegister wanted) {
        return operands[number].type == ZYDIS_OPERAND_TYPE_REGISTER && operands[number].reg.value == wanted;
    };
    if (named_ != 0 && !only_tells) {
        if (what.mnemonic == ZYDIS_MNEMONIC_MOV && is_register(0, ZYDIS_REGISTER_RDI) &&
            is_register(1, ZYDIS_REGISTER_RAX))
            return;
        escaped_ = std::max(escaped_, named_);
    }
    named_ = 0;
    if (what.mnemonic != ZYDIS_MNEMONIC_LEA || operands[1].mem.base != ZYDIS_REGISTER_RBP ||
        operands[1].mem.disp.value >= 0)
        return;
    named_ = static_cast<std::size_t>(-operands[1].mem.disp.value);
    if (is_register(0, ZYDIS_REGISTER_RDI) || is_register(0, ZYDIS_REGISTER_RAX)) return;
    escaped_ = std::max(escaped_, named_);
    named_ = 0;
}

void Liveness::see_branch(const ZydisDecodedInstruction& what, const ZydisDecodedOperand* operands, Step& step) {
    switch (what.meta.category) {
        case ZYDIS_CATEGORY_CALL:
            step.is_call = has_calls_ = true;
            step.uses |= LiveSet(passed | first_vectors);
            step.kills |= LiveSet(overwritten_by_calls | all_vectors | 1u << flags);
            return;
        case ZYDIS_CATEGORY_RET:
            step.falls_through = false;
            step.gives_back = true;
            step.uses |= LiveSet(left_by_functions | vectors_given_back);
            return;
        case ZYDIS_CATEGORY_SYSCALL: step.leads_anywhere = true; return;
        case ZYDIS_CATEGORY_UNCOND_BR: step.falls_through = false; break;
        case ZYDIS_CATEGORY_COND_BR: break;
        default:
            if (what.mnemonic == ZYDIS_MNEMONIC_UD2 || what.mnemonic == ZYDIS_MNEMONIC_HLT) step.falls_through = false;
            return;
    }
    for (unsigned i = 0; i < what.operand_count_visible; ++i)
        if (operands[i].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && operands[i].imm.is_relative)
            step.target = step.address + what.length + static_cast<std::uint64_t>(operands[i].imm.value.s);
    if (step.target) return;
    // An indirect jump: to another function through a slot of the linker, or inside this one through a table.
    const ZydisDecodedOperandMem& memory_operand = operands[0].mem;
    const bool is_linkage = operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY &&
                            memory_operand.base == ZYDIS_REGISTER_RIP && memory_operand.index == ZYDIS_REGISTER_NONE;
    if (is_linkage)
        step.uses |= LiveSet(passed | left_by_functions | first_vectors);
    else
        step.leads_anywhere = true;
}

// Code that no instruction reaches is reached by exceptions, from any call.
void Liveness::find_landing_pads() {
    std::vector<bool> reached(steps_.size(), false);
    if (!reached.empty()) reached[0] = true;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const bool from_padding = steps_[i].is_padding && !reached[i];
        if (steps_[i].falls_through && !from_padding && i + 1 < steps_.size()) reached[i + 1] = true;
        if (steps_[i].target)
            if (const auto found = at_.find(*steps_[i].target); found != at_.end()) reached[found->second] = true;
    }
    for (std::size_t i = 0; i < steps_.size(); ++i)
        if (!reached[i] && !steps_[i].is_padding) landing_pads_.push_back(i);
}

// Calls overwrite registers. A register that was not written since a call cannot be an argument of the next one.
void Liveness::find_arguments() {
    for (bool changed = true; changed;) {
        changed = false;
        const auto flow = [&](const LiveSet& out, std::size_t to) {
            const LiveSet met = steps_[to].meant & out;
            changed |= met != steps_[to].meant;
            steps_[to].meant = met;
        };
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            const Step& step = steps_[i];
            const LiveSet out =
                step.is_call ? step.meant & ~LiveSet(not_given_back) : step.meant | step.kills | step.partly;
            if (step.falls_through && i + 1 < steps_.size()) flow(out, i + 1);
            if (!step.target) continue;
            if (const auto found = at_.find(*step.target); found != at_.end()) flow(out, found->second);
        }
    }
    for (Step& step : steps_)
        if (step.is_call) step.uses &= step.meant | ~LiveSet(passed | first_vectors) | step.addressed;
        // … nor a result.
        else if (step.gives_back)
            step.uses &= step.meant | ~LiveSet(vectors_given_back);
}

void Liveness::settle(bool keeps_frame) {
    frame_is_followed_ &= keeps_frame;
    escaped_ = std::max(escaped_, named_);
    uses_red_zone_ |= keeps_frame && !has_calls_;
    if (steps_.size() > longest_function) {
        steps_.clear();
        at_.clear();
        return;
    }
    find_landing_pads();
    find_arguments();
    for (bool changed = true; changed;) {
        changed = false;
        LiveSet after_calls;
        for (const std::size_t pad : landing_pads_) after_calls |= steps_[pad].live;
        for (std::size_t i = steps_.size(); i-- > 0;) {
            Step& step = steps_[i];
            // Leftovers of a call are not read on other paths either.
            const LiveSet elsewhere = step.meant | ~LiveSet(not_given_back);
            LiveSet live = step.leads_anywhere ? elsewhere : LiveSet();
            if (step.falls_through) live |= i + 1 < steps_.size() ? steps_[i + 1].live : elsewhere;
            if (step.target) {
                const auto found = at_.find(*step.target);
                live |= found != at_.end() ? steps_[found->second].live : elsewhere;
            }
            // A call that never returns uses everything it does not overwrite.
            live = (live & ~step.kills) | step.uses;
            if (step.is_call) live |= after_calls;
            changed |= live != step.live;
            step.live = live;
        }
    }
}

memory::Unread Liveness::unread_at(std::uint64_t instruction) const {
    memory::Unread unread{};
    const auto found = at_.find(instruction);
    if (found == at_.end()) return unread;
    const LiveSet& live = steps_[found->second].live;
    for (unsigned one = 0; one < registers; ++one)
        if (!live[one] && one != rsp) unread.registers = static_cast<std::uint16_t>(unread.registers | 1u << one);
    for (unsigned one = 0; one < registers; ++one)
        // Calls overwrite all vector registers, so a function that does not use them carries no value in them around
        // its loops.
        if (!live[vectors + one] || !uses_vectors_)
            unread.vectors = static_cast<std::uint16_t>(unread.vectors | 1u << one);
    unread.flags = live[flags] ? 0 : 1;
    if (!frame_is_followed_) return unread;
    unread.registers = static_cast<std::uint16_t>(unread.registers & ~(1u << rbp));
    for (std::size_t byte = escaped_; byte < memory::frame_bytes; ++byte)
        if (!live[frame + byte])
            unread.frame[byte / 8] = static_cast<std::uint8_t>(unread.frame[byte / 8] | 1u << byte % 8);
    return unread;
}

}  // namespace raddle::code
