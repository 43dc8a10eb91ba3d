// The program under test, as the command line describes it.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/command.h"
#include "supervisor/process/process_target.h"

namespace raddle::cli {

// Options about the program and its surroundings; a schedule means the same only under the same ones.
extern const std::vector<OptionRow> target_options;

// Throws CannotRun if there is no such program.
ProcessOptions process_options(const Arguments& arguments);

// Makes targets, and can end what they run when nobody waits for their workers any more.
class TargetPool {
public:
    explicit TargetPool(ProcessOptions options) : options_(std::move(options)) {}

    std::unique_ptr<Target> make();
    // How its targets start again; nothing if none has run.
    std::optional<Restart> restart() const;
    // Kills whatever still runs; for the moment before _Exit.
    void kill_all();

private:
    class Member;

    const ProcessOptions options_;
    mutable std::mutex lock_;
    std::set<Member*> members_;
    std::optional<Restart> restart_;
};

// Those of target_options that were given, to be given again.
std::vector<std::string> target_options_given(const Arguments& arguments);

int exit_code_of(const CannotRun& error);

}  // namespace raddle::cli
