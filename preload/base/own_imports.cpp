#include "preload/base/own_imports.h"

#include <optional>

#include "preload/base/loaded_file.h"
#include "preload/base/raw.h"

extern "C" const char __ehdr_start[] __attribute__((visibility("hidden")));

namespace raddle::own_imports {

namespace {

void replace(const LoadedFile& shim, void** slot, void* with) {
    constexpr std::uint64_t page = 4096;
    const std::uint64_t begin = reinterpret_cast<std::uint64_t>(slot) & ~(page - 1);
    const bool sealed = shim.is_sealed(slot);
    if (sealed && raw::failed(raw::call(SYS_mprotect, begin, page, PROT_READ | PROT_WRITE))) return;
    *slot = with;
    if (sealed) raw::call(SYS_mprotect, begin, page, PROT_READ);
}

}  // namespace

void lead_to_libc() {
    static bool done = false;
    if (done) return;
    std::optional<LoadedFile> shim, libc;
    LoadedFile::each([&](const LoadedFile& file) {
        if (file.is_libc()) libc = file;
        if (file.contains(reinterpret_cast<std::uint64_t>(__ehdr_start))) shim = file;
    });
    if (!shim || !libc) return;
    done = true;
    shim->each_import([&](void** slot, const char* name) {
        const auto now = reinterpret_cast<std::uint64_t>(*slot);
        if (now == 0 || libc->contains(now) || shim->contains(now)) return;
        const std::uint64_t found = libc->defined(name);
        if (libc->has_code_at(found)) replace(*shim, slot, reinterpret_cast<void*>(found));
    });
}

}  // namespace raddle::own_imports
