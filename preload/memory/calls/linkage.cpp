// The tables of imported functions of instrumented modules. They are changed before the program's own code runs.
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstring>

#include "preload/base/jump.h"
#include "preload/base/loaded_file.h"
#include "preload/base/lookup.h"
#include "preload/base/raw.h"
#include "preload/base/sanitizer.h"
#include "preload/memory/calls/call_classes.h"
#include "preload/memory/calls/constants.h"
#include "preload/memory/calls/library_calls.h"
#include "preload/memory/calls/unfollowed_calls.h"

namespace raddle::memory {

namespace {

std::uint64_t at(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

// The table of imported functions of a module, found by its dynamic section.
class Linkage {
public:
    Linkage(const canonical::Module& module, const dl_phdr_info& info) : module_(module) {
        const ElfW(Dyn)* entry = nullptr;
        for (ElfW(Half) i = 0; i < info.dlpi_phnum; ++i) {
            const ElfW(Phdr)& segment = info.dlpi_phdr[i];
            if (segment.p_type == PT_DYNAMIC)
                entry = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + segment.p_vaddr);
            if (segment.p_type != PT_GNU_RELRO) continue;
            sealed_begin_ = info.dlpi_addr + segment.p_vaddr;
            sealed_end_ = sealed_begin_ + segment.p_memsz;
        }
        for (; entry != nullptr && entry->d_tag != DT_NULL; ++entry) take(*entry);
    }

    void redirect() {
        if (symbols_ == 0 || strings_ == 0) return;
        redirect(tables_[0], bytes_[0]);
        redirect(tables_[1], bytes_[1]);
    }

private:
    void take(const ElfW(Dyn) & entry) {
        const std::uint64_t value = entry.d_un.d_val;
        // Some loaders relocate these entries, others do not.
        const std::uint64_t address = value < module_.base ? value + module_.base : value;
        switch (entry.d_tag) {
            case DT_SYMTAB: symbols_ = address; break;
            case DT_STRTAB: strings_ = address; break;
            case DT_RELA: tables_[0] = address; break;
            case DT_RELASZ: bytes_[0] = value; break;
            case DT_JMPREL: tables_[1] = address; break;
            case DT_PLTRELSZ: bytes_[1] = value; break;
            default: break;
        }
    }

    void redirect(std::uint64_t table, std::uint64_t bytes) {
        if (table == 0) return;
        const auto* entries = reinterpret_cast<const ElfW(Rela)*>(table);
        for (std::uint64_t i = 0; i < bytes / sizeof(ElfW(Rela)); ++i) {
            const auto type = ELF64_R_TYPE(entries[i].r_info);
            const bool is_data = type == R_X86_64_64 && entries[i].r_addend == 0;  // a pointer to a function
            if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT && !is_data) continue;
            const auto& symbol = reinterpret_cast<const ElfW(Sym)*>(symbols_)[ELF64_R_SYM(entries[i].r_info)];
            redirect(reinterpret_cast<const char*>(strings_ + symbol.st_name), module_.base + entries[i].r_offset,
                     is_data);
        }
    }

    void redirect(const char* name, std::uint64_t slot, bool is_data) {
        auto* const cell = reinterpret_cast<void**>(slot);
        const std::uint64_t leads_to = at(*cell);
        // A function of the module itself is instrumented already.
        if (leads_to == 0 || (leads_to >= module_.begin && leads_to < module_.end)) return;
        // The program may have changed its data by now.
        if (is_data && (!unfollowed::is_of_glibc(*cell) || lookup::in(RTLD_DEFAULT, name) != *cell)) return;
        void* ours = nullptr;
        if (const FollowedFunction* const followed = followed_function(name)) {
            if (*cell == followed->ours) return;
            // The executable's own, part of a sanitizer's runtime, leads to the shim as well (lead_runtime_here).
            *followed->original = sanitizer::is_executables(leads_to) ? lookup::next(name) : *cell;
            ours = followed->ours;
        } else if (unfollowed::is_of_glibc(*cell) && class_of_call(name) == CallClass::not_looked_at) {
            ours = unfollowed::stub_for(name, *cell);
        }
        if (ours != nullptr) replace(cell, ours);
    }

    void replace(void** cell, void* with) const {
        constexpr std::uint64_t page = 4096;
        const bool sealed = at(cell) >= sealed_begin_ && at(cell) < sealed_end_;
        const std::uint64_t begin = at(cell) & ~(page - 1);
        if (sealed && raw::failed(raw::call(SYS_mprotect, begin, page, PROT_READ | PROT_WRITE))) return;
        *cell = with;
        if (sealed) raw::call(SYS_mprotect, begin, page, PROT_READ);
    }

    const canonical::Module& module_;
    std::uint64_t symbols_ = 0, strings_ = 0;
    std::uint64_t tables_[2] = {}, bytes_[2] = {};
    std::uint64_t sealed_begin_ = 0, sealed_end_ = 0;
};

// A sanitizer's runtime in the executable defines functions of libc, and the program calls them there. What they check
// is checked in library_call.h, too.
void lead_runtime_here(const LoadedFile& file) {
    constexpr const char* prefix = "__asan_";
    constexpr std::size_t prefix_length = 7;
    file.each_function([&](const char* name, std::uint64_t address, bool is_weak) {
        // Calls that clang writes for assignments and initialisers; behind them is the interceptor, which checks.
        const bool is_clangs =
            std::strncmp(name, prefix, prefix_length) == 0 && std::strncmp(name + prefix_length, "mem", 3) == 0;
        const FollowedFunction* const followed = followed_function(is_clangs ? name + prefix_length : name);
        if (followed == nullptr || (!is_clangs && !is_weak)) return;
        *followed->original = lookup::next(followed->name);
        if (*followed->original != nullptr) write_jump(address, followed->ours);
    });
}

int redirect_if_it_is(dl_phdr_info* info, std::size_t, void* wanted) {
    const auto& module = *static_cast<const canonical::Module*>(wanted);
    if (info->dlpi_addr != module.base) return 0;
    constants::add(*info);
    Linkage(module, *info).redirect();
    if (sanitizer::is_executables(module.begin)) lead_runtime_here(LoadedFile(*info));
    return 1;
}

}  // namespace

void redirect_calls_of(const canonical::Module& module) {
    unfollowed::find_code();
    dl_iterate_phdr(redirect_if_it_is, const_cast<canonical::Module*>(&module));
}

}  // namespace raddle::memory
