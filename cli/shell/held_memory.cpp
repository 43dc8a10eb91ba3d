#include "cli/shell/held_memory.h"

#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "supervisor/base/descriptor.h"
#include "supervisor/base/text.h"

namespace raddle::cli {

namespace {

constexpr std::size_t most_shown = 64;

struct Search {
    const std::string& name;
    std::uint64_t address = 0, bytes = 0;
    std::size_t matches = 0;
};

int search_module(Dwfl_Module* module, void**, const char*, Dwarf_Addr, void* given) {
    Search& search = *static_cast<Search*>(given);
    const int count = ::dwfl_module_getsymtab(module);
    for (int i = 0; i < count; ++i) {
        GElf_Sym symbol{};
        GElf_Addr begin = 0;
        const char* name = ::dwfl_module_getsym_info(module, i, &symbol, &begin, nullptr, nullptr, nullptr);
        if (name == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_shndx == SHN_UNDEF) continue;
        if (search.name != name && search.name != demangled(name)) continue;
        if (search.matches > 0 && begin == search.address) continue;  // one variable with two names
        ++search.matches;
        // The executable comes first, and its variable hides those of libraries.
        if (search.matches == 1) {
            search.address = begin;
            search.bytes = symbol.st_size;
        }
    }
    return search.matches > 0 ? DWARF_CB_ABORT : DWARF_CB_OK;
}

std::string text_of_bytes(const std::vector<unsigned char>& bytes, std::uint64_t all) {
    if (bytes.size() == all && (all == 1 || all == 2 || all == 4 || all == 8)) {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes.data(), bytes.size());
        const unsigned shift = static_cast<unsigned>(64 - 8 * all);
        const auto number = static_cast<std::int64_t>(value << shift) >> shift;
        return std::to_string(number) + " (" + hexadecimal(value) + ")";
    }
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i > 0 && i % 8 == 0) text += ' ';
        text += {"0123456789abcdef"[bytes[i] >> 4], "0123456789abcdef"[bytes[i] & 15]};
    }
    return text + (bytes.size() < all ? " …" : "") + " (" + counted(all, "byte") + ")";
}

}  // namespace

std::string variable_in(pid_t process, const Symbols& symbols, const std::string& name) {
    Search search{name};
    if (symbols.dwfl() != nullptr) ::dwfl_getmodules(symbols.dwfl(), search_module, &search, 0);
    if (search.matches == 0) return "there is no global variable '" + name + "' in the symbols of the program";
    std::vector<unsigned char> bytes(std::min<std::size_t>(search.bytes, most_shown));
    const Descriptor memory("/proc/" + std::to_string(process) + "/mem", O_RDONLY);
    if (!memory || ::pread(memory.number(), bytes.data(), bytes.size(), static_cast<off_t>(search.address)) !=
                       static_cast<ssize_t>(bytes.size()))
        return "the system does not let raddle read the memory of the program";
    const std::string others =
        search.matches > 1
            ? "; " + counted(search.matches - 1, "other variable has", "other variables have") + " this name"
            : "";
    return name + " = " + text_of_bytes(bytes, search.bytes) + others;
}

}  // namespace raddle::cli
