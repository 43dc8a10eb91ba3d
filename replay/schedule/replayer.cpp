#include "replay/schedule/replayer.h"

#include <algorithm>
#include <map>
#include <set>

#include "replay/schedule/token.h"
#include "supervisor/trace/bug_key.h"

namespace raddle {

namespace {

Execution run(Target& target, const Schedule& schedule, TailKind tail = TailKind::run_on) {
    Plan plan;
    plan.prefix = schedule;
    plan.tail.kind = tail;
    return target.run(plan);
}

std::string bug_text(Verdict verdict) { return std::string(name_of(verdict)); }

std::string ending_of(const Execution& execution) {
    return bug_text(execution.verdict) + (execution.message.empty() ? "" : ": " + execution.message);
}

// Without recorded steps: the first choice of the schedule that the execution did not take.
std::optional<Divergence> first_choice_not_taken(const Schedule& schedule, const Execution& found) {
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        const std::string expected = text_of(Schedule{schedule[i]});
        if (i == found.events.size()) return Divergence{i + 1, expected, ending_of(found), ""};
        const Step taken{found.events[i].thread, found.events[i].value};
        if (!(taken == schedule[i])) return Divergence{i + 1, expected, text_of(Schedule{taken}), ""};
    }
    return std::nullopt;
}

}  // namespace

Expected expected_of(const ScheduleFile& file) {
    return {file.schedule(), file.steps, file.verdict, key_checksum_of(file.key), file.names};
}

ReplayResult replay(Target& target, const Expected& expected) {
    ReplayResult result;
    result.execution = run(target, expected.schedule);
    const Execution& execution = result.execution;
    result.divergence = expected.steps.empty() ? first_choice_not_taken(expected.schedule, execution)
                                               : first_difference(expected.steps, execution);
    if (result.divergence) return result;
    if (execution.verdict == Verdict::ok) {
        result.outcome = Replayed::clean;
        return result;
    }
    if (execution.verdict == expected.verdict && key_checksum_of(bug_key_of(execution)) == expected.key_checksum) {
        result.outcome = Replayed::reproduced;
        return result;
    }
    result.divergence =
        Divergence{expected.schedule.size() + 1, std::string(name_of(expected.verdict)) + " as recorded",
                   ending_of(execution) + " (" + bug_key_of(execution) + ")",
                   "the steps are the same, but not what the program did between them"};
    return result;
}

Execution run_until(Target& target, const Schedule& schedule, std::size_t steps) {
    const auto end = schedule.begin() + static_cast<std::ptrdiff_t>(std::min(steps, schedule.size()));
    return run(target, {schedule.begin(), end}, TailKind::stop);
}

// ---- a changed program

namespace {

// Maps objects of the recorded program to objects of the present one.
class Objects {
public:
    Objects(const Expected& expected, const Following& how) : name_of_(how.name_of) {
        for (const RecordedStep& step : expected.steps) recorded_deeds_.insert(deed(step));
        for (const auto& [object, name] : expected.names) recorded_names_[object] = name;
        // A name that two objects share identifies neither.
        std::map<std::string, int> times;
        for (const auto& [object, name] : expected.names) ++times[name];
        std::erase_if(recorded_names_, [&](const auto& one) { return times[one.second] > 1; });
    }

    void know(const Execution& execution) {
        for (const Event& event : execution.events) found_deeds_.insert(deed(recorded(event, execution.modules.get())));
    }

    // Objects are equal by name. Without names, a new object may stand for one that is gone, for each operation on it.
    bool are_one(const RecordedStep& recorded, const RecordedStep& found) {
        const auto name = recorded_names_.find(recorded.object);
        const std::string now = name == recorded_names_.end() ? "" : name_now(found.object);
        if (!now.empty()) return now == name->second;
        if (recorded.object == found.object) return true;
        if (recorded_deeds_.contains(deed(found)) || found_deeds_.contains(deed(recorded))) return false;
        return renamed_.try_emplace(recorded.object, found.object).first->second == found.object;
    }

private:
    using Deed = std::pair<std::string, std::string>;
    static Deed deed(const RecordedStep& step) { return {step.operation, step.object}; }
    const std::string& name_now(const std::string& object) {
        const auto [known, is_new] = names_now_.try_emplace(object);
        if (is_new && name_of_) known->second = name_of_(object);
        return known->second;
    }

    const std::function<std::string(const std::string&)> name_of_;
    std::map<std::string, std::string> recorded_names_, names_now_;
    std::set<Deed> recorded_deeds_, found_deeds_;
    std::map<std::string, std::string> renamed_;
};

class Adaptation {
public:
    Adaptation(const Expected& expected, const Following& how) : steps_(expected.steps), objects_(expected, how) {}

    Schedule schedule() const {
        Schedule schedule;
        for (const RecordedStep& step : steps_) schedule.push_back({step.thread, step.value});
        return schedule;
    }

    // Adapts the schedule to an execution that left it. Nothing: it fits; false: it cannot be adapted.
    std::optional<bool> give_way(const Execution& execution) {
        know_objects_of(execution);
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            const std::optional<RecordedStep> found = step_at(execution, i);
            if (i < execution.events.size() && looks_like(steps_[i], *found)) continue;
            return meet(i, found);
        }
        return std::nullopt;
    }

    void know_objects_of(const Execution& execution) { objects_.know(execution); }
    // The step that could not be adapted.
    const Divergence& stuck() const { return stuck_; }
    std::size_t added() const { return added_; }
    std::size_t left_out() const { return left_out_; }

private:
    // Compares the parts of a step that survive a new build: thread, operation, and object. Added steps belong to the
    // new build.
    bool looks_like(const RecordedStep& recorded, const RecordedStep& found) {
        if (!(recorded.thread == found.thread) || recorded.operation != found.operation) return false;
        return is_added(recorded) ? recorded.object == found.object : objects_.are_one(recorded, found);
    }
    // The action of step i's thread at that position, done or announced.
    std::optional<RecordedStep> step_at(const Execution& execution, std::size_t i) const {
        const Modules* modules = execution.modules.get();
        if (i < execution.events.size()) return recorded(execution.events[i], modules);
        for (const Pending& pending : execution.pending)
            if (pending.thread == steps_[i].thread)
                return recorded({.thread = pending.thread, .action = pending.action}, modules);
        return std::nullopt;
    }

    bool meet(std::size_t i, const std::optional<RecordedStep>& found) {
        if (!found || !(found->thread == steps_[i].thread)) return leave_out(i);  // the thread has fewer steps now
        if (looks_like(steps_[i], *found)) {
            const auto original =
                std::find_if(steps_.begin() + static_cast<std::ptrdiff_t>(i), steps_.end(),
                             [&](const RecordedStep& step) { return step.thread == found->thread && !is_added(step); });
            stuck_ = {i + 1, original == steps_.end() ? "nothing" : text_of(*original),
                      text_of(*found) + ", which cannot go on here", "the program has changed"};
            return false;
        }
        constexpr std::size_t near = 8;  // steps of the thread to look ahead
        std::size_t seen = 0;
        for (std::size_t j = i + 1; j < steps_.size() && seen < near; ++j) {
            if (!(steps_[j].thread == steps_[i].thread)) continue;
            if (looks_like(steps_[j], *found)) return leave_out(i);
            ++seen;
        }
        RecordedStep more = *found;
        more.value = 0;
        more.effect = added_mark;
        steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(i), more);
        ++added_;
        return true;
    }
    static constexpr const char* added_mark = "added";
    static bool is_added(const RecordedStep& step) { return step.effect == added_mark; }
    bool leave_out(std::size_t i) {
        steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(i));
        ++left_out_;
        return true;
    }

    std::vector<RecordedStep> steps_;
    Objects objects_;
    std::size_t added_ = 0, left_out_ = 0;
    Divergence stuck_;
};

}  // namespace

ReplayResult replay_changed(Target& target, const Expected& expected, const Following& how) {
    ReplayResult result;
    if (expected.steps.empty()) {  // choices alone identify no object
        result.execution = run(target, expected.schedule);
        result.divergence = first_choice_not_taken(expected.schedule, result.execution);
    } else {
        Adaptation adaptation(expected, how);
        adaptation.know_objects_of(run(target, {}));
        for (unsigned i = 0; i < how.most_executions && !(how.give_up && how.give_up()); ++i) {
            result.execution = run(target, adaptation.schedule());
            if (is_bug(result.execution.verdict) && result.execution.verdict == expected.verdict) break;
            const std::optional<bool> changed = adaptation.give_way(result.execution);
            if (!changed) break;
            if (!*changed) result.divergence = adaptation.stuck();
            if (*changed && i + 1 == how.most_executions)
                result.divergence = first_difference(expected.steps, result.execution);
            if (result.divergence) break;
        }
        result.added = adaptation.added();
        result.left_out = adaptation.left_out();
    }
    if (result.divergence) return result;
    const Execution& execution = result.execution;
    if (execution.verdict == expected.verdict)
        result.outcome = Replayed::reproduced;
    else if (execution.verdict == Verdict::ok)
        result.outcome = Replayed::clean;
    else
        result.divergence = Divergence{execution.events.size() + 1, name_of(expected.verdict), ending_of(execution),
                                       "the program has changed"};
    return result;
}

}  // namespace raddle
