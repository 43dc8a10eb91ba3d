// The way back from the shim's copies of functions (preload/memory/copies) to the program's code, by the tables of the
// shim in the memory of a stopped process.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "supervisor/process/outside/stopped_process.h"
#include "supervisor/protocol/patches.h"
#include "supervisor/protocol/shim_tables.h"

namespace raddle {

class CopiedCode {
public:
    CopiedCode(const StoppedProcess& process, const channel::CopyTable& table);

    // The instruction of the program whose copy lies at this address; other addresses stay as they are.
    std::uint64_t original_of(std::uint64_t address);

private:
    struct Area {
        std::uint64_t begin, end, base;
        std::uint32_t module;
    };
    std::uint64_t original_in(const Area& area, std::uint64_t address) const;
    std::uint32_t place_of(std::uint32_t instruction) const;

    const StoppedProcess& process_;
    const channel::CopyTable table_;
    memory::Header header_{};
    std::vector<Area> areas_;
    std::map<std::uint64_t, std::uint64_t> known_;
};

}  // namespace raddle
