// Known bugs that raddle shall not report: a text file, one block for each bug, with empty lines between blocks.
//
//     # the reason
//     kind = deadlock
//     place = mutex_lock abba!second held since mutex_lock abba!first
//     expires = 2026-12-31
//
// In a place, * stands for any text. A place names functions, or offsets (abba+0x20) if the program has no symbols. A
// block without a place covers all bugs of its kind. After `expires` the block has no effect, and raddle says so.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "supervisor/trace/execution.h"

namespace raddle {

struct Suppression {
    Verdict kind = Verdict::ok;
    std::string key = "*";
    std::string expires;  // empty: never
    std::string where;    // "FILE, line 3"
    bool expired = false;
};

class Suppressions {
public:
    // `today` is "2026-01-31". Throws BadInput.
    static Suppressions parse(const std::string& text, const std::string& name, const std::string& today);

    // The first suppression that covers the bug and has not expired; null if none. `named` translates a key with
    // offsets into one with functions, and is called only when needed.
    using Naming = std::function<std::string(const std::string& key)>;
    const Suppression* covering(Verdict verdict, const std::string& key, const Naming& named = {}) const;
    // One line for each expired suppression.
    std::vector<std::string> complaints() const;
    void add(Suppressions more);
    bool empty() const { return all_.empty(); }

private:
    std::vector<Suppression> all_;
};

// A block that covers this bug.
std::string suppression_for(Verdict verdict, const std::string& key, const std::string& message);

// * in `pattern` stands for any text.
bool matches(const std::string& pattern, const std::string& text);

}  // namespace raddle
