#include "supervisor/engine/about.h"

#include <Zydis/Zydis.h>
#include <elfutils/version.h>
#include <gnu/libc-version.h>
#include <sqlite3.h>
#include <sys/utsname.h>
#include <nlohmann/json.hpp>

#include <filesystem>

#include "store/build_id.h"
#include "supervisor/process/launch/launch.h"
#include "supervisor/protocol/tsan_runtime.h"
#include "supervisor/search/symbolic/order_solver.h"

namespace raddle {

namespace fs = std::filesystem;

namespace {

std::string with_build_id(const fs::path& file) {
    std::error_code error;
    if (!fs::exists(file, error)) return "missing: " + file.string();
    return file.string() + " (" + build_id_of(file) + ")";
}

std::string zydis_version() {
    const ZyanU64 number = ZydisGetVersion();
    return std::to_string(ZYDIS_VERSION_MAJOR(number)) + "." + std::to_string(ZYDIS_VERSION_MINOR(number)) + "." +
           std::to_string(ZYDIS_VERSION_PATCH(number));
}

std::string json_version() {
    return std::to_string(NLOHMANN_JSON_VERSION_MAJOR) + "." + std::to_string(NLOHMANN_JSON_VERSION_MINOR) + "." +
           std::to_string(NLOHMANN_JSON_VERSION_PATCH);
}

std::string solver_text() {
    const std::string name = order_solver_name();
    return name.empty() ? "none: built without Z3, so raddle predict finds fewer bugs" : name;
}

std::string shim_path() {
    try {
        return default_shim();
    } catch (const BadInput& error) {
        return error.what();
    }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> about_this_raddle() {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    const fs::path shim = shim_path();
    utsname system{};
    ::uname(&system);
    return {{"executable", with_build_id(self)},
            {"shim", fs::exists(shim, error) ? with_build_id(shim) : shim.string()},
            {"tsan runtime", with_build_id(shim.parent_path() / tsan_runtime)},
            {"compiler", __VERSION__},
            {"glibc", ::gnu_get_libc_version()},
            {"SQLite", ::sqlite3_libversion()},
            {"elfutils", "0." + std::to_string(_ELFUTILS_VERSION)},
            {"Zydis", zydis_version()},
            {"solver", solver_text()},
            {"nlohmann/json", json_version()},
            {"kernel", std::string(system.sysname) + " " + system.release + " " + system.machine}};
}

}  // namespace raddle
