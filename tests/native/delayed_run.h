// Runs a program natively and delays its threads at random, without the shim and without the model: an oracle that
// shares nothing with raddle.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace raddle::testing {

struct NativeRun {
    int status = 0;  // as waitpid gives it
    std::string out;
};

// From the first thread on, each thread runs some instructions one by one, is held for a while, and so on a few times.
// The seed draws all numbers, but the kernel decides too: equal seeds may show different outcomes. A program that no
// longer makes progress, as in a deadlock, receives SIGKILL, and the run shows nothing.
std::optional<NativeRun> run_delayed(const std::vector<std::string>& words, const std::string& directory,
                                     std::uint64_t seed);

}  // namespace raddle::testing
