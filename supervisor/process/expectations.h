// What a program is expected to do, where "it ends by itself, with status 0" is not all there is to say.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "supervisor/trace/execution.h"

namespace raddle {

class Expectations {
public:
    Expectations();
    ~Expectations();
    Expectations(const Expectations&);
    Expectations& operator=(const Expectations&) = delete;

    void accept_exit_status(std::int64_t status);  // and no other that was not accepted
    void accept_every_exit_status() { any_exit_status_ = true; }
    // An extended regular expression that no line of standard error may match. Throws BadInput.
    void forbid_in_errors(const std::string& expression);
    // Standard output has to be this.
    void expect_output(const std::string& text) { output_ = text; }

    // Judges anew an execution that ended by itself.
    void apply(Execution& execution) const;

private:
    struct Pattern;

    void apply_to_exit(Execution& execution) const;

    std::set<std::int64_t> exit_statuses_;  // empty: 0
    bool any_exit_status_ = false;
    std::shared_ptr<const Pattern> forbidden_;
    std::optional<std::string> output_;
};

}  // namespace raddle
