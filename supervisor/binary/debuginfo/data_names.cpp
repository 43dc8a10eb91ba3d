#include "supervisor/binary/debuginfo/data_names.h"

#include <dwarf.h>

#include <cstdlib>
#include <cstring>
#include <vector>

namespace raddle {

namespace {

constexpr unsigned most_entries = 400'000;  // limit of debug information entries in the search for static variables
constexpr unsigned most_members = 4'000, most_types = 32, deepest = 12, most_dimensions = 8;
constexpr std::size_t longest_data_name = 200;

using Entry = Dwarf_Die;

std::string name_of(Entry& entry) {
    const char* name = ::dwarf_diename(&entry);
    return name == nullptr ? std::string() : std::string(name, ::strnlen(name, longest_data_name));
}

// Visits the children of an entry, with a limit: a damaged file may have too many, or a cycle.
template <typename Act>
void each_child(Entry& parent, unsigned most, Act&& act) {
    Entry child;
    if (::dwarf_child(&parent, &child) != 0) return;
    do {
        if (most-- == 0 || !act(child)) return;
    } while (::dwarf_siblingof(&child, &child) == 0);
}

std::optional<std::uint64_t> number_of(Entry& entry, unsigned attribute) {
    Dwarf_Attribute value;
    Dwarf_Word number = 0;
    if (::dwarf_formudata(::dwarf_attr(&entry, attribute, &value), &number) != 0) return std::nullopt;
    return number;
}

bool is_another_name(int tag) {
    return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
           tag == DW_TAG_atomic_type || tag == DW_TAG_restrict_type;
}

// The type without typedefs and qualifiers.
std::optional<Entry> type_of(Entry& entry) {
    Entry type = entry;
    for (unsigned i = 0; i < most_types; ++i) {
        Dwarf_Attribute attribute;
        Entry next;
        if (::dwarf_formref_die(::dwarf_attr_integrate(&type, DW_AT_type, &attribute), &next) == nullptr)
            return std::nullopt;
        type = next;
        if (!is_another_name(::dwarf_tag(&type))) return type;
    }
    return std::nullopt;
}

// The number of elements in each dimension of an array; 0: unknown.
std::vector<std::uint64_t> dimensions_of(Entry& array) {
    std::vector<std::uint64_t> counts;
    each_child(array, most_dimensions, [&](Entry& child) {
        if (::dwarf_tag(&child) != DW_TAG_subrange_type) return true;
        const auto count = number_of(child, DW_AT_count), last = number_of(child, DW_AT_upper_bound);
        counts.push_back(count ? *count : last ? *last + 1 : 0);
        return true;
    });
    return counts;
}

// In bytes; 0: unknown.
std::uint64_t size_of(Entry& type, unsigned depth = 0) {
    if (const int bytes = ::dwarf_bytesize(&type); bytes >= 0) return static_cast<std::uint64_t>(bytes);
    const int tag = ::dwarf_tag(&type);
    if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type)
        return sizeof(void*);
    if (tag != DW_TAG_array_type || depth >= deepest) return 0;
    std::optional<Entry> element = type_of(type);
    std::uint64_t size = element ? size_of(*element, depth + 1) : 0;
    for (const std::uint64_t count : dimensions_of(type))
        if (__builtin_mul_overflow(size, count, &size)) return 0;
    return size;
}

class Path {
public:
    Path(Entry type, std::uint64_t offset) : rest_(offset) { follow(type, 0); }
    DataName found() const { return {text_, rest_}; }

private:
    void follow(Entry& type, unsigned depth) {
        if (depth >= deepest) return;
        switch (::dwarf_tag(&type)) {
            case DW_TAG_structure_type:
            case DW_TAG_class_type:
            case DW_TAG_union_type: return follow_member(type, depth);
            case DW_TAG_array_type: return follow_element(type, depth);
            default: return;
        }
    }

    void follow_member(Entry& type, unsigned depth) {
        std::optional<Entry> member;
        std::uint64_t begin = 0;
        each_child(type, most_members, [&](Entry& child) {
            const int tag = ::dwarf_tag(&child);
            if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return true;
            if (::dwarf_hasattr(&child, DW_AT_external) || ::dwarf_hasattr(&child, DW_AT_declaration))
                return true;  // a static member
            const std::uint64_t at = number_of(child, DW_AT_data_member_location).value_or(0);
            std::optional<Entry> its = type_of(child);
            if (!its || rest_ < at || rest_ - at >= size_of(*its)) return true;
            member = child;
            begin = at;
            return false;
        });
        if (!member) return;
        const std::string name = name_of(*member);
        // Such names are internal to mutexes and the standard library; the program does not use them.
        if (name.starts_with('_')) return;
        if (!name.empty() && ::dwarf_tag(&*member) == DW_TAG_member) text_ += "." + name;
        rest_ -= begin;
        if (std::optional<Entry> its = type_of(*member)) follow(*its, depth + 1);
    }

    void follow_element(Entry& type, unsigned depth) {
        std::optional<Entry> element = type_of(type);
        const std::uint64_t size = element ? size_of(*element) : 0;
        if (size == 0) return;
        const std::vector<std::uint64_t> counts = dimensions_of(type);
        std::uint64_t number = rest_ / size, within = 1;
        std::string indices;
        for (std::size_t i = counts.size(); i-- > 1;) {
            if (counts[i] == 0 || __builtin_mul_overflow(within, counts[i], &within)) return;
            indices.insert(0, "[" + std::to_string(number % counts[i]) + "]");
            number /= counts[i];
        }
        if (!counts.empty() && counts[0] != 0 && number >= counts[0]) return;
        text_ += "[" + std::to_string(number) + "]" + indices;
        rest_ %= size;
        follow(*element, depth + 1);
    }

    std::string text_;
    std::uint64_t rest_;
};

// The single operation that locates a variable.
const Dwarf_Op* location_of(Entry& variable, Dwarf_Attribute& attribute) {
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (::dwarf_attr(&variable, DW_AT_location, &attribute) == nullptr ||
        ::dwarf_getlocation(&attribute, &operations, &count) != 0)
        return nullptr;
    return count == 1 ? operations : nullptr;
}

// The address of a static variable: a constant, or (clang with DWARF 5) an index into the unit's table of addresses.
std::optional<Dwarf_Addr> static_address(Entry& variable) {
    Dwarf_Attribute location, row;
    const Dwarf_Op* operation = location_of(variable, location);
    if (operation == nullptr) return std::nullopt;
    if (operation->atom == DW_OP_addr) return operation->number;
    Dwarf_Addr address = 0;
    if (operation->atom != DW_OP_addrx || ::dwarf_getlocation_attr(&location, operation, &row) != 0 ||
        ::dwarf_formaddr(&row, &address) != 0)
        return std::nullopt;
    return address;
}

class Collecting {
public:
    Collecting(Dwarf_Addr bias, unsigned& left, std::map<std::uint64_t, Entry>& variables)
        : bias_(bias), left_(left), variables_(variables) {}

    void below(Entry& parent, unsigned depth = 0) {
        if (depth >= deepest) return;
        each_child(parent, most_entries, [&](Entry& child) {
            if (left_ == 0) return false;
            --left_;
            switch (::dwarf_tag(&child)) {
                case DW_TAG_variable: add(child); break;
                case DW_TAG_namespace:
                case DW_TAG_subprogram:
                case DW_TAG_lexical_block: below(child, depth + 1); break;
                default: break;
            }
            return true;
        });
    }

private:
    void add(Entry& variable) {
        if (const auto address = static_address(variable)) variables_.try_emplace(*address + bias_, variable);
    }

    const Dwarf_Addr bias_;
    unsigned& left_;
    std::map<std::uint64_t, Entry>& variables_;
};

// The address from which offsets in the function's frame count.
std::optional<std::uint64_t> frame_base(Entry& function, const DataNames::Registers& registers) {
    constexpr std::uint8_t base_pointer = DW_OP_reg6, stack_pointer = DW_OP_reg7;
    Dwarf_Attribute attribute;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (::dwarf_attr_integrate(&function, DW_AT_frame_base, &attribute) == nullptr ||
        ::dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1)
        return std::nullopt;
    switch (operations[0].atom) {
        case DW_OP_call_frame_cfa: return registers.frame;
        case base_pointer: return registers.base;
        case stack_pointer: return registers.stack;
        default: return std::nullopt;
    }
}

// The variable that holds the address, among these entries and the blocks inside them.
std::optional<DataName> variable_at(Entry& parent, std::uint64_t base, std::uint64_t address, unsigned depth) {
    std::optional<DataName> found;
    if (depth >= deepest) return found;
    each_child(parent, most_members, [&](Entry& child) {
        const int tag = ::dwarf_tag(&child);
        if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine)
            found = variable_at(child, base, address, depth + 1);
        if (found) return false;
        if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) return true;
        Dwarf_Attribute attribute;
        const Dwarf_Op* location = location_of(child, attribute);
        if (location == nullptr || location->atom != DW_OP_fbreg) return true;
        const std::uint64_t begin = base + location->number;
        std::optional<Entry> type = type_of(child);
        if (!type || address < begin || address - begin >= size_of(*type)) return true;
        const std::string name = name_of(child);
        if (name.empty()) return true;
        const DataName part = Path(*type, address - begin).found();
        found = DataName{name + part.name, part.rest};
        return false;
    });
    return found;
}

}  // namespace

bool has_sources_at_hand(Dwfl_Module* module) {
    const char* path = ::dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    if (path == nullptr) return true;
    const char* const slash = std::strrchr(path, '/');
    const std::string_view file = slash == nullptr ? path : slash + 1;
    return file != "libc.so.6" && !file.starts_with("ld-linux");
}

Dwarf_Die* unit_of(Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr& bias) {
    if (!has_sources_at_hand(module)) return nullptr;
    if (Dwarf_Die* unit = ::dwfl_module_addrdie(module, address, &bias)) return unit;
    for (Dwarf_Die* unit = nullptr; (unit = ::dwfl_module_nextcu(module, unit, &bias)) != nullptr;)
        if (::dwarf_haspc(unit, address - bias) == 1) return unit;
    return nullptr;
}

const DataNames::Variables& DataNames::variables_of(Dwfl_Module* module) {
    const auto [known, is_new] = known_.try_emplace(module);
    if (!is_new || !has_sources_at_hand(module)) return known->second;
    unsigned left = most_entries;
    Dwarf_Addr bias = 0;
    for (Dwarf_Die* unit = nullptr; left > 0 && (unit = ::dwfl_module_nextcu(module, unit, &bias)) != nullptr;) {
        --left;
        Collecting(bias, left, known->second).below(*unit);
    }
    return known->second;
}

DataName DataNames::in_static(Dwfl_Module* module, std::uint64_t variable, std::uint64_t offset) {
    const Variables& variables = variables_of(module);
    const auto found = variables.find(variable);
    if (found == variables.end()) return {"", offset};
    Entry entry = found->second;
    std::optional<Entry> type = type_of(entry);
    return type ? Path(*type, offset).found() : DataName{"", offset};
}

std::optional<DataName> DataNames::in_frame(Dwfl_Module* module, std::uint64_t instruction, const Registers& registers,
                                            std::uint64_t address) {
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = unit_of(module, instruction, bias);
    if (unit == nullptr) return std::nullopt;
    Dwarf_Die *around = nullptr, *scopes = nullptr;
    const bool is_known = ::dwarf_getscopes(unit, instruction - bias, &around) > 0;
    const int count = is_known ? ::dwarf_getscopes_die(&around[0], &scopes) : 0;
    std::optional<DataName> found;
    for (int i = 0; i < count && !found; ++i) {
        if (::dwarf_tag(&scopes[i]) != DW_TAG_subprogram) continue;
        if (const auto base = frame_base(scopes[i], registers)) found = variable_at(scopes[i], *base, address, 0);
        break;
    }
    std::free(scopes);
    std::free(around);
    return found;
}

}  // namespace raddle
