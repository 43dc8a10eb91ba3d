#include "replay/schedule/step.h"

namespace raddle {

namespace {

const char* name_of(Effect effect) {
    switch (effect) {
        case Effect::done: return "done";
        case Effect::failed: return "failed";
        case Effect::timed_out: return "lapsed";  // the word of reports and files, which stays
        case Effect::cancelled: return "cancelled";
    }
    return "?";
}

std::string object_of(const Action& action, const Modules* modules) {
    if (action.object == ObjectId{}) return "-";
    std::string text = name_of(action.object, modules);
    if (traits(action.operation).second != Mode::none && action.second != ObjectId{})
        text += "&" + name_of(action.second, modules);
    return text;
}

std::string ending_text(const Execution& execution) {
    return execution.message.empty() ? text_of(execution.verdict) : execution.message;
}

constexpr const char* another_way =
    "its code took another way: it looked at the processor's clock, at memory never written, or at a file or input that changed";

std::string cause_of(const RecordedStep& expected, const RecordedStep& found) {
    if (expected.operation != found.operation || expected.site != found.site) return another_way;
    if (expected.object != found.object)
        return "an address is another: memory never written, or memory that the program mapped itself";
    return "what came from outside is different: a file, a pipe, the environment";
}

// The execution ended, or was stuck, before this expected step.
Divergence ended_before(std::size_t step, const RecordedStep& expected, const Execution& found) {
    Divergence divergence{step + 1, text_of(expected), ending_text(found), another_way};
    for (const Pending& pending : found.pending) {
        if (!(pending.thread == expected.thread)) continue;
        const RecordedStep next = recorded({.thread = pending.thread, .action = pending.action}, found.modules.get());
        const bool same = next.operation == expected.operation && next.object == expected.object;
        divergence.found = text_of(pending, found.modules.get());
        if (!same)
            divergence.cause = cause_of(expected, next);
        else if (found.verdict == Verdict::diverged)
            divergence.found += ", which cannot go on here";
    }
    if (is_bug(found.verdict) || found.verdict == Verdict::ok || found.verdict == Verdict::uncontrolled)
        divergence.found = "the end: " + ending_text(found);
    return divergence;
}

}  // namespace

RecordedStep recorded(const Event& event, const Modules* modules) {
    RecordedStep step;
    step.thread = event.thread;
    step.value = event.value;
    step.operation = name_of(event.action.operation);
    step.object = object_of(event.action, modules);
    step.effect = name_of(event.effect);
    if (event.misuse != Misuse::none) step.effect += std::string(":") + name_of(event.misuse);
    step.result = event.result;
    step.site = text_of_site(event.action.site, modules);
    return step;
}

std::vector<RecordedStep> recorded(const Execution& execution) {
    std::vector<RecordedStep> steps;
    steps.reserve(execution.events.size());
    for (const Event& event : execution.events) steps.push_back(recorded(event, execution.modules.get()));
    return steps;
}

std::string text_of(const RecordedStep& step) {
    std::string text = name_of(step.thread) + " " + step.operation;
    if (step.object != "-") text += " " + step.object;
    if (step.site != "?") text += " at " + step.site;
    if (step.value != 0) text += " [alternative " + std::to_string(step.value) + "]";
    if (step.effect != "done") text += " " + step.effect;
    if (step.result != 0) text += " = " + std::to_string(step.result);
    return text;
}

std::string text_of(const Pending& pending, const Modules* modules) {
    return text_of(recorded({.thread = pending.thread, .action = pending.action}, modules));
}

std::string text_of(const Divergence& divergence) {
    return "step " + std::to_string(divergence.step) + ": expected " + divergence.expected + ", found " +
           divergence.found + (divergence.cause.empty() ? "" : "; likely " + divergence.cause);
}

std::optional<Divergence> first_difference(const std::vector<RecordedStep>& expected, const Execution& found) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (i == found.events.size()) return ended_before(i, expected[i], found);
        const RecordedStep step = recorded(found.events[i], found.modules.get());
        if (!(step == expected[i]))
            return Divergence{i + 1, text_of(expected[i]), text_of(step), cause_of(expected[i], step)};
    }
    if (found.events.size() == expected.size()) return std::nullopt;
    const RecordedStep more = recorded(found.events[expected.size()], found.modules.get());
    return Divergence{expected.size() + 1, "the end", text_of(more), another_way};
}

}  // namespace raddle
