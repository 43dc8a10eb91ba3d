// The comments of a program in tests/claims/programs that say what is true of it; README.md has their grammar.
#pragma once

#include <string>
#include <vector>

namespace raddle::testing {

// One "// expect" line.
struct Claim {
    enum class Kind {
        bugs,        // exactly these verdicts; none: raddle claims that every schedule is fine
        bounded,     // the same for all schedules within --bound; there is no end of others
        incomplete,  // raddle must say that something was not explored
        refused,     // raddle must say that it cannot control the program
        outcomes,    // exactly these outcomes
    };

    std::string line;                    // as written, for messages
    std::vector<std::string> options;    // for raddle
    std::vector<std::string> arguments;  // for the program
    Kind kind = Kind::bugs;
    std::vector<std::string> expected;               // verdicts, or outcomes, or texts of the result, sorted
    std::vector<std::string> says, is_silent_about;  // texts of a result that is ok
};

struct Claims {
    std::vector<std::string> modes;
    std::vector<Claim> claims;
    std::string mistake;  // empty, or why the comments cannot be read
};

// Reads the comments of this source text.
Claims claims_in(const std::string& source);

}  // namespace raddle::testing
