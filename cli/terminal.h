// The abilities of the terminal: a line that is redrawn, and colour.
#pragma once

#include <string>

namespace raddle::cli {

// A terminal with control sequences and a person in front of it. NO_COLOR and TERM=dumb switch them off; CI means that
// nobody watches.
bool may_redraw(int file);
bool may_colour(int file);
unsigned columns_of(int file);

enum class Colour { good, bad, doubtful };
// The text, in colour if the terminal shows colours.
std::string coloured(const std::string& text, Colour colour, int file);

}  // namespace raddle::cli
