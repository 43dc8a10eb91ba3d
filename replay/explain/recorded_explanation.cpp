#include "replay/explain/recorded_explanation.h"

#include <algorithm>
#include <map>

namespace raddle {

namespace {

constexpr std::size_t most_recorded_steps = 40;

std::string text_of_recorded(const RecordedStep& step) {
    std::string text = step.operation;
    if (step.object != "-") text += " " + step.object;
    if (step.effect != "done") text += ": " + step.effect;
    return text;
}

}  // namespace

Explanation recorded_explanation(const ScheduleFile& file) {
    Explanation explanation;
    explanation.verdict = file.verdict;
    explanation.sentence = std::string(name_of(file.verdict)) + ": " + file.message;
    explanation.preemptions = file.preemptions;
    explanation.fewest_proven = file.fewest;
    explanation.all_steps = explanation.steps_to_end = file.steps.size();
    std::map<ThreadId, std::size_t> counts;
    for (const RecordedStep& step : file.steps) {
        ++counts[step.thread];
        explanation.taken.push_back(
            {.thread = step.thread, .text = text_of_recorded(step), .location = step.site == "?" ? "" : step.site});
    }
    for (const auto& [thread, count] : counts) explanation.threads.push_back({thread, "", count});
    const std::size_t count = file.steps.size();
    for (std::size_t i = count - std::min(count, most_recorded_steps); i < count; ++i) {
        ExplainedStep& step = explanation.steps.emplace_back();
        step.event = i;
        step.thread = explanation.taken[i].thread;
        step.text = explanation.taken[i].text;
        step.location = explanation.taken[i].location;
    }
    return explanation;
}

}  // namespace raddle
