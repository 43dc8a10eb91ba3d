// Makes copies of the functions whose accesses are followed (copies/), within reach of the module's own relative
// addresses, and leads the original code to them.
#include "preload/memory/patcher.h"
#include "preload/memory/checks/filter_changes.h"

#include <link.h>
#include <sys/stat.h>
#include <ucontext.h>

#include <cstring>

#include "preload/base/fixed_memory.h"
#include "preload/base/raw.h"
#include "preload/base/search.h"
#include "preload/debug/debugger.h"
#include "preload/memory/calls/library_calls.h"
#include "preload/memory/calls/unfollowed_calls.h"
#include "preload/memory/checks/filter.h"
#include "preload/memory/copies/function_copies.h"
#include "preload/memory/copies/patch_plan.h"
#include "preload/memory/reported_calls.h"
#include "preload/memory/runtime_variables.h"
#include "preload/memory/state.h"
#include "preload/memory/unwatched.h"
#include "preload/restore/restore.h"
#include "preload/schedule/callbacks.h"
#include "preload/schedule/canonical.h"
#include "preload/schedule/scheduler.h"

extern "C" {
void raddle_memory_entry();
void raddle_memory_entry_end();
}

namespace raddle::memory {

namespace {

using copies::Area;

constexpr std::uint64_t page = 4096;
constexpr std::uint64_t away_from_others =
    std::uint64_t{1} << 30;  // the heap (brk) grows behind the executable, mappings grow down from the libraries
constexpr std::uint64_t where_libraries_are = 0x700000000000;
constexpr std::uint64_t most_searched = std::uint64_t{512} << 20;

constexpr std::uint32_t most_areas = 256;
Area areas[most_areas];
std::uint32_t area_count = 0;
// An instrumented module, while it is loaded.
struct Armed {
    std::uint64_t begin, end;
    std::uint32_t module;  // in the description
};
Armed instrumented[most_areas];
std::uint32_t instrumented_count = 0;
std::uint64_t bytes_of_description = 0;

const Header& header() { return *patches.header; }

template <typename Number>
bool lies_within(std::uint64_t offset, Number count, std::size_t row) {
    return offset <= bytes_of_description && count <= (bytes_of_description - offset) / row;
}

bool map_description(long descriptor) {
    struct stat status;
    if (raw::failed(raw::call(SYS_fstat, descriptor, &status)) || status.st_size < static_cast<long>(sizeof(Header)))
        return false;
    bytes_of_description = static_cast<std::uint64_t>(status.st_size);
    const long mapped = raw::call(SYS_mmap, 0L, bytes_of_description, PROT_READ, MAP_SHARED, descriptor, 0L);
    if (raw::failed(mapped)) return false;
    const auto* found = reinterpret_cast<const Header*>(mapped);
    if (found->magic != magic || found->bytes != bytes_of_description || found->site_count > most_sites ||
        !lies_within(found->modules, found->module_count, sizeof(InstrumentedModule)) ||
        !lies_within(found->sites, found->site_count, sizeof(AccessSite)) ||
        !lies_within(found->arming, found->site_count, sizeof(Arming)) ||
        !lies_within(found->joined, found->joined_count, sizeof(JoinedWord)) ||
        !lies_within(found->calls, found->call_count, sizeof(std::uint64_t)) ||
        !lies_within(found->reported, found->reported_count, sizeof(ReportedCall)) ||
        !lies_within(found->spins, found->spin_count, sizeof(SpinState)) ||
        !lies_within(found->freed, found->freed_count, sizeof(FreedBlock)) ||
        !lies_within(found->skipped, found->skipped_count, sizeof(SkippedPlace)) ||
        !lies_within(found->functions, found->function_count, sizeof(CodeFunction)) ||
        !lies_within(found->instructions, found->instruction_count, sizeof(Instruction)))
        return false;
    patches.header = found;
    patches.sites = described<AccessSite>(found->sites);
    patches.arming = described<Arming>(found->arming);
    const std::size_t table = (found->site_count + 1) * sizeof(std::uint64_t);
    patches.module_base = static_cast<std::uint64_t*>(raw::map(table));
    filter_cache = static_cast<CacheEntry*>(raw::map_at(reinterpret_cast<void*>(fixed_memory::filter_cache),
                                                        cache_entries * sizeof(CacheEntry), MAP_FIXED_NOREPLACE));
    return patches.module_base != nullptr && filter_cache != nullptr && filter_changes::map_changes() &&
           copies::prepare();
}

bool is_module(const canonical::Module& loaded, bool first, const InstrumentedModule& wanted) {
    if (wanted.path[0] == 0) return first;
    if (wanted.unwatched != 0 && std::strcmp(loaded.path, wanted.path) == 0) return true;
    struct stat status;
    return loaded.path[0] != 0 && !raw::failed(raw::call(SYS_stat, loaded.path, &status)) &&
           status.st_dev == wanted.device && status.st_ino == wanted.inode;
}

// Maps memory within reach of the module: above the executable, but below libraries (above them is main's stack). Null
// if there is no room.
char* map_near(const canonical::Module& module, std::uint64_t bytes) {
    constexpr std::uint64_t stride = std::uint64_t{1} << 20;
    const bool above = module.end < where_libraries_are;
    const std::uint64_t from = above ? (module.end + away_from_others + stride - 1) & ~(stride - 1)
                                     : (module.begin - away_from_others - bytes) & ~(stride - 1);
    for (std::uint64_t searched = 0; searched < most_searched; searched += stride) {
        const std::uint64_t at = above ? from + searched : from - searched;
        if (void* got = raw::map_at(reinterpret_cast<void*>(at), bytes, MAP_FIXED_NOREPLACE))
            return static_cast<char*>(got);
    }
    return nullptr;
}

[[noreturn]] void end_without_room(const canonical::Module& loaded) {
    scheduler::end_with(
        channel::End::uncontrolled,
        "there is no free memory near its code, which --memory needs (use --memory sync): ", loaded.path);
}

bool set_protection(std::uint64_t from, std::uint64_t to, int protection) {
    from &= ~(page - 1);
    return !raw::failed(raw::call(SYS_mprotect, from, ((to - from) + page - 1) & ~(page - 1), protection));
}

// The area of a module that is loaded at this address: that of last time, if it was there before.
Area* area_for(std::uint32_t module, const canonical::Module& loaded) {
    for (std::uint32_t i = 0; i < area_count; ++i)
        if (areas[i].module == module && areas[i].module_base == loaded.base) return &areas[i];
    if (area_count == most_areas) return nullptr;
    const std::uint64_t room = copies::room_for(described<InstrumentedModule>(header().modules)[module]);
    const std::uint64_t bytes = (room + page - 1) & ~(page - 1);
    char* near = map_near(loaded, bytes);
    if (near == nullptr) end_without_room(loaded);
    Area& area = areas[area_count++];
    area.begin = reinterpret_cast<std::uint64_t>(near);
    area.end = area.begin + bytes;
    area.module = module;
    area.module_base = loaded.base;
    area.code_begin = loaded.begin;
    area.code_end = loaded.end;
    return &area;
}

// Of everything between the first and the last function that has a copy.
bool set_protection_of_code(const Area& area, int protection) {
    std::uint64_t lowest = ~std::uint64_t{0}, highest = 0;
    copies::for_functions(area, [&](std::uint32_t number) {
        const CodeFunction& function = copies::function_at(number);
        if (highest == 0) lowest = area.module_base + function.address;
        highest = area.module_base + function.address + function.bytes;
    });
    return highest != 0 && set_protection(lowest, highest, protection);
}

void arm_module(std::uint32_t module, const canonical::Module& loaded) {
    const InstrumentedModule& wanted = described<InstrumentedModule>(header().modules)[module];
    if (wanted.site_count == 0 || wanted.first_site > header().site_count ||
        wanted.site_count > header().site_count - wanted.first_site)
        return;
    Area* const area = area_for(module, loaded);
    if (area == nullptr || !set_protection(area->begin, area->end, PROT_READ | PROT_WRITE)) return;
    for (std::uint32_t number = wanted.first_site; number < wanted.first_site + wanted.site_count; ++number)
        patches.module_base[number] = loaded.base;
    copies::plan(*area, !debugger::attended);
    if (!copies::write_copies(*area)) end_without_room(loaded);
    if (!set_protection(area->begin, area->end, PROT_READ | PROT_EXEC) ||
        !set_protection_of_code(*area, PROT_READ | PROT_WRITE))
        return;
    copies::patch_originals(*area);
    set_protection_of_code(*area, PROT_READ | PROT_EXEC);
}

// The site with a check at this address of a loaded module; its number plus one, or 0. Sites are sorted by address.
std::uint32_t site_at(std::uint64_t address) {
    for (std::uint32_t i = 0; i < area_count; ++i) {
        const InstrumentedModule& module = copies::module_of(areas[i]);
        const AccessSite* const sites = patches.sites + module.first_site;
        const std::uint32_t at = first_not_before(
            module.site_count, [&](std::uint32_t row) { return areas[i].module_base + sites[row].address < address; });
        if (at == module.site_count || areas[i].module_base + sites[at].address != address) continue;
        return module.first_site + at + 1;
    }
    return 0;
}

// For a supervisor that looks at the process from outside (supervisor/protocol/shim_tables.h).
void show_copies() {
    channel::CopyTable& table = scheduler::shared()->tables.copies;
    table.area_count = reinterpret_cast<std::uint64_t>(&area_count);
    table.header = reinterpret_cast<std::uint64_t>(patches.header);
    table.rows = reinterpret_cast<std::uint64_t>(copies::rows);
    table.states = reinterpret_cast<std::uint64_t>(copies::states);
    table.area_bytes = sizeof(Area);
    table.begin_offset = offsetof(Area, begin);
    table.end_offset = offsetof(Area, end);
    table.module_offset = offsetof(Area, module);
    table.base_offset = offsetof(Area, module_base);
    table.row_bytes = sizeof(copies::InstructionRow);
    table.place_offset = offsetof(copies::InstructionRow, place);
    table.areas = reinterpret_cast<std::uint64_t>(areas);
}

}  // namespace

void describe(long descriptor) {
    const bool mapped = map_description(descriptor);
    raw::call(SYS_close, descriptor);
    if (!mapped)
        scheduler::end_with(channel::End::uncontrolled,
                            "internal error: the shim cannot use the description of the program's code");
    if (!prepare_entry())
        scheduler::end_with(channel::End::uncontrolled,
                            "this processor cannot save its registers (xsave): use --memory sync");
    show_copies();
    static_assert(offsetof(AccessSite, address) == 0);
    debugger::show_sites({patches.sites, sizeof(AccessSite), patches.module_base,
                          reinterpret_cast<const void*>(raddle_memory_entry),
                          reinterpret_cast<const void*>(raddle_memory_entry_end)});
    main_stack_top = (canonical::main_stack_end() + page - 1) & ~(page - 1);
}

namespace {

void arm(std::uint32_t module, const canonical::Module& loaded) {
    const InstrumentedModule& wanted = described<InstrumentedModule>(header().modules)[module];
    arm_module(module, loaded);
    unwatched::add_skipped(module, loaded.base, loaded.end);
    add_reporting_module(wanted, loaded);
    redirect_calls_of(loaded);
}

// A module may be unloaded, and loaded again at the same place: then its code is as in the file.
bool is_armed(const Armed& row) {
    for (std::uint32_t i = 0; i < area_count; ++i)
        if (areas[i].module == row.module && areas[i].code_begin == row.begin && areas[i].patched_at != 0)
            return *reinterpret_cast<const std::uint8_t*>(areas[i].patched_at) != areas[i].original_byte;
    return true;
}

const canonical::Module* module_at(std::uint64_t base, std::uint32_t& number) {
    for (number = canonical::module_count(); number-- > 0;)
        if (canonical::module(number).base == base) return &canonical::module(number);
    return nullptr;
}

int arm_loaded_module(dl_phdr_info* info, std::size_t, void*) {
    std::uint32_t number = 0;
    const canonical::Module* loaded = module_at(info->dlpi_addr, number);
    if (loaded == nullptr) return 0;
    for (std::uint32_t i = 0; i < instrumented_count; ++i) {
        const Armed& row = instrumented[i];
        if (row.begin != loaded->begin || row.end != loaded->end) continue;
        if (!is_armed(row)) arm(row.module, *loaded);
        return 0;
    }
    std::uint32_t unwatched_before = 0;
    for (std::uint32_t module = 0; module < header().module_count && instrumented_count < most_areas; ++module) {
        const InstrumentedModule& row = described<InstrumentedModule>(header().modules)[module];
        if (is_module(*loaded, number == 0, row)) {
            instrumented[instrumented_count++] = {loaded->begin, loaded->end, module};
            row.unwatched != 0 ? unwatched::add(*info, unwatched_before) : arm(module, *loaded);
            if (row.keeps_own_state != 0) runtime_variables::add(*info);
            break;
        }
        unwatched_before += row.unwatched;
    }
    return 0;
}

int redirect_loaded_module(dl_phdr_info* info, std::size_t, void*) {
    std::uint32_t number = 0;
    const canonical::Module* loaded = module_at(info->dlpi_addr, number);
    if (loaded == nullptr) return 0;
    for (std::uint32_t module = 0; module < header().module_count; ++module) {
        const InstrumentedModule& row = described<InstrumentedModule>(header().modules)[module];
        if (row.unwatched == 0 && is_module(*loaded, number == 0, row)) {
            redirect_calls_of(*loaded);
            return 0;
        }
    }
    return 0;
}

}  // namespace

void redirect_loaded_modules() {
    if (patches.header == nullptr) return;
    canonical::refresh();
    dl_iterate_phdr(redirect_loaded_module, nullptr);
}

void arm_loaded_modules() {
    if (patches.header == nullptr) return;
    canonical::refresh();
    dl_iterate_phdr(arm_loaded_module, nullptr);
    runtime_variables::add_streams();
}

bool may_be_patched(const void* byte) {
    const auto address = reinterpret_cast<std::uint64_t>(byte);
    for (std::uint32_t number = 0; number < canonical::module_count(); ++number) {
        const canonical::Module& loaded = canonical::module(number);
        if (address < loaded.begin || address >= loaded.end) continue;
        for (std::uint32_t i = 0; i < header().module_count; ++i) {
            const InstrumentedModule& row = described<InstrumentedModule>(header().modules)[i];
            if (!is_module(loaded, number == 0, row)) continue;
            for (std::uint32_t at = row.first_function; at < row.first_function + row.function_count; ++at)
                if (address - loaded.base - copies::function_at(at).address < copies::function_at(at).bytes)
                    return true;
        }
    }
    return false;
}

bool armed() { return patches.header != nullptr; }

bool is_instrumented(const void* code) {
    const auto address = reinterpret_cast<std::uint64_t>(code);
    for (std::uint32_t i = 0; i < instrumented_count; ++i)
        if (address >= instrumented[i].begin && address < instrumented[i].end) return true;
    return false;
}

void begin_execution() {
    const std::uint64_t limit = scheduler::shared()->settings.most_accesses;
    accesses = breakpoints = visible_accesses = visible_breakpoints = 0;
    is_by_breakpoint = false;
    most_accesses = limit != 0 ? limit : ~std::uint64_t{0};
    if (patches.header != nullptr) {
        main_thread_locals_end = reinterpret_cast<std::uint64_t>(handle_of(thread_table::main()));
        main_thread_locals = main_thread_locals_end - backend::thread_local_bytes();
    }
    execution_mark = std::uint64_t{restore::execution_number()} << 32;
    action_mark = execution_mark | after_arenas;
    active = patches.header != nullptr;
    if (unwatched::any) unwatched::begin_execution();
    unfollowed::begin_execution();
}

bool redirect(std::uint64_t& instruction) {
    const std::uint32_t site = site_at(instruction - 1);
    if (site == 0 || copies::checks[site - 1] == 0) return false;
    instruction = copies::checks[site - 1];
    ++breakpoints;
    is_by_breakpoint = patches.arming[site - 1] == Arming::visible;
    return true;
}

std::uint64_t original_of(std::uint64_t instruction) {
    if (probing != 0) return probing;
    for (std::uint32_t i = 0; i < area_count; ++i)
        if (instruction >= areas[i].begin && instruction < areas[i].end)
            return copies::original_in(areas[i], instruction);
    return instruction;
}

void show_program(long long* registers) {
    if (probing != 0 && probing_frame == nullptr) return;
    registers[REG_RIP] = static_cast<long long>(original_of(static_cast<std::uint64_t>(registers[REG_RIP])));
    if (probing == 0) return;
    static constexpr int numbered[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                         REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
    for (int i = 0; i < 16; ++i) registers[numbered[i]] = static_cast<long long>(probing_frame->registers[i]);
    registers[REG_RSP] = static_cast<long long>(probing_frame->stack_pointer());
    registers[REG_EFL] = static_cast<long long>(probing_frame->flags);
}

}  // namespace raddle::memory
