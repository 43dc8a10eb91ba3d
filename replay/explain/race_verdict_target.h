// A target that judges its executions by one race: an execution that shows the race back to back has it as verdict. A
// race ends no execution, so proof, minimising and replay must name the race they look for.
#pragma once

#include <functional>
#include <string>

#include "supervisor/search/target.h"
#include "supervisor/trace/data_races.h"

namespace raddle {

using IsWantedRace = std::function<bool(const std::string& text)>;

class RaceVerdictTarget final : public Target {
public:
    RaceVerdictTarget(Target& target, IsWantedRace is_wanted) : target_(target), is_wanted_(std::move(is_wanted)) {}

    Execution run(const Plan& plan) override {
        Execution execution = target_.run(plan);
        if (is_wanted_) set_race_verdict(execution, is_wanted_);
        return execution;
    }

private:
    Target& target_;
    const IsWantedRace is_wanted_;
};

}  // namespace raddle
