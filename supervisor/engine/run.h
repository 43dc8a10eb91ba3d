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
#include "supervisor/engine/settings/settings.h"

namespace raddle {

struct RunReport {
    CampaignResult result;
    CampaignVerdict verdict = CampaignVerdict::incomplete;
    int exit_code = 0;                        // the front end fills it in
    std::string strategy;
    std::uint64_t seed = 0;
    unsigned jobs = 1;
    std::optional<std::uint32_t> bound;       // asked for
    bool one_schedule = false;
    Schedule schedule;                        // that one
    std::vector<std::string> program;         // and its arguments
    std::vector<std::string> target_options;  // the settings that a schedule has to be run again with
    std::string restart;                      // how the program was started again; empty if it never ran
    std::string threads;                      // and what its threads were
    const BugRecorder* recorder = nullptr;    // the bugs, looked into; null: nothing was
    Restarts restarts;                        // and what came of it
    std::shared_ptr<InstrumentedCode> code;   // if accesses to memory were looked at
    bool races_only_explored = false;         // without having been asked for
    std::string only_calls_because;           // if that was found to be so
    std::string patience;                     // as it was given
    std::shared_ptr<RaceWatch> races;         // if data races are reported
    bool verbose = false;
    std::string explanation;                  // in brief, of the bug that one schedule shows
    std::optional<ProgramOutcomes> outcomes{};  // where asked for
    std::vector<TriedBug> old_bugs{};         // after --rebase
};

class Run {
public:
    // Reads the settings, tries which accesses to memory to see, opens the campaign. Throws BadInput, StoreError or CannotRun.
    Run(const Settings& settings, const Interruption& interruption, Notices say);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    const Settings& settings() const { return settings_; }
    const ProcessOptions& process() const { return process_; }
    const Level& level() const { return level_; }
    const CampaignOptions& options() const { return options_; }
    // Puts a message into the names of the program. Reads its debug information when it is first called.
    std::function<std::string(const std::string& message)> in_names() const;

    // `interrupted` turns the signal into a stop; `observers` are told how it goes.
    RunReport& explore(Interruption& interrupted, const std::vector<Observer*>& observers);

    // Says where the campaign is kept and how to go on; nothing if that needs no word.
    void say_what_was_kept();
    // Ends the programs of workers that nobody waits for any more. They still use this object: end the process next.
    void kill_all() { pool_.kill_all(); }

private:
    void look_into_result();

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
    RunReport report_;
};

}  // namespace raddle
