// A schedule as one word that can be pasted: "raddle1:" and letters. It names no program, but knows whether it is the
// same one; and it has no steps to be checked against, only the choices. Stable, as schedule_file.h.
#pragma once

#include <string>
#include <vector>

#include "replay/schedule/schedule_file.h"

namespace raddle {

struct Token {
    std::uint64_t identity = 0;          // identity_of(subject)
    std::vector<std::string> options;
    Verdict verdict = Verdict::ok;
    std::uint64_t place = 0;             // place_mark(place)
    Schedule schedule;

    friend bool operator==(const Token&, const Token&) = default;
};

std::uint64_t place_mark(const std::string& place);
Token token_of(const ScheduleFile& file);
std::string text_of(const Token& token);
bool is_token(const std::string& text);
// Throws BadInput.
Token parse_token(const std::string& text);

}  // namespace raddle
