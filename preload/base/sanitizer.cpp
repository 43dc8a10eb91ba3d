#include "preload/base/sanitizer.h"

#include "preload/base/loaded_file.h"

namespace raddle::sanitizer {

bool present = false;
std::uint64_t shadow = 0, shadow_begin = 0, shadow_end = 0;
Runtime runtimes[most_runtimes];
std::uint32_t runtime_count = 0;
Functions address_sanitizer;

namespace {

void (*get_shadow_mapping)(std::size_t*, std::size_t*) = nullptr;

template <typename Function>
void look_up(const LoadedFile& file, const char* name, Function& function) {
    if (const std::uint64_t address = file.defined(name); address != 0) function = reinterpret_cast<Function>(address);
}

const Runtime* runtime_at(std::uint64_t address) {
    for (std::uint32_t i = 0; i < runtime_count; ++i)
        if (address - runtimes[i].begin < runtimes[i].end - runtimes[i].begin) return &runtimes[i];
    return nullptr;
}

void take(const LoadedFile& file, bool is_executable) {
    if (runtime_count == most_runtimes) return;
    Runtime& runtime = runtimes[runtime_count++];
    runtime.begin = file.begin();
    runtime.end = file.end();
    runtime.is_executable = is_executable;
    look_up(file, "__sanitizer_set_death_callback", runtime.set_death_callback);
    look_up(file, "__ubsan_get_current_report_data", runtime.current_report);
    runtime.on_report = file.defined("__ubsan_on_report");
    present = true;
    if (!file.defines("__asan_init")) return;
    look_up(file, "__asan_init", address_sanitizer.init);
    look_up(file, "__asan_get_report_pc", address_sanitizer.report_instruction);
    look_up(file, "__asan_set_error_report_callback", address_sanitizer.set_report_callback);
    look_up(file, "__asan_get_shadow_mapping", get_shadow_mapping);
    look_up(file, "__asan_region_is_poisoned", address_sanitizer.first_poisoned);
    look_up(file, "__asan_report_load_n", address_sanitizer.report_read);
    look_up(file, "__asan_report_store_n", address_sanitizer.report_write);
    // The executable's own is in front of the shim anyway.
    if (!is_executable) look_up(file, "pthread_create", address_sanitizer.create_thread);
}

}  // namespace

void find() {
    static bool done = false;
    if (done) return;
    done = true;
    bool is_first = true;
    LoadedFile::each([&](const LoadedFile& file) {
        // A runtime in an executable that exports nothing but the functions of libc that it intercepts.
        const bool intercepts = is_first && file.defines_weakly("pthread_create") && file.defines_weakly("malloc");
        if (file.defines("__sanitizer_set_death_callback") || intercepts) take(file, is_first);
        is_first = false;
    });
}

bool is_library_code(const void* address) {
    const Runtime* const runtime = runtime_at(reinterpret_cast<std::uint64_t>(address));
    return runtime != nullptr && !runtime->is_executable;
}

bool is_executables(std::uint64_t address) {
    const Runtime* const runtime = runtime_at(address);
    return runtime != nullptr && runtime->is_executable;
}

bool is_runtime(std::uint64_t address) { return runtime_at(address) != nullptr; }

void check_slowly(std::uint64_t address, std::size_t bytes, bool is_write) {
    const Functions& asan = address_sanitizer;
    if (asan.first_poisoned == nullptr || asan.report_read == nullptr || asan.report_write == nullptr || bytes == 0)
        return;
    const void* const bad = asan.first_poisoned(reinterpret_cast<const void*>(address), bytes);
    if (bad != nullptr) (is_write ? asan.report_write : asan.report_read)(reinterpret_cast<std::uint64_t>(bad), bytes);
}

void take_shadow() {
    if (address_sanitizer.init == nullptr || get_shadow_mapping == nullptr || shadow != 0) return;
    address_sanitizer.init();
    constexpr std::uint64_t last_address = (std::uint64_t{1} << 47) - 1;
    constexpr std::size_t eight_bytes = 3;
    std::size_t scale = 0, offset = 0;
    get_shadow_mapping(&scale, &offset);
    if (scale != eight_bytes) return;
    shadow = shadow_begin = offset;
    shadow_end = offset + (last_address >> scale) + 1;
}

}  // namespace raddle::sanitizer
