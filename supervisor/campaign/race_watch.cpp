#include "supervisor/campaign/race_watch.h"

#include <algorithm>

namespace raddle {

namespace {

bool shows(const Execution& execution, const std::string& text) {
    const std::vector<DataRace> races = races_back_to_back(execution);
    return std::any_of(races.begin(), races.end(),
                       [&](const DataRace& race) { return text_of(execution, race) == text; });
}

bool can_be_followed(Verdict verdict) {
    return verdict != Verdict::diverged && verdict != Verdict::uncontrolled && verdict != Verdict::unknown;
}

}  // namespace

std::vector<Finding> RaceWatch::find_new_races(const Plan& plan, const Execution& execution, Target* target) {
    std::vector<Finding> findings;
    if (execution.is_void || !can_be_followed(execution.verdict)) return findings;
    std::unique_ptr<DataRaces> analysis = borrow();
    for (const DataRace& race : find(*analysis, execution)) {
        const std::string text = text_of(execution, race);
        const ObjectId object = execution.events[race.second].action.object;
        const bool is_so = shows(execution, text);
        if ((!is_so && target == nullptr) || !is_wanted(text, object, plan.epoch, !is_so)) continue;
        const std::optional<Execution> other = is_so ? std::nullopt : shown(*analysis, race, text, plan, target);
        if (!is_so && !other) continue;
        const std::lock_guard lock(lock_);
        Known& known = known_[text];
        if (!known.reported) findings.push_back(finding_of(text, other ? *other : execution));
        known.reported = known.was_reported = true;
    }
    const std::lock_guard lock(lock_);
    idle_.push_back(std::move(analysis));
    return findings;
}

std::unique_ptr<DataRaces> RaceWatch::borrow() {
    const std::lock_guard lock(lock_);
    if (idle_.empty()) return std::make_unique<DataRaces>(machine_);
    std::unique_ptr<DataRaces> one = std::move(idle_.back());
    idle_.pop_back();
    return one;
}

// Repeats the analysis until it finds no more atomic variables.
const std::vector<DataRace>& RaceWatch::find(DataRaces& races, const Execution& execution) {
    {
        const std::lock_guard lock(lock_);
        if (races.atomics().size() != atomics_.size()) races.add_atomics(atomics_);
    }
    const std::vector<DataRace>* found = nullptr;
    std::size_t before;
    do {
        found = &races.find(execution);
        before = races.atomics().size();
        std::set<ObjectId> more;
        for (const DataRace& race : *found)
            for (const std::size_t event : {race.first, race.second})
                if (const Action& action = execution.events[event].action; is_atomic_code(action.site, execution))
                    more.insert(action.object);
        races.add_atomics(more);
    } while (races.atomics().size() > before);
    const std::lock_guard lock(lock_);
    atomic_stores_ |= races.saw_plain_store_to_atomic();
    if (races.atomics().size() != atomics_.size()) atomics_.insert(races.atomics().begin(), races.atomics().end());
    return *found;
}

bool RaceWatch::is_atomic_code(std::uint64_t site, const Execution& execution) const {
    return is_atomic_code_ && execution.modules && is_atomic_code_(site, *execution.modules);
}

bool RaceWatch::is_wanted(const std::string& text, const ObjectId& object, std::uint64_t epoch, bool costs) {
    const std::lock_guard lock(lock_);
    Known& known = known_[text];
    known.object = object;
    if (known.epoch < epoch) {
        known.epoch = epoch;
        known.tries = 0;
        known.reported = false;
    }
    if (known.reported || (costs && known.tries >= most_tries)) return false;
    known.tries += costs ? 1 : 0;
    return true;
}

std::optional<Execution> RaceWatch::shown(const DataRaces& races, const DataRace& race, const std::string& text,
                                          const Plan& plan, Target* target) {
    for (Schedule& schedule : races.back_to_back(race)) {
        Plan another;
        another.prefix = std::move(schedule);
        another.max_steps = plan.max_steps;
        another.epoch = plan.epoch;
        Execution execution = target->run(another);
        ++executions_;
        if (!execution.is_void && can_be_followed(execution.verdict) && shows(execution, text)) return execution;
    }
    return std::nullopt;
}

Finding RaceWatch::finding_of(const std::string& text, const Execution& execution) const {
    ReplayMachine machine(machine_);
    machine.begin(execution);
    machine.feed_all();
    return {Verdict::race, machine.preemptions(), execution.schedule(), text, text};
}

bool RaceWatch::is_withdrawn(const Finding& finding) const {
    if (finding.verdict != Verdict::race) return false;
    const std::lock_guard lock(lock_);
    const auto known = known_.find(finding.key);
    return known != known_.end() && atomics_.contains(known->second.object);
}

bool RaceWatch::saw_weaker_orders() const {
    const std::lock_guard lock(lock_);
    const auto reported = [](const auto& one) { return one.second.was_reported; };
    return atomic_stores_ || std::any_of(known_.begin(), known_.end(), reported);
}

}  // namespace raddle
