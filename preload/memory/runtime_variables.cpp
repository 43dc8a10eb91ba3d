#include "preload/memory/runtime_variables.h"

#include <dlfcn.h>

#include "preload/base/lookup.h"
#include "preload/base/sanitizer.h"

namespace raddle::memory::runtime_variables {

namespace {

struct Range {
    std::uint64_t begin, end;
};
constexpr std::uint32_t most_ranges = 32;
Range ranges[most_ranges];
std::uint32_t range_count = 0;
std::uint64_t lowest = ~std::uint64_t{0}, highest = 0;

void add_range(std::uint64_t begin, std::uint64_t end) {
    for (std::uint32_t i = 0; i < range_count; ++i)
        if (ranges[i].begin <= begin && end <= ranges[i].end) return;
    if (begin >= end || range_count == most_ranges) return;
    ranges[range_count++] = {begin, end};
    if (begin < lowest) lowest = begin;
    if (end > highest) highest = end;
}

// libstdc++ and libc++ name their streams differently.
constexpr const char* streams[] = {
    "_ZSt4cout",        "_ZSt4cerr",        "_ZSt4clog",        "_ZSt3cin",        "_ZSt5wcout",      "_ZSt5wcerr",
    "_ZSt5wclog",       "_ZSt4wcin",        "_ZNSt3__14coutE",  "_ZNSt3__14cerrE", "_ZNSt3__14clogE", "_ZNSt3__13cinE",
    "_ZNSt3__15wcoutE", "_ZNSt3__15wcerrE", "_ZNSt3__15wclogE", "_ZNSt3__14wcinE",
};

}  // namespace

void add(const dl_phdr_info& module) {
    for (int i = 0; i < module.dlpi_phnum; ++i) {
        const ElfW(Phdr)& row = module.dlpi_phdr[i];
        if (row.p_type != PT_LOAD || (row.p_flags & PF_W) == 0) continue;
        const std::uint64_t begin = module.dlpi_addr + row.p_vaddr;
        add_range(begin, begin + row.p_memsz);
    }
}

void add_streams() {
    for (const char* name : streams) {
        const void* const stream = lookup::in(RTLD_DEFAULT, name);
        Dl_info info;
        const ElfW(Sym)* symbol = nullptr;
        if (stream == nullptr ||
            dladdr1(stream, &info, const_cast<void**>(reinterpret_cast<const void**>(&symbol)), RTLD_DL_SYMENT) == 0 ||
            symbol == nullptr)
            continue;
        const auto begin = reinterpret_cast<std::uint64_t>(stream);
        add_range(begin, begin + symbol->st_size);
    }
}

bool contains(std::uint64_t address) {
    if (sanitizer::is_shadow(address)) return true;
    if (address < lowest || address >= highest) return false;
    for (std::uint32_t i = 0; i < range_count; ++i)
        if (address >= ranges[i].begin && address < ranges[i].end) return true;
    return false;
}

}  // namespace raddle::memory::runtime_variables
