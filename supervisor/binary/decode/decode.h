// Finds the instructions of a program that touch memory, and how each can be executed in another place.
//
// Nothing is changed that is not certain: a function in which the bytes do not decode from its first to its last, or a
// branch leads into the middle of an instruction, is left alone and listed, and so is an instruction that cannot be
// executed elsewhere or whose address cannot be computed from registers.
#pragma once

#include <string>
#include <vector>

#include "supervisor/binary/decode/elf_code.h"
#include "supervisor/protocol/patches.h"

namespace raddle::code {

struct Doubt {
    std::uint64_t address = 0;
    std::string why;
};

struct Decoded {
    std::vector<memory::AccessSite> sites;  // in order of their addresses
    std::uint64_t instructions = 0;
    std::vector<Doubt> doubts;        // code that is left alone
};

Decoded decode(const ElfCode& elf);

// Of a module that tells of its accesses: the calls that leave it, in order.
std::vector<memory::ReportedCall> calls_out_of(const ElfCode& elf);

// The site of the one instruction at the beginning of `bytes`, as if it stood at `address`; for tests.
Decoded decode_one(std::span<const std::uint8_t> bytes, std::uint64_t address);

}  // namespace raddle::code
