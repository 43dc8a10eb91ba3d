// The program under test, as the command line describes it.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/command.h"
#include "supervisor/process/expectations.h"
#include "supervisor/process/process_target.h"

namespace raddle::cli {

// Options about the program and its surroundings; a schedule means the same only under the same ones.
extern const std::vector<OptionRow> target_options;

Independence independence_named(const std::string& name);

// Throws CannotRun if there is no such program.
// `code`: what the arguments say is looked at, where that was read already.
ProcessOptions process_options(const Arguments& arguments, std::shared_ptr<InstrumentedCode> code = nullptr);

// What counts as a bug of it.
struct Judgement {
    Expectations expectations;
    bool reads_errors = false;
    bool same_output = false;  // as its first execution
};
Judgement judgement_of(const Arguments& arguments);

// Makes targets, and can end what they run when nobody waits for their workers any more.
class TargetPool {
public:
    explicit TargetPool(ProcessOptions options, Judgement judgement = {})
        : options_(std::move(options)), judgement_(std::move(judgement)) {}

    std::unique_ptr<Target> make();
    // As its targets judge theirs: an execution of the same program, run otherwise.
    void judge(Execution& execution);
    // How its targets start again; nothing if none has run.
    std::optional<Restart> restart() const;
    // Of those that are not used any more.
    Restarts restarts() const;
    // Kills whatever still runs; for the moment before _Exit.
    void kill_all();

private:
    class Member;

    void learn_output(ProcessTarget& process);

    const ProcessOptions options_;
    Judgement judgement_;
    std::once_flag output_known_;
    mutable std::mutex lock_;
    std::set<Member*> members_;
    std::optional<Restart> restart_;
    Restarts restarts_;
};

// Those of target_options that were given, to be given again, and what has become visible of the program's memory since.
std::vector<std::string> target_options_given(const Arguments& arguments, const ProcessOptions& process);

int exit_code_of(const CannotRun& error);

}  // namespace raddle::cli
