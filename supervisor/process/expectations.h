// The expected results of a program, where "it ends by itself with status 0" is not enough.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "supervisor/process/file_content.h"
#include "supervisor/trace/execution.h"

namespace raddle {

class Expectations {
public:
    Expectations();
    ~Expectations();
    Expectations(const Expectations&);
    Expectations& operator=(const Expectations&) = delete;

    void accept_exit_status(std::int64_t status);  // the first call replaces the default status 0
    void accept_every_exit_status() { any_exit_status_ = true; }
    // No line of standard error may match this extended regular expression; may be called again. Throws BadInput.
    void forbid_in_errors(const std::string& expression);
    // Standard output must be equal to this text.
    void expect_output(const std::string& text) { output_ = text; }

    // The file must have this content after an execution.
    void expect_file(const std::string& path, FileContent content) { files_[path] = std::move(content); }

    // Corrects the verdict of an execution that ended by itself. `directory`: of the program, for its files.
    void apply(Execution& execution, const std::string& directory = {}) const;
    // Only by its exit status.
    void apply_to_exit(Execution& execution) const;

private:
    struct Pattern;

    void apply_to_errors(Execution& execution) const;
    void apply_to_output(Execution& execution) const;
    void apply_to_files(Execution& execution, const std::string& directory) const;

    std::set<std::int64_t> exit_statuses_;  // empty: only 0
    bool any_exit_status_ = false;
    std::vector<std::shared_ptr<const Pattern>> forbidden_;
    std::optional<std::string> output_;
    std::map<std::string, FileContent> files_;
};

}  // namespace raddle
