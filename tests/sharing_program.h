// Small random programs whose threads share variables, for races.
#pragma once

#include "tests/random_program.h"

namespace raddle::testing {

// Two threads share two variables, a mutex, a semaphore and a reader-writer lock; main joins both, or one.
RandomProgram sharing_program(std::uint64_t seed);

// Gives each plain access a site in the code: the n-th action of its thread.
class WithSites final : public Target {
public:
    WithSites(const RandomProgram& program, const MachineOptions& machine)
        : program_(code_of(program), options_of(program, machine)) {}

    Execution run(const Plan& plan) override;

private:
    ModelProgram program_;
};

}  // namespace raddle::testing
