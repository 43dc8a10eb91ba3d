// The three kinds of error: a target that misbehaves is a Verdict; user or environment is BadInput, one line that
// says what to do; our own mistake is a CHECK, on in release.
#pragma once

#include <stdexcept>
#include <string>

namespace raddle {

class BadInput : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class BrokenInvariant : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

[[noreturn]] void broken(const char* condition, const char* file, int line);

#define CHECK(condition)                                                    \
    do {                                                                    \
        if (!(condition)) ::raddle::broken(#condition, __FILE__, __LINE__); \
    } while (false)

}  // namespace raddle
