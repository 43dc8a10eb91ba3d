// Text in columns for people: widths in characters, lines that end before the page does.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace raddle {

// Characters in a line.
inline constexpr std::size_t text_page = 100;

// Characters, not bytes.
std::size_t width_of(const std::string& text);
// The first characters, "…" for the rest.
std::string cut(const std::string& text, std::size_t width);
// With blanks behind it.
std::string padded(const std::string& text, std::size_t width);
// Lines of at most `width` characters, broken between words; a longer word is cut.
std::vector<std::string> lines_within(const std::string& text, std::size_t width);
// Lines that fit the page, the first behind `margin`, the others behind `hanging`.
std::string paragraph(const std::string& text, const std::string& margin, const std::string& hanging);

}  // namespace raddle
