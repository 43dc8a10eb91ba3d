#include "preload/memory/calls/statics.h"

#include <link.h>

#include <cstring>

namespace raddle::memory::statics {

namespace {

std::uint64_t begin = 0, end = 0;

int find(dl_phdr_info* info, std::size_t, void*) {
    const char* const slash = info->dlpi_name != nullptr ? std::strrchr(info->dlpi_name, '/') : nullptr;
    if (slash == nullptr || std::strncmp(slash, "/libc.so.", sizeof "/libc.so." - 1) != 0) return 0;
    std::uint64_t sealed_end = 0;  // the loader's tables: read-only by now
    for (ElfW(Half) i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = info->dlpi_phdr[i];
        const std::uint64_t from = info->dlpi_addr + segment.p_vaddr;
        if (segment.p_type == PT_GNU_RELRO) sealed_end = from + segment.p_memsz;
        if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0) continue;
        begin = from;
        end = from + segment.p_memsz;
    }
    if (sealed_end > begin && sealed_end < end) begin = sealed_end;
    return 1;
}

void find_once() {
    if (end == 0) dl_iterate_phdr(find, nullptr);
}

}  // namespace

bool contain(std::uint64_t address) {
    find_once();
    return address >= begin && address < end;
}
std::uint64_t offset_of(std::uint64_t address) { return address - begin; }
std::uint64_t bytes() {
    find_once();
    return end - begin;
}
void copy_to(unsigned char* to) { std::memcpy(to, reinterpret_cast<const void*>(begin), bytes()); }

}  // namespace raddle::memory::statics
