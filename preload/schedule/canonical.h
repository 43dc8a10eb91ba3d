// Canonical names of addresses: the same object has the same ObjectId in every execution of a program, whatever the
// interleaving. Heap and stacks by territory; static data and code by module, numbered in load order; the rest (memory
// the program mapped itself) by address.
#pragma once

#include "supervisor/model/types.h"

namespace raddle::canonical {

// Reads the list of loaded modules, and the place of main's stack. Again when something was loaded or unloaded.
void refresh();

ObjectId name_of(const void* address);
// Above everything that main has on its stack.
std::uint64_t main_stack_end();
// Module number + 1 in the top 16 bits, offset below; 0 if the address belongs to no module.
std::uint64_t site_of(const void* address);

struct Module {
    std::uint64_t base;        // load address: what its own addresses count from
    std::uint64_t begin, end;  // of what is mapped of it
    char path[256];
};
std::uint32_t module_count();
const Module& module(std::uint32_t number);
const Module* module_of_site(std::uint64_t site);  // null if it belongs to none

}  // namespace raddle::canonical
