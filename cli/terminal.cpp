#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace raddle::cli {

namespace {

bool is_set(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != 0;
}

}  // namespace

bool may_redraw(int file) {
    const char* kind = std::getenv("TERM");
    return ::isatty(file) == 1 && !is_set("CI") && kind != nullptr && *kind != 0 && std::strcmp(kind, "dumb") != 0;
}

bool may_colour(int file) { return may_redraw(file) && !is_set("NO_COLOR"); }

unsigned columns_of(int file) {
    winsize size{};
    return ::ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string coloured(const std::string& text, Colour colour, int file) {
    if (!may_colour(file)) return text;
    const char* code = "";
    switch (colour) {
        case Colour::good: code = "\033[32m"; break;
        case Colour::bad: code = "\033[1;31m"; break;
        case Colour::doubtful: code = "\033[33m"; break;
    }
    return code + text + "\033[0m";
}

}  // namespace raddle::cli
