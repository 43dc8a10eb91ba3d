// The accesses to memory in the files of a program, as the shim's description wants them (protocol/patches.h).
#pragma once

#include <string>
#include <vector>

#include "supervisor/binary/decode/decode.h"
#include "supervisor/protocol/patches.h"

namespace raddle {

struct CodeListing {
    struct SkippedPlace {
        std::string file;
        code::SkippedCode skipped_code;
    };
    struct UnwatchedLibrary {
        std::string path, why;
        std::uint32_t module = 0;  // its row
        bool waits = false;        // it is followed as soon as two threads run its code
    };

    bool reports_accesses = false;  // the executable tells of its accesses by itself
    std::vector<memory::InstrumentedModule> modules;
    std::vector<memory::AccessSite> sites;
    std::vector<memory::CodeFunction> functions;
    std::vector<memory::Instruction> instructions;
    std::vector<memory::ReportedCall> reported;
    std::vector<SkippedPlace> skipped;
    std::vector<std::string> found;           // user libraries that executions loaded, in the order of their numbers
    std::vector<UnwatchedLibrary> unwatched;  // those among them whose accesses are not followed
    std::vector<memory::SkippedPlace> skipped_places;  // of `skipped`, those that may touch memory that threads share
    std::vector<std::string> skipped_names;            // of each of these, for people
    std::string truncated;                             // the file with more instructions than can be followed
    std::vector<std::string> followed;                 // libraries that follow() added, in this order

    void add_executable(const std::string& path);
    // A library that the user named. Throws BadInput if it has no code that can be decoded.
    void add_named(const std::string& path);
    // A library that an execution loaded. Its accesses are followed: from the start, or, if its code is large, once two
    // threads have run it.
    void add_found(const std::string& path);
    // Two threads ran this one among the unwatched. False if its accesses are left out for good.
    bool follow(std::size_t unwatched_library);
    // Libraries to follow from the start, and not at all: file names, paths or patterns of the shell.
    void choose(std::vector<std::string> wanted, std::vector<std::string> excluded);

private:
    void add(const code::ElfCode& elf, const std::string& path, bool is_executable);
    void fill(std::size_t module, const code::ElfCode& elf, const std::string& path, bool is_executable);
    bool cut_to_room(code::Decoded& decoded) const;
    void add_skipped(std::size_t module, const std::string& path, std::vector<code::SkippedCode> places);
    void add_reported(const code::ElfCode& elf, const std::string& path, bool is_executable);
    void add_unwatched(const std::string& path, std::string why, bool waits = false);

    std::vector<std::string> named_;              // by the user
    std::vector<std::string> wanted_, excluded_;  // patterns
    std::uint64_t bytes_of_libraries_ = 0;        // of code, in found libraries
};

std::uint64_t code_size(const code::ElfCode& elf);

}  // namespace raddle
