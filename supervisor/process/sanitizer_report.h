// The report of a sanitizer as a verdict: its kind in a few words, and the place in the program.
#pragma once

#include <cstdint>
#include <string>

#include "supervisor/trace/modules.h"

namespace raddle {

struct SanitizerReport {
    std::string message;     // "AddressSanitizer: heap-buffer-overflow (WRITE of size 4)"
    std::uint64_t site = 0;  // as Action::site; 0: unknown
};

// `text`: the first lines of the report, written without symbols, each followed by " / ".
SanitizerReport read_sanitizer_report(const std::string& text, const Modules& modules);

}  // namespace raddle
