// What is the same for all ways to start a process that goes its own.
#pragma once

#include <stdio.h>

#include <cstdint>

namespace raddle::children {

// While one is started: it may use what this one has, and blocks the signals that the thread blocks, as it believes.
class Departure {
public:
    explicit Departure(const char* call);
    ~Departure();
    Departure(const Departure&) = delete;
    Departure& operator=(const Departure&) = delete;

private:
    std::uint64_t mask_before_ = 0;
};

// A stream that popen() made: closing it, by whatever call, waits for the command.
bool is_of_command(FILE* stream);

}  // namespace raddle::children
