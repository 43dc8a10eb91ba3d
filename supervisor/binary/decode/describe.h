// Describes the access of one instruction: the registers of its address, its effect, and a copy that can run elsewhere.
#pragma once

#include "supervisor/binary/decode/elf_code.h"
#include "supervisor/binary/decode/instruction.h"
#include "supervisor/protocol/patches.h"

namespace raddle::code {

struct Fixture {
    const ElfCode* elf = nullptr;  // none: all static data counts as writable
    bool has_frame_pointer = false;
};

struct Described {
    std::optional<memory::AccessSite> site;
    const char* reason = nullptr;
    bool is_own = false;  // it only touches the stack of its thread
};

Described describe(const Instruction& it, const Fixture& around);

}  // namespace raddle::code
