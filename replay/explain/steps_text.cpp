#include "replay/explain/steps_text.h"

#include <algorithm>
#include <map>

#include "replay/explain/text_layout.h"
#include "supervisor/base/text.h"

namespace raddle {

namespace {

constexpr std::size_t number_width = 5;
constexpr std::size_t widest_rail = 28;  // wider than that, all threads share one column
constexpr std::size_t widest_deed = 52;

class StepLines {
public:
    explicit StepLines(const Explanation& explanation) : explanation_(explanation) {
        for (const ExplainedThread& thread : explanation.threads)
            if (appears(thread.id)) {
                rail_[thread.id] = rail_width_;
                rail_width_ += name_of(thread.id).size() + 1;
                widest_name_ = std::max(widest_name_, name_of(thread.id).size());
            }
        if (rail_width_ > widest_rail) {
            for (auto& [thread, at] : rail_) at = 0;
            rail_width_ = widest_name_ + 1;
        }
        room_ = text_page - number_width - 2 - rail_width_ - 1;
        for (const ExplainedStep& step : explanation.steps) deed_width_ = std::max(deed_width_, short_width(step));
        if (explanation.end) deed_width_ = std::max(deed_width_, short_width(*explanation.end));
    }

    std::string written() {
        if (rail_.empty()) return {};
        std::string text = paragraph(threads_text(explanation_), "       ", "       ") + "\n";
        std::size_t next = 0;
        ThreadId last = main_thread;
        for (const ExplainedStep& step : explanation_.steps) {
            if (!step.pending) text += folded(next, step.event);
            next = step.event + 1;
            if (step.preempts)
                text += line("", step.thread, false,
                             last == step.thread ? std::string("-- ahead of its time --")
                                                 : "-- preempts " + name_of(last) + " --");
            last = step.thread;
            text += lines_of(step);
        }
        if (next < explanation_.steps_to_end) text += folded(next, explanation_.steps_to_end);
        if (explanation_.end) text += lines_of(*explanation_.end);
        return text;
    }

private:
    bool appears(ThreadId thread) const {
        const auto is_its = [&](const ExplainedStep& step) { return step.thread == thread; };
        return (explanation_.end && is_its(*explanation_.end)) ||
               std::any_of(explanation_.steps.begin(), explanation_.steps.end(), is_its);
    }

    std::string deed_of(const ExplainedStep& step) const {
        const bool has_value = !step.pending && step.event < explanation_.taken.size();
        const std::string value = has_value ? explanation_.taken[step.event].value : "";
        return one_line(step.text + (value.empty() ? "" : " (" + value + ")"));
    }

    // A long deed has its location on a line of its own, and does not push the locations of the others away.
    std::size_t short_width(const ExplainedStep& step) const {
        const std::size_t width = width_of(deed_of(step));
        return width <= widest_deed ? width : 0;
    }

    std::string lines_of(const ExplainedStep& step) const {
        const std::string number = (step.pending ? "end" : std::to_string(step.event + 1)) + (step.decisive ? "*" : "");
        const std::string deed = deed_of(step), location = one_line(step.location);
        std::vector<std::string> lines = lines_within(deed, room_);
        const std::size_t begin = std::max(deed_width_, width_of(lines.empty() ? "" : lines.back())) + 2;
        if (!location.empty() && lines.size() == 1 && begin + width_of(location) <= room_)
            lines.back() = padded(lines.back(), begin) + location;
        else if (!location.empty())
            for (const std::string& part : lines_within(location, room_)) lines.push_back(part);
        if (!step.source.empty()) lines.push_back(cut("| " + one_line(step.source), room_));
        std::string text;
        for (std::size_t i = 0; i < lines.size(); ++i)
            text += line(i == 0 ? number : "", step.thread, i == 0, lines[i]);
        return text;
    }

    std::string line(const std::string& number, ThreadId thread, bool is_named, const std::string& text) const {
        std::string rail(rail_.contains(thread) ? rail_.at(thread) : 0, ' ');
        if (is_named) rail += name_of(thread);
        return std::string(number_width - std::min(number_width, number.size()), ' ') + number + "  " +
               padded(rail, rail_width_) + " " + text + "\n";
    }

    // The folded steps before the event at `end`.
    std::string folded(std::size_t begin, std::size_t end) const {
        if (begin >= end) return {};
        std::map<ThreadId, std::size_t> left_out;
        for (std::size_t i = begin; i < end && i < explanation_.taken.size(); ++i)
            ++left_out[explanation_.taken[i].thread];
        std::string text;
        for (const auto& [thread, count] : left_out)
            text += (text.empty() ? "… " : ", ") + counted(count, "step") + " of " + name_of(thread);
        return std::string(number_width + 2, ' ') + cut(text, text_page - number_width - 2) + "\n";
    }

    const Explanation& explanation_;
    std::map<ThreadId, std::size_t> rail_;  // where the name of a thread begins
    std::size_t rail_width_ = 0, widest_name_ = 0, room_ = 0, deed_width_ = 0;
};

}  // namespace

std::string steps_text(const Explanation& explanation) { return StepLines(explanation).written(); }

std::string threads_text(const Explanation& explanation) {
    std::string text;
    for (const ExplainedThread& thread : explanation.threads)
        text +=
            (text.empty() ? "" : ", ") + name_of(thread.id) + (thread.function.empty() ? "" : " " + thread.function);
    return text;
}

}  // namespace raddle
