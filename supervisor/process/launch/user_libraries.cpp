#include "supervisor/process/launch/user_libraries.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "supervisor/protocol/sanitizer_runtimes.h"

namespace raddle {

namespace fs = std::filesystem;

namespace {

// Libraries whose accesses are not looked at (docs/memory.md lists them, with the reasons).
struct RuntimeLibrary {
    const char* beginning;  // of the file name
    bool beside_libc;       // only in the directory of libc: the name alone is too common
};
constexpr RuntimeLibrary runtime_libraries[] = {
    // glibc: the shim knows the effects of its functions on memory.
    {"ld-linux", false},
    {"libc.so.", false},
    {"libm.so.", true},
    {"libmvec.so.", true},
    {"libpthread.so.", true},
    {"libdl.so.", true},
    {"librt.so.", true},
    {"libutil.so.", true},
    {"libanl.so.", true},
    {"libresolv.so.", true},
    {"libnss_", true},
    {"libnsl.so.", true},
    // Unwinding: they touch the thread's own stack, and their own locked state.
    {"libgcc_s.so.", false},
    {"libunwind.so.", false},
    // The kernel's own page of code, and raddle itself.
    {"linux-vdso.so.", false},
    {"libraddle-preload.so", false},
};

bool is_of_runtime(const fs::path& file, const fs::path& directory_of_libc) {
    const std::string name = file.filename().string();
    if (is_sanitizer_runtime(name)) return true;
    return std::any_of(std::begin(runtime_libraries), std::end(runtime_libraries), [&](const RuntimeLibrary& row) {
        return name.starts_with(row.beginning) && (!row.beside_libc || file.parent_path() == directory_of_libc);
    });
}

}  // namespace

bool is_library_of_runtime(const std::string& path) { return is_of_runtime(path, fs::path(path).parent_path()); }

bool is_of_cxx_runtime(const std::string& path) {
    const std::string name = fs::path(path).filename().string();
    return std::ranges::any_of(std::initializer_list<const char*>{"libstdc++.so.", "libc++.so.", "libc++abi.so."},
                               [&](const char* beginning) { return name.starts_with(beginning); });
}

std::vector<std::string> user_libraries(const Modules& modules, const std::string& directory) {
    fs::path directory_of_libc;
    for (const Module& module : modules)
        if (const fs::path file = module.path; file.filename() == "libc.so.6") directory_of_libc = file.parent_path();
    std::vector<std::string> libraries;
    for (std::size_t i = 1; i < modules.size(); ++i) {  // the first one is the executable
        if (modules[i].path.empty() || is_of_runtime(modules[i].path, directory_of_libc)) continue;
        std::error_code error;
        const fs::path base = directory.empty() ? fs::current_path(error) : fs::path(directory);
        const std::string path = (base / modules[i].path).lexically_normal().string();
        if (std::find(libraries.begin(), libraries.end(), path) == libraries.end()) libraries.push_back(path);
    }
    return libraries;
}

}  // namespace raddle
