#include "supervisor/binary/decode/runtime_parts.h"

#include <algorithm>
#include <array>

namespace raddle::code {

namespace {

// Names of a runtime's functions begin with one of these. C++ names are mangled.
constexpr std::array runtime_names = {
    std::string_view("__asan_"),
    std::string_view("__lsan_"),
    std::string_view("__ubsan_"),
    std::string_view("__interceptor_"),
    std::string_view("_ZN6__asan"),
    std::string_view("_ZN6__lsan"),
    std::string_view("_ZN7__ubsan"),
    std::string_view("_ZN11__sanitizer"),
    std::string_view("_ZN14__interception"),
    std::string_view("_ZL13printf_common"),
};
constexpr std::array counter_code_names = {std::string_view("__gcov_"), std::string_view("__llvm_profile_"),
                                           std::string_view("llvm_gcda_"), std::string_view("llvm_gcov_")};
// The program may define these itself; they lie among its own functions.
constexpr std::array callback_ends = {std::string_view("_default_options"), std::string_view("_suppressions"),
                                      std::string_view("_on_error"), std::string_view("_on_report"),
                                      std::string_view("_is_turned_off")};
constexpr std::array counter_names = {std::string_view("__gcov"),    std::string_view("__profc_"),
                                      std::string_view("__profd_"),  std::string_view("__profbm_"),
                                      std::string_view("__profvp_"), std::string_view("__llvm_gcov_")};
constexpr std::array counter_sections = {std::string_view("__llvm_prf_cnts"), std::string_view("__llvm_prf_data"),
                                         std::string_view("__llvm_prf_bits"), std::string_view("__llvm_prf_vnds"),
                                         std::string_view("__llvm_prf_vns")};

template <std::size_t count>
bool begins_with_one(std::string_view name, const std::array<std::string_view, count>& beginnings) {
    return std::ranges::any_of(beginnings, [&](std::string_view one) { return name.starts_with(one); });
}

bool is_callback(std::string_view name) {
    return std::ranges::any_of(callback_ends, [&](std::string_view one) { return name.ends_with(one); });
}

// Functions of one archive lie side by side, and not all of them have telling names.
class Stretch {
public:
    void add(const Elf64_Sym& symbol) {
        begin_ = std::min(begin_, symbol.st_value);
        end_ = std::max(end_, symbol.st_value + symbol.st_size);
    }
    void put_into(std::vector<RuntimeParts::Range>& ranges) const {
        if (begin_ < end_) ranges.push_back({begin_, end_});
    }

private:
    std::uint64_t begin_ = ~std::uint64_t{0}, end_ = 0;
};

}  // namespace

bool RuntimeParts::has_code(std::uint64_t address) const {
    return std::ranges::any_of(code, [&](const Range& range) { return range.contains(address); });
}

RuntimeParts runtime_parts(const ElfFile& elf) {
    RuntimeParts parts;
    Stretch runtime, counting;
    const auto look = [&](const Elf64_Sym& symbol, std::string_view name) {
        parts.reads_shadow |= name == "__asan_init";
        if (symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0) return true;
        const auto type = ELF64_ST_TYPE(symbol.st_info);
        if (type == STT_FUNC && begins_with_one(name, runtime_names) && !is_callback(name)) runtime.add(symbol);
        if (type == STT_FUNC && begins_with_one(name, counter_code_names)) counting.add(symbol);
        if (type == STT_OBJECT && begins_with_one(name, counter_names))
            parts.counters.push_back({symbol.st_value, symbol.st_value + symbol.st_size});
        return true;
    };
    elf.each_symbol(SHT_SYMTAB, look);
    elf.each_symbol(SHT_DYNSYM, look);
    runtime.put_into(parts.code);
    counting.put_into(parts.code);
    elf.each_section([&](const Elf64_Shdr& section, std::string_view name) {
        if (std::ranges::find(counter_sections, name) != counter_sections.end())
            parts.counters.push_back({section.sh_addr, section.sh_addr + section.sh_size});
    });
    return parts;
}

}  // namespace raddle::code
