// The files whose code and data an execution used, in load order, and what canonical names make of them: a call site
// or a static object is module and offset.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "supervisor/model/types.h"

namespace raddle {

struct Module {
    std::string path;
    std::uint64_t base = 0;  // the address its own addresses count from
    std::uint64_t end = 0;

    friend bool operator==(const Module&, const Module&) = default;
};
using Modules = std::vector<Module>;

// What Action::site stands for. Of a call it is the address it returns to: the call itself lies one byte before.
struct Site {
    std::uint32_t module = 0;  // its place in Modules
    std::uint64_t offset = 0;  // from the module's base

    friend bool operator==(const Site&, const Site&) = default;
};
std::optional<Site> site_of(std::uint64_t code);
// Of an address as the target saw it; 0 if it belongs to no module.
std::uint64_t site_code_at(const Modules& modules, std::uint64_t address);

// Its file's name without directories, with "#2" for the second of that name; "module7" if there is no such module.
std::string name_of_module(const Modules* modules, std::uint32_t module);
// "abba+0x11f7"; "?" where nothing is known. `modules` may be null.
std::string text_of_site(std::uint64_t code, const Modules* modules);
// As name_of(object), with the names of modules in the place of their numbers.
std::string name_of(const ObjectId& object, const Modules* modules);

}  // namespace raddle
