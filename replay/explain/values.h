// The values of variables in an execution.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "replay/explain/explanation.h"

namespace raddle {

class KnownValues {
public:
    explicit KnownValues(const Execution& execution);
    // Of the variable after an access to memory: what it read, or what it wrote. Empty: no access, or unknown.
    std::string after(const Event& event) const;

private:
    std::set<ObjectId> unknown_;
};

// A variable and the steps at which its value was seen or changed, in order. Repetitions are left out.
struct VariableHistory {
    struct Value {
        std::size_t event;
        std::string value;
    };
    std::string variable;
    std::vector<Value> values;
};
// Of all variables with at least two values, in the order of their first accesses.
std::vector<VariableHistory> histories_of(const std::vector<TakenStep>& steps);

}  // namespace raddle
