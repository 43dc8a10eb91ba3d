#include "replay/explain/explain_text.h"

#include "replay/explain/steps_text.h"
#include "replay/explain/text_layout.h"
#include "replay/explain/wording.h"
#include "supervisor/base/text.h"

namespace raddle {

namespace {

std::string stack_text(const TitledStack& titled) {
    std::string text = paragraph(titled.title + ":", "  ", "    ");
    constexpr std::size_t most = 16;
    for (std::size_t i = 0; i < titled.stack.size() && i < most; ++i)
        text += "    " +
                cut("#" + std::to_string(i) + " " + one_line(text_of(titled.stack[i])) +
                        (titled.stack[i].inlined ? " inlined" : ""),
                    text_page - 4) +
                "\n";
    if (titled.stack.size() > most) text += "    … " + counted(titled.stack.size() - most, "frame") + " more\n";
    return text;
}

}  // namespace

std::string preemptions_text(const Explanation& explanation) {
    std::string text = counted(explanation.preemptions, "preemption");
    if (explanation.preemptions == 0) return text + ": the threads need not be interrupted for it";
    return text + (explanation.fewest_proven ? "; no schedule with fewer shows it"
                                             : "; whether fewer would do was not proven");
}

const char* facts_title(const Explanation& explanation) {
    return explanation.verdict == Verdict::deadlock || explanation.verdict == Verdict::livelock ? "who waits"
                                                                                                : "what is known";
}

bool may_have_decisive_switch(const Explanation& explanation) {
    return explanation.verdict != Verdict::ok && explanation.verdict != Verdict::race &&
           explanation.verdict != Verdict::diverged;
}

std::string text_of(const Explanation& explanation) {
    std::string text = paragraph(explanation.sentence, "", "  ");
    // No switch of threads is to blame for a divergence.
    const bool is_schedules = explanation.verdict != Verdict::diverged;
    text += (is_schedules ? preemptions_text(explanation) + "\n" : "") + "\n";
    text += steps_text(explanation);
    if (!explanation.facts.empty()) text += std::string("\n") + facts_title(explanation) + "\n";
    for (const std::string& fact : explanation.facts) {
        const std::string margin = fact.starts_with("  ") ? "    " : "  ";
        text += paragraph(fact, margin, margin + "  ");
    }
    if (!explanation.stacks.empty()) text += "\nstacks\n";
    for (const TitledStack& stack : explanation.stacks) text += stack_text(stack);
    if (may_have_decisive_switch(explanation))
        text +=
            std::string("\nthe decisive switch") + (explanation.decisive.empty() ? "\n" : " (*)\n") +
            paragraph(explanation.decisive.empty() ? "no execution nearby that passes was found" : explanation.decisive,
                      "  ", "    ");
    if (!explanation.explored.empty()) text += "\nexplored\n";
    for (const std::string& line : explanation.explored) text += paragraph(line, "  ", "    ");
    if (!explanation.again.empty()) text += "\nrun again\n  " + explanation.again + "\n";
    return text;
}

std::string brief_text_of(const Explanation& explanation, const std::string& margin) {
    std::string text;
    for (const std::string& fact : explanation.facts) {
        const std::string inner = margin + (fact.starts_with("  ") ? "  " : "");
        text += paragraph(fact, inner, inner + "  ");
    }
    if (explanation.facts.empty() || explanation.verdict == Verdict::crash)
        for (const TitledStack& stack : explanation.stacks)
            if (const Frame* frame = own_frame(stack.stack))
                text += paragraph(stack.title + ": " + text_of(*frame), margin, margin + "  ");
    if (!explanation.decisive.empty()) text += paragraph(explanation.decisive, margin, margin + "  ");
    return text;
}

}  // namespace raddle
