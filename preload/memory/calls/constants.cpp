#include "preload/memory/calls/constants.h"

namespace raddle::memory::constants {

namespace {

struct Segment {
    std::uint64_t begin, end;
};
constexpr std::uint32_t most_segments = 256;  // the data of further ones counts as written by somebody
Segment segments[most_segments];
std::uint32_t count = 0;

}  // namespace

void add(const dl_phdr_info& module) {
    for (ElfW(Half) i = 0; i < module.dlpi_phnum && count < most_segments; ++i) {
        const ElfW(Phdr)& row = module.dlpi_phdr[i];
        const std::uint64_t begin = module.dlpi_addr + row.p_vaddr;
        if (row.p_type != PT_LOAD || (row.p_flags & PF_W) != 0 || contain(begin)) continue;
        segments[count++] = {begin, begin + row.p_memsz};
    }
}

bool contain(std::uint64_t address) {
    for (std::uint32_t i = 0; i < count; ++i)
        if (address >= segments[i].begin && address < segments[i].end) return true;
    return false;
}

}  // namespace raddle::memory::constants
