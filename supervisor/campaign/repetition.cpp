#include "supervisor/campaign/repetition.h"

#include <algorithm>

namespace raddle {

Repeat RepetitionRhythm::after_execution(std::chrono::steady_clock::time_point now) {
    constexpr std::uint64_t many = 1000, few = 20;
    ++executions_;
    const bool is_power_of_two = (executions_ & (executions_ - 1)) == 0;
    const std::uint64_t since = executions_ - last_;
    const bool late = since >= few && now - last_time_ >= std::chrono::seconds(1);
    if (!((is_power_of_two || executions_ == 3) && executions_ < many) && since < many && !late) return Repeat::no;
    last_ = executions_;
    last_time_ = now;
    return executions_ == 1 ? Repeat::afresh : Repeat::again;
}

bool is_repeatable(Verdict verdict) {
    switch (verdict) {
        case Verdict::ok:
        case Verdict::deadlock:
        case Verdict::livelock:
        case Verdict::assertion:
        case Verdict::crash:
        case Verdict::exit_status:
        case Verdict::misuse:
        case Verdict::sanitizer: return true;
        default: return false;
    }
}

Plan repetition_of(const Plan& plan, const Execution& execution) {
    Plan again;
    again.prefix = execution.schedule();
    again.max_steps = plan.max_steps;
    again.epoch = plan.epoch;
    return again;
}

namespace {

// Results from outside the program need not be the same.
bool is_same(const Event& a, const Event& b) {
    if (a.thread != b.thread || a.value != b.value || !(a.action == b.action)) return false;
    return (a.action.flags & flag::contents_unknown) != 0 ||
           (a.effect == b.effect && a.result == b.result && a.misuse == b.misuse);
}

// The difference in a part of the action that the event's text leaves out.
std::string difference_in_detail(const Action& before, const Action& again) {
    if (before.limit_or_initial != again.limit_or_initial)
        return ", with a timeout of " + std::to_string(before.limit_or_initial) + " ns, then " +
               std::to_string(again.limit_or_initial) + " ns";
    if (before.site != again.site) return ", called from two places";
    return ", in two ways";
}

std::string difference_between(const Event& before, const Event& again) {
    const std::string first = text_of(before), then = text_of(again);
    return first != then ? "first " + first + ", then " + then
                         : "both times " + first + difference_in_detail(before.action, again.action);
}

std::string end_of(const Execution& execution) { return "the end (" + std::string(text_of(execution.verdict)) + ")"; }

}  // namespace

std::optional<Finding> difference_between(const Execution& before, const Execution& again) {
    std::size_t step = 0;
    const std::size_t common = std::min(before.events.size(), again.events.size());
    while (step < common && is_same(before.events[step], again.events[step])) ++step;
    const bool same_events = step == before.events.size() && step == again.events.size();
    if (same_events && before.verdict == again.verdict) return std::nullopt;
    if (!is_repeatable(again.verdict) && again.verdict != Verdict::diverged && step == again.events.size())
        return std::nullopt;  // cut short

    Finding finding;
    finding.verdict = Verdict::diverged;
    finding.schedule = before.schedule();
    finding.schedule.resize(std::min(step, finding.schedule.size()));
    finding.message = "a schedule executed again went another way at step " + std::to_string(step + 1) + ": ";
    if (step < common) {
        finding.message += difference_between(before.events[step], again.events[step]);
    } else {
        finding.message += "first " + (step < before.events.size() ? text_of(before.events[step]) : end_of(before)) +
                           ", then " +
                           (step < again.events.size()           ? text_of(again.events[step])
                            : again.verdict == Verdict::diverged ? "that could not be done"
                                                                 : end_of(again));
    }
    return finding;
}

}  // namespace raddle
