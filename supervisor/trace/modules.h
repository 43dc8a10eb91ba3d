// The program and the libraries of an execution, in load order. Canonical names are built from them: a call site or a
// static object is a module and an offset, the same in every execution.
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
    std::uint64_t base = 0;  // the load address: offsets count from it
    std::uint64_t end = 0;

    friend bool operator==(const Module&, const Module&) = default;
};
using Modules = std::vector<Module>;

// The decoded form of Action::site. A call's site is its return address: the call itself ends one byte before.
struct Site {
    std::uint32_t module = 0;  // index in Modules
    std::uint64_t offset = 0;  // from the module's base

    friend bool operator==(const Site&, const Site&) = default;
};
std::optional<Site> site_of(std::uint64_t code);
// Encodes an address of the target; 0 if it belongs to no module.
std::uint64_t site_code_at(const Modules& modules, std::uint64_t address);

// The file name without directories; "#2" marks the second of that name; "module7" if there is no such module.
std::string name_of_module(const Modules* modules, std::uint32_t module);
// "abba+0x11f7"; "?" if nothing is known. `modules` may be null.
std::string text_of_site(std::uint64_t code, const Modules* modules);
// Like name_of(object), with names of modules instead of their numbers.
std::string name_of(const ObjectId& object, const Modules* modules);

}  // namespace raddle
