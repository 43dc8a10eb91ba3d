// Finds the instructions of a program that touch memory, and a copy of each that can run elsewhere.
//
// Uncertain code is never changed. A function is left alone and listed if its bytes do not decode from first to last,
// or if a branch leads into the middle of an instruction. So is an instruction that cannot run elsewhere, or whose
// address does not follow from registers.
#pragma once

#include <string>
#include <vector>

#include "supervisor/binary/decode/elf_code.h"
#include "supervisor/protocol/patches.h"

namespace raddle::code {

struct SkippedCode {
    std::uint64_t address = 0;
    std::string why;
    bool is_own = false;        // it only touches the stack of its thread
    std::uint8_t original = 0;  // the first byte
};

struct Decoded {
    std::vector<memory::AccessSite> sites;          // sorted by address
    std::vector<memory::CodeFunction> functions;    // those with sites, sorted by address
    std::vector<memory::Instruction> instructions;  // of these functions
    std::uint64_t decoded = 0;                      // instructions
    std::vector<SkippedCode> skipped;               // code that is left alone
};

Decoded decode(const ElfCode& elf);

// For a module that reports its accesses: the calls that leave it, in order.
std::vector<memory::ReportedCall> calls_out_of(const ElfCode& elf);

// The site of the first instruction in `bytes`, as if it stood at `address`; for tests.
Decoded decode_one(std::span<const std::uint8_t> bytes, std::uint64_t address);

}  // namespace raddle::code
