#include "supervisor/engine/kept/kept_campaign.h"

#include <algorithm>
#include <map>
#include <set>
#include <system_error>

#include "replay/schedule/bug_directory.h"
#include "store/resume.h"
#include "supervisor/base/text.h"
#include "supervisor/engine/kept/campaign_directory.h"
#include "supervisor/engine/kept/campaign_identity.h"
#include "supervisor/engine/kept/judging.h"
#include "supervisor/engine/kept/kept_result.h"
#include "supervisor/engine/program/process_settings.h"

namespace raddle {

namespace fs = std::filesystem;

bool is_to_be_kept(const Settings& settings) {
    for (const SettingName name : {SettingName("campaign"), SettingName("resume"), SettingName("rebase")}) {
        if (!settings.given(name)) continue;
        if (settings.given("no-store"))
            throw BadInput("raddle run: --no-store does not go with " + name.option() + "; choose one");
        if (settings.given("schedule"))
            throw BadInput("raddle run: --schedule runs one execution and keeps nothing; leave out " + name.option());
    }
    if (settings.given("rebase") && settings.text("resume") == "never")
        throw BadInput("raddle run: --resume never forgets the bugs that --rebase would try; choose one");
    return !settings.given("no-store") && !settings.given("schedule");
}

KeptConditions kept_conditions(const Settings& settings, const std::string& strategy) {
    const fs::path directory = campaign_directory(settings, strategy);
    if (settings.text("resume") == "never" || settings.given("rebase") || !CampaignStore::is_in(directory)) return {};
    try {
        const CampaignStore store(directory, CampaignStore::Open::read);
        const std::optional<LastRun> run = store.last_run();
        return {store.identity().value_of("--memory"), run ? run->level_because : "", store.environment(),
                store.identity().value_of("--naps") == "always", store.identity().value_of("--patience")};
    } catch (const StoreError&) {
        return {};  // just begun; a damaged one is reported when it is opened to go on
    }
}

bool goes_on_as_bounded(const Settings& settings, const std::string& strategy) {
    const fs::path directory = campaign_directory(settings, strategy);
    const bool is_open = !settings.given("strategy") && strategy == "portfolio";
    if (!is_open || settings.text("resume") == "never" || settings.given("rebase") || !CampaignStore::is_in(directory))
        return false;
    try {
        return CampaignStore(directory, CampaignStore::Open::read).identity().value_of("--strategy") == "bounded";
    } catch (const StoreError&) {
        return false;
    }
}

std::optional<std::vector<std::string>> environment_around(const fs::path& bug) {
    std::error_code error;
    const fs::path directory = fs::canonical(bug, error).parent_path().parent_path();
    if (error || !CampaignStore::is_in(directory)) return std::nullopt;
    try {
        return CampaignStore(directory, CampaignStore::Open::read).environment();
    } catch (const StoreError&) {
        return std::nullopt;
    }
}

namespace {

// Without the variables that name the session, and those that --env sets.
std::map<std::string, std::string> variables_in(const std::vector<std::string>& entries,
                                                const std::vector<std::string>& set) {
    std::map<std::string, std::string> variables;
    for (const std::string& entry : entries) {
        const std::string name = entry.substr(0, entry.find('='));
        const bool is_set =
            std::any_of(set.begin(), set.end(), [&](const std::string& one) { return one.starts_with(name + "="); });
        if (!is_set && !names_the_session(name)) variables[name] = entry;
    }
    return variables;
}

// The program gets the environment of the first run: tell a user about changed variables.
void say_changed_variables(const Settings& settings, const Notices& say) {
    Settings without = settings;
    without.environment.reset();
    const std::vector<std::string> set = settings.all("env");
    const auto recorded = variables_in(*settings.environment, set), now = variables_in(base_environment(without), set);
    std::set<std::string> changed;
    for (const auto& [name, entry] : recorded)
        if (const auto found = now.find(name); found == now.end() || found->second != entry) changed.insert(name);
    for (const auto& [name, entry] : now)
        if (!recorded.contains(name)) changed.insert(name);
    if (changed.empty()) return;
    say("the program gets the environment of the campaign's first run; " + *changed.begin() +
        (changed.size() == 1 ? " differs now"
                             : " and " + counted(changed.size() - 1, "other variable") + " differ now") +
        " (--env NAME=VALUE sets one, --rebase takes all)");
}

}  // namespace

KeptCampaign::KeptCampaign(const Settings& settings, const ProcessOptions& process, const std::string& strategy,
                           const StrategyOptions& options, unsigned jobs, const std::string& level_because, Notices say)
    : say_(std::move(say)), level_because_(level_because) {
    const bool named = settings.given("campaign");
    const fs::path directory = campaign_directory(settings, strategy);
    const Identity identity = campaign_identity(settings, process, strategy);
    const std::string when = settings.text("resume");
    const bool exists = CampaignStore::is_in(directory);
    if (when == "must" && !exists)
        throw StoreError(directory.string() +
                         ": there is no campaign to go on with; leave out --resume must to begin one");
    if (when == "never" && exists) set_aside(directory, say_);

    rules_ = judging_rules(settings);
    store_ = std::make_unique<CampaignStore>(directory, CampaignStore::Open::write);
    is_fresh_ = store_->is_new();
    if (is_fresh_)
        store_->begin(identity);
    else if (settings.given("rebase"))
        rebase(identity, bugs_directory(settings, directory));
    else
        store_->expect(identity);
    if (!store_->environment()) store_->record_environment(base_environment(settings));
    if (settings.environment && !settings.given("quiet")) say_changed_variables(settings, say_);
    if (!named) latest_before_ = point_newest_to(directory.filename());
    store_->note_run({options.max_bound, "", "", level_because_});
    asked_ = options.max_bound;
    strategy_ = resume(*store_, strategy, options).strategy;
    observe_ = [=, this] { return std::make_unique<StoreObserver>(*store_, strategy, options, jobs); };
    observer_ = observe_();
}

// Keeps the bugs that an earlier rebase has not tried yet.
void KeptCampaign::rebase(const Identity& identity, const fs::path& written_bugs) {
    const std::string different = difference(store_->identity(), identity);
    if (different.empty()) return;
    const fs::path directory = store_->directory();
    std::vector<Bug> bugs = store_->bugs();
    add_files(bugs, bugs_in(written_bugs));
    for (Bug& bug : bugs)
        if (bug.filed) bug.filed->schedule = raddle::text_of(schedule_file_of(bug), {});
    for (Bug& old : store_->old_bugs()) bugs.push_back(std::move(old));
    store_.reset();
    say_(different);
    set_aside(directory, say_);
    store_ = std::make_unique<CampaignStore>(directory, CampaignStore::Open::write);
    store_->begin(identity, bugs);
}

void KeptCampaign::keep(const Finding& finding) {
    Batch batch;
    batch.progress = store_->progress();
    batch.bugs = {{{finding, 1}}};
    store_->commit(batch);
    observer_ = observe_();
}

void KeptCampaign::leave_no_trace() {
    const fs::path directory = store_->directory();
    observer_.reset();
    store_.reset();
    std::error_code ignored;
    fs::remove_all(directory, ignored);
    forget_newest(directory, latest_before_);
}

// Only these verdicts depend on the rules.
std::vector<Finding> KeptCampaign::bugs_to_judge() const {
    std::vector<Finding> bugs;
    for (const StoredJudging& one : store_->judging())
        if (one.is_current && one.rules == rules_) return bugs;
    for (const Bug& bug : store_->bugs())
        if (bug.found.verdict == Verdict::exit_status || bug.found.verdict == Verdict::output)
            bugs.push_back(bug.found);
    return bugs;
}

void KeptCampaign::forget(const Finding& bug) {
    store_->forget_bug(bug);
    if (strategy_) strategy_->forget_bug(bug);
    observer_ = observe_();
}

void KeptCampaign::note_rules() { store_->judge_by(rules_); }

bool KeptCampaign::has_bug() const {
    const std::vector<Bug> bugs = store_->bugs();
    return std::any_of(bugs.begin(), bugs.end(),
                       [](const Bug& bug) { return is_bug(bug.found.verdict) && bug.found.verdict != Verdict::race; });
}

void KeptCampaign::complete(CampaignResult& result) const {
    if (failure()) return;  // the disk is behind
    const StoredProgress progress = store_->progress();
    sort_into(result, store_->bugs());
    for (Bug& bug : result.bugs) bug.proven.reset();  // each run proves them anew
    result.verdicts = progress.endings;
    result.leaves_output_open = progress.leaves_output_open;
    result.waits_long = progress.waits_long;
    result.cuts = store_->cuts();
    result.seconds = static_cast<double>(progress.milliseconds) / 1000;
    const std::vector<std::string> otherwise = judged_otherwise(*store_);
    result.coverage.incomplete_because.insert(result.coverage.incomplete_because.end(), otherwise.begin(),
                                              otherwise.end());
    result.complete = result.complete && otherwise.empty() && result.disagreements.empty() && result.cuts.empty();
}

void KeptCampaign::note_end(const CampaignResult& result, const std::optional<SeenOutputs>& outputs) {
    if (failure()) return;
    try {
        store_->note_run({asked_, name_of(result.end), raddle::text_of(result.failure), level_because_});
        store_->note_proofs(result.bugs);
        store_->note_proofs(result.unstable);
        if (outputs) store_->note_outputs(*outputs);
    } catch (const StoreError& error) {
        say_(error.what());  // the explored part is kept all the same
    }
}

void KeptCampaign::note_cut(const Bug& cut) {
    if (failure()) return;
    Batch batch;
    batch.progress = store_->progress();
    batch.cuts = {cut};
    store_->commit(batch);
}

CampaignResult KeptCampaign::as_it_stands() const {
    CampaignResult result;
    result.coverage = store_->progress().coverage;
    result.end = CampaignEnd::first_bug;
    complete(result);
    return result;
}

}  // namespace raddle
