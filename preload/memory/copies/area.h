// The memory of one module's copies, within reach of the module's own relative addresses, and the tables that describe
// its functions while the module is loaded.
#pragma once

#include "preload/memory/state.h"

namespace raddle::memory::copies {

struct Area {
    std::uint64_t begin = 0, end = 0, used = 0;
    std::uint32_t module = 0;       // its row in the description
    std::uint64_t module_base = 0;  // load address
    std::uint64_t code_begin = 0, code_end = 0;
    std::uint64_t patched_at = 0;  // some patched byte, and its original; 0: none
    std::uint8_t original_byte = 0;
};

// What happens at an instruction of the original code.
enum class Fate : std::uint8_t {
    native,      // it is as it was
    covered,     // nothing leads here any more: its bytes may have another use
    jump,        // to its copy
    short_jump,  // to a jump to its copy
    breakpoint,
};

// What is known of a function's original code in memory.
enum class State : std::uint8_t { absent, single, whole };  // single: only single instructions may leave it

// One row for each instruction of the description.
struct InstructionRow {
    std::uint32_t offset;  // in its function
    std::uint32_t place;   // of its copy in the area
    std::uint32_t site;    // the number of its access site plus one; 0: none
    std::uint32_t
        long_jump;  // if a short jump is here: the offset of the jump to which it leads, from the module's base
    Fate fate;
};
extern InstructionRow* rows;
extern State* states;          // of each function
extern std::uint64_t* checks;  // by access site: the address of its check in the copy; 0: none

// Maps the tables. False if there is no memory for them.
bool prepare();

inline const CodeFunction& function_at(std::uint32_t number) {
    return described<CodeFunction>(patches.header->functions)[number];
}
inline const Instruction& instruction_at(std::uint32_t number) {
    return described<Instruction>(patches.header->instructions)[number];
}
inline const InstrumentedModule& module_of(const Area& area) {
    return described<InstrumentedModule>(patches.header->modules)[area.module];
}
// Calls act(number) for each function of the area's module that is in memory.
template <typename Act>
void for_functions(const Area& area, Act&& act) {
    const InstrumentedModule& module = module_of(area);
    for (std::uint32_t number = module.first_function; number < module.first_function + module.function_count; ++number)
        if (states[number] != State::absent) act(number);
}
inline std::uint64_t address_of(const Area& area, const CodeFunction& function, std::uint32_t instruction) {
    return area.module_base + function.address + rows[instruction].offset;
}

}  // namespace raddle::memory::copies
