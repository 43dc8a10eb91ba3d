// A bug as Markdown, for the comment of an issue tracker.
#pragma once

#include <string>

#include "replay/explain/explanation.h"

namespace raddle {

std::string markdown_of(const Explanation& explanation);

// Text between Markdown: nothing of it is a heading, link, mention, number of an issue, or HTML.
std::string markdown_escaped(const std::string& text);
// A block of code that no line of the text can end.
std::string markdown_block(const std::string& text);

}  // namespace raddle
