#include "supervisor/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <sstream>
#include <utility>

namespace raddle {

std::string counted(std::uint64_t count, const std::string& singular, const std::string& plural) {
    return std::to_string(count) + " " + (count == 1 ? singular : plural);
}

std::string counted(std::uint64_t count, const std::string& noun) { return counted(count, noun, noun + "s"); }

std::string hexadecimal(std::uint64_t value) { return "0x" + hexadecimal_digits(value); }

std::string hexadecimal_digits(std::uint64_t value, std::size_t least) {
    std::array<char, 16> digits{};
    const auto* end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
    const auto count = static_cast<std::size_t>(end - digits.data());
    return std::string(least > count ? least - count : 0, '0') + std::string(digits.data(), count);
}

std::string hexadecimal_bytes(std::string_view bytes) {
    std::string text;
    for (const char byte : bytes) text += hexadecimal_digits(static_cast<unsigned char>(byte), 2);
    return text;
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) text.append(i == 0 ? "" : separator).append(parts[i]);
    return text;
}

std::string listed(const std::vector<std::string>& parts) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text;
}

std::string quoted(std::string_view text, std::size_t most) {
    const bool is_cut = text.size() > most;
    // Not within a character of UTF-8.
    while (is_cut && most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
    return "'" + printable(std::string(text.substr(0, most))) + (is_cut ? "…'" : "'");
}

std::string words_of(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

std::string labelled_line(const std::string& label, const std::string& text) {
    return label + std::string(label.size() < 12 ? 12 - label.size() : 1, ' ') + printable(text) + "\n";
}

std::string one_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    return text;
}

std::string duration_text(double seconds) {
    std::array<char, 64> text{};
    const auto whole = static_cast<unsigned long long>(seconds);
    if (seconds < 0.9995)
        std::snprintf(text.data(), text.size(), "%.0f ms", seconds * 1000);
    else if (seconds < 10)
        std::snprintf(text.data(), text.size(), "%.2f s", seconds);
    else if (whole < 60)
        std::snprintf(text.data(), text.size(), "%.1f s", seconds);
    else if (whole < 3600)
        std::snprintf(text.data(), text.size(), "%llu:%02llu", whole / 60, whole % 60);
    else
        std::snprintf(text.data(), text.size(), "%llu:%02llu:%02llu", whole / 3600, whole / 60 % 60, whole % 60);
    return text.data();
}

std::string shell_quoted(const std::string& text) {
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

std::string shell_word(const std::string& text) {
    static const std::string plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:=@%,";
    return !text.empty() && text.find_first_not_of(plain) == std::string::npos ? text : shell_quoted(text);
}

std::string shell_line(const std::vector<std::string>& words) {
    std::vector<std::string> parts;
    for (const std::string& word : words) parts.push_back(shell_word(word));
    return joined(parts, " ");
}

std::string printable(const std::string& text) {
    std::string clean;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte == '\n')
            clean += i + 1 < text.size() ? " / " : "";
        else if (byte == '\t')
            clean += ' ';
        else if (byte < 0x20 || byte == 0x7f)
            clean += '?';
        // The control characters of ISO 8859, as UTF-8.
        else if (byte == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0) {
            clean += '?';
            ++i;
        } else {
            clean += text[i];
        }
    }
    return clean;
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
    std::vector<std::string> lines;
    std::istringstream paragraphs(text);
    for (std::string paragraph; std::getline(paragraphs, paragraph);) {
        std::istringstream words(paragraph);
        std::string line;
        for (std::string word; words >> word;) {
            if (!line.empty() && line.size() + 1 + word.size() > width) lines.push_back(std::exchange(line, {}));
            line += (line.empty() ? "" : " ") + word;
        }
        lines.push_back(line);
    }
    return lines;
}

std::string in_columns(const std::string& left, const std::string& right, std::size_t left_width) {
    std::string text = "  " + left;
    const std::string margin(left_width + 4, ' ');
    if (left.size() > left_width)
        text += "\n" + margin;
    else
        text += std::string(left_width + 2 - left.size(), ' ');
    bool first = true;
    for (const std::string& line : wrapped(right, page_width - margin.size())) {
        text += (first ? "" : margin) + line + "\n";
        first = false;
    }
    return text;
}

}  // namespace raddle
