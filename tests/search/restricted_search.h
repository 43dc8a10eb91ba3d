// Searches that some option keeps from a part of all schedules: what is left has to be explored completely.
#pragma once

#include <gtest/gtest.h>

#include "tests/search/complaints.h"

namespace raddle::testing {

struct Restriction {
    std::uint64_t first_seed;
    MachineOptions (*machine_of)(std::uint64_t seed);
    bool (*concerns)(const RandomProgram& program);  // others are not tried
};

// Also fails if the restriction leaves nearly nothing out.
void nobody_complains(const std::string& strategy, Complaint complaint, std::uint64_t programs,
                      const Restriction& restriction);

}  // namespace raddle::testing
