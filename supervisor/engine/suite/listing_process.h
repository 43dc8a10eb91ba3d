// Runs a command without raddle and takes its output: a test program that lists its tests, or ctest.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace raddle {

struct ListingOutput {
    bool ended = false;  // by itself, in time
    std::string out, errors;
};

// An empty `directory` is the present one; without `environment` it gets ours. The limit ends the command and its
// children. Throws BadInput if there is no process to be had.
ListingOutput output_of(const std::vector<std::string>& words, const std::string& directory,
                        const std::optional<std::vector<std::string>>& environment, std::chrono::milliseconds limit);

}  // namespace raddle
