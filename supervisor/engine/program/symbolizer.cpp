#include "supervisor/engine/program/symbolizer.h"

#include <cstdlib>
#include <filesystem>

#include "replay/explain/wording.h"
#include "store/build_id.h"
#include "store/store_error.h"

namespace raddle {

namespace {

constexpr std::size_t longest_offset = 16;

bool is_as_recorded(const ProgramFile& file) {
    try {
        return build_id_of(file.path) == file.id;
    } catch (const StoreError&) {
        return false;
    }
}

bool is_hexadecimal(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

}  // namespace

std::string Symbolizer::with_functions(const std::string& place) {
    return with_names(place, [](const std::string& module, const Stack& stack) {
        const std::string& function = stack.back().function;  // the one that others were inlined into
        return function.empty() ? "" : module + "!" + function;
    });
}

std::string Symbolizer::with_lines(const std::string& text) {
    return with_names(text, [](const std::string&, const Stack& stack) {
        const Frame* frame = own_frame(stack);
        return frame == nullptr || frame->function.empty() ? "" : text_of(*frame);
    });
}

std::string Symbolizer::with_names(const std::string& place, const Name& name) {
    const std::string mark = "+0x";
    std::string text;
    std::size_t copied = 0;
    for (std::size_t at = 0; (at = place.find(mark, at)) != std::string::npos;) {
        const std::size_t blank = at == 0 ? std::string::npos : place.find_last_of(" \n", at - 1);
        const std::size_t begin = blank == std::string::npos ? 0 : blank + 1;
        std::size_t end = at + mark.size();
        while (end < place.size() && is_hexadecimal(place[end])) ++end;
        const std::string digits = place.substr(at + mark.size(), end - at - mark.size());
        const std::string module = place.substr(begin, at - begin);
        const bool is_site = !digits.empty() && digits.size() <= longest_offset && begin >= copied;
        const Stack* stack = is_site ? stack_at(module, std::strtoull(digits.c_str(), nullptr, 16)) : nullptr;
        const std::string named = stack == nullptr ? "" : name(module, *stack);
        if (!named.empty()) {
            text += place.substr(copied, begin - copied) + named;
            copied = end;
        }
        at = end;
    }
    return text + place.substr(copied);
}

std::string Symbolizer::of_object(const std::string& object) {
    if (const std::size_t both = object.find('&'); both != std::string::npos) {
        const std::string one = of_object(object.substr(0, both)), other = of_object(object.substr(both + 1));
        return one.empty() || other.empty() ? "" : one + "&" + other;
    }
    const std::string mark = "+0x";
    const std::size_t at = object.rfind(mark);
    if (at == std::string::npos || object.find(':') < at) return {};
    Symbols* symbols = symbols_of(object.substr(0, at));
    if (symbols == nullptr) return {};
    const Symbols::Variable variable = symbols->variable(std::strtoull(object.c_str() + at + mark.size(), nullptr, 16));
    return variable.symbol.empty()
               ? ""
               : variable.symbol + (variable.offset == 0 ? "" : "+" + std::to_string(variable.offset));
}

std::map<std::string, std::string> Symbolizer::of_objects(const std::vector<RecordedStep>& steps) {
    std::map<std::string, std::string> names;
    for (const RecordedStep& step : steps)
        if (!names.contains(step.object)) names[step.object] = of_object(step.object);
    std::erase_if(names, [](const auto& one) { return one.second.empty(); });
    return names;
}

Symbols* Symbolizer::symbols_of(const std::string& module) {
    const auto [known, is_new] = symbols_.try_emplace(module);
    if (is_new)
        for (const ProgramFile& file : files_) {
            if (std::filesystem::path(file.path).filename() != module) continue;
            if (!is_as_recorded(file)) continue;
            known->second =
                std::make_unique<Symbols>(std::vector<Module>{{file.path, 0, ~std::uint64_t{0}}}, file.path, "");
            break;
        }
    return known->second.get();
}

const Stack* Symbolizer::stack_at(const std::string& module, std::uint64_t offset) {
    Symbols* symbols = offset == 0 ? nullptr : symbols_of(module);
    if (symbols == nullptr) return nullptr;
    // A site is a return address: the call lies before it.
    const Stack& stack = symbols->at(offset - 1);
    return stack.empty() ? nullptr : &stack;
}

}  // namespace raddle
