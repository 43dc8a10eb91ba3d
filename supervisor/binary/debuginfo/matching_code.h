// The code of a file whose function, source file or file name matches a pattern, as address ranges.
#pragma once

#include <cstdint>
#include <regex>
#include <string>
#include <vector>

namespace raddle {

struct CodeRange {
    std::uint64_t begin = 0, end = 0;  // from the load address of the file

    friend bool operator==(const CodeRange&, const CodeRange&) = default;
};

struct MatchingCode {
    std::vector<CodeRange> ranges;       // sorted, apart from each other
    std::vector<std::string> functions;  // their names, and below those of source files; sorted
    std::vector<std::string> sources;
    bool is_whole = false;  // the file's own name matches
};

// A pattern finds a part of a name: of a function (also one that was inlined), of a source file as the compiler was
// given it, or of `path` itself. Nothing matches in a file that cannot be read.
MatchingCode matching_code(const std::string& path, const std::regex& pattern);

}  // namespace raddle
