#include "replay/schedule/schedule_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

#include "supervisor/base/checksum.h"
#include "supervisor/base/error.h"
#include "supervisor/base/text.h"

namespace raddle {

namespace {

constexpr std::size_t longest_quoted = 40;

constexpr std::string_view schedule_magic = "raddle schedule ";
constexpr std::uint64_t newest_version = 2;

// ---- words and texts, with characters escaped that would break a line

bool is_plain(unsigned char c, bool spaces) { return c > 0x20 ? c != 0x7f && c != '%' : c == ' ' && spaces; }

std::string encoded(const std::string& text, bool spaces) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const bool at_edge = c == ' ' && (i == 0 || i + 1 == text.size());
        if (is_plain(c, spaces) && !at_edge) {
            out += text[i];
            continue;
        }
        std::array<char, 4> code{};
        std::snprintf(code.data(), code.size(), "%%%02x", c);
        out += code.data();
    }
    return out;
}

// Nothing if encoded() could not have produced the text.
std::optional<std::string> decoded(std::string_view text, bool spaces) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i];
            continue;
        }
        unsigned code = 0;
        if (text.size() - i < 3) return std::nullopt;
        const char* const end = text.data() + i + 3;
        if (std::from_chars(text.data() + i + 1, end, code, 16).ptr != end) return std::nullopt;
        out += static_cast<char>(code);
        i += 2;
    }
    if (encoded(out, spaces) != text) return std::nullopt;
    return out;
}

std::string line_of(std::size_t number, const RecordedStep& step) {
    std::string line = std::to_string(number) + " " + name_of(step.thread);
    if (step.value != 0) line += "=" + std::to_string(step.value);
    for (const std::string& word : {step.operation, step.object, step.effect, std::to_string(step.result), step.site})
        line += " " + encoded(word, false);
    return line;
}

// ---- reading

struct Line {
    std::size_t number;
    std::string_view text;
};

class FileParser {
public:
    FileParser(std::string_view text, std::string name) : name_(std::move(name)) {
        for (std::size_t number = 1, at = 0; at < text.size(); ++number) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            const std::string_view line = text.substr(at, end - at);
            if (!line.empty() && line[0] != '#') lines_.push_back({number, line});
            if (end == text.size()) ends_within_line_ = true;
            at = end + 1;
        }
    }

    ScheduleFile file() {
        expect_version();
        ScheduleFile file;
        file.subject.program.push_back(word("program"));
        while (comes("argument")) file.subject.program.push_back(word("argument"));
        file.subject.directory = word("directory");
        while (comes("option")) file.subject.options.push_back(word("option"));
        if (comes("environment")) file.subject.environment = word("environment");
        while (comes("file")) file.subject.files.push_back(program_file());
        file.verdict = verdict();
        file.preemptions = static_cast<std::uint32_t>(number("preemptions", 0xffffffffu));
        file.fewest = yes_or_no("fewest");
        file.message = text("message");
        file.key = text("place");
        const Schedule schedule = choices();
        const std::uint64_t count = number("steps", most_steps_read);
        if (count != schedule.size())
            refuse_last("as many steps as the schedule has, " + std::to_string(schedule.size()));
        for (std::size_t i = 0; i < count; ++i) file.steps.push_back(step(i + 1, schedule[i]));
        while (version_ >= 2 && comes("name")) name(file);
        expect_checksum();
        return file;
    }

private:
    [[noreturn]] void refuse(std::size_t line, const std::string& found, const std::string& expected) const {
        throw BadInput(name_ + ", line " + std::to_string(line) + ": found " + found + ", expected " + expected);
    }
    [[noreturn]] void refuse_last(const std::string& expected) const {
        refuse(lines_[at_ - 1].number, quoted(lines_[at_ - 1].text, longest_quoted), expected);
    }

    void expect_version() {
        if (lines_.empty() || !lines_[0].text.starts_with(schedule_magic))
            refuse(1, lines_.empty() ? "nothing" : quoted(lines_[0].text, longest_quoted),
                   "'raddle schedule 1', the first line of a schedule file");
        const std::string_view version = lines_[0].text.substr(schedule_magic.size());
        at_ = 1;
        for (version_ = newest_version; version_ > 0 && version != std::to_string(version_);) --version_;
        if (version_ == 0) refuse_last("a version that this raddle reads, up to " + std::to_string(newest_version));
    }

    bool comes(std::string_view key) const {
        if (at_ == lines_.size()) return false;
        const std::string_view line = lines_[at_].text;
        return line.starts_with(key) && line.size() > key.size() && line[key.size()] == ' ';
    }
    std::string_view value(const std::string& key) {
        if (at_ == lines_.size()) refuse(lines_.back().number + 1, "the end", "'" + key + " …'");
        if (!comes(key)) refuse(lines_[at_].number, quoted(lines_[at_].text, longest_quoted), "'" + key + " …'");
        return lines_[at_++].text.substr(key.size() + 1);
    }
    std::string word(const std::string& key) {
        const auto plain = decoded(value(key), false);
        if (!plain) refuse_last("one word, with odd characters as %20");
        return *plain;
    }
    std::string text(const std::string& key) {
        const auto plain = decoded(value(key), true);
        if (!plain) refuse_last("a text, with odd characters as %0a");
        return *plain;
    }
    std::uint64_t number_in(std::string_view digits, std::uint64_t most) {
        std::uint64_t count = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
        if (error != std::errc{} || std::to_string(count) != digits || count > most)
            refuse_last("a whole number up to " + std::to_string(most));
        return count;
    }
    std::uint64_t number(const std::string& key, std::uint64_t most) { return number_in(value(key), most); }
    bool yes_or_no(const std::string& key) {
        const std::string_view word = value(key);
        if (word != "yes" && word != "no") refuse_last("yes or no");
        return word == "yes";
    }
    ProgramFile program_file() {
        const std::string_view both = value("file");
        const std::size_t space = std::min(both.find(' '), both.size());
        const auto id = decoded(both.substr(0, space), false);
        const auto path = decoded(both.substr(std::min(space + 1, both.size())), false);
        if (!id || !path || id->empty() || path->empty()) refuse_last("what names a file's content, and its path");
        return {*path, *id};
    }
    Verdict verdict() {
        const std::string_view name = value("verdict");
#define RADDLE_ROW(row, use, text) \
    if (name == #row) return Verdict::row;
        RADDLE_VERDICTS(RADDLE_ROW)
#undef RADDLE_ROW
        refuse_last("a verdict, such as deadlock");
    }
    Schedule choices() {
        const std::string line(value("schedule"));
        Schedule schedule;
        try {
            schedule = parse_schedule(line);
        } catch (const BadInput& error) {
            throw BadInput(name_ + ", line " + std::to_string(lines_[at_ - 1].number) + ": " + error.what());
        }
        if (text_of(schedule) != line) refuse_last("the shortest way to write it, " + text_of(schedule));
        return schedule;
    }

    RecordedStep step(std::size_t expected, const Step& choice) {
        if (at_ == lines_.size()) refuse(lines_.back().number + 1, "the end", "step " + std::to_string(expected));
        const std::string_view line = lines_[at_++].text;
        std::array<std::string_view, 7> words;
        std::size_t from = 0;
        for (std::string_view& one : words) {
            const std::size_t end = std::min(line.find(' ', from), line.size());
            one = line.substr(std::min(from, line.size()), end - std::min(from, line.size()));
            from = end + 1;
        }
        if (from != line.size() + 1) refuse_last("number, thread, operation, object, effect, result and call site");
        if (words[0] != std::to_string(expected)) refuse_last("step " + std::to_string(expected));
        std::string who = name_of(choice.thread);
        if (choice.value != 0) who += "=" + std::to_string(choice.value);
        if (words[1] != who) refuse_last(who + ", as the schedule has it");
        RecordedStep step;
        step.thread = choice.thread;
        step.value = choice.value;
        step.operation = operation(words[2]);
        step.object = step_word(words[3], "an object");
        step.effect = step_word(words[4], "an effect");
        const auto [end, error] = std::from_chars(words[5].data(), words[5].data() + words[5].size(), step.result);
        if (error != std::errc{} || std::to_string(step.result) != words[5])
            refuse_last("a whole number as the result");
        step.site = step_word(words[6], "a call site");
        return step;
    }
    void name(ScheduleFile& file) {
        const std::string_view both = value("name");
        const std::size_t space = std::min(both.find(' '), both.size());
        const std::string object = step_word(both.substr(0, space), "an object");
        const std::string name = step_word(both.substr(std::min(space + 1, both.size())), "a name");
        if (!file.names.empty() && object <= file.names.rbegin()->first) refuse_last("objects in order, each once");
        file.names.emplace(object, name);
    }
    std::string operation(std::string_view name) {
        for (const OperationTraits& row : operation_table.row)
            if (name == row.name) return std::string(name);
        refuse_last("an operation, such as mutex_lock, in the place of " + quoted(name, longest_quoted));
    }
    std::string step_word(std::string_view text, const char* what) {
        const auto plain = decoded(text, false);
        if (!plain || plain->empty())
            refuse_last(std::string(what) + " in the place of " + quoted(text, longest_quoted));
        return *plain;
    }

    void expect_checksum() {
        std::string said;
        for (std::size_t i = 0; i < at_; ++i) said.append(lines_[i].text).append("\n");
        const std::string_view given = value("checksum");
        if (given.size() != 16) refuse_last("sixteen hexadecimal digits");
        if (given != hexadecimal_digits(checksum_of(said), 16))
            refuse_last("another checksum: the file was changed or damaged; take it from where it came once more");
        if (at_ != lines_.size())
            refuse(lines_[at_].number, quoted(lines_[at_].text, longest_quoted), "nothing after the checksum");
        if (ends_within_line_) refuse(lines_.back().number, "a line that does not end", "the end of a line");
    }

    std::string name_;
    std::vector<Line> lines_;
    std::size_t at_ = 0;
    std::uint64_t version_ = 0;
    bool ends_within_line_ = false;
};

std::string encoded_line(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + encoded(word, false);
    return text.empty() ? "none" : text;
}

std::vector<std::string> arguments_of(const Subject& subject) {
    return {subject.program.begin() + (subject.program.empty() ? 0 : 1), subject.program.end()};
}

}  // namespace

// ---- identity

std::uint64_t identity_of(const Subject& subject) {
    std::string all;
    for (const std::string& word : arguments_of(subject)) all += "a" + encoded(word, false) + "\n";
    for (const std::string& word : subject.options) all += "o" + encoded(word, false) + "\n";
    for (const ProgramFile& file : subject.files) all += "f" + encoded(file.id, false) + "\n";
    return checksum_of(all);
}

std::string difference(const Subject& recorded, const Subject& now) {
    for (std::size_t i = 0; i < std::max(recorded.files.size(), now.files.size()); ++i) {
        if (i >= now.files.size()) return recorded.files[i].path + " was loaded, and is not now";
        if (i >= recorded.files.size()) return now.files[i].path + " is loaded now, and was not";
        if (recorded.files[i].id != now.files[i].id)
            return now.files[i].path + " is another: " + recorded.files[i].id + " was recorded, now it is " +
                   now.files[i].id;
    }
    if (arguments_of(recorded) != arguments_of(now))
        return "its arguments were " + encoded_line(arguments_of(recorded)) + ", now they are " +
               encoded_line(arguments_of(now));
    if (recorded.options != now.options)
        return "the options were " + encoded_line(recorded.options) + ", now they are " + encoded_line(now.options);
    return {};
}

Schedule ScheduleFile::schedule() const {
    Schedule schedule;
    schedule.reserve(steps.size());
    for (const RecordedStep& step : steps) schedule.push_back({step.thread, step.value});
    return schedule;
}

// ---- writing

std::string text_of(const ScheduleFile& file, const std::vector<std::string>& comment) {
    std::string said;
    const auto add = [&](const std::string& key, const std::string& value) { said += key + " " + value + "\n"; };
    for (std::size_t i = 0; i < file.subject.program.size(); ++i)
        add(i == 0 ? "program" : "argument", encoded(file.subject.program[i], false));
    add("directory", encoded(file.subject.directory, false));
    for (const std::string& option : file.subject.options) add("option", encoded(option, false));
    if (!file.subject.environment.empty()) add("environment", encoded(file.subject.environment, false));
    for (const ProgramFile& one : file.subject.files)
        add("file", encoded(one.id, false) + " " + encoded(one.path, false));
    add("verdict", name_of(file.verdict));
    add("preemptions", std::to_string(file.preemptions));
    add("fewest", file.fewest ? "yes" : "no");
    add("message", encoded(file.message, true));
    add("place", encoded(file.key, true));
    add("schedule", text_of(file.schedule()));
    add("steps", std::to_string(file.steps.size()));
    for (std::size_t i = 0; i < file.steps.size(); ++i) said += line_of(i + 1, file.steps[i]) + "\n";

    for (const auto& [object, name] : file.names) add("name", encoded(object, false) + " " + encoded(name, false));

    const std::string first =
        std::string(schedule_magic) + std::to_string(file.names.empty() ? 1 : newest_version) + "\n";
    std::string text = first;
    for (const std::string& line : comment) text += "# " + encoded(line, true) + "\n";
    return text + said + "checksum " + hexadecimal_digits(checksum_of(first + said), 16) + "\n";
}

ScheduleFile parse_schedule_file(const std::string& text, const std::string& name) {
    return FileParser(text, name).file();
}

bool is_schedule_file(const std::string& text) { return text.starts_with(schedule_magic); }

}  // namespace raddle
