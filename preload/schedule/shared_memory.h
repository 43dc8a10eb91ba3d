// Memory that several mappings, or several processes, share (MAP_SHARED). A file's memory has one name, however often
// it is mapped: an object in it is the same object at every address. Once a child process exists that may use the
// memory, too, the model no longer knows the objects in it, and their use ends the execution.
#pragma once

#include <cstddef>
#include <cstdint>

#include "preload/schedule/common_address.h"
#include "supervisor/model/operation.h"

namespace raddle::shared_memory {

// The file behind a mapping. Memory without a name is a file of its own.
struct File {
    std::uint64_t device = 0, number = 0;
    bool has_name = false;  // other processes may find it by name or by descriptor
};

void mapped(const void* begin, std::size_t bytes, const File& file, std::uint64_t offset);
// The range is mapped no longer, or by something else.
void unmapped(const void* begin, std::size_t bytes);
// mremap: `bytes` 0 makes a second mapping of the same memory.
void moved(const void* begin, std::size_t bytes, const void* to, std::size_t wanted);

// The program starts a child. `forked`: it has the parent's mappings. Otherwise it may find those with a name.
void child_starts(bool forked);
bool has_children();  // the program has started one
// An object of the shim, outside of mappings, stands for one that other processes can find by name.
void named_object(const void* begin, std::size_t bytes);
// The action has an object at this address: ends the execution if another process may use it, too.
inline void check_object(const void* address, Operation operation);
// The program accesses memory at this address: an external event while a child that shares it is alive.
inline void check_access(std::uint64_t address);

// ---- for the inline functions

void refuse_shared_object(const void* address, Operation operation);
void note_shared_access(std::uint64_t address);

inline void check_object(const void* address, Operation operation) {
    if (any) [[unlikely]]
        refuse_shared_object(address, operation);
}
inline void check_access(std::uint64_t address) {
    if (any) [[unlikely]]
        note_shared_access(address);
}

}  // namespace raddle::shared_memory
