#include "replay/report/side_by_side.h"

#include <algorithm>

#include "replay/explain/text_layout.h"
#include "replay/report/alignment.h"
#include "supervisor/base/text.h"

namespace raddle {

namespace {

constexpr std::size_t number_width = 6;
constexpr std::size_t between = 3;
constexpr std::size_t side_width = (text_page - between) / 2 - number_width - 2;

const char* mark_of(const AlignedStep& row) {
    switch (row.likeness) {
        case Likeness::equal: return " ";
        case Likeness::differs: return "~";
        case Likeness::moved:
        case Likeness::only_here: return row.failing ? "<" : ">";
    }
    return " ";
}

struct Side {
    std::string number;
    std::vector<std::string> lines;
};

Side side_of(const std::vector<TakenStep>& steps, const std::optional<std::size_t>& at) {
    if (!at) return {};
    const TakenStep& step = steps[*at];
    const std::string location = step.location.empty() ? "" : " at " + step.location;
    return {std::to_string(*at + 1) + (step.decisive ? "*" : ""),
            lines_within(one_line(name_of(step.thread) + " " + text_with_value(step) + location), side_width)};
}

std::string lines_of(const Side& left, const std::string& mark, const Side& right) {
    std::string text;
    const std::size_t count = std::max<std::size_t>({left.lines.size(), right.lines.size(), 1});
    for (std::size_t i = 0; i < count; ++i) {
        const auto half = [&](const Side& side) {
            const std::string number = i == 0 ? side.number : "";
            return std::string(number_width - std::min(number_width, number.size()), ' ') + number + "  " +
                   padded(i < side.lines.size() ? side.lines[i] : "", side_width);
        };
        std::string line = half(left) + " " + (i == 0 ? mark : " ") + " " + half(right);
        while (line.ends_with(' ')) line.pop_back();
        text += line + "\n";
    }
    return text;
}

}  // namespace

std::string side_by_side_text(const Explanation& explanation) {
    if (explanation.passing.empty()) return "no execution nearby that passes was found\n";
    const std::vector<AlignedStep> rows = aligned(explanation.taken, explanation.passing);
    const std::vector<bool> shown = rows_worth_showing(rows, steps_around);
    std::string text = lines_of({"step", {"this one fails"}}, " ", {"step", {"the nearest that passes"}});
    for (std::size_t i = 0; i < rows.size();) {
        std::size_t folded = 0;
        for (; i < rows.size() && !shown[i]; ++i) ++folded;
        if (folded > 0) text += std::string(number_width + 2, ' ') + "… " + counted(folded, "equal step") + "\n";
        for (; i < rows.size() && shown[i]; ++i)
            text += lines_of(side_of(explanation.taken, rows[i].failing), mark_of(rows[i]),
                             side_of(explanation.passing, rows[i].passing));
    }
    text += lines_of({"end", lines_within(one_line(explanation.sentence), side_width)}, "~",
                     {"end", {"ends as it should"}});
    return text + "\n  ~ the same step with another result   < > a step of this side only, or at another time there\n" +
           "  * the decisive switch\n";
}

}  // namespace raddle
