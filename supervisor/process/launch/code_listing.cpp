#include "supervisor/process/launch/code_listing.h"

#include <fnmatch.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "supervisor/base/error.h"
#include "supervisor/base/text.h"
#include "supervisor/binary/decode/decoded_cache.h"
#include "supervisor/process/launch/user_libraries.h"
#include "supervisor/protocol/tsan_runtime.h"

namespace raddle {

namespace {

// More is decoded only when two threads run it: decoding takes a second for some five times as much.
constexpr std::uint64_t most_bytes_at_once = 1 << 20;

// A pattern of the shell for the path, or for the file name, which may be a soname.
bool matches_any(const std::string& path, const std::vector<std::string>& patterns) {
    const std::string name = std::filesystem::path(path).filename().string();
    return std::ranges::any_of(patterns, [&](const std::string& pattern) {
        return ::fnmatch(pattern.c_str(), path.c_str(), 0) == 0 || ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
    });
}

memory::InstrumentedModule named(const code::ElfCode& elf, const std::string& path, bool is_executable) {
    memory::InstrumentedModule module{};
    if (!is_executable) std::strncpy(module.path, path.c_str(), sizeof module.path - 1);
    module.keeps_own_state = is_of_cxx_runtime(path) ? 1 : 0;
    module.device = elf.device();
    module.inode = elf.inode();
    return module;
}

}  // namespace

std::uint64_t code_size(const code::ElfCode& elf) {
    std::uint64_t size = 0;
    for (const code::Range& function : elf.functions()) size += function.end - function.begin;
    return size;
}

void CodeListing::add_executable(const std::string& path) { add(code::ElfCode(path), path, true); }

void CodeListing::add_named(const std::string& path) {
    named_.push_back(std::filesystem::absolute(path).lexically_normal().string());
    add(code::ElfCode(path), path, false);
}

void CodeListing::add(const code::ElfCode& elf, const std::string& path, bool is_executable) {
    if (elf.needed(tsan_runtime) == tsan_runtime) {
        reports_accesses |= is_executable;
        add_reported(elf, path, is_executable);
        return;
    }
    modules.push_back(named(elf, path, is_executable));
    try {
        fill(modules.size() - 1, elf, path, is_executable);
    } catch (const BadInput&) {
        modules.pop_back();
        throw;
    }
}

// Throws BadInput, and then has changed nothing.
void CodeListing::fill(std::size_t number, const code::ElfCode& elf, const std::string& path, bool is_executable) {
    code::Decoded decoded = code::decode_or_recall(elf);
    if (!is_executable && decoded.decoded == 0)
        throw BadInput("--instrument " + path + ": no code of a shared library in it");
    add_skipped(number, path, std::move(decoded.skipped));
    memory::InstrumentedModule& module = modules[number];
    module.first_site = static_cast<std::uint32_t>(sites.size());
    if (cut_to_room(decoded)) {
        skipped.push_back({path,
                           {decoded.functions.empty() ? 0 : decoded.functions.back().address,
                            "more instructions than can be followed, behind this function", false, 0}});
        truncated = path;
    }
    module.site_count = static_cast<std::uint32_t>(decoded.sites.size());
    module.first_function = static_cast<std::uint32_t>(functions.size());
    module.function_count = static_cast<std::uint32_t>(decoded.functions.size());
    for (memory::CodeFunction& function : decoded.functions) {
        function.first_instruction += static_cast<std::uint32_t>(instructions.size());
        function.first_site += module.first_site;
    }
    sites.insert(sites.end(), decoded.sites.begin(), decoded.sites.end());
    functions.insert(functions.end(), decoded.functions.begin(), decoded.functions.end());
    instructions.insert(instructions.end(), decoded.instructions.begin(), decoded.instructions.end());
}

// Drops the functions for which there is no room. True if there are some.
bool CodeListing::cut_to_room(code::Decoded& decoded) const {
    const auto fits = [&](const memory::CodeFunction& function) {
        return function.first_site + function.site_count <= memory::most_sites - sites.size() &&
               function.first_instruction + function.instruction_count <=
                   memory::most_instructions - instructions.size();
    };
    const auto end = std::partition_point(decoded.functions.begin(), decoded.functions.end(), fits);
    if (end == decoded.functions.end()) return false;
    decoded.sites.resize(end->first_site);
    decoded.instructions.resize(end->first_instruction);
    decoded.functions.erase(end, decoded.functions.end());
    return true;
}

void CodeListing::add_skipped(std::size_t module, const std::string& path, std::vector<code::SkippedCode> places) {
    for (code::SkippedCode& place : places) {
        if (!place.is_own && skipped_places.size() < memory::most_skipped) {
            skipped_places.push_back({place.address, static_cast<std::uint32_t>(module), place.original, {}});
            skipped_names.push_back(path + "+" + hexadecimal(place.address) + " (" + place.why + ")");
        }
        skipped.push_back({path, std::move(place)});
    }
}

// Calls beyond this limit are followed too, but their threads' whole state counts as still read.
void CodeListing::add_reported(const code::ElfCode& elf, const std::string& path, bool is_executable) {
    std::vector<memory::ReportedCall> calls = code::calls_out_of(elf);
    calls.resize(std::min(calls.size(), memory::most_sites - reported.size()));
    memory::InstrumentedModule module = named(elf, path, is_executable);
    module.first_reported = static_cast<std::uint32_t>(reported.size());
    module.reported_count = static_cast<std::uint32_t>(calls.size());
    modules.push_back(module);
    reported.insert(reported.end(), calls.begin(), calls.end());
}

void CodeListing::add_found(const std::string& path) {
    found.push_back(path);
    if (std::find(named_.begin(), named_.end(), path) != named_.end()) return;
    if (matches_any(path, excluded_)) return add_unwatched(path, "left out by --no-instrument");
    try {
        const code::ElfCode elf(path);
        const std::uint64_t bytes = is_of_cxx_runtime(path) || matches_any(path, wanted_) ? 0 : code_size(elf);
        if (bytes > most_bytes_at_once - bytes_of_libraries_)
            return add_unwatched(path, counted(bytes / 1024, "KiB", "KiB") + " of code, which two threads have not run",
                                 true);
        add(elf, path, false);
        bytes_of_libraries_ += bytes;
    } catch (const BadInput&) {
        add_unwatched(path, "its code cannot be decoded");
    }
}

bool CodeListing::follow(std::size_t unwatched_library) {
    if (unwatched_library >= unwatched.size() || !unwatched[unwatched_library].waits) return false;
    UnwatchedLibrary& library = unwatched[unwatched_library];
    library.waits = false;
    try {
        const code::ElfCode elf(library.path);
        const std::uint32_t module = library.module;
        const std::string path = library.path;
        if (elf.needed(tsan_runtime) == tsan_runtime) throw BadInput(path + ": it reports its accesses by itself");
        fill(module, elf, path, false);
        modules[module].unwatched = 0;
        unwatched.erase(unwatched.begin() + static_cast<std::ptrdiff_t>(unwatched_library));
        followed.push_back(path);
        return true;
    } catch (const BadInput&) {
        library.why = "its code cannot be decoded";
        return false;
    }
}

void CodeListing::choose(std::vector<std::string> wanted, std::vector<std::string> excluded) {
    wanted_ = std::move(wanted);
    excluded_ = std::move(excluded);
}

void CodeListing::add_unwatched(const std::string& path, std::string why, bool waits) {
    memory::InstrumentedModule module = named(code::ElfCode(path, code::ElfCode::Read::linkage), path, false);
    module.unwatched = 1;
    modules.push_back(module);
    unwatched.push_back({path, std::move(why), static_cast<std::uint32_t>(modules.size() - 1), waits});
}

}  // namespace raddle
