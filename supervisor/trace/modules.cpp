#include "supervisor/trace/modules.h"

#include "supervisor/base/text.h"
#include "supervisor/model/site.h"
#include "supervisor/trace/names.h"

namespace raddle {

namespace {

std::string file_name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

std::optional<Site> site_of(std::uint64_t code) {
    if (!site_code::has_module(code)) return std::nullopt;
    return Site{site_code::module_of(code), site_code::offset_of(code)};
}

std::uint64_t site_code_at(const Modules& modules, std::uint64_t address) {
    for (std::size_t i = modules.size(); i-- > 0;)  // later ones first, as in the shim
        if (address >= modules[i].base && address < modules[i].end)
            return site_code::of(static_cast<std::uint32_t>(i), address - modules[i].base);
    return 0;
}

std::string name_of_module(const Modules* modules, std::uint32_t module) {
    if (modules == nullptr || module >= modules->size()) return "module" + std::to_string(module);
    std::string name = file_name_of((*modules)[module].path);
    if (name.empty()) return "module" + std::to_string(module);
    int same = 1;
    for (std::uint32_t i = 0; i < module; ++i) same += file_name_of((*modules)[i].path) == name ? 1 : 0;
    if (same > 1) name += "#" + std::to_string(same);
    return name;
}

std::string text_of_site(std::uint64_t code, const Modules* modules) {
    const std::optional<Site> site = site_of(code);
    return site ? name_of_module(modules, site->module) + "+" + hexadecimal(site->offset) : "?";
}

std::string name_of(const ObjectId& object, const Modules* modules) {
    if (object.space() != Space::module || modules == nullptr || object.owner() >= modules->size())
        return name_of(object);
    return name_of_module(modules, static_cast<std::uint32_t>(object.owner())) + "+" + hexadecimal(object.offset);
}

}  // namespace raddle
