#include "supervisor/binary/debuginfo/matching_code.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <unordered_map>

#include "supervisor/binary/debuginfo/symbols.h"

namespace raddle {

namespace {

// The debug information may hold anything.
constexpr int deepest_entry = 64;
constexpr std::size_t most_entries_seen = 20'000'000, longest_matched = 1000;

class Matcher {
public:
    Matcher(Dwfl_Module* module, const std::regex& pattern, MatchingCode& found)
        : module_(module), pattern_(pattern), found_(found) {}

    void match() {
        match_symbols();
        Dwarf_Die* unit = nullptr;
        Dwarf_Addr bias = 0;
        while ((unit = ::dwfl_module_nextcu(module_, unit, &bias)) != nullptr) {
            match_lines(unit);
            match_inlined(unit, 0);
        }
        found_.functions.assign(functions_.begin(), functions_.end());
        found_.sources.assign(sources_.begin(), sources_.end());
    }

private:
    bool matches(const std::string& name) {
        if (name.empty()) return false;
        const auto [known, fresh] = known_.try_emplace(name.substr(0, longest_matched), false);
        if (fresh) known->second = std::regex_search(known->first, pattern_);
        return known->second;
    }

    void add(std::uint64_t begin, std::uint64_t end) {
        if (begin < end) found_.ranges.push_back({begin, end});
    }

    void match_symbols() {
        const int count = ::dwfl_module_getsymtab(module_);
        for (int i = 0; i < count; ++i) {
            GElf_Sym symbol;
            GElf_Addr address = 0;
            GElf_Word section = 0;
            const char* name = ::dwfl_module_getsym_info(module_, i, &symbol, &address, &section, nullptr, nullptr);
            if (name == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_size == 0) continue;
            const std::string shown = demangled(name);
            if (!matches(shown)) continue;
            functions_.insert(shown);
            add(address, address + symbol.st_size);
        }
    }

    // Units of a program that uses many headers have lines of many files.
    void match_lines(Dwarf_Die* unit) {
        Dwarf_Lines* lines = nullptr;
        std::size_t count = 0;
        if (::dwarf_getsrclines(unit, &lines, &count) != 0) return;
        for (std::size_t i = 0; i + 1 < count; ++i) {
            Dwarf_Line* const line = ::dwarf_onesrcline(lines, i);
            Dwarf_Addr begin = 0, end = 0;
            bool is_end = false;
            const char* const source = ::dwarf_linesrc(line, nullptr, nullptr);
            if (source == nullptr || ::dwarf_lineendsequence(line, &is_end) != 0 || is_end || !matches(source) ||
                ::dwarf_lineaddr(line, &begin) != 0 || ::dwarf_lineaddr(::dwarf_onesrcline(lines, i + 1), &end) != 0)
                continue;
            sources_.insert(source);
            add(begin, end);
        }
    }

    // Functions of their own are symbols.
    void match_inlined(Dwarf_Die* parent, int depth) {
        Dwarf_Die child;
        if (depth == deepest_entry || ::dwarf_child(parent, &child) != 0) return;
        do {
            if (++entries_ > most_entries_seen) return;
            const int tag = ::dwarf_tag(&child);
            if (tag == DW_TAG_inlined_subroutine) match_inlined_call(&child);
            if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
                tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type)
                match_inlined(&child, depth + 1);
        } while (::dwarf_siblingof(&child, &child) == 0);
    }

    void match_inlined_call(Dwarf_Die* call) {
        const std::string name = name_of_function(call);
        if (!matches(name)) return;
        functions_.insert(name);
        Dwarf_Addr base = 0, begin = 0, end = 0;
        for (std::ptrdiff_t at = 0; (at = ::dwarf_ranges(call, at, &base, &begin, &end)) > 0;) add(begin, end);
    }

    Dwfl_Module* module_;
    const std::regex& pattern_;
    MatchingCode& found_;
    std::unordered_map<std::string, bool> known_;
    std::set<std::string> functions_, sources_;
    std::size_t entries_ = 0;
};

void join_neighbours(std::vector<CodeRange>& ranges) {
    std::sort(ranges.begin(), ranges.end(), [](const CodeRange& a, const CodeRange& b) { return a.begin < b.begin; });
    std::vector<CodeRange> joined;
    for (const CodeRange& range : ranges) {
        if (!joined.empty() && range.begin <= joined.back().end)
            joined.back().end = std::max(joined.back().end, range.end);
        else
            joined.push_back(range);
    }
    ranges = std::move(joined);
}

}  // namespace

MatchingCode matching_code(const std::string& path, const std::regex& pattern) {
    MatchingCode found;
    const Symbols symbols({{path, 0, ~std::uint64_t{0}}}, path, "");
    if (symbols.dwfl() == nullptr) return found;
    const auto take = [](Dwfl_Module* module, void**, const char*, Dwarf_Addr, void* argument) -> int {
        *static_cast<Dwfl_Module**>(argument) = module;
        return DWARF_CB_ABORT;
    };
    Dwfl_Module* module = nullptr;
    ::dwfl_getmodules(symbols.dwfl(), take, &module, 0);
    if (module == nullptr) return found;
    if (std::regex_search(std::filesystem::path(path).filename().string(), pattern)) {
        Dwarf_Addr begin = 0, end = 0;
        ::dwfl_module_info(module, nullptr, &begin, &end, nullptr, nullptr, nullptr, nullptr);
        found.is_whole = true;
        found.ranges.push_back({begin, end});
        return found;
    }
    Matcher(module, pattern, found).match();
    join_neighbours(found.ranges);
    return found;
}

}  // namespace raddle
