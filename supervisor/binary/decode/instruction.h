// One decoded instruction, and questions about it that several files ask.
#pragma once

#include <Zydis/Zydis.h>

#include <cstdint>
#include <optional>
#include <span>

namespace raddle::code {

struct Instruction {
    std::uint64_t address = 0;
    const std::uint8_t* bytes = nullptr;
    ZydisDecodedInstruction what{};
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT]{};

    std::uint64_t end() const { return address + what.length; }
    bool has(ZydisInstructionAttributes attribute) const { return (what.attributes & attribute) != 0; }
    bool is_branch() const {
        return what.meta.category == ZYDIS_CATEGORY_CALL || what.meta.category == ZYDIS_CATEGORY_UNCOND_BR;
    }
};

class Decoder {
public:
    Decoder() { ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64); }
    bool decode(std::span<const std::uint8_t> bytes, std::uint64_t address, Instruction& into) const {
        into.address = address;
        into.bytes = bytes.data();
        return ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder_, bytes.data(), bytes.size(), &into.what, into.operands));
    }

private:
    ZydisDecoder decoder_;
};

inline ZydisRegister whole(ZydisRegister part) {
    return ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, part);
}

// An operand in memory that the instruction accesses, other than the thread's own stack by push, call and the like.
inline bool touches_memory(const ZydisDecodedOperand& operand) {
    if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY || operand.mem.type == ZYDIS_MEMOP_TYPE_AGEN) return false;
    // push, call, leave and the like touch the thread's own stack.
    const bool on_stack = operand.mem.base == ZYDIS_REGISTER_RSP || operand.mem.base == ZYDIS_REGISTER_RBP;
    return operand.visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT || !on_stack;
}

inline bool is_nop(const Instruction& it) {
    return it.what.meta.category == ZYDIS_CATEGORY_NOP || it.what.meta.category == ZYDIS_CATEGORY_WIDENOP;
}

// The target that a branch or call names itself.
inline std::optional<std::uint64_t> direct_target(const Instruction& it) {
    for (unsigned i = 0; i < it.what.operand_count_visible; ++i)
        if (it.operands[i].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && it.operands[i].imm.is_relative)
            return it.end() + static_cast<std::uint64_t>(it.operands[i].imm.value.s);
    return std::nullopt;
}

}  // namespace raddle::code
