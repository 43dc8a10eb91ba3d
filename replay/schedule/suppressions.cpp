#include "replay/schedule/suppressions.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "supervisor/base/error.h"
#include "supervisor/base/text.h"

namespace raddle {

namespace {

std::string trimmed(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
    return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

std::optional<Verdict> bug_named(const std::string& name) {
#define RADDLE_ROW(row, use, text) \
    if (name == #row && is_bug(Verdict::row)) return Verdict::row;
    RADDLE_VERDICTS(RADDLE_ROW)
#undef RADDLE_ROW
    return std::nullopt;
}

bool is_date(const std::string& text) {
    constexpr const char* form = "dddd-dd-dd";
    if (text.size() != 10) return false;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != '-') return false;
    const int month = std::stoi(text.substr(5, 2)), day = std::stoi(text.substr(8, 2));
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

std::string in_order(const std::string& text, const std::string& separator) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find(separator, begin)) != std::string::npos; begin = end + separator.size())
        parts.push_back(text.substr(begin, end - begin));
    parts.push_back(text.substr(begin));
    std::sort(parts.begin(), parts.end());
    std::string joined;
    for (const std::string& part : parts) joined += (&part == &parts.front() ? "" : separator) + part;
    return joined;
}

// The key of a deadlock sorts its parts by offset, which another build changes. This sorts them by name.
std::string in_order_of_names(Verdict verdict, const std::string& key) {
    if (verdict != Verdict::deadlock && verdict != Verdict::livelock) return key;
    const std::string held = " held since ";
    std::string parts;
    std::size_t begin = 0;
    while (true) {
        const std::size_t end = std::min(key.find("; ", begin), key.size());
        const std::string part = key.substr(begin, end - begin);
        const std::size_t taken = part.find(held);
        parts += taken == std::string::npos
                     ? part
                     : part.substr(0, taken) + held + in_order(part.substr(taken + held.size()), " and ");
        if (end == key.size()) return in_order(parts, "; ");
        parts += "; ";
        begin = end + 2;
    }
}

}  // namespace

bool matches(const std::string& pattern, const std::string& text) {
    std::size_t p = 0, t = 0, star = std::string::npos, mark = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            mark = t;
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p, ++t;
        } else if (star != std::string::npos) {
            p = star + 1;
            t = ++mark;
        } else {
            return false;
        }
    }
    return std::all_of(pattern.begin() + static_cast<std::ptrdiff_t>(p), pattern.end(),
                       [](char c) { return c == '*'; });
}

Suppressions Suppressions::parse(const std::string& text, const std::string& name, const std::string& today) {
    Suppressions parsed;
    std::istringstream lines(text);
    std::string line;
    std::optional<Suppression> block;
    int number = 0;
    const auto refuse = [&](const std::string& found, const std::string& expected) {
        throw BadInput(name + ", line " + std::to_string(number) + ": found '" + one_line(found).substr(0, 60) +
                       "', expected " + expected);
    };
    const auto close = [&] {
        if (!block) return;
        if (block->kind == Verdict::ok)
            throw BadInput(block->where + ": the block has no kind; expected a line such as kind = deadlock");
        block->expired = !block->expires.empty() && today > block->expires;
        parsed.all_.push_back(std::exchange(block, std::nullopt).value());
    };
    while (std::getline(lines, line)) {
        ++number;
        line = trimmed(line);
        if (line.empty()) close();
        if (line.empty() || line[0] == '#') continue;
        if (!block) block.emplace().where = name + ", line " + std::to_string(number);
        const std::size_t equals = line.find('=');
        const std::string key = trimmed(line.substr(0, equals));
        const std::string value = equals == std::string::npos ? "" : trimmed(line.substr(equals + 1));
        if (value.empty() || (key != "kind" && key != "place" && key != "expires"))
            refuse(line, "kind = …, place = … or expires = …");
        if (key == "kind") {
            const auto kind = bug_named(value);
            if (!kind) refuse(value, "a kind of bug, such as deadlock");
            block->kind = kind.value_or(Verdict::ok);
        } else if (key == "place") {
            block->key = value;
        } else {
            if (!is_date(value)) refuse(value, "a date such as 2026-12-31");
            block->expires = value;
        }
    }
    close();
    return parsed;
}

const Suppression* Suppressions::covering(Verdict verdict, const std::string& key, const Naming& named) const {
    std::optional<std::string> name;
    for (const Suppression& one : all_) {
        if (one.expired || one.kind != verdict) continue;
        if (matches(one.key, one_line(key))) return &one;
        if (!named) continue;
        if (!name) name = in_order_of_names(verdict, one_line(named(key)));
        if (matches(one.key, *name) || matches(in_order_of_names(verdict, one.key), *name)) return &one;
    }
    return nullptr;
}

std::vector<std::string> Suppressions::complaints() const {
    std::vector<std::string> lines;
    for (const Suppression& one : all_)
        if (one.expired)
            lines.push_back(one.where + ": this suppression expired on " + one.expires + " and holds no more");
    return lines;
}

void Suppressions::add(Suppressions more) { all_.insert(all_.end(), more.all_.begin(), more.all_.end()); }

std::string suppression_for(Verdict verdict, const std::string& key, const std::string& message) {
    return "# " + one_line(message) + "\nkind = " + name_of(verdict) +
           "\nplace = " + in_order_of_names(verdict, one_line(key)) +
           "\n# expires = 2026-12-31\n\n";  // the blank line ends the block
}

}  // namespace raddle
