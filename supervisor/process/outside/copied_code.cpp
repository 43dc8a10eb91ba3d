#include "supervisor/process/outside/copied_code.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace raddle {

namespace {

constexpr std::uint32_t most_areas = 256, most_row = 4096, most_functions = 1u << 18;
constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

template <typename Field>
Field field(const unsigned char* row, std::uint32_t offset) {
    Field value;
    std::memcpy(&value, row + offset, sizeof value);
    return value;
}

}  // namespace

CopiedCode::CopiedCode(const StoppedProcess& process, const channel::CopyTable& table)
    : process_(process), table_(table) {
    std::uint32_t count = 0;
    if (table.areas == 0 || !process.read(table.area_count, count) || !process.read(table.header, header_)) return;
    const bool is_sound = table.area_bytes >= 8 && table.area_bytes <= most_row && table.row_bytes >= 4 &&
                          table.row_bytes <= most_row && table.place_offset <= table.row_bytes - 4 &&
                          std::max({table.begin_offset, table.end_offset, table.module_offset, table.base_offset}) <=
                              table.area_bytes - 8;
    if (!is_sound) return;
    for (std::uint32_t i = 0; i < std::min(count, most_areas); ++i) {
        unsigned char row[most_row];
        if (!process.read(table.areas + std::uint64_t{i} * table.area_bytes, row, table.area_bytes)) return;
        areas_.push_back({field<std::uint64_t>(row, table.begin_offset), field<std::uint64_t>(row, table.end_offset),
                          field<std::uint64_t>(row, table.base_offset),
                          field<std::uint32_t>(row, table.module_offset)});
    }
}

std::uint64_t CopiedCode::original_of(std::uint64_t address) {
    const auto area = std::find_if(areas_.begin(), areas_.end(),
                                   [&](const Area& one) { return one.begin <= address && address < one.end; });
    if (area == areas_.end()) return address;
    const auto [known, fresh] = known_.try_emplace(address, address);
    if (fresh) known->second = original_in(*area, address);
    return known->second;
}

// The offset of the instruction's copy in its area.
std::uint32_t CopiedCode::place_of(std::uint32_t instruction) const {
    std::uint32_t place = nowhere;
    process_.read(table_.rows + std::uint64_t{instruction} * table_.row_bytes + table_.place_offset, place);
    return place;
}

// As the shim does it (copies::original_in): the last function, and the last instruction in it, whose copy begins
// before.
std::uint64_t CopiedCode::original_in(const Area& area, std::uint64_t address) const {
    using memory::CodeFunction;
    memory::InstrumentedModule module{};
    if (area.module >= header_.module_count ||
        !process_.read(table_.header + header_.modules + area.module * sizeof module, module) ||
        module.function_count > most_functions || module.first_function > header_.function_count ||
        module.function_count > header_.function_count - module.first_function)
        return address;
    std::vector<CodeFunction> functions(module.function_count);
    std::vector<std::uint8_t> states(module.function_count);
    if (functions.empty() ||
        !process_.read(table_.header + header_.functions + module.first_function * sizeof(CodeFunction),
                       functions.data(), functions.size() * sizeof(CodeFunction)) ||
        !process_.read(table_.states + module.first_function, states.data(), states.size()))
        return address;
    const auto offset = static_cast<std::uint32_t>(address - area.begin);
    const CodeFunction* its = nullptr;
    std::uint32_t nearest = 0;
    for (std::size_t i = 0; i < functions.size(); ++i) {
        const std::uint32_t place = states[i] == 0 ? nowhere : place_of(functions[i].first_instruction);
        if (place > offset || (its != nullptr && place < nearest)) continue;
        its = &functions[i];
        nearest = place;
    }
    if (its == nullptr || its->instruction_count > memory::most_instructions) return address;
    std::uint32_t low = 0, high = its->instruction_count;  // the first instruction whose copy lies behind
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (place_of(its->first_instruction + middle) <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0) return address;
    std::uint64_t original = area.base + its->address;
    for (std::uint32_t i = 0; i + 1 < low; ++i) {
        memory::Instruction one{};
        if (!process_.read(
                table_.header + header_.instructions + (its->first_instruction + i) * sizeof(memory::Instruction), one))
            return area.base + its->address;
        original += one.length;
    }
    return original;
}

}  // namespace raddle
