// Small things about text: numbers, lists, quotes, and words for people and for shells.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace raddle {

// "1 bug", "2 bugs"
std::string counted(std::uint64_t count, const std::string& singular, const std::string& plural);
std::string counted(std::uint64_t count, const std::string& noun);  // with an s

std::string hexadecimal(std::uint64_t value);                                // "0x1f"
std::string hexadecimal_digits(std::uint64_t value, std::size_t least = 1);  // "1f"; "001f" for at least four
std::string hexadecimal_bytes(std::string_view bytes);                       // "00ff"

std::string joined(const std::vector<std::string>& parts, std::string_view separator);
// "a, b and c"
std::string listed(const std::vector<std::string>& parts);

// "'text'", printable; "'tex…'" if it has more than `most` bytes.
std::string quoted(std::string_view text, std::size_t most);

// "exit status" of "exit_status"
std::string words_of(std::string name);

// "250 ms", "2.50 s", "12.3 s", "4:05", "1:02:03"
std::string duration_text(double seconds);

// A shell reads it back as this one word. Plain words stay as they are, except in shell_quoted.
std::string shell_quoted(const std::string& text);
std::string shell_word(const std::string& text);
std::string shell_line(const std::vector<std::string>& words);

// Without control characters: what a program says must not steer the terminal. Newlines become " / ".
std::string printable(const std::string& text);

// With spaces for control characters: a comment, or a field of a file, stays in its line.
std::string one_line(std::string text);

// Lines of at most `width` columns; a blank line in the text stays one.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

// "label       text": a line of a table whose first column has twelve places. The text is made printable.
std::string labelled_line(const std::string& label, const std::string& text);

// The first two, aligned: "  name      text", the text wrapped and hanging.
std::string in_columns(const std::string& left, const std::string& right, std::size_t left_width);

inline constexpr std::size_t page_width = 96;

}  // namespace raddle
