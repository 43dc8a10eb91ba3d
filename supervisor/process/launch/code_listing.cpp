#include "supervisor/process/launch/code_listing.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "supervisor/base/error.h"
#include "supervisor/base/text.h"
#include "supervisor/process/launch/user_libraries.h"
#include "supervisor/protocol/tsan_runtime.h"

namespace raddle {

namespace {

// Decoding takes a second for some five times as much.
constexpr std::uint64_t most_bytes_of_libraries = 1 << 20;

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
    code::Decoded decoded = code::decode(elf);
    if (!is_executable && decoded.decoded == 0)
        throw BadInput("--instrument " + path + ": no code of a shared library in it");
    add_skipped(path, std::move(decoded.skipped));
    memory::InstrumentedModule module = named(elf, path, is_executable);
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
    modules.push_back(module);
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

// The places belong to the module that is added next.
void CodeListing::add_skipped(const std::string& path, std::vector<code::SkippedCode> places) {
    for (code::SkippedCode& place : places) {
        if (!place.is_own && skipped_places.size() < memory::most_skipped) {
            skipped_places.push_back({place.address, static_cast<std::uint32_t>(modules.size()), place.original, {}});
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
    try {
        const code::ElfCode elf(path);
        const std::uint64_t bytes = is_of_cxx_runtime(path) ? 0 : code_size(elf);
        if (bytes > most_bytes_of_libraries - bytes_of_libraries_)
            return add_unwatched(path, counted(bytes / 1024, "KiB", "KiB") + " of code are too much to look at");
        add(elf, path, false);
        bytes_of_libraries_ += bytes;
    } catch (const BadInput&) {
        add_unwatched(path, "its code cannot be decoded");
    }
}

void CodeListing::add_unwatched(const std::string& path, std::string why) {
    memory::InstrumentedModule module = named(code::ElfCode(path, code::ElfCode::Read::linkage), path, false);
    module.unwatched = 1;
    modules.push_back(module);
    unwatched.push_back({path, std::move(why)});
}

}  // namespace raddle
