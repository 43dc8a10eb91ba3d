#include "replay/report/html_compare.h"

#include <algorithm>

#include "replay/explain/values.h"
#include "replay/report/alignment.h"
#include "replay/report/html_timeline.h"
#include "supervisor/base/text.h"

namespace raddle {

namespace {

constexpr std::size_t most_rows = 600, most_unfolded = 200;
constexpr std::size_t most_variables = 24, most_values = 60;

struct MarkedAs {
    const char* row;
    const char* mark;
    const char* words;
};

MarkedAs marked_as(const AlignedStep& step) {
    switch (step.likeness) {
        case Likeness::equal: return {"pair equal", "", "the same in both"};
        case Likeness::differs: return {"pair differs", "≠", "the same step with another result"};
        case Likeness::moved:
            return {"pair moved", step.failing ? "◂" : "▸", "the other execution has this step at another time"};
        case Likeness::only_here: return {"pair alone", step.failing ? "◂" : "▸", "only this execution has this step"};
    }
    return {"pair", "", ""};
}

class Comparison {
public:
    Comparison(Markup& page, const Explanation& explanation)
        : page_(page),
          explanation_(explanation),
          rows_(aligned(explanation.taken, explanation.passing)),
          shown_(rows_worth_showing(rows_, steps_around)) {}

    void write() {
        const Element beside(page_, "div", {{"class", "beside"}});
        page_.leaf("h3", {}, "Beside the nearest execution that passes");
        write_legend();
        const Element both(page_, "div", {{"class", "compare"}});
        write_heads();
        std::size_t written = 0;
        for (std::size_t i = 0; i < rows_.size() && written < most_rows;) {
            std::size_t end = i;
            while (end < rows_.size() && !shown_[end]) ++end;
            if (end > i) write_fold(i, end);
            for (i = end; i < rows_.size() && shown_[i] && written < most_rows; ++i, ++written) write_pair(rows_[i]);
        }
        if (written == most_rows) page_.leaf("p", {{"class", "hint"}}, "… raddle report --json has the other steps");
        const Element last(page_, "div", {{"class", "pair differs"}});
        page_.leaf("div", {{"class", "side"}}, words_of(name_of(explanation_.verdict)));
        page_.leaf("span", {{"class", "mark"}}, "≠");
        page_.leaf("div", {{"class", "side"}}, "ends as it should");
    }

private:
    void write_legend() {
        const std::string first = "The first " + counted(explanation_.shared, "step") +
                                  (explanation_.shared == 1 ? " is" : " are") + " the same in both.";
        page_.leaf("p", {{"class", "hint"}},
                   first +
                       " ≠ the same step with another result; ◂ ▸ a step of one side, or at another time there; "
                       "framed: the decisive switch.");
    }

    void write_heads() {
        const Element heads(page_, "div", {{"class", "pair heads"}});
        page_.leaf("b", {}, "this one fails");
        page_.leaf("span", {{"class", "mark"}}, "");
        page_.leaf("b", {}, "the nearest that passes");
    }

    void write_fold(std::size_t begin, std::size_t end) {
        const Element details(page_, "details", {{"class", "equal-steps"}});
        page_.leaf("summary", {}, "… " + counted(end - begin, "equal step"));
        if (end - begin > most_unfolded)
            page_.leaf("p", {{"class", "hint"}}, "the last " + std::to_string(most_unfolded) + " of them:");
        for (std::size_t i = end - std::min(end - begin, most_unfolded); i < end; ++i) write_pair(rows_[i]);
    }

    void write_pair(const AlignedStep& row) {
        const MarkedAs as = marked_as(row);
        const Element pair(page_, "div",
                           {{"class", std::string(as.row) + (row.decisive ? " decisive-pair" : "")},
                            {"title", row.decisive ? "the decisive switch" : as.words},
                            {"data-failing", row.failing ? std::to_string(*row.failing + 1) : ""},
                            {"data-passing", row.passing ? std::to_string(*row.passing + 1) : ""}});
        write_side(explanation_.taken, row.failing);
        page_.leaf("span", {{"class", "mark"}}, as.mark);
        write_side(explanation_.passing, row.passing);
    }

    void write_side(const std::vector<TakenStep>& steps, const std::optional<std::size_t>& at) {
        const Element side(page_, "div", {{"class", at ? "side" : "side nothing"}});
        if (!at) return;
        const TakenStep& step = steps[*at];
        page_.leaf("span", {{"class", "at"}}, std::to_string(*at + 1));
        write_thread(page_, explanation_, step.thread);
        const Element text(page_, "span", {{"class", "deed"}});
        page_.text(step.text);
        if (!step.value.empty()) page_.leaf("b", {{"class", "value"}}, step.value);
        if (!step.location.empty()) page_.leaf("span", {{"class", "place"}}, step.location);
    }

    Markup& page_;
    const Explanation& explanation_;
    const std::vector<AlignedStep> rows_;
    const std::vector<bool> shown_;
};

const VariableHistory* find(const std::vector<VariableHistory>& all, const std::string& variable) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const VariableHistory& one) { return one.variable == variable; });
    return found == all.end() ? nullptr : &*found;
}

void write_history(Markup& page, const std::vector<TakenStep>& steps, const VariableHistory* history,
                   const char* side) {
    const Element cell(page, "td");
    if (history == nullptr) return;
    const std::size_t count = history->values.size();
    const std::size_t begin = count - std::min(count, most_values);
    if (begin > 0) page.text("… ");
    for (std::size_t i = begin; i < count; ++i) {
        const VariableHistory::Value& value = history->values[i];
        const TakenStep& step = steps[value.event];
        const std::string number = std::to_string(value.event + 1);
        const Element chip(page, "span",
                           {{"class", "chip"},
                            {"data-side", side},
                            {"data-at", number},
                            {"title", "step " + number + ", " + raddle::name_of(step.thread) + " " + step.text +
                                          (step.location.empty() ? "" : " at " + step.location)}});
        page.leaf("b", {}, value.value);
        page.leaf("i", {}, number);
    }
}

}  // namespace

void write_comparison(Markup& page, const Explanation& explanation) {
    if (!explanation.passing.empty()) Comparison(page, explanation).write();
}

void write_values(Markup& page, const Explanation& explanation) {
    const std::vector<VariableHistory> failing = histories_of(explanation.taken);
    const std::vector<VariableHistory> passing = histories_of(explanation.passing);
    if (failing.empty()) return;
    page.leaf("h3", {}, "Values over time");
    page.leaf("p", {{"class", "hint"}}, "Each value with the step that saw or wrote it.");
    const Element frame(page, "div", {{"class", "values-frame"}});
    const Element table(page, "table", {{"class", "list values"}});
    {
        const Element heads(page, "tr");
        page.leaf("th", {}, "variable");
        page.leaf("th", {}, "this one fails");
        if (!explanation.passing.empty()) page.leaf("th", {}, "the nearest that passes");
    }
    for (std::size_t i = 0; i < failing.size() && i < most_variables; ++i) {
        const Element row(page, "tr");
        page.leaf("td", {{"class", "variable"}}, failing[i].variable);
        write_history(page, explanation.taken, &failing[i], "failing");
        if (!explanation.passing.empty())
            write_history(page, explanation.passing, find(passing, failing[i].variable), "passing");
    }
    if (failing.size() > most_variables) {
        const Element row(page, "tr");
        page.leaf("td", {}, "… and " + counted(failing.size() - most_variables, "variable") + " more");
    }
}

}  // namespace raddle
