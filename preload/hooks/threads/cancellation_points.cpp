// Functions that are cancellation points in a program that cancels threads (cancellation_points.def). A program that
// refers to pthread_cancel tests for requests at all of them; others have no events there. This is known before the
// first thread, as what a thread does next must follow from its own past.
#include <elf.h>
#include <link.h>

#include <cstring>

#include "preload/intercept/callbacks.h"
#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"

namespace raddle::cancellation {

bool armed = false;

namespace {

// The dynamic section of a module.
struct Linkage {
    std::uint64_t symbols = 0, strings = 0, tables[2] = {}, bytes[2] = {};

    explicit Linkage(const dl_phdr_info& info) {
        const ElfW(Dyn)* entry = nullptr;
        for (ElfW(Half) i = 0; i < info.dlpi_phnum; ++i)
            if (info.dlpi_phdr[i].p_type == PT_DYNAMIC)
                entry = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
        for (; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
            const std::uint64_t value = entry->d_un.d_val;
            // Some loaders relocate these entries, others do not.
            const std::uint64_t address = value < info.dlpi_addr ? value + info.dlpi_addr : value;
            switch (entry->d_tag) {
                case DT_SYMTAB: symbols = address; break;
                case DT_STRTAB: strings = address; break;
                case DT_RELA: tables[0] = address; break;
                case DT_RELASZ: bytes[0] = value; break;
                case DT_JMPREL: tables[1] = address; break;
                case DT_PLTRELSZ: bytes[1] = value; break;
                default: break;
            }
        }
    }

    bool refers_to(const char* name) const {
        if (symbols == 0 || strings == 0) return false;
        for (int part = 0; part < 2; ++part) {
            const auto* entries = reinterpret_cast<const ElfW(Rela)*>(tables[part]);
            for (std::uint64_t i = 0; entries != nullptr && i < bytes[part] / sizeof(ElfW(Rela)); ++i) {
                const auto number = ELF64_R_SYM(entries[i].r_info);
                if (number == 0) continue;
                const auto& symbol = reinterpret_cast<const ElfW(Sym)*>(symbols)[number];
                if (symbol.st_shndx != SHN_UNDEF) continue;
                if (std::strcmp(reinterpret_cast<const char*>(strings + symbol.st_name), name) == 0) return true;
            }
        }
        return false;
    }
};

int look_for_caller(dl_phdr_info* info, std::size_t, void*) {
    if (Linkage(*info).refers_to("pthread_cancel")) armed = true;
    return armed ? 1 : 0;
}

}  // namespace

void find_callers() { dl_iterate_phdr(look_for_caller, nullptr); }

void test() {
    if (phase == Phase::alone || phase == Phase::scheduled) hooks::pthread_testcancel();
}

}  // namespace raddle::cancellation
