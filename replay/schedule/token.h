// A schedule as one word for copy and paste: "raddle1:" and letters. It contains the choices and the identity of the
// program, but no steps to compare with. A stable format, like schedule_file.h.
#pragma once

#include <string>
#include <vector>

#include "replay/schedule/schedule_file.h"

namespace raddle {

struct Token {
    std::uint64_t identity = 0;  // identity_of(subject)
    std::vector<std::string> options;
    Verdict verdict = Verdict::ok;
    std::uint64_t key_checksum = 0;  // key_checksum_of(key)
    Schedule schedule;

    friend bool operator==(const Token&, const Token&) = default;
};

std::uint64_t key_checksum_of(const std::string& key);
Token token_of(const ScheduleFile& file);
std::string text_of(const Token& token);
bool is_token(const std::string& text);
// Throws BadInput.
Token parse_token(const std::string& text);

}  // namespace raddle
