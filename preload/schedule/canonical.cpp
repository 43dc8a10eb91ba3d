#include "preload/schedule/canonical.h"

#include <link.h>

#include <cstring>

#include "preload/base/raw.h"
#include "preload/schedule/common_address.h"
#include "preload/schedule/live_registers.h"
#include "preload/threads/thread.h"
#include "supervisor/model/site.h"

extern "C" void* __libc_stack_end;

namespace raddle::canonical {

namespace {

constexpr std::uint32_t most_modules = 256;
constexpr std::uint32_t unknown_module = 0xffff;
constexpr std::uint64_t main_stack_reach = std::uint64_t{120}
                                           << 20;  // libraries lie further below the top of the stack

Module modules[most_modules];
std::uint32_t modules_known = 0;
std::uint32_t last_hit = 0;
std::uint64_t main_stack_top = 0;
unsigned long long loads_seen = 0, unloads_seen = 0;

void copy_path(char (&to)[256], const char* from) {
    std::size_t length = std::strlen(from);
    if (length >= sizeof to) {  // keep the end of a long path: it tells more
        from += length - sizeof to + 1;
        length = sizeof to - 1;
    }
    std::memcpy(to, from, length);
    to[length] = 0;
}

bool has_path(const Module& module, const char* path) {
    Module other;
    copy_path(other.path, path != nullptr ? path : "");
    return std::strcmp(module.path, other.path) == 0;
}

int note_module(dl_phdr_info* info, std::size_t, void*) {
    loads_seen = info->dlpi_adds;
    unloads_seen = info->dlpi_subs;
    std::uint64_t begin = ~std::uint64_t{0}, end = 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = info->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD) continue;
        if (segment.p_vaddr < begin) begin = segment.p_vaddr;
        if (segment.p_vaddr + segment.p_memsz > end) end = segment.p_vaddr + segment.p_memsz;
    }
    if (begin >= end) return 0;
    begin += info->dlpi_addr;
    end += info->dlpi_addr;
    for (std::uint32_t i = 0; i < modules_known; ++i)
        if (modules[i].begin == begin && modules[i].end == end && has_path(modules[i], info->dlpi_name)) return 0;
    if (modules_known == most_modules) return 1;
    Module& added = modules[modules_known++];
    added.base = info->dlpi_addr;
    added.begin = begin;
    added.end = end;
    last_hit = modules_known - 1;
    copy_path(added.path, info->dlpi_name != nullptr ? info->dlpi_name : "");
    return 0;
}

std::uint32_t module_of(std::uint64_t address) {
    if (address - modules[last_hit].begin < modules[last_hit].end - modules[last_hit].begin) return last_hit;
    for (std::uint32_t i = modules_known; i-- > 0;) {  // later ones first: they may lie at addresses of an unloaded one
        if (address - modules[i].begin >= modules[i].end - modules[i].begin) continue;
        return last_hit = i;
    }
    return unknown_module;
}

std::uint32_t module_or_refresh(std::uint64_t address) {
    const std::uint32_t known = module_of(address);
    if (known != unknown_module) return known;
    const unsigned long long loads = loads_seen, unloads = unloads_seen;
    refresh();
    return loads == loads_seen && unloads == unloads_seen ? unknown_module : module_of(address);
}

}  // namespace

void refresh() {
    live_registers::keep();
    dl_iterate_phdr(note_module, nullptr);
    // Names count from the program's outermost frame: the arguments and the environment above it differ in size from
    // one terminal to another.
    if (main_stack_top == 0)
        main_stack_top = reinterpret_cast<std::uint64_t>(__libc_stack_end) + (std::uint64_t{1} << 24);
}

std::uint64_t main_stack_end() { return main_stack_top; }
std::uint32_t module_count() { return modules_known; }
const Module& module(std::uint32_t number) { return modules[number]; }

ObjectId name_of(const void* pointer) {
    const std::uint64_t address = shared_memory::common_address(reinterpret_cast<std::uint64_t>(pointer));
    if (thread_arena::contains(address)) {
        const std::uint32_t arena = thread_arena::index_of(address);
        const std::uint64_t owner = thread_table::at(arena).id.code;
        const std::uint64_t offset = address - thread_arena::start_of(arena);
        if (offset < thread_arena::heap_bytes) return object_in(Space::heap, owner, offset);
        return object_in(Space::stack, owner, thread_arena::end_of(arena) - address);
    }
    if (thread_arena::low_heap.contains(address)) {
        const std::uint64_t offset = thread_arena::heap_bytes + (address - thread_arena::low_heap.begin);
        return object_in(Space::heap, thread_table::at(0).id.code, offset);
    }
    if (thread_arena::is_mapped(address) || shared_memory::is_common(address))
        return object_in(Space::module, unknown_module, address);
    std::uint32_t number = module_of(address);
    if (number == unknown_module) {
        if (main_stack_top - address < main_stack_reach) return object_in(Space::stack, 0, main_stack_top - address);
        number = module_or_refresh(address);
    }
    if (number == unknown_module) return object_in(Space::module, unknown_module, address);
    return object_in(Space::module, number, address - modules[number].base);
}

std::uint64_t site_of(const void* pointer) {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    if (pointer == nullptr || thread_arena::is_mapped(address)) return 0;
    const std::uint32_t number = module_or_refresh(address);  // the module may have been loaded since
    if (number == unknown_module) return 0;
    return site_code::of(number, address - modules[number].base);
}

const Module* module_of_site(std::uint64_t site) {
    return site_code::has_module(site) ? &modules[site_code::module_of(site)] : nullptr;
}

}  // namespace raddle::canonical
