#include "replay/explain/text_layout.h"

#include <algorithm>
#include <sstream>

#include "supervisor/base/text.h"

namespace raddle {

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

std::string padded(const std::string& text, std::size_t width) {
    return text + std::string(width - std::min(width, width_of(text)), ' ');
}

std::vector<std::string> lines_within(const std::string& text, std::size_t width) {
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
    for (const std::string& line : lines_within(one_line(text), text_page - hanging.size())) {
        out += (first ? margin : hanging) + line + "\n";
        first = false;
    }
    return out;
}

}  // namespace raddle
