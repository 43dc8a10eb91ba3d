#include "supervisor/binary/decode/entries.h"

#include <algorithm>
#include <cstring>

#include "supervisor/binary/decode/landing_pads.h"

namespace raddle::code {

namespace {

constexpr std::uint32_t longest_table = 1u << 16;

}  // namespace

Entries::Entries(const ElfCode& elf)
    : elf_(elf), code_(elf.loaded(true)), has_addresses_in_data_(elf.has_addresses_in_data()) {
    const LandingPads pads = landing_pads_of(elf);
    all_doubtful_ = !pads.are_found;
    entries_.insert(pads.pads.begin(), pads.pads.end());
    doubtful_.insert(pads.unknown.begin(), pads.unknown.end());
    entries_.insert(elf.written_addresses().begin(), elf.written_addresses().end());
    if (has_addresses_in_data_) add_words_of_data();
}

bool Entries::is_code(std::uint64_t address) const {
    return std::any_of(code_.begin(), code_.end(), [&](const Range& range) { return range.contains(address); });
}

bool Entries::is_in_a_function(std::uint64_t address) const {
    const std::vector<Range>& functions = elf_.functions();
    const auto after = std::upper_bound(functions.begin(), functions.end(), address,
                                        [](std::uint64_t at, const Range& range) { return at < range.begin; });
    return after != functions.begin() && std::prev(after)->contains(address);
}

// Data of executables that are not relocated holds addresses of four or eight bytes; nothing tells where.
void Entries::add_words_of_data() {
    for (const bool executable : {false, true})
        for (const Range& range : elf_.loaded(executable)) {
            const std::span<const std::uint8_t> bytes = elf_.loaded_at(range.begin);
            for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
                std::uint32_t word;
                std::memcpy(&word, bytes.data() + at, sizeof word);
                if (is_code(word)) entries_.insert(word);
            }
        }
}

bool Entries::add_table(std::uint64_t table) {
    const std::span<const std::uint8_t> bytes = elf_.loaded_at(table);
    std::uint32_t count = 0;
    for (; count < longest_table && (count + 1) * sizeof(std::int32_t) <= bytes.size(); ++count) {
        std::int32_t offset;
        std::memcpy(&offset, bytes.data() + count * sizeof offset, sizeof offset);
        const std::uint64_t target = table + static_cast<std::uint64_t>(std::int64_t{offset});
        if (offset == 0 || !is_in_a_function(target)) break;
        entries_.insert(target);
    }
    if (count != 0) tables_.insert(table);
    return count != 0;
}

void Entries::begin_function(std::uint64_t address) {
    function_ = address;
    tables_of_function_ = switches_ = 0;
    std::fill(std::begin(writers_), std::end(writers_), Writer{});
    entries_.insert(address);
}

// The code computes with this address: of code, or of a table.
void Entries::see_address(std::uint64_t address) {
    if (is_code(address)) entries_.insert(address);
    if (is_in_a_function(address)) return;
    if (tables_.contains(address) || add_table(address)) ++tables_of_function_;
}

void Entries::see_writes(const Instruction& it) {
    const bool copies = it.what.mnemonic == ZYDIS_MNEMONIC_MOV && it.operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER;
    bool adds = it.what.mnemonic != ZYDIS_MNEMONIC_MOV && it.what.mnemonic != ZYDIS_MNEMONIC_POP;
    if (const ZydisRegister from = copies ? whole(it.operands[1].reg.value) : ZYDIS_REGISTER_NONE;
        from >= ZYDIS_REGISTER_RAX && from <= ZYDIS_REGISTER_R15)
        adds = writers_[from - ZYDIS_REGISTER_RAX].adds;
    for (unsigned i = 0; i < it.what.operand_count; ++i) {
        const ZydisDecodedOperand& operand = it.operands[i];
        if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER || (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == 0)
            continue;
        const ZydisRegister full = whole(operand.reg.value);
        if (full >= ZYDIS_REGISTER_RAX && full <= ZYDIS_REGISTER_R15) writers_[full - ZYDIS_REGISTER_RAX].adds = adds;
    }
}

// A target in memory was stored there: by the loader, or by code that knows its address.
void Entries::see_jump(const Instruction& it) {
    if (it.what.meta.category != ZYDIS_CATEGORY_UNCOND_BR || it.operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER) return;
    const ZydisRegister full = whole(it.operands[0].reg.value);
    if (full >= ZYDIS_REGISTER_RAX && full <= ZYDIS_REGISTER_R15 && writers_[full - ZYDIS_REGISTER_RAX].adds)
        ++switches_;
}

void Entries::see(const Instruction& it) {
    if (const auto target = direct_target(it)) entries_.insert(*target);
    if (it.what.meta.category == ZYDIS_CATEGORY_CALL) entries_.insert(it.end());
    see_jump(it);
    see_writes(it);
    for (unsigned i = 0; i < it.what.operand_count_visible; ++i) {
        const ZydisDecodedOperand& operand = it.operands[i];
        if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.type == ZYDIS_MEMOP_TYPE_AGEN &&
            operand.mem.base == ZYDIS_REGISTER_RIP)
            see_address(it.end() + static_cast<std::uint64_t>(operand.mem.disp.value));
        const bool may_name = has_addresses_in_data_ && operand.type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
        if (may_name && !operand.imm.is_relative) see_address(operand.imm.value.u);
    }
}

void Entries::end_function() {
    if (switches_ > tables_of_function_) doubtful_.insert(function_);
}

// Such code may be of functions that no table names; an instruction that is none does no harm.
void Entries::see_between_functions(const Decoder& decoder) {
    const std::vector<Range>& functions = elf_.functions();
    for (const Range& range : code_) {
        std::uint64_t at = range.begin;
        auto next = std::lower_bound(functions.begin(), functions.end(), at,
                                     [](const Range& row, std::uint64_t place) { return row.end <= place; });
        Instruction it;
        while (at < range.end) {
            if (next != functions.end() && at >= next->begin) {
                at = next->end;
                ++next;
                continue;
            }
            const std::uint64_t end = std::min(next != functions.end() ? next->begin : range.end, range.end);
            const std::span<const std::uint8_t> bytes = elf_.loaded_at(at);
            if (bytes.size() < end - at) return;
            if (!decoder.decode(bytes.first(end - at), at, it)) {
                ++at;
                continue;
            }
            if (!is_nop(it)) see(it);
            at += it.what.length;
        }
    }
}

}  // namespace raddle::code
