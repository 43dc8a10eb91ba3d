// What may be done to the terminal: a line that is drawn again, and colour.
#pragma once

#include <string>

namespace raddle::cli {

// A terminal that understands more than text, with a person in front of it (NO_COLOR and TERM=dumb say what it cannot
// or shall not do; CI says that nobody watches).
bool may_redraw(int file);
bool may_colour(int file);
unsigned columns_of(int file);

enum class Colour { good, bad, doubtful };
// The text, coloured if that may be.
std::string coloured(const std::string& text, Colour colour, int file);

}  // namespace raddle::cli
