#include "supervisor/binary/decode/describe.h"

#include <cstring>

namespace raddle::code {

namespace {

using memory::AccessSite;
using memory::Form;
using memory::Operand;
using memory::Source;

std::uint8_t number_of(ZydisRegister part) {
    return part == ZYDIS_REGISTER_NONE ? memory::reg::none : static_cast<std::uint8_t>(ZydisRegisterGetId(whole(part)));
}

bool is_high_byte(ZydisRegister part) { return part >= ZYDIS_REGISTER_AH && part <= ZYDIS_REGISTER_BH; }

// The instruction computes an address without accessing it.
bool only_names_memory(const Instruction& it) {
    switch (it.what.meta.category) {
        case ZYDIS_CATEGORY_NOP:
        case ZYDIS_CATEGORY_WIDENOP:
        case ZYDIS_CATEGORY_PREFETCH:
        case ZYDIS_CATEGORY_PREFETCHWT1:
        case ZYDIS_CATEGORY_CLFLUSHOPT:
        case ZYDIS_CATEGORY_CLWB:
        case ZYDIS_CATEGORY_CET: return true;
        default: return it.what.mnemonic == ZYDIS_MNEMONIC_CLFLUSH;
    }
}
// ---- operands

enum class Finding { good, untouched, doubtful };

Finding describe_operand(const Instruction& it, const ZydisDecodedOperand& operand, const Fixture& around,
                         AccessSite& site, Operand& to) {
    const ZydisDecodedOperandMem& from = operand.mem;
    if (from.type != ZYDIS_MEMOP_TYPE_MEM || it.what.address_width != 64 || from.segment == ZYDIS_REGISTER_GS)
        return Finding::doubtful;
    if (operand.size == 0 || operand.size % 8 != 0 || operand.size > 512) return Finding::doubtful;
    to.bytes = static_cast<std::uint8_t>(operand.size / 8);
    to.mode =
        static_cast<std::uint8_t>(((operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0 ? memory::reads : 0) |
                                  ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0 ? memory::writes : 0));
    if (to.mode == 0) return Finding::untouched;
    to.displacement = from.disp.has_displacement ? from.disp.value : 0;
    to.base = number_of(from.base);
    to.index = number_of(from.index);
    to.scale = from.scale;
    to.thread_local_base = from.segment == ZYDIS_REGISTER_FS ? 1 : 0;
    if (from.base == ZYDIS_REGISTER_RIP) {
        to.base = memory::reg::module;
        to.displacement += static_cast<std::int64_t>(it.end());
        site.relative_at = it.what.raw.disp.offset;
    } else if (to.base == memory::reg::none && to.thread_local_base == 0) {
        to.base = memory::reg::module;  // an absolute address: only in executables that are not relocated
    }
    const bool fixed_address =
        to.base == memory::reg::module && to.index == memory::reg::none && to.thread_local_base == 0;
    if (fixed_address && around.elf != nullptr && !around.elf->is_writable(static_cast<std::uint64_t>(to.displacement)))
        return Finding::untouched;
    const bool in_frame = from.base == ZYDIS_REGISTER_RBP && to.index == memory::reg::none && around.has_frame_pointer;
    if (from.base == ZYDIS_REGISTER_RSP || in_frame || to.thread_local_base != 0) site.own = 1;
    return Finding::good;
}

// ---- the written value

void describe_source(const Instruction& it, unsigned number, AccessSite& site) {
    const ZydisDecodedOperand& from = it.operands[number];
    if (from.type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
        site.source = Source::immediate;
        site.immediate = from.imm.value.s;
        return;
    }
    if (from.type != ZYDIS_OPERAND_TYPE_REGISTER) return;
    const ZydisRegisterClass kind = ZydisRegisterGetClass(from.reg.value);
    site.source_register = number_of(from.reg.value);
    if (is_high_byte(from.reg.value)) {
        site.source = Source::high;
        site.source_register = static_cast<std::uint8_t>(from.reg.value - ZYDIS_REGISTER_AH);
    } else if (kind == ZYDIS_REGCLASS_GPR8 || kind == ZYDIS_REGCLASS_GPR16 || kind == ZYDIS_REGCLASS_GPR32 ||
               kind == ZYDIS_REGCLASS_GPR64) {
        site.source = Source::low;
    } else if (kind == ZYDIS_REGCLASS_XMM && site.source_register < 16) {
        site.source = Source::vector;
    }
}

void updates(AccessSite& site, Update how) {
    site.has_update = 1;
    site.update = how;
}

void describe_constant(AccessSite& site, Update how, std::int64_t value) {
    updates(site, how);
    site.source = Source::immediate;
    site.immediate = value;
}

void describe_string(const Instruction& it, AccessSite& site) {
    site.repeated = it.has(ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE) ? 1 : 0;
    switch (it.what.mnemonic) {
        case ZYDIS_MNEMONIC_MOVSB:
        case ZYDIS_MNEMONIC_MOVSW:
        case ZYDIS_MNEMONIC_MOVSD:
        case ZYDIS_MNEMONIC_MOVSQ: site.form = Form::move; break;
        case ZYDIS_MNEMONIC_STOSB:
        case ZYDIS_MNEMONIC_STOSW:
        case ZYDIS_MNEMONIC_STOSD:
        case ZYDIS_MNEMONIC_STOSQ: site.form = Form::fill; break;
        case ZYDIS_MNEMONIC_LODSB:
        case ZYDIS_MNEMONIC_LODSW:
        case ZYDIS_MNEMONIC_LODSD:
        case ZYDIS_MNEMONIC_LODSQ: site.form = Form::load; break;
        case ZYDIS_MNEMONIC_CMPSB:
        case ZYDIS_MNEMONIC_CMPSW:
        case ZYDIS_MNEMONIC_CMPSD:
        case ZYDIS_MNEMONIC_CMPSQ: site.form = Form::compare; break;
        default: site.form = Form::scan; break;
    }
}

void describe_meaning(const Instruction& it, AccessSite& site) {
    site.atomic = it.has(ZYDIS_ATTRIB_HAS_LOCK) || it.what.mnemonic == ZYDIS_MNEMONIC_XCHG ? 1 : 0;
    if (site.atomic != 0) site.form = Form::update;
    switch (it.what.mnemonic) {
        case ZYDIS_MNEMONIC_MOV:
        case ZYDIS_MNEMONIC_MOVQ:
        case ZYDIS_MNEMONIC_MOVD:
        case ZYDIS_MNEMONIC_MOVSS:
        case ZYDIS_MNEMONIC_MOVSD:
        case ZYDIS_MNEMONIC_MOVLPS:
        case ZYDIS_MNEMONIC_MOVLPD:
        case ZYDIS_MNEMONIC_MOVNTI:
        case ZYDIS_MNEMONIC_VMOVQ:
        case ZYDIS_MNEMONIC_VMOVD:
        case ZYDIS_MNEMONIC_VMOVSS:
        case ZYDIS_MNEMONIC_VMOVSD:
            if (site.operand[0].mode == memory::writes) describe_source(it, 1, site);
            break;
        case ZYDIS_MNEMONIC_XCHG:
            updates(site, Update::exchange);
            describe_source(it, it.operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY ? 1 : 0, site);
            break;
        case ZYDIS_MNEMONIC_SUB: site.negated = 1; [[fallthrough]];
        case ZYDIS_MNEMONIC_ADD:
        case ZYDIS_MNEMONIC_XADD:
            updates(site, Update::add);
            describe_source(it, 1, site);
            break;
        case ZYDIS_MNEMONIC_AND:
        case ZYDIS_MNEMONIC_OR:
        case ZYDIS_MNEMONIC_XOR:
            updates(site, it.what.mnemonic == ZYDIS_MNEMONIC_AND  ? Update::bit_and
                          : it.what.mnemonic == ZYDIS_MNEMONIC_OR ? Update::bit_or
                                                                  : Update::bit_xor);
            describe_source(it, 1, site);
            break;
        case ZYDIS_MNEMONIC_INC: describe_constant(site, Update::add, 1); break;
        case ZYDIS_MNEMONIC_DEC: describe_constant(site, Update::add, -1); break;
        case ZYDIS_MNEMONIC_NOT: describe_constant(site, Update::bit_xor, -1); break;
        case ZYDIS_MNEMONIC_CMPXCHG:
            if (site.atomic == 0) break;
            site.form = Form::compare_exchange;
            describe_source(it, 1, site);
            break;
        case ZYDIS_MNEMONIC_CMPXCHG8B:
        case ZYDIS_MNEMONIC_CMPXCHG16B:
            if (site.atomic != 0) site.form = Form::compare_exchange;
            break;
        default: break;
    }
    if (it.what.meta.category == ZYDIS_CATEGORY_STRINGOP) describe_string(it, site);
}

// ---- the copy that runs elsewhere

void make_copy(const Instruction& it, AccessSite& site) {
    const std::uint8_t length = it.what.length;
    if (it.what.meta.category == ZYDIS_CATEGORY_CALL) {
        // A call must push the address after the original, not after the copy: push a stored address, and jump.
        static constexpr std::uint8_t push[] = {0xff, 0x35, 0, 0, 0, 0};
        std::memcpy(site.copy, push, sizeof push);
        std::memcpy(site.copy + sizeof push, it.bytes, length);
        std::uint8_t& selector = site.copy[sizeof push + it.what.raw.modrm.offset];
        constexpr std::uint8_t jump_near = 4;
        selector = static_cast<std::uint8_t>((selector & ~0x38) | jump_near << 3);
        site.copy_length = static_cast<std::uint8_t>(length + sizeof push);
        site.return_at = 2;
        if (site.relative_at != 0) site.relative_at = static_cast<std::uint8_t>(site.relative_at + sizeof push);
    } else {
        std::memcpy(site.copy, it.bytes, length);
        site.copy_length = length;
    }
    site.leaves = it.is_branch() ? 1 : 0;
    std::memcpy(site.original, it.bytes, length);
    site.length = length;
}
}  // namespace

Described describe(const Instruction& it, const Fixture& around) {
    if (only_names_memory(it)) return {};
    AccessSite site{};
    site.address = it.address;
    unsigned found = 0;
    for (unsigned i = 0; i < it.what.operand_count; ++i) {
        if (!touches_memory(it.operands[i])) continue;
        if (found == memory::most_operands) return {std::nullopt, "touches memory in more than two places"};
        switch (describe_operand(it, it.operands[i], around, site, site.operand[found])) {
            case Finding::good: ++found; break;
            case Finding::untouched: site.operand[found] = {}; break;
            case Finding::doubtful: return {std::nullopt, "touches memory in a way that is not followed"};
        }
    }
    if (found == 0) return {};
    const bool by_stack_pointer = site.operand[0].base == memory::reg::rsp;
    if (it.is_branch() && (by_stack_pointer || it.what.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR))
        return {std::nullopt, "a jump through the stack", by_stack_pointer};
    if (it.what.mnemonic == ZYDIS_MNEMONIC_XLAT) return {std::nullopt, "touches memory in a way that is not followed"};
    // These instructions reach beyond their operand if a register holds the bit number.
    const bool tests_bits = it.what.mnemonic == ZYDIS_MNEMONIC_BT || it.what.mnemonic == ZYDIS_MNEMONIC_BTS ||
                            it.what.mnemonic == ZYDIS_MNEMONIC_BTR || it.what.mnemonic == ZYDIS_MNEMONIC_BTC;
    if (tests_bits && it.operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER)
        return {std::nullopt, "touches a bit by its number"};
    describe_meaning(it, site);
    make_copy(it, site);
    return {site, nullptr};
}

}  // namespace raddle::code
