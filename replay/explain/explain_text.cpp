#include "replay/explain/explain_text.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "replay/explain/wording.h"
#include "supervisor/base/text.h"

namespace raddle {

namespace {

constexpr std::size_t page = 100;
constexpr std::size_t most_columns = 4;
constexpr std::size_t number_width = 5;

// Characters, not bytes.
std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string cut(const std::string& text, std::size_t width) {
    if (width_of(text) <= width) return text;
    std::size_t characters = 0, at = 0;
    while (at < text.size()) {
        if ((static_cast<unsigned char>(text[at]) & 0xc0) != 0x80 && ++characters == width) break;
        ++at;
    }
    return text.substr(0, at) + "…";
}

// Keeps the end of the text, because it holds the line number.
std::string cut_left(const std::string& text, std::size_t width) {
    std::size_t surplus = width_of(text) > width ? width_of(text) - width + 1 : 0;
    if (surplus == 0) return text;
    std::size_t at = 0;
    for (; at < text.size() && surplus > 0; ++at)
        if (at + 1 == text.size() || (static_cast<unsigned char>(text[at + 1]) & 0xc0) != 0x80) --surplus;
    return "…" + text.substr(at);
}

// Text of the program must not control the terminal.
std::string clean(const std::string& text) {
    std::string safe;
    for (const char c : text) safe += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    return safe;
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
    std::vector<std::string> lines;
    std::istringstream words(text);
    std::string line;
    for (std::string word; words >> word;) {
        if (!line.empty() && width_of(line) + 1 + width_of(word) > width) {
            lines.push_back(line);
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
    }
    if (!line.empty()) lines.push_back(line);
    for (std::string& one : lines) one = cut(one, width);
    return lines;
}

std::string paragraph(const std::string& text, const std::string& margin, const std::string& hanging) {
    std::string out;
    bool first = true;
    for (const std::string& line : wrapped(clean(text), page - hanging.size())) {
        out += (first ? margin : hanging) + line + "\n";
        first = false;
    }
    return out;
}

class Page {
public:
    explicit Page(const Explanation& explanation) : explanation_(explanation) {
        for (const ExplainedThread& thread : explanation.threads) {
            const auto is_its = [&](const ExplainedStep& step) { return step.thread == thread.id; };
            const bool ends_it = explanation.end && is_its(*explanation.end);
            if (ends_it || std::any_of(explanation.steps.begin(), explanation.steps.end(), is_its))
                columns_.push_back(&thread);
        }
        in_columns_ = columns_.size() <= most_columns;
        width_ = in_columns_ && !columns_.empty() ? (page - number_width - 2) / columns_.size() - 2
                                                  : page - number_width - 12;
    }

    std::string steps() {
        if (columns_.empty()) return {};
        std::string text = in_columns_ ? row("step", heads()) : "";
        std::size_t next = 0;
        ThreadId last = main_thread;
        for (const ExplainedStep& step : explanation_.steps) {
            if (!step.pending) text += folded(next, step.event);
            next = step.event + 1;
            if (step.preempts)
                text += row("", {{step.thread, last == step.thread ? std::string("-- ahead of its time --")
                                                                   : "-- preempts " + raddle::name_of(last) + " --"}});
            last = step.thread;
            text += rows_of(step);
        }
        if (next < explanation_.steps_to_end) text += folded(next, explanation_.steps_to_end);
        if (explanation_.end) text += rows_of(*explanation_.end);
        return text;
    }

private:
    std::string rows_of(const ExplainedStep& step) const {
        std::vector<std::string> lines = wrapped(clean(step.text), width_);
        if (!step.location.empty()) lines.push_back(cut_left(clean(step.location), width_));
        if (!step.source.empty()) lines.push_back(cut("| " + clean(step.source), width_));
        const std::string number = (step.pending ? "end" : std::to_string(step.event + 1)) + (step.decisive ? "*" : "");
        std::string text;
        for (std::size_t i = 0; i < lines.size(); ++i)
            text += row(i == 0 ? number : "", {{step.thread, lines[i]}}, i == 0);
        return text;
    }

    using Cells = std::map<ThreadId, std::string>;

    Cells heads() const {
        Cells cells;
        for (const ExplainedThread* thread : columns_)
            cells[thread->id] =
                cut(name_of(thread->id) + (thread->function.empty() ? "" : " " + clean(thread->function)), width_);
        return cells;
    }

    std::string row(const std::string& number, const Cells& cells, bool named = true) const {
        std::string line = std::string(number_width - std::min(number_width, number.size()), ' ') + number;
        if (!in_columns_) {
            const auto& [thread, text] = *cells.begin();
            std::string name = named ? raddle::name_of(thread) : "";
            name.resize(std::max<std::size_t>(name.size(), 6), ' ');
            return line + "  " + name + "  " + text + "\n";
        }
        for (const ExplainedThread* thread : columns_) {
            const auto cell = cells.find(thread->id);
            const std::string text = cell == cells.end() ? "" : cell->second;
            line += "  " + text + std::string(width_ - std::min(width_, width_of(text)), ' ');
        }
        while (line.ends_with(' ')) line.pop_back();
        return line + "\n";
    }

    // The folded steps before the event at `end`.
    std::string folded(std::size_t begin, std::size_t end) const {
        if (begin >= end) return {};
        std::map<ThreadId, std::size_t> left_out;
        for (std::size_t i = begin; i < end && i < explanation_.taken.size(); ++i)
            ++left_out[explanation_.taken[i].thread];
        std::string text;
        for (const auto& [thread, count] : left_out)
            text += (text.empty() ? "… " : ", ") + counted(count, "step") + " of " + raddle::name_of(thread);
        return std::string(number_width, ' ') + "  " + cut(text, page - number_width - 2) + "\n";
    }

    const Explanation& explanation_;
    std::vector<const ExplainedThread*> columns_;
    bool in_columns_ = true;
    std::size_t width_ = 0;
};

std::string stack_text(const TitledStack& titled) {
    std::string text = paragraph(titled.title + ":", "  ", "    ");
    constexpr std::size_t most = 16;
    for (std::size_t i = 0; i < titled.stack.size() && i < most; ++i)
        text += "    " +
                cut("#" + std::to_string(i) + " " + clean(text_of(titled.stack[i])) +
                        (titled.stack[i].inlined ? " inlined" : ""),
                    page - 4) +
                "\n";
    if (titled.stack.size() > most) text += "    … " + counted(titled.stack.size() - most, "frame") + " more\n";
    return text;
}

std::string preemptions_text(const Explanation& explanation) {
    std::string text = counted(explanation.preemptions, "preemption");
    if (explanation.preemptions == 0) return text + ": the threads need not be interrupted for it";
    return text + (explanation.fewest_proven ? "; no schedule with fewer shows it"
                                             : "; whether fewer would do was not proven");
}

}  // namespace

std::string text_of(const Explanation& explanation) {
    std::string text = paragraph(explanation.sentence, "", "  ");
    // No switch of threads is to blame for a divergence.
    const bool is_schedules = explanation.verdict != Verdict::diverged;
    text += (is_schedules ? preemptions_text(explanation) + "\n" : "") + "\n";
    text += Page(explanation).steps();
    if (!explanation.facts.empty())
        text += explanation.verdict == Verdict::deadlock || explanation.verdict == Verdict::livelock
                    ? "\nwho waits\n"
                    : "\nwhat is known\n";
    for (const std::string& fact : explanation.facts) {
        const std::string margin = fact.starts_with("  ") ? "    " : "  ";
        text += paragraph(fact, margin, margin + "  ");
    }
    if (!explanation.stacks.empty()) text += "\nstacks\n";
    for (const TitledStack& stack : explanation.stacks) text += stack_text(stack);
    if (explanation.verdict != Verdict::ok && explanation.verdict != Verdict::race && is_schedules)
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
