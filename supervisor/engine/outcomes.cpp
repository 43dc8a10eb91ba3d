#include "supervisor/engine/outcomes.h"

#include <algorithm>

#include "supervisor/base/text.h"
#include "supervisor/trace/postponed.h"

namespace raddle {

namespace {

constexpr std::size_t most_kinds = 1000;
constexpr std::size_t most_listed = 20;
constexpr std::size_t longest_excerpt = 60;

std::string excerpt(const std::string& text) {
    const std::string whole = printable(text);
    if (whole.size() <= longest_excerpt) return "\"" + whole + "\"";
    std::size_t end = longest_excerpt;
    while (end > 0 && (static_cast<unsigned char>(whole[end]) & 0xc0) == 0x80) --end;
    return "\"" + whole.substr(0, end) + "…\"";
}

std::string ending_of(const ProgramOutcome& outcome) {
    if (outcome.verdict != Verdict::ok && outcome.verdict != Verdict::exit_status) return name_of(outcome.verdict);
    return "exit " + std::to_string(outcome.exit_status);
}

}  // namespace

void OutcomeTable::executed(const Plan& plan, const Execution& execution, Strategy&) {
    // It did not come to an end of its own.
    if (use_of(execution.verdict) == VerdictUse::abandoned || execution.is_void) return;
    if (is_postponed(plan, execution)) return;
    const Key key{execution.verdict, execution.exit_status, execution.output, execution.errors};
    auto found = rows_.find(key);
    if (found == rows_.end()) {
        if (rows_.size() >= most_kinds) {
            ++others_;
            return;
        }
        found = rows_
                    .emplace(key, ProgramOutcome{execution.verdict, execution.exit_status, execution.output,
                                                 execution.errors, 0, execution.schedule()})
                    .first;
    }
    ProgramOutcome& outcome = found->second;
    ++outcome.times;
    if (execution.events.size() < outcome.schedule.size()) outcome.schedule = execution.schedule();
}

ProgramOutcomes OutcomeTable::outcomes() const {
    ProgramOutcomes all{{}, others_};
    for (const auto& [key, outcome] : rows_) all.rows.push_back(outcome);
    std::stable_sort(all.rows.begin(), all.rows.end(),
                     [](const ProgramOutcome& a, const ProgramOutcome& b) { return a.times > b.times; });
    return all;
}

std::string outcomes_for_people(const ProgramOutcomes& outcomes) {
    const std::vector<ProgramOutcome>& rows = outcomes.rows;
    std::string text = "\n" + counted(rows.size(), "outcome") + "\n";
    for (std::size_t i = 0; i < rows.size() && i < most_listed; ++i) {
        const ProgramOutcome& outcome = rows[i];
        text += "  " + std::to_string(outcome.times) + " × " + ending_of(outcome);
        text += outcome.output.empty() ? ", nothing written" : ", writes " + excerpt(outcome.output);
        if (!outcome.errors.empty()) text += ", errors " + excerpt(outcome.errors);
        text += "\n      schedule " + text_of(outcome.schedule) + "\n";
    }
    if (rows.size() > most_listed)
        text += "  " + counted(rows.size() - most_listed, "more that is", "more that are") + " in --json\n";
    if (outcomes.others > 0)
        text += "  " + counted(outcomes.others, "execution") + " ended in yet other ways, too many to list\n";
    return text;
}

}  // namespace raddle
