#include "supervisor/engine/run.h"

#include <algorithm>

#include "replay/explain/explain_text.h"
#include "supervisor/base/free_memory.h"
#include "supervisor/base/text.h"
#include "supervisor/engine/bugs/explained.h"
#include "supervisor/engine/bugs/judged_anew.h"
#include "supervisor/engine/divergence/divergence_recorder.h"
#include "supervisor/engine/kept/campaign_directory.h"
#include "supervisor/engine/kept/campaign_identity.h"
#include "supervisor/engine/kept/kept_campaign.h"
#include "supervisor/engine/program/naps.h"
#include "supervisor/engine/program/one_schedule.h"
#include "supervisor/engine/program/patience.h"
#include "supervisor/engine/program/program_identity.h"
#include "supervisor/engine/program/races.h"
#include "supervisor/engine/program/run_settings.h"
#include "supervisor/engine/program/unexplored_memory.h"
#include "supervisor/engine/program/unwatched_code.h"
#include "supervisor/engine/trust/trust.h"
#include "supervisor/process/channel/focus.h"
#include "supervisor/process/launch/launch.h"
#include "supervisor/process/launch/sanitizers.h"

namespace raddle {

namespace {

Settings settled(Settings settings) {
    settle_combinations(settings);
    return settings;
}

// Takes the environment of the campaign that goes on.
KeptConditions conditions_before(Settings& settings) {
    if (!is_to_be_kept(settings)) return {};
    if (goes_on_as_bounded(settings, strategy_name(settings))) settings.decide("strategy", {"bounded"});
    KeptConditions before = kept_conditions(settings, strategy_name(settings));
    settings.environment = before.environment;
    return before;
}

bool chooses_level(const Settings& settings) {
    return settings.text("memory") == "auto" && !reports_accesses_of_itself(find_executable(settings.program.at(0)));
}

// The meaning of `--memory auto`, `--naps auto` and the default patience for this program, which from now on counts as
// given.
Level settled_level(Settings& settings, const KeptConditions& before, const Interruption& interruption) {
    const auto is_interrupted = [&] { return interruption.signal() != 0; };
    settle_patience(settings, strategy_name(settings), before.patience);
    const bool chooses_naps = settings.text("naps") == "auto" && !settings.given("schedule");
    if (chooses_naps && !before.level.empty()) settle_naps(settings, before.naps);
    Level level;
    if (chooses_level(settings)) {
        level = find_level(settings, before.level, before.level_because, is_interrupted);
        settle(settings, level);
    }
    if (chooses_naps && before.level.empty())
        settle_naps(settings,
                    level.naps ? *level.naps : needs_naps(process_options(settings), is_interrupted, level.executions));
    return level;
}

// The visible set of a search whose executions are watched for data races: only an execution shows these, so after
// growth everything is executed anew.
class WatchedSet final : public VisibleSet {
public:
    explicit WatchedSet(std::shared_ptr<VisibleSet> set) : set_(std::move(set)) {}
    std::uint64_t epoch() const override { return set_->epoch(); }
    void save(Writer& out) const override { set_->save(out); }
    void load(Reader& in) override { set_->load(in); }

private:
    const std::shared_ptr<VisibleSet> set_;
};

StrategyOptions strategy_options(const Settings& settings, const ProcessOptions& process, const std::string& strategy) {
    StrategyOptions options = search_options([&](SettingName name) {
        return identity_value(*find_setting(name.text(), command::run), settings, process, strategy);
    });
    options.max_bound = bound_of(settings.text("bound"));
    options.samples = count_of(settings.text("samples"));
    options.memory_limit = settings.given("memory-limit") ? size_of(settings.text("memory-limit")) : free_memory() / 4;
    options.visible_set = process.code;
    if (process.code && settings.text("races") == "report")
        options.visible_set = std::make_shared<WatchedSet>(process.code);
    options.execute_all = judges_more_than_the_model(settings);
    return options;
}

// Explains the bug of one schedule. A bug that does not show again is reported without an explanation.
void explain_bug_of_schedule(RunReport& report, const ProcessOptions& process, const VerdictRules& rules,
                             bool in_full) {
    Bug& bug = report.result.bugs.front();
    ToExplain what;
    what.schedule = bug.found.schedule;
    what.race = wanted_race(bug.found);
    what.with_nearest = in_full;
    try {
        const Explanation explanation = explained(process, rules, what);
        if (explanation.verdict != bug.found.verdict) return;
        bug.explained = Explained{.brief = brief_text_of(explanation, "  ")};
        if (!explanation.message.empty()) bug.found.message = explanation.message;
    } catch (const BadInput&) {}
}

}  // namespace

Run::Run(const Settings& settings, const Interruption& interruption, Notices say)
    : settings_(settled(settings)),
      say_(std::move(say)),
      level_(settled_level(settings_, conditions_before(settings_), interruption)),
      process_(process_options(settings_, level_.code)),
      strategy_(strategy_name(settings_)),
      search_(strategy_options(settings_, process_, strategy_)),
      options_(campaign_options(settings_)),
      suppressions_(suppressions_of(settings_, say_)),
      suppressed_(suppressions_, [this] { return subject_of(settings_, process_); }),
      pool_(process_, verdict_rules_of(settings_), level_.known),
      outputs_(process_.capture_limit) {
    remember_run(settings_, process_);
    report_.code = process_.code;
    report_.only_calls_because = level_.why;
    report_.trial_executions = level_.executions;
    report_.races_only_explored = process_.code && !settings_.is_said("races") && settings_.text("races") == "explore";
    report_.naps = process_.naps;
    report_.one_schedule = settings_.given("schedule");
    if (report_.one_schedule) report_.schedule = given_schedule(settings_.text("schedule"));
    report_.strategy = report_.one_schedule ? "schedule" : strategy_;
    report_.seed = search_.seed;
    report_.bound = search_.max_bound;
    report_.program = settings_.program;
    report_.verbose = settings_.given("verbose");

    const bool is_kept = is_to_be_kept(settings_);
    if (!report_.one_schedule && (!settings_.given("quiet") || is_kept))
        options_.estimate = {strategy_row(strategy_).unit, search_.machine};
    options_.is_suppressed = [this](const Finding& finding) { return suppressed_(finding.verdict, finding.key); };
    options_.races = report_.races = race_watch_of(settings_, process_);
    report_.jobs = options_.jobs;
    if (is_kept)
        kept_ =
            std::make_unique<KeptCampaign>(settings_, process_, strategy_, search_, options_.jobs, level_.why, say_);
    if (kept_) report_.old_bugs = try_old_bugs(*kept_, settings_, process_, interruption, say_);
    if (kept_) judge_bugs_anew(*kept_, settings_, process_, interruption, say_);
}

Run::~Run() = default;

std::function<std::string(const std::string& message)> Run::in_names() const {
    return [this, names = std::shared_ptr<Symbolizer>()](const std::string& message) mutable {
        if (!names) names = std::make_shared<Symbolizer>(subject_of(settings_, process_).files);
        return names->with_lines(message);
    };
}

RunReport& Run::explore(Interruption& interrupted, const std::vector<Observer*>& observers) {
    std::vector<Observer*> all = {&interrupted};
    if (kept_) all.push_back(&kept_->observer());
    if (!report_.one_schedule)
        recorder_ = std::make_unique<BugRecorder>(settings_, process_, search_,
                                                  bugs_directory(settings_, kept_ ? kept_->directory() : ""),
                                                  interrupted.token());
    if (recorder_) all.push_back(recorder_.get());
    if (recorder_ && kept_ && kept_->waits_long()) recorder_->note_long_waits();
    report_.recorder = recorder_.get();
    all.insert(all.end(), observers.begin(), observers.end());
    if (settings_.given("outcomes")) all.push_back(&outcomes_);
    const bool compares_outputs = process_.output == Output::capture && !report_.one_schedule;
    if (compares_outputs && kept_) outputs_.add(kept_->outputs());
    if (compares_outputs) all.push_back(&outputs_);
    all.push_back(&threads_);
    all.push_back(&first_);
    if (process_.focus) all.push_back(&focus_steps_);

    campaign_ = std::make_unique<Campaign>([this] { return pool_.make(); },
                                           report_.one_schedule ? make_one_schedule(report_.schedule, search_)
                                           : kept_              ? kept_->take_strategy()
                                                                : make_strategy(report_.strategy, search_),
                                           options_);
    // A campaign with a bug goes on only with --keep-going.
    if (kept_ && kept_->has_bug() && !options_.keep_going)
        report_.result = kept_->as_it_stands();
    else
        report_.result = campaign_->run(all, interrupted.token());
    report_.trial_executions -= pool_.reused();
    if (compares_outputs) report_.outputs = outputs_.outputs();
    look_into_result(interrupted);
    if (settings_.given("outcomes")) report_.outcomes = outcomes_.outcomes();
    if (report_.one_schedule && !report_.result.bugs.empty() && interrupted.signal() == 0)
        explain_bug_of_schedule(report_, process_, verdict_rules_of(settings_), !settings_.given("json"));
    return report_;
}

// The reason why the explored schedules are not all there are, whatever the search says.
std::string Run::unexplored_memory_of(const CampaignResult& result, const Interruption& interrupted) {
    const bool sees_all = process_.code && process_.code->level() >= MemoryLevel::races;
    const bool nothing_ran = kept_ && result.executed == 0;
    if (sees_all || report_.one_schedule || !result.complete || !result.bugs.empty()) return {};
    if (!threads_.saw_two() && !nothing_ran) return {};
    if (level_.why.empty() || nothing_ran)
        return unexplored_memory(
            settings_, process_, [&] { return interrupted.signal() != 0; }, report_.trial_executions);
    return "only calls were explored, because " + level_.why;
}

// The first execution of the campaign, without preemptions, showed a bug that a native run can show.
bool Run::has_failed_from_the_start(const Interruption& interrupted) const {
    const std::optional<Verdict> verdict = first_.verdict();
    if (!verdict || !shows_natively(*verdict) || report_.one_schedule || interrupted.signal() != 0) return false;
    if (kept_ && !kept_->is_fresh()) return false;
    const std::vector<Bug>& bugs = report_.result.bugs;
    return std::any_of(bugs.begin(), bugs.end(),
                       [&](const Bug& bug) { return bug.found.verdict == *verdict && bug.found.preemptions == 0; });
}

void Run::look_into_result(const Interruption& interrupted) {
    CampaignResult& result = report_.result;
    const std::vector<Bug> seen = result.disagreements;
    if (kept_) kept_->complete(result);
    // The store holds no schedules to repeat.
    for (Bug& divergence : result.disagreements)
        if (const Bug* one = find_bug(seen, key_of(divergence.found))) divergence.found.repeated = one->found.repeated;
    if (const std::string why = unexplored_memory_of(result, interrupted); !why.empty()) {
        Bug cut;
        cut.found = {{Verdict::not_looked_at, 0, {}, why, why}, 1};
        result.cuts.push_back(cut);
        result.complete = false;
        // The next run looks again.
        if (kept_ && interrupted.signal() == 0) kept_->note_cut(cut);
    }
    for (Bug& cut : result.cuts) {
        if (cut.found.verdict != Verdict::not_looked_at || cut.found.schedule.empty()) continue;
        if (interrupted.signal() != 0) break;
        const std::string counted = count_unwatched_code(process_, cut.found.schedule);
        if (!counted.empty()) cut.found.message = counted;
    }
    if (report_.races)
        std::erase_if(result.bugs, [&](const Bug& bug) { return report_.races->is_withdrawn(bug.found); });
    set_suppressed_apart(result, suppressed_);
    if (recorder_) recorder_->finish(result);
    const bool diverged = !result.disagreements.empty() || !result.unstable.empty();
    if (diverged && !report_.one_schedule && !settings_.given("quiet"))
        say_("looking into a divergence: its schedule is repeated, and settings are tried");
    if (diverged && !report_.one_schedule && interrupted.signal() == 0)
        look_into_divergence(result, {settings_, process_, strategy_, search_,
                                      bugs_directory(settings_, kept_ ? kept_->directory() : ""),
                                      [&] { return interrupted.signal() != 0; }});
    if (!settings_.given("no-native-runs") && has_failed_from_the_start(interrupted))
        report_.native = run_twice_natively(process_, verdict_rules_of(settings_));
    if (kept_) kept_->note_end(result, report_.outputs);
    if (kept_ && kept_->failure()) result.failure = kept_->failure();
    if (const auto restart = pool_.restart()) {
        report_.restart = restart->why;
        report_.addresses = restart->addresses;
        report_.threads = restart->kernel_threads ? "kernel threads: " + restart->why_threads : "fibers";
    }
    report_.restarts = pool_.restarts();
    if (process_.focus) {
        report_.focus = process_.focus->pattern();
        report_.outside_focus = focus_steps_.text(*process_.focus);
    }
    report_.target_options =
        without_idle_patience(recorded_settings(settings_, process_), settings_, result.waits_long);
    report_.unchecked = unchecked_by_sanitizer(find_executable(settings_.program.at(0)));
    report_.assumed =
        assumed_about_waits(process_.machine.patience, strategy_, result.waits_long && !report_.one_schedule);
    report_.verdict = verdict_of(result);
}

std::string Run::FocusSteps::text(const Focus& focus) const {
    std::string text = focus.text();
    if (all_ > 0)
        text += (text.empty() ? "" : "; ") + std::to_string(outside_) + " of " + counted(all_, "step") +
                " were outside, where threads ran on: their other orders are not explored";
    return text;
}

// A new campaign that came to its end needs no line.
void Run::say_what_was_kept() {
    if (!kept_) return;
    const CampaignResult& result = report_.result;
    const std::string where = kept_->directory().string();
    const bool nothing_ran = result.executed == 0;
    if (kept_->is_fresh() && nothing_ran && result.failure) {
        if (result.left_behind == 0) kept_->leave_no_trace();
    } else if (result.failure) {
        // The failure has its own line.
    } else if (!CampaignStore::is_in(where)) {
        say_(where + " was removed while the campaign ran: nothing of it is kept, and the same command begins anew");
    } else if (nothing_ran && !kept_->is_fresh() && result.end != CampaignEnd::interrupted) {
        say_("nothing was left to run; this is what " + where + " holds (--resume never begins anew)");
    } else if (result.end == CampaignEnd::executions || result.end == CampaignEnd::time ||
               result.end == CampaignEnd::interrupted) {
        say_("kept in " + where + "; the same command goes on");
    }
}

}  // namespace raddle
