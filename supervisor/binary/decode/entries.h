// The instructions to which something else may lead than the instruction before: branches, tables of switches, returns
// from calls, exceptions, and addresses of code that the program computes with. Too many are harmless: the shim then
// has less room for its jumps (preload/memory/patch_plan.h). Where one could be missing, the function is doubtful.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "supervisor/binary/decode/elf_code.h"
#include "supervisor/binary/decode/instruction.h"

namespace raddle::code {

class Entries {
public:
    explicit Entries(const ElfCode& elf);

    // Every instruction, function by function. The code between functions, whose bounds are uncertain, is seen apart.
    void begin_function(std::uint64_t address);
    void see(const Instruction& it);
    void end_function();
    void see_between_functions(const Decoder& decoder);

    // After all were seen.
    bool contains(std::uint64_t address) const { return entries_.contains(address); }
    bool are_known_of(std::uint64_t function) const { return !all_doubtful_ && !doubtful_.contains(function); }

private:
    // The instruction that wrote a register last. A jump through a register whose value was computed is a switch, whose
    // table must be among those found.
    struct Writer {
        bool adds = false;
    };

    bool is_in_a_function(std::uint64_t address) const;
    bool is_code(std::uint64_t address) const;
    void add_words_of_data();
    // The offsets from `table` that lead into functions. True if it has some.
    bool add_table(std::uint64_t table);
    void see_address(std::uint64_t address);
    void see_writes(const Instruction& it);
    void see_jump(const Instruction& it);

    const ElfCode& elf_;
    const std::vector<Range> code_;
    const bool has_addresses_in_data_;
    std::unordered_set<std::uint64_t> entries_, tables_, doubtful_;
    bool all_doubtful_ = false;
    std::uint64_t function_ = 0;
    std::uint32_t tables_of_function_ = 0, switches_ = 0;
    Writer writers_[16];
};

}  // namespace raddle::code
