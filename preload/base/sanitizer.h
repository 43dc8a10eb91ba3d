// The runtime of a sanitizer in this process (AddressSanitizer, LeakSanitizer, UndefinedBehaviorSanitizer): a library
// in front of libc, or part of the executable. It has a heap, intercepted functions, threads' records and memory of its
// own. raddle leaves it what its checks need (its shadow memory, its records of threads, its reports) and takes over
// the rest.
#pragma once

#include <cstddef>
#include <cstdint>

namespace raddle::sanitizer {

// Finds the runtimes among the loaded files, once.
void find();

extern bool present;  // some runtime is loaded
// AddressSanitizer keeps the state of eight bytes in the byte at address / 8 + shadow. 0: there is no such memory yet.
extern std::uint64_t shadow;
// The memory from the first to the last byte of states.
extern std::uint64_t shadow_begin, shadow_end;
inline bool is_shadow(std::uint64_t address) { return address - shadow_begin < shadow_end - shadow_begin; }

// A file with a runtime in it.
struct Runtime {
    std::uint64_t begin = 0, end = 0;
    bool is_executable = false;
    // Functions that it exports; null where it has none.
    void (*set_death_callback)(void (*)()) = nullptr;
    // UndefinedBehaviorSanitizer: what it calls for each report, and the report then.
    std::uint64_t on_report = 0;
    void (*current_report)(const char** kind, const char** message, const char** file, unsigned* line, unsigned* column,
                           char** address) = nullptr;
};
inline constexpr std::uint32_t most_runtimes = 4;
extern Runtime runtimes[most_runtimes];
extern std::uint32_t runtime_count;
// Whether the code at this address belongs to a library that is a runtime.
bool is_library_code(const void* address);
// Whether the address lies in the executable, and it holds a runtime.
bool is_executables(std::uint64_t address);
// Whether the address lies in a file with a runtime.
bool is_runtime(std::uint64_t address);

// AddressSanitizer's functions; null without it, or where it does not export them.
struct Functions {
    void (*init)() = nullptr;
    std::uint64_t (*report_instruction)() = nullptr;
    void (*set_report_callback)(void (*)(const char* text)) = nullptr;
    void* (*first_poisoned)(const void* begin, std::size_t bytes) = nullptr;
    void (*report_read)(std::uint64_t address, std::size_t bytes) = nullptr;
    void (*report_write)(std::uint64_t address, std::size_t bytes) = nullptr;
    // As pthread_create: makes its record of the thread, and calls the function behind it.
    int (*create_thread)(void* thread, const void* attributes, void* (*routine)(void*), void* argument) = nullptr;
};
extern Functions address_sanitizer;

// The shim reads or writes memory for the program. Reports an error, as the runtime's own function would, if the
// program may not access it. Does nothing without AddressSanitizer.
void check_slowly(std::uint64_t address, std::size_t bytes, bool is_write);
inline void check(std::uint64_t address, std::size_t bytes, bool is_write) {
    if (shadow != 0) [[unlikely]]
        check_slowly(address, bytes, is_write);
}

// Calls the runtime's initialisation and finds its shadow memory. From then on the states of heap blocks are kept
// there.
void take_shadow();

}  // namespace raddle::sanitizer
