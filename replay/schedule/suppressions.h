// Bugs that are known and not to be told of again: a text file, a block a bug, blocks with an empty line between them.
//
//     # why it is here
//     kind = deadlock
//     place = mutex_lock abba!second held since mutex_lock abba!first
//     expires = 2026-12-31
//
// In a place, * stands for any text. A place names functions, or, where the program has no symbols, offsets: abba+0x20.
// One without a place is about all bugs of its kind. On the day after `expires` it
// holds no more, and that is said.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "supervisor/trace/execution.h"

namespace raddle {

struct Suppression {
    Verdict kind = Verdict::ok;
    std::string place = "*";
    std::string expires;      // empty: never
    std::string where;        // "FILE, line 3"
    bool expired = false;
};

class Suppressions {
public:
    // `today` is "2026-01-31". Throws BadInput.
    static Suppressions parse(const std::string& text, const std::string& name, const std::string& today);

    // The first that covers it and has not expired; null if none does. `named` makes of a place with offsets one with
    // functions, and is asked only where that matters.
    using Naming = std::function<std::string(const std::string& place)>;
    const Suppression* covering(Verdict verdict, const std::string& place, const Naming& named = {}) const;
    // One line for each that has expired.
    std::vector<std::string> complaints() const;
    void add(Suppressions more);
    bool empty() const { return all_.empty(); }

private:
    std::vector<Suppression> all_;
};

// A block for this bug.
std::string suppression_for(Verdict verdict, const std::string& place, const std::string& message);

// * in `pattern` is any text.
bool matches(const std::string& pattern, const std::string& text);

}  // namespace raddle
