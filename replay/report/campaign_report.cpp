#include "replay/report/campaign_report.h"

#include <map>

#include "replay/explain/wording.h"
#include "supervisor/base/text.h"

namespace raddle {

const std::string& sentence_of(const Bug& bug) {
    const Explanation* explanation = bug.explanation();
    return explanation == nullptr ? bug.simplest().message : explanation->sentence;
}

std::string sentence_of(const std::vector<Bug>& bugs) {
    if (bugs.size() == 1) return sentence_of(bugs.front());
    std::map<std::string, std::size_t> kinds;
    for (const Bug& bug : bugs) ++kinds[words_of(name_of(bug.found.verdict))];
    std::string text;
    for (const auto& [kind, count] : kinds)
        text += (text.empty() ? ": " : ", ") + kind + (count > 1 ? " (" + std::to_string(count) + ")" : "");
    return counted(bugs.size(), "bug") + text;
}

std::string doubt_of(const Bug& bug) {
    if (!bug.is_unstable()) return {};
    const auto& [runs, reproduced, divergence] = *bug.proven;
    const std::string showed =
        reproduced == 0
            ? "no replay of its schedule showed it again (0 of " + std::to_string(runs) + ")"
            : "its schedule showed it in " + std::to_string(reproduced) + " of " + std::to_string(runs) + " replays";
    return showed + (divergence.empty() ? "" : ": " + divergence);
}

const Frame* telling_frame(const Explanation& explanation) {
    const auto with_line = [](const Stack& stack) -> const Frame* {
        const Frame* frame = own_frame(stack);
        return frame != nullptr && !frame->file.empty() && frame->line != 0 ? frame : nullptr;
    };
    for (const TitledStack& titled : explanation.stacks)
        if (const Frame* frame = with_line(titled.stack)) return frame;
    for (auto step = explanation.steps.rbegin(); step != explanation.steps.rend(); ++step)
        if (const Frame* frame = with_line(step->stack)) return frame;
    return nullptr;
}

}  // namespace raddle
