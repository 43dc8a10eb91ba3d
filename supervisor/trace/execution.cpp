#include "supervisor/trace/execution.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "supervisor/base/error.h"
#include "supervisor/base/text.h"

namespace raddle {

// ---- verdicts

const char* name_of(Verdict verdict) {
    switch (verdict) {
#define RADDLE_ROW(name, use, text) \
    case Verdict::name: return #name;
        RADDLE_VERDICTS(RADDLE_ROW)
#undef RADDLE_ROW
    }
    return "?";
}

Verdict parse_verdict(const std::string& name) {
#define RADDLE_ROW(verdict, use, text) \
    if (name == #verdict) return Verdict::verdict;
    RADDLE_VERDICTS(RADDLE_ROW)
#undef RADDLE_ROW
    throw BadInput("there is no verdict '" + name.substr(0, 40) + "'");
}

const char* text_of(Verdict verdict) {
    switch (verdict) {
#define RADDLE_ROW(name, use, text) \
    case Verdict::name: return text;
        RADDLE_VERDICTS(RADDLE_ROW)
#undef RADDLE_ROW
    }
    return "?";
}

VerdictUse use_of(Verdict verdict) {
    switch (verdict) {
#define RADDLE_ROW(name, use, text) \
    case Verdict::name: return VerdictUse::use;
        RADDLE_VERDICTS(RADDLE_ROW)
#undef RADDLE_ROW
    }
    return VerdictUse::doubtful;
}

bool is_cut(Verdict verdict) { return use_of(verdict) == VerdictUse::cut; }

bool is_bug(Verdict verdict) { return use_of(verdict) == VerdictUse::bug; }

// ---- plans and schedules

PlanView Plan::view() const {
    PlanView view;
    view.prefix = prefix.data();
    view.prefix_length = static_cast<std::uint32_t>(prefix.size());
    view.sleeping = sleeping.data();
    view.sleeping_count = static_cast<std::uint32_t>(sleeping.size());
    view.weights = weights.data();
    view.weight_count = static_cast<std::uint32_t>(weights.size());
    view.tail = tail;
    view.max_steps = max_steps;
    return view;
}

Schedule Execution::schedule() const {
    Schedule steps;
    steps.reserve(events.size());
    for (const Event& event : events) steps.push_back({event.thread, event.value});
    return steps;
}

bool has_one_thread(const Execution& execution) {
    return std::all_of(execution.events.begin(), execution.events.end(),
                       [&](const Event& event) { return event.thread == execution.events.front().thread; });
}

std::string text_of(const Schedule& schedule) {
    std::string text;
    for (std::size_t i = 0; i < schedule.size();) {
        std::size_t run = 1;
        while (i + run < schedule.size() && schedule[i + run] == schedule[i]) ++run;
        if (!text.empty()) text += ' ';
        text += name_of(schedule[i].thread);
        if (schedule[i].value != 0) text += "=" + std::to_string(schedule[i].value);
        if (run > 1) text += "*" + std::to_string(run);
        i += run;
    }
    return text;
}

// ---- reading them back

namespace {

class Parser {
public:
    Parser(std::string_view text, const char* what) : text_(text), what_(what) {}

    Schedule schedule() {
        Schedule steps;
        for (skip_space(); at_ < text_.size(); skip_space()) {
            Step step{thread(), 0};
            if (take('=')) step.value = narrow("the number of an alternative", 0);
            std::uint64_t run = 1;
            if (take('*')) run = number("how many steps", 1, most_steps_read);
            if (at_ < text_.size() && !is_space(text_[at_]))
                fail("a space, '=' and an alternative, or '*' and a count");
            if (run > most_steps_read - steps.size())
                fail("no more than " + std::to_string(most_steps_read) + " steps in all");
            steps.insert(steps.end(), run, step);
        }
        return steps;
    }

    ThreadId thread() {
        const std::size_t start = at_;
        if (!take('T')) fail("the name of a thread, such as T0 or T2.1");
        if (take('~')) return hashed();
        if (take('0')) {
            if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) {
                at_ = start;
                fail("T0 for the main thread, T1 for the first it creates");
            }
            return main_thread;
        }
        ThreadId id = child_of(main_thread, narrow("the number of a thread", 1));
        while (take('.')) id = child_of(id, narrow("the number of a child", 1));
        return id;
    }

    void expect_end() {
        if (at_ < text_.size()) fail("nothing more");
    }

private:
    static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
    static bool is_digit(char c) { return c >= '0' && c <= '9'; }

    void skip_space() {
        while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    }
    bool take(char c) {
        if (at_ == text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    std::uint64_t number(std::string_view meaning, std::uint64_t least, std::uint64_t most) {
        const std::size_t start = at_;
        std::uint64_t value = 0;
        while (at_ < text_.size() && is_digit(text_[at_]) && value <= most)
            value = value * 10 + static_cast<std::uint64_t>(text_[at_++] - '0');
        const bool in_range = at_ > start && value >= least && value <= most;
        if (in_range && (text_[start] != '0' || at_ == start + 1)) return value;
        at_ = start;
        fail(std::string(meaning) + ", from " + std::to_string(least) + " to " + std::to_string(most));
    }
    std::uint32_t narrow(std::string_view meaning, std::uint64_t least) {
        return static_cast<std::uint32_t>(number(meaning, least, 0xffffffffu));
    }

    ThreadId hashed() {
        const std::size_t start = at_;
        std::uint64_t code = 0;
        const auto read = std::from_chars(text_.data() + at_, text_.data() + text_.size(), code, 16);
        at_ = static_cast<std::size_t>(read.ptr - text_.data());
        const bool is_hash = read.ec == std::errc() && (code & hashed_thread_mark) != 0 && code >> 56 == 0;
        if (is_hash && text_.substr(start, at_ - start) == hexadecimal_digits(code)) return {code};
        at_ = start;
        fail("a thread's hash of 14 hexadecimal digits");
    }

    [[noreturn]] void fail(const std::string& expected) const {
        std::size_t line = 1, column = 1;
        for (std::size_t i = 0; i < at_; ++i) {
            column = text_[i] == '\n' ? 1 : column + 1;
            if (text_[i] == '\n') ++line;
        }
        throw BadInput(std::string(what_) + ", line " + std::to_string(line) + ", column " + std::to_string(column) +
                       ": found " + found() + ", expected " + expected);
    }
    // The word at the point of failure, shortened and printable.
    std::string found() const {
        if (at_ == text_.size()) return "the end";
        if (is_space(text_[at_])) return "a space";
        constexpr std::size_t most_shown = 24;
        std::string word;
        for (std::size_t i = at_; i < text_.size() && !is_space(text_[i]); ++i) {
            if (word.size() > most_shown) return "'" + word + "…'";
            const auto byte = static_cast<unsigned char>(text_[i]);
            if (byte > 0x20 && byte < 0x7f)
                word += text_[i];
            else
                word += std::string("\\x") + hexadecimal_digits(byte, 2);
        }
        return "'" + word + "'";
    }

    std::string_view text_;
    const char* what_;
    std::size_t at_ = 0;
};

}  // namespace

Schedule parse_schedule(const std::string& text) { return Parser(text, "schedule").schedule(); }

ThreadId parse_thread(const std::string& text) {
    Parser parser(text, "thread");
    const ThreadId thread = parser.thread();
    parser.expect_end();
    return thread;
}

// ---- events, for people to read

namespace {

const char* text_of(Effect effect) {
    switch (effect) {
        case Effect::done: return "";
        case Effect::failed: return " failed";
        case Effect::timed_out: return " timed out";
        case Effect::cancelled: return " cancelled";
    }
    return "";
}

}  // namespace

bool touches_freed_memory(const Event& event) {
    return event.misuse == Misuse::freed_memory && traits(event.action.operation).kind == Kind::memory;
}

std::string text_of_misuse(const Event& event) {
    const Action& action = event.action;
    if (!touches_freed_memory(event)) return text_of(event.misuse);
    if (is_freeing(action)) return "frees memory a second time";
    return std::string(traits(action.operation).access == MemoryAccess::writes ? "writes to" : "reads") +
           (action.object.space() == Space::stack ? " a variable of a frame that has ended" : " memory that was freed");
}

std::string text_of(const Event& event) {
    const Action& action = event.action;
    const OperationTraits& what = traits(action.operation);
    std::string text = name_of(event.thread) + " " + name_of(action.operation);
    if (!(action.object == ObjectId{})) text += " " + name_of(action.object);
    if (what.second != Mode::none && action.second != ObjectId{}) text += " " + name_of(action.second);
    // For memory without a value, the second word is the position within the variable.
    const bool is_extent = what.kind == Kind::memory && (action.flags & flag::contents_unknown) != 0;
    const bool has_second_word = action.words[1] != 0 && !is_extent;
    const bool has_argument = action.words[0] != 0 || has_second_word;
    if (has_argument) text += " (" + std::to_string(action.words[0]);
    if (has_second_word) text += ", " + std::to_string(action.words[1]);
    if (has_argument) text += ")";
    if (event.value != 0) text += " [alternative " + std::to_string(event.value) + "]";
    text += text_of(event.effect);
    if (event.result != 0) text += " = " + std::to_string(event.result);
    if (event.misuse != Misuse::none) text += std::string(": ") + text_of(event.misuse);
    return text;
}

}  // namespace raddle
