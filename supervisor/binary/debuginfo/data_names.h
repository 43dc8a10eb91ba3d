// Names of data inside variables, as the debug information has them: "queue.head", "fork_of[1]", a local variable of a
// function that is on a stack. The debug information may be anything: every walk through it is bounded.
#pragma once

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace raddle {

// The compilation unit an address is in; null if none is known. Compilers need not write the table that tells at once.
Dwarf_Die* unit_of(Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr& bias);

struct DataName {
    std::string name;
    std::uint64_t rest = 0;  // bytes from there to what was asked for
};

class DataNames {
public:
    // What stands at an offset in the static variable that begins at this address: what its own name is followed by.
    DataName in_static(Dwfl_Module* module, std::uint64_t variable, std::uint64_t offset);

    // A local variable of the function (or of one that was inlined) at this instruction; `frame` is the address its frame
    // is counted from, `registers` are those that a frame may be counted from instead. Nothing if none is there.
    struct Registers {
        std::uint64_t frame = 0, base = 0, stack = 0;
    };
    static std::optional<DataName> in_frame(Dwfl_Module* module, std::uint64_t instruction, const Registers& registers, std::uint64_t address);

private:
    using Variables = std::map<std::uint64_t, Dwarf_Die>;  // by address
    const Variables& variables_of(Dwfl_Module* module);

    std::map<Dwfl_Module*, Variables> known_;
};

}  // namespace raddle
