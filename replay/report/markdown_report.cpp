#include "replay/report/markdown_report.h"

#include <algorithm>

#include "replay/explain/explain_text.h"
#include "replay/explain/steps_text.h"
#include "replay/explain/text_layout.h"
#include "replay/explain/wording.h"
#include "replay/report/side_by_side.h"
#include "supervisor/base/text.h"

namespace raddle {

namespace {

std::string details(const std::string& title, const std::string& content) {
    return "<details><summary>" + title + "</summary>\n\n" + content + "\n</details>\n\n";
}

std::string stacks_text(const Explanation& explanation) {
    std::string text;
    for (const TitledStack& titled : explanation.stacks) {
        text += one_line(titled.title) + ":\n";
        for (std::size_t i = 0; i < titled.stack.size(); ++i)
            text += "  #" + std::to_string(i) + " " + one_line(text_of(titled.stack[i])) + "\n";
    }
    return text;
}

std::string facts_list(const Explanation& explanation) {
    std::string text;
    for (const std::string& fact : explanation.facts) {
        const bool is_inner = fact.starts_with("  ");
        text += std::string(is_inner ? "  " : "") + "- " + markdown_escaped(is_inner ? fact.substr(2) : fact) + "\n";
    }
    return text;
}

}  // namespace

std::string markdown_escaped(const std::string& text) {
    std::string safe;
    for (const char c : one_line(text)) {
        if (c == '<')
            safe += "&lt;";
        else if (c == '>')
            safe += "&gt;";
        else if (c == '&')
            safe += "&amp;";
        // Trackers read mentions and numbers in the finished page, where only an element between breaks them.
        else if (c == '@' || c == '#')
            safe += std::string(1, c) + "<!-- -->";
        else if (std::string_view("\\`*_{}[]()!|~$").find(c) != std::string_view::npos)
            safe += {'\\', c};
        else
            safe += c;
    }
    // A scheme makes a link of the words behind it.
    for (std::size_t at = 0; (at = safe.find("://", at)) != std::string::npos; at += 12)
        safe.insert(at + 1, "<!-- -->");
    return safe;
}

std::string markdown_block(const std::string& text) {
    std::size_t longest = 2, length = 0;
    for (const char c : text) {
        length = c == '`' ? length + 1 : 0;
        longest = std::max(longest, length);
    }
    const std::string fence(longest + 1, '`');
    return fence + "text\n" + text + (text.ends_with('\n') ? "" : "\n") + fence + "\n";
}

std::string markdown_of(const Explanation& explanation) {
    std::string text = "### " + markdown_escaped(explanation.sentence) + "\n\n";
    if (explanation.verdict != Verdict::diverged) text += markdown_escaped(preemptions_text(explanation)) + "\n\n";
    if (!explanation.decisive.empty())
        text += "**The decisive switch:** it " + markdown_escaped(explanation.decisive) + ".\n\n";
    if (const std::string steps = steps_text(explanation); !steps.empty()) text += markdown_block(steps) + "\n";
    if (!explanation.facts.empty())
        text += "**" + std::string(facts_title(explanation)) + "**\n\n" + facts_list(explanation) + "\n";
    if (const std::string stacks = stacks_text(explanation); !stacks.empty())
        text += details("stacks", markdown_block(stacks));
    if (!explanation.passing.empty())
        text += details("beside the nearest execution that passes", markdown_block(side_by_side_text(explanation)));
    if (!explanation.explored.empty()) {
        text += "**explored**\n\n";
        for (const std::string& line : explanation.explored) text += "- " + markdown_escaped(line) + "\n";
        text += "\n";
    }
    if (!explanation.again.empty()) text += "Run again:\n\n" + markdown_block(one_line(explanation.again));
    return text;
}

}  // namespace raddle
