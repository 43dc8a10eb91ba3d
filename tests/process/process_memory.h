// The memory of a process that stands still, and the differences between two processes, each with its place.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace raddle::testing {

struct MemoryRegion {
    std::uint64_t begin, end;
    std::string name;  // of the file, "[stack]" …
    std::vector<std::uint64_t> words;
};

// All private memory, except the shim's own: no code of the program reads that.
std::vector<MemoryRegion> memory_of(pid_t process);

// "libc.so.6+0x1d2c60: 0x1 and 0x2", one for each word that differs; also regions that only one process has.
std::vector<std::string> differences(const std::vector<MemoryRegion>& one, const std::vector<MemoryRegion>& other);

// The youngest child of a process, or of its threads; 0 if there is none.
pid_t child_of_process(pid_t process);

}  // namespace raddle::testing
