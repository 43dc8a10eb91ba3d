#include "preload/base/own_imports.h"

#include <optional>

#include "preload/base/loaded_file.h"

namespace raddle::own_imports {

void lead_to_libc() {
    static bool done = false;
    if (done) return;
    std::optional<LoadedFile> shim, libc;
    LoadedFile::each([&](const LoadedFile& file) {
        if (file.is_libc()) libc = file;
        if (file.is_shim()) shim = file;
    });
    if (!shim || !libc) return;
    done = true;
    shim->each_import([&](const LoadedFile::Import& import) {
        const auto now = reinterpret_cast<std::uint64_t>(*import.slot);
        if (!import.is_function || import.is_data || now == 0 || libc->contains(now) || shim->contains(now)) return;
        const std::uint64_t found = libc->defined(import.name);
        if (libc->has_code_at(found)) shim->replace(import.slot, reinterpret_cast<void*>(found));
    });
}

}  // namespace raddle::own_imports
