// Canonical names of addresses. The same object has the same ObjectId in every execution of a program, whatever the
// interleaving. Objects on heaps and stacks are named by thread arena; static data and code by module, numbered in load
// order; other memory (mapped by the program itself) by its address.
#pragma once

#include "supervisor/model/types.h"

namespace raddle::canonical {

// Reads the list of loaded modules and the position of main's stack. Call it again after a library was loaded or
// unloaded.
void refresh();

ObjectId name_of(const void* address);
// An address above everything on main's stack. Names of objects on that stack count down from it.
std::uint64_t main_stack_end();
// The site code of a code address (supervisor/model/site.h); 0 if the address belongs to no module.
std::uint64_t site_of(const void* address);

struct Module {
    std::uint64_t base;        // load address: addresses in the file are relative to it
    std::uint64_t begin, end;  // the mapped range
    char path[256];
};
std::uint32_t module_count();
const Module& module(std::uint32_t number);
const Module* module_of_site(std::uint64_t site);  // null for site 0

}  // namespace raddle::canonical
