// Targets for campaigns: programs in memory, and some that disturb the campaign.
#pragma once

#include <functional>
#include <memory>

#include "supervisor/campaign/campaign.h"
#include "tests/model_program.h"
#include "tests/programs.h"

namespace raddle::testing {

inline TargetFactory in_memory(Code program) {
    return [=] { return std::make_unique<ModelProgram>(program); };
}

// A program in memory that calls a function before each run.
class Scripted : public Target {
public:
    Scripted(Code program, std::function<void()> before) : program_(std::move(program)), before_(std::move(before)) {}
    Execution run(const Plan& plan) override {
        before_();
        return program_.run(plan);
    }

private:
    ModelProgram program_;
    std::function<void()> before_;
};

}  // namespace raddle::testing
