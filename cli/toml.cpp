#include "cli/toml.h"

#include <algorithm>

namespace raddle::cli {

void refuse_at(const TomlPlace& place, const std::string& what) {
    throw TomlError(place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": " + what);
}

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_bare(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '-'; }

class Parser {
public:
    Parser(const std::string& text, const std::string& file) : text_(text) {
        place_.file = file;
        if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    }

    std::vector<TomlTable> tables() {
        tables_.push_back({{}, {}, place_});
        for (skip_lines(); !at_end(); skip_lines()) {
            if (here() == '[')
                table();
            else
                entry();
            end_of_line();
        }
        return std::move(tables_);
    }

private:
    bool at_end() const { return at_ >= text_.size(); }
    char here() const { return at_end() ? '\0' : text_[at_]; }
    void next() {
        if (here() == '\n') {
            ++place_.line;
            place_.column = 1;
        } else {
            ++place_.column;
        }
        ++at_;
    }
    bool take(char c) {
        if (at_end() || here() != c) return false;
        next();
        return true;
    }
    std::string found() const {
        if (at_end()) return "the end of the file";
        if (here() == '\n' || here() == '\r') return "the end of the line";
        const bool is_plain = here() > ' ' && here() < 0x7f;
        return is_plain ? std::string("'") + here() + "'" : std::string(here() == ' ' ? "a space" : "another character");
    }
    [[noreturn]] void refuse(const std::string& expected) const {
        refuse_at(place_, "expected " + expected + ", found " + found());
    }

    void skip_blanks() {
        while (here() == ' ' || here() == '\t') next();
    }
    void skip_comment() {
        if (here() != '#') return;
        while (!at_end() && here() != '\n') next();
    }
    void skip_lines() {
        for (;;) {
            skip_blanks();
            skip_comment();
            if (here() == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') next();
            if (!take('\n')) return;
        }
    }
    void end_of_line() {
        skip_blanks();
        skip_comment();
        if (here() == '\r') next();
        if (!at_end() && !take('\n')) refuse("the end of the line");
    }

    std::string name() {
        if (here() == '"' || here() == '\'') return quoted();
        std::string word;
        for (; is_bare(here()); next()) word += here();
        if (word.empty()) refuse("a name");
        return word;
    }

    void table() {
        TomlTable table;
        table.place = place_;
        next();
        if (here() == '[') refuse("a table ([name]; lists of tables mean nothing here)");
        do {
            skip_blanks();
            table.name.push_back(name());
            skip_blanks();
        } while (take('.'));
        if (!take(']')) refuse("']' or '.'");
        for (const TomlTable& other : tables_)
            if (other.name == table.name) refuse_at(table.place, "this table was there before, in line " + line_of(other.place));
        tables_.push_back(std::move(table));
    }

    void entry() {
        TomlEntry entry;
        entry.place = place_;
        entry.key = name();
        skip_blanks();
        if (here() == '.') refuse("'=' (a table is written [name])");
        if (!take('=')) refuse("'='");
        skip_blanks();
        entry.value = value();
        for (const TomlEntry& other : tables_.back().entries)
            if (other.key == entry.key)
                refuse_at(entry.place, "'" + entry.key + "' was given before, in line " + line_of(other.place));
        tables_.back().entries.push_back(std::move(entry));
    }
    static std::string line_of(const TomlPlace& place) { return std::to_string(place.line); }

    TomlValue value() {
        TomlValue value;
        value.place = place_;
        if (here() == '"' || here() == '\'') {
            value.text = quoted();
        } else if (here() == '[') {
            value.kind = TomlValue::Kind::list;
            value.list = list();
        } else {
            std::string word;
            for (; is_bare(here()) || here() == '.' || here() == '+' || here() == ':'; next()) word += here();
            plain(value, word);
        }
        return value;
    }

    void plain(TomlValue& value, const std::string& word) {
        const std::string expected = "expected a text in quotes, a whole number, true, false, or a list [\"…\", …]";
        if (word.empty()) refuse(expected.substr(9));
        value.text = word;
        if (word == "true" || word == "false") {
            value.kind = TomlValue::Kind::truth;
            return;
        }
        value.kind = TomlValue::Kind::number;
        std::erase(value.text, '_');
        const std::size_t sign = value.text.starts_with('+') || value.text.starts_with('-') ? 1 : 0;
        const bool digits = value.text.size() > sign && std::all_of(value.text.begin() + static_cast<std::ptrdiff_t>(sign),
                                                                   value.text.end(), is_digit);
        const bool leading_zero = value.text.size() > sign + 1 && value.text[sign] == '0';
        if (!digits || leading_zero || value.text.size() > 18)
            refuse_at(value.place, expected + ", found " + word.substr(0, 40));
        if (value.text[0] == '+') value.text.erase(0, 1);
    }

    std::vector<std::string> list() {
        std::vector<std::string> values;
        next();
        for (;;) {
            skip_lines();
            if (take(']')) return values;
            if (here() != '"' && here() != '\'') refuse("a text in quotes, or ']'");
            values.push_back(quoted());
            skip_lines();
            if (take(']')) return values;
            if (!take(',')) refuse("',' or ']'");
        }
    }

    std::string quoted() {
        const char quote = here();
        const TomlPlace begin = place_;
        next();
        std::string text;
        for (;;) {
            const auto byte = static_cast<unsigned char>(here());
            if (at_end() || here() == '\n') refuse_at(begin, "this text has no end on its line");
            if ((byte < 0x20 && byte != '\t') || byte == 0x7f) refuse("no control characters in a text");
            if (take(quote)) break;
            if (quote == '"' && here() == '\\')
                text += escaped();
            else {
                text += here();
                next();
            }
        }
        if (text.empty() && here() == quote) refuse_at(begin, "texts of several lines mean nothing here");
        return text;
    }

    char escaped() {
        next();
        static constexpr char letters[] = "\"\\ntr", meanings[] = "\"\\\n\t\r";
        for (std::size_t i = 0; letters[i] != 0; ++i)
            if (take(letters[i])) return meanings[i];
        refuse("one of \\\" \\\\ \\n \\t \\r (or a text in single quotes, where \\ means itself)");
    }

    const std::string& text_;
    std::size_t at_ = 0;
    TomlPlace place_;
    std::vector<TomlTable> tables_;
};

}  // namespace

std::vector<TomlTable> read_toml(const std::string& text, const std::string& file) { return Parser(text, file).tables(); }

}  // namespace raddle::cli
