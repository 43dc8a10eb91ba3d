// The focus of a campaign (--focus): the functions, source files and libraries that a pattern names. The shim gets
// their address ranges (protocol/focus.h). The libraries of a program are known once it has run, so the first execution
// may have to be repeated: see epoch(). Several targets share one focus.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <regex>
#include <string>

#include "supervisor/binary/debuginfo/matching_code.h"
#include "supervisor/protocol/focus.h"
#include "supervisor/trace/modules.h"

namespace raddle {

class Focus {
public:
    // Throws BadInput for a pattern that is no regular expression.
    Focus(const std::string& pattern, const std::string& executable);

    // Takes in the program's own libraries among the modules of an execution. Throws BadInput if nothing in the program
    // matches.
    void learn(const Modules& modules, const std::string& directory);
    // Another one after each growth: executions of a smaller focus do not count.
    std::uint64_t epoch() const;
    void write(channel::Focus& to) const;

    const std::string& pattern() const { return pattern_; }
    // "2 functions and 1 source file"
    std::string text() const;

private:
    void add(const std::string& loaded_as, const std::string& path);

    const std::string pattern_;
    const std::regex expression_;
    mutable std::mutex lock_;
    std::map<std::string, MatchingCode> found_;  // by the path that the loader has; empty: the executable
    std::uint64_t epoch_ = 1;
};

}  // namespace raddle
