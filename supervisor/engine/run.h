// One run: explores the schedules of a program, goes on with its campaign, and looks into the bugs it finds.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "supervisor/campaign/campaign.h"
#include "supervisor/engine/bugs/bug_recorder.h"
#include "supervisor/engine/bugs/old_bugs.h"
#include "supervisor/engine/bugs/suppressed.h"
#include "supervisor/engine/notices.h"
#include "supervisor/engine/outcomes.h"
#include "supervisor/engine/program/interruption.h"
#include "supervisor/engine/program/level.h"
#include "supervisor/engine/program/native_runs.h"
#include "supervisor/engine/settings/settings.h"

namespace raddle {

class Focus;

struct RunReport {
    CampaignResult result;
    CampaignVerdict verdict = CampaignVerdict::incomplete;
    int exit_code = 0;  // the front end fills it in
    std::string strategy;
    std::uint64_t seed = 0;
    unsigned jobs = 1;
    std::optional<std::uint32_t> bound;  // the requested one
    bool one_schedule = false;
    Schedule schedule;                        // that one
    std::vector<std::string> program;         // and its arguments
    std::vector<std::string> target_options;  // the settings to run a schedule again
    std::string restart;                      // the way the program restarts; empty if it never ran
    std::string threads;                      // the kind of its threads
    Addresses addresses = Addresses::fixed;   // of the program's processes
    const BugRecorder* recorder = nullptr;    // null: bugs are not recorded
    Restarts restarts;                        // counts of the restarts
    std::shared_ptr<InstrumentedCode> code;   // null: memory accesses are not visible
    bool races_only_explored = false;         // by the choice of raddle
    std::string only_calls_because;           // the reason, if there is one
    std::uint64_t trial_executions = 0;       // which accesses to explore, and whether calls alone steer the program
    std::string unchecked{};                  // what the program's sanitizer does not look for here; empty: nothing
    std::string assumed;                      // about waits (program/patience.h); empty: nothing
    bool naps = false;                        // threads take naps
    std::string focus;                        // the pattern of --focus; empty: none
    std::string outside_focus;                // what it left out, in words; empty: nothing is known
    std::shared_ptr<RaceWatch> races;         // if data races are reported
    bool verbose = false;
    std::optional<ProgramOutcomes> outcomes{};  // where asked for
    std::optional<NativeRuns> native{};         // where the first execution fails
    std::optional<SeenOutputs> outputs{};       // none: the output went elsewhere, or one schedule ran
    std::vector<TriedBug> old_bugs{};           // after --rebase
};

class Run {
public:
    // Reads the settings, tries which accesses to memory to see, opens the campaign. Throws BadInput, StoreError or
    // CannotRun.
    Run(const Settings& settings, const Interruption& interruption, Notices say);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    const Settings& settings() const { return settings_; }
    const ProcessOptions& process() const { return process_; }
    const Level& level() const { return level_; }
    const CampaignOptions& options() const { return options_; }
    // Puts names of the program into a message. Its first call reads the debug information.
    std::function<std::string(const std::string& message)> in_names() const;

    // `interrupted` turns a signal into a stop; `observers` hear about the progress.
    RunReport& explore(Interruption& interrupted, const std::vector<Observer*>& observers);

    // Prints the directory of the campaign and the way to go on, if that is worth a line.
    void say_what_was_kept();
    // Ends the programs of workers that nobody waits for any more. They still use this object: end the process next.
    void kill_all() { pool_.kill_all(); }

private:
    // Notes whether the program had more than one thread.
    class Threads final : public Observer {
    public:
        void executed(const Plan&, const Execution& execution, Strategy&) override {
            saw_two_ = saw_two_ || !has_one_thread(execution);
        }
        bool saw_two() const { return saw_two_; }

    private:
        bool saw_two_ = false;
    };

    // The verdict of the first execution, which most strategies begin without preemptions.
    class FirstExecution final : public Observer {
    public:
        void executed(const Plan&, const Execution& execution, Strategy&) override {
            if (!verdict_ && !execution.is_void) verdict_ = execution.verdict;
        }
        std::optional<Verdict> verdict() const { return verdict_; }

    private:
        std::optional<Verdict> verdict_;
    };

    // Counts the steps outside of the focus.
    class FocusSteps final : public Observer {
    public:
        void executed(const Plan&, const Execution& execution, Strategy&) override {
            if (execution.is_void) return;
            for (const Event& event : execution.events) {
                ++all_;
                if ((event.action.flags & flag::inside) == 0) ++outside_;
            }
        }
        // "2 functions; 310 of 400 steps were outside"
        std::string text(const Focus& focus) const;

    private:
        std::uint64_t all_ = 0, outside_ = 0;
    };

    bool has_failed_from_the_start(const Interruption& interrupted) const;
    void look_into_result(const Interruption& interrupted);
    std::string unexplored_memory_of(const CampaignResult& result, const Interruption& interrupted);

    Settings settings_;
    const Notices say_;
    const Level level_;
    const ProcessOptions process_;
    const std::string strategy_;
    const StrategyOptions search_;
    CampaignOptions options_;
    const Suppressions suppressions_;
    Suppressed suppressed_;
    std::unique_ptr<class KeptCampaign> kept_;
    TargetPool pool_;
    std::unique_ptr<BugRecorder> recorder_;
    std::unique_ptr<Campaign> campaign_;  // workers left behind use it, and the observers
    OutcomeTable outcomes_;
    OutputTable outputs_;
    Threads threads_;
    FirstExecution first_;
    FocusSteps focus_steps_;
    RunReport report_;
};

}  // namespace raddle
