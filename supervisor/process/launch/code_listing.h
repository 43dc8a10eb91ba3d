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

    void add_executable(const std::string& path);
    // A library that the user named. Throws BadInput if it has no code that can be decoded.
    void add_named(const std::string& path);
    // A library that an execution loaded. Its accesses are followed if its code is not too large.
    void add_found(const std::string& path);

private:
    void add(const code::ElfCode& elf, const std::string& path, bool is_executable);
    bool cut_to_room(code::Decoded& decoded) const;
    void add_skipped(const std::string& path, std::vector<code::SkippedCode> places);
    void add_reported(const code::ElfCode& elf, const std::string& path, bool is_executable);
    void add_unwatched(const std::string& path, std::string why);

    std::vector<std::string> named_;        // by the user
    std::uint64_t bytes_of_libraries_ = 0;  // of code, in found libraries
};

std::uint64_t code_size(const code::ElfCode& elf);

}  // namespace raddle
