// Names of data inside variables, from debug information: "queue.head", "fork_of[1]", a local variable of a frame. The
// debug information may hold anything, so every walk through it is bounded.
#pragma once

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace raddle {

// False for the C library and its loader: hardly anybody has their sources, and distributions compress their debug
// information, so that reading it would take longer than all the rest of a report. Their symbols give names.
bool has_sources_at_hand(Dwfl_Module* module);

// The compilation unit of an address; null if unknown. It searches all units, because compilers may omit the address
// table.
Dwarf_Die* unit_of(Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr& bias);

struct DataName {
    std::string name;
    std::uint64_t rest = 0;  // bytes from the named data to the requested address
};

class DataNames {
public:
    // The data at an offset of the static variable that begins at this address; the result follows the variable's own
    // name.
    DataName in_static(Dwfl_Module* module, std::uint64_t variable, std::uint64_t offset);

    // The local variable at an address, in the function (or inlined function) at this instruction. Offsets count from
    // `frame`, or from one of `registers`. Nothing if no variable is there.
    struct Registers {
        std::uint64_t frame = 0, base = 0, stack = 0;
    };
    static std::optional<DataName> in_frame(Dwfl_Module* module, std::uint64_t instruction, const Registers& registers,
                                            std::uint64_t address);

private:
    using Variables = std::map<std::uint64_t, Dwarf_Die>;  // by address
    const Variables& variables_of(Dwfl_Module* module);

    std::map<Dwfl_Module*, Variables> known_;
};

}  // namespace raddle
