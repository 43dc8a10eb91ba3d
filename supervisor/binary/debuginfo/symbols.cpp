#include "supervisor/binary/debuginfo/symbols.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "supervisor/binary/debuginfo/cxx_names.h"
#include "supervisor/binary/debuginfo/rust_names.h"

namespace raddle {

namespace {

constexpr std::size_t longest_name = 1000;
constexpr int most_symbols = 2'000'000;  // limit of symbols in the search for variables

// Never uses the network: a report must not wait for a server.
int find_debug_information(Dwfl_Module* module, void** data, const char* name, Dwarf_Addr base, const char* file,
                           const char* link, GElf_Word checksum, char** found) {
    const int by_id = ::dwfl_build_id_find_debuginfo(module, data, name, base, file, link, checksum, found);
    if (by_id >= 0 || ::getenv("DEBUGINFOD_URLS") != nullptr) return by_id;
    return ::dwfl_standard_find_debuginfo(module, data, name, base, file, link, checksum, found);
}

const Dwfl_Callbacks callbacks = {::dwfl_build_id_find_elf, find_debug_information, ::dwfl_offline_section_address,
                                  nullptr};

int open_file(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat status;
    if (file >= 0 && (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode))) {
        ::close(file);
        return -1;
    }
    return file;
}

std::string text_of(const char* text) {
    return text == nullptr ? std::string() : std::string(text, ::strnlen(text, 4096));
}

// File names are relative to the compiler's working directory.
std::string file_name(Dwarf_Die* unit, const char* name) {
    const std::filesystem::path path = text_of(name);
    if (path.empty() || path.is_absolute()) return path.lexically_normal().string();
    Dwarf_Attribute attribute;
    const char* directory = ::dwarf_formstring(::dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    return (std::filesystem::path(text_of(directory)) / path).lexically_normal().string();
}

// Adds the source line of the call that was inlined.
void set_call_location(Dwarf_Die* unit, Dwarf_Die* inlined, Frame& frame) {
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;
    if (::dwarf_formudata(::dwarf_attr(inlined, DW_AT_call_line, &attribute), &number) == 0)
        frame.line = static_cast<unsigned>(number);
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    if (::dwarf_formudata(::dwarf_attr(inlined, DW_AT_call_file, &attribute), &number) == 0 &&
        ::dwarf_getsrcfiles(unit, &files, &count) == 0 && number < count)
        frame.file = file_name(unit, ::dwarf_filesrc(files, number, nullptr, nullptr));
}

// The functions around an instruction, innermost first, each with the line of its call.
Stack scopes_at(Dwarf_Die* unit, Dwarf_Addr address, const Frame& innermost) {
    Stack stack;
    Dwarf_Die* around = nullptr;
    const int around_count = ::dwarf_getscopes(unit, address, &around);
    if (around_count <= 0) return stack;
    Dwarf_Die* scopes = nullptr;
    const int count = ::dwarf_getscopes_die(&around[0], &scopes);
    Frame frame = innermost;
    for (int i = 0; i < count; ++i) {
        const int tag = ::dwarf_tag(&scopes[i]);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
        frame.function = name_of_function(&scopes[i]);
        frame.inlined = tag == DW_TAG_inlined_subroutine;
        stack.push_back(frame);
        if (!frame.inlined) break;
        frame = innermost;
        frame.file.clear();
        frame.line = 0;
        set_call_location(unit, &scopes[i], frame);
    }
    std::free(scopes);
    std::free(around);
    if (!stack.empty()) stack.back().inlined = false;
    return stack;
}

}  // namespace

std::string demangled(const char* name) {
    if (const auto rust = rust_name({name, ::strnlen(name, longest_name)})) return *rust;
    // The demangler would take other names for abbreviations of types.
    if (std::strncmp(name, "_Z", 2) != 0) return {name, ::strnlen(name, longest_name)};
    if (::strnlen(name, longest_name + 1) > longest_name) return std::string(name, longest_name);
    return plain_rust_name(cxx_name(name, longest_name).value_or(name));
}

std::string name_of_function(Dwarf_Die* die) {
    Dwarf_Attribute attribute;
    for (const unsigned linkage : {unsigned{DW_AT_linkage_name}, unsigned{DW_AT_MIPS_linkage_name}})
        if (::dwarf_attr_integrate(die, linkage, &attribute) != nullptr)
            if (const char* name = ::dwarf_formstring(&attribute)) return demangled(name);
    return text_of(::dwarf_diename(die));
}

Symbols::Symbols(const std::vector<Module>& modules, const std::string& executable, const std::string& directory)
    : modules_(modules), dwfl_(::dwfl_begin(&callbacks)) {
    if (dwfl_ == nullptr) return;
    ::dwfl_report_begin(dwfl_);
    for (Module& module : modules_) {
        if (module.path.empty()) module.path = executable;
        std::filesystem::path path = module.path;
        if (path.is_relative() && !directory.empty()) path = std::filesystem::path(directory) / path;
        const int file = open_file(path.string());
        if (file < 0) continue;
        if (::dwfl_report_elf(dwfl_, module.path.c_str(), path.c_str(), file, module.base, true) == nullptr)
            ::close(file);
    }
    ::dwfl_report_end(dwfl_, nullptr, nullptr);
}

Symbols::~Symbols() {
    if (dwfl_ != nullptr) ::dwfl_end(dwfl_);
}

const Module* Symbols::module_of(std::uint64_t address) const {
    for (const Module& module : modules_)
        if (address >= module.base && address < module.end) return &module;
    return nullptr;
}

const Stack& Symbols::at(std::uint64_t address) {
    const auto position = std::lower_bound(known_.begin(), known_.end(), address,
                                           [](const auto& entry, std::uint64_t value) { return entry.first < value; });
    if (position != known_.end() && position->first == address) return position->second;
    return known_.emplace(position, address, look_up(address))->second;
}

Stack Symbols::look_up(std::uint64_t address) const {
    const Module* loaded = module_of(address);
    if (loaded == nullptr) return {};
    Frame frame;
    frame.module = std::filesystem::path(loaded->path).filename().string();
    frame.offset = address - loaded->base;
    Dwfl_Module* module = dwfl_ == nullptr ? nullptr : ::dwfl_addrmodule(dwfl_, address);
    if (module == nullptr) return {frame};
    Dwarf_Addr bias = 0;
    if (Dwarf_Die* unit = unit_of(module, address, bias)) {
        if (Dwarf_Line* line = ::dwarf_getsrc_die(unit, address - bias)) {
            frame.file = file_name(unit, ::dwarf_linesrc(line, nullptr, nullptr));
            int number = 0;
            if (::dwarf_lineno(line, &number) == 0 && number > 0) frame.line = static_cast<unsigned>(number);
        }
        if (Stack stack = scopes_at(unit, address - bias, frame); !stack.empty()) return stack;
    }
    GElf_Off offset = 0;
    GElf_Sym symbol;
    if (const char* name = ::dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr))
        frame.function = demangled(name);
    return {frame};
}

// elfutils returns the nearest symbol before an address, which may be a linker's mark at the address of a variable.
const Symbols::DataSymbol* Symbols::data_symbol_at(Dwfl_Module* module, std::uint64_t address) {
    const auto [known, is_new] = data_symbols_.try_emplace(module);
    std::vector<DataSymbol>& symbols = known->second;
    if (is_new) {
        const int count = std::min(::dwfl_module_getsymtab(module), most_symbols);
        for (int i = 0; i < count; ++i) {
            GElf_Sym symbol{};
            GElf_Addr begin = 0;
            const char* name = ::dwfl_module_getsym_info(module, i, &symbol, &begin, nullptr, nullptr, nullptr);
            if (name != nullptr && GELF_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_size > 0 &&
                symbol.st_shndx != SHN_UNDEF)
                symbols.push_back({begin, symbol.st_size, name});
        }
        std::stable_sort(symbols.begin(), symbols.end(),
                         [](const DataSymbol& a, const DataSymbol& b) { return a.address < b.address; });
    }
    auto after = std::upper_bound(symbols.begin(), symbols.end(), address,
                                  [](std::uint64_t value, const DataSymbol& symbol) { return value < symbol.address; });
    if (after == symbols.begin()) return nullptr;
    // Takes the first of several names for one variable.
    const std::uint64_t begin = std::prev(after)->address;
    const auto first =
        std::lower_bound(symbols.begin(), after, begin,
                         [](const DataSymbol& symbol, std::uint64_t value) { return symbol.address < value; });
    const auto inside =
        std::find_if(first, after, [&](const DataSymbol& symbol) { return address - symbol.address < symbol.size; });
    return inside == after ? nullptr : &*inside;
}

Symbols::Variable Symbols::variable(std::uint64_t address) {
    Variable found;
    const Module* loaded = module_of(address);
    if (loaded == nullptr) return found;
    found.module = std::filesystem::path(loaded->path).filename().string();
    found.offset = address - loaded->base;
    Dwfl_Module* module = dwfl_ == nullptr ? nullptr : ::dwfl_addrmodule(dwfl_, address);
    if (module == nullptr) return found;
    const DataSymbol* symbol = data_symbol_at(module, address);
    if (symbol == nullptr) return found;
    const DataName part = data_.in_static(module, symbol->address, address - symbol->address);
    found.symbol = demangled(symbol->name) + part.name;
    found.offset = part.rest;
    return found;
}

}  // namespace raddle
