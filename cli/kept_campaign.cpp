#include "cli/kept_campaign.h"

#include <algorithm>
#include <iostream>
#include <system_error>

#include "cli/kept_result.h"
#include "cli/strategy_traits.h"
#include "replay/schedule/bug_directory.h"
#include "store/build_id.h"
#include "store/resume.h"
#include "supervisor/base/text.h"
#include "supervisor/process/launch.h"

namespace raddle::cli {

namespace fs = std::filesystem;

const std::vector<OptionRow> store_options = {
    {"campaign", 'C', "DIR", nullptr,
     "keep the campaign in this directory, and go on with the one that is there (default: one in raddle.out/ for each "
     "program, arguments and way of searching)",
     "campaign", &directory_form},
    {"resume", 0, "WHEN", "auto",
     "auto: go on with the campaign if there is one; must: only if there is one; never: begin anew, the old one is set "
     "aside",
     "campaign", &resume_form},
    {"rebase", 0, nullptr, nullptr,
     "if the program, its libraries or its surroundings have changed since the campaign began: begin anew, and first "
     "try the bugs that were found; the old campaign is set aside",
     "campaign", nullptr},
    {"no-store", 0, nullptr, nullptr, "keep nothing", "campaign", nullptr},
};

namespace {

constexpr const char* home = "raddle.out";

// What is asked: the program, its arguments, and the options that give an answer its meaning. Another question has
// another directory; what the program is made of is no part of it, so that a change is noticed.
fs::path default_directory(const Arguments& arguments, const std::string& strategy) {
    const std::string executable = find_executable(arguments.program.at(0));
    std::vector<std::string> words = arguments.program;
    words[0] = fs::absolute(executable).string();
    std::vector<std::string> question = {strategy};
    for (const char* option : {"independence", "spurious", "max-steps", "fork-at", "stdin", "chdir", "seed", "depth"}) {
        const bool counts = (std::string(option) != "seed" || is_among(strategy, sampling_strategies)) &&
                            (std::string(option) != "depth" || is_among(strategy, strategies_with_depth));
        question.push_back(!counts                      ? ""
                           : arguments.given(option)    ? "given " + arguments.text(option)
                                                        : arguments.text(option));
    }
    if (arguments.given("follow-forks")) question.emplace_back("--follow-forks");
    if (arguments.given("patience")) question.push_back("--patience " + arguments.text("patience"));
    for (const char* option : {"memory", "races"})
        if (arguments.is_said(option) && arguments.text(option) != "auto") question.push_back(std::string("--") + option + " " + arguments.text(option));
    for (const std::string& variable : arguments.all("env")) question.push_back(variable);
    const std::string name = fingerprint(shell_line(words) + "\n" + shell_line(question)).substr(0, 8);
    return fs::path(home) / (fs::path(executable).filename().string() + "-" + name);
}

fs::path directory_of(const Arguments& arguments, const std::string& strategy) {
    return arguments.given("campaign") ? fs::path(arguments.text("campaign")) : default_directory(arguments, strategy);
}

std::string file_text(const std::string& path) {
    return path.empty() ? "" : path + " (" + build_id_of(path) + ")";
}

const char* text_of(ForkAt place) {
    switch (place) {
        case ForkAt::first_thread:
            return "auto";
        case ForkAt::start:
            return "start";
        case ForkAt::never:
            return "exec";
    }
    return "?";
}

Identity identity_of(const Arguments& arguments, const ProcessOptions& process, const std::string& strategy,
                     const StrategyOptions& options) {
    const fs::path executable = fs::absolute(find_executable(process.argv[0]));
    const std::vector<std::string> environment = wanted_environment(process);

    Identity identity;
    identity.add("the command line", shell_line(arguments.program));
    identity.add("--strategy", strategy);
    identity.add("--independence", name_of(process.machine.independence));
    identity.add("--spurious", process.machine.spurious_wakeups ? "given" : "");
    identity.add("--max-steps", std::to_string(process.max_steps));
    identity.add("--fork-at", text_of(process.fork_at));
    identity.add("--memory", name_of(process.code ? process.code->level() : MemoryLevel::sync));
    if (process.follow_forks) identity.add("--follow-forks", "given");
    if (arguments.given("patience")) identity.add("--patience", std::to_string(process.machine.patience));
    if (arguments.text("races") == "ignore") identity.add("--races", "ignore");
    for (const std::string& library : arguments.all("instrument")) identity.add("--instrument", file_text(library));
    identity.add("--visible", arguments.text("visible"));
    identity.add("--stdin", file_text(process.input));
    for (const char* option : {"fail-on", "expect-exit"})
        for (const std::string& value : arguments.all(option)) identity.add(std::string("--") + option, value);
    for (const char* option : {"setup", "reset"}) identity.add(std::string("--") + option, arguments.text(option));
    identity.add("--workdir-copy", arguments.given("workdir-copy") ? "given" : "");
    if (is_among(strategy, sampling_strategies)) identity.add("--seed", std::to_string(options.seed));
    if (is_among(strategy, strategies_with_depth)) identity.add("--depth", std::to_string(options.depth));
    identity.add("the working directory",
                 process.directory.empty() ? fs::current_path().string() : fs::absolute(process.directory).string());
    identity.add_files(executable, environment);
    identity.add_processor();
    identity.add_environment(environment);
    identity.add("the version of raddle", version);
    return identity;
}

void set_aside(const fs::path& directory) {
    if (const std::string holder = holder_of(directory); !holder.empty())
        throw StoreError(directory.string() + ": in use by " + holder + "; end it, or give another directory with -C");
    for (int number = 1;; ++number) {
        const fs::path aside = directory.string() + "." + std::to_string(number);
        if (fs::exists(aside)) continue;
        std::error_code error;
        fs::rename(directory, aside, error);
        if (error) throw StoreError(directory.string() + ": cannot be set aside: " + error.message());
        std::cerr << "raddle: the campaign that was in " << directory.string() << " is in " << aside.string() << " now\n";
        return;
    }
}

// That there is no link takes nothing from the campaign. Returns where it pointed before.
fs::path point_latest_to(const fs::path& name) {
    const fs::path link = fs::path(home) / "latest", fresh = fs::path(home) / "latest.new";
    std::error_code error;
    const fs::path before = fs::read_symlink(link, error);
    fs::remove(fresh, error);
    fs::create_directory_symlink(name, fresh, error);
    if (!error) fs::rename(fresh, link, error);
    return before;
}

}  // namespace

fs::path bugs_directory(const Arguments& arguments, const fs::path& campaign) {
    return arguments.given("bugs") ? fs::path(arguments.text("bugs")) : campaign.empty() ? fs::path() : campaign / "bugs";
}

bool is_to_be_kept(const Arguments& arguments) {
    for (const char* option : {"campaign", "resume", "rebase"}) {
        if (!arguments.given(option)) continue;
        if (arguments.given("no-store"))
            throw Usage(std::string("raddle run: --no-store does not go with --") + option + "; choose one");
        if (arguments.given("schedule"))
            throw Usage(std::string("raddle run: --schedule runs one execution, of which nothing is kept; leave out --") +
                        option);
    }
    if (arguments.given("rebase") && arguments.text("resume") == "never")
        throw Usage("raddle run: --resume never forgets the bugs that --rebase would try; choose one");
    return !arguments.given("no-store") && !arguments.given("schedule");
}

std::string level_of_kept(const Arguments& arguments, const std::string& strategy) {
    const fs::path directory = directory_of(arguments, strategy);
    if (arguments.text("resume") == "never" || arguments.given("rebase") || !CampaignStore::is_in(directory)) return {};
    try {
        return CampaignStore(directory, CampaignStore::Open::read).identity().value_of("--memory");
    } catch (const StoreError&) {
        return {};  // begun, and no more than that; or else whoever opens it to go on says what is wrong
    }
}

KeptCampaign::KeptCampaign(const Arguments& arguments, const ProcessOptions& process, const std::string& strategy,
                           const StrategyOptions& options, unsigned jobs) {
    const bool named = arguments.given("campaign");
    const fs::path directory = directory_of(arguments, strategy);
    const Identity identity = identity_of(arguments, process, strategy, options);
    const std::string when = arguments.text("resume");
    const bool exists = CampaignStore::is_in(directory);
    if (when == "must" && !exists)
        throw StoreError(directory.string() + ": there is no campaign to go on with; leave out --resume must to begin one");
    if (when == "never" && exists) set_aside(directory);

    store_ = std::make_unique<CampaignStore>(directory, CampaignStore::Open::write);
    is_fresh_ = store_->is_new();
    if (is_fresh_)
        store_->begin(identity);
    else if (arguments.given("rebase"))
        rebase(identity, bugs_directory(arguments, directory));
    else
        store_->expect(identity);
    if (!named) latest_before_ = point_latest_to(directory.filename());
    store_->note_run({options.max_bound, ""});
    asked_ = options.max_bound;
    strategy_ = resume(*store_, strategy, options).strategy;
    executions_before_ = strategy_->coverage().executions;
    observe_ = [=, this] { return std::make_unique<StoreObserver>(*store_, strategy, options, jobs); };
    observer_ = observe_();
}

// The bugs that were not tried yet at an earlier rebase are still to be tried.
void KeptCampaign::rebase(const Identity& identity, const fs::path& written_bugs) {
    const std::string different = difference(store_->identity(), identity);
    if (different.empty()) return;
    const fs::path directory = store_->directory();
    const std::vector<KnownBug> written = bugs_in(written_bugs);
    std::vector<OldBug> bugs;
    for (const StoredBug& bug : store_->bugs()) {
        OldBug& old = bugs.emplace_back(OldBug{0, bug.finding, {}});
        if (const KnownBug* one = find_bug(written, bug.finding)) old.file = raddle::text_of(one->minimal, {});
    }
    for (const OldBug& old : store_->old_bugs()) bugs.push_back(old);
    store_.reset();
    std::cerr << "raddle: " << printable(different) << std::endl;
    set_aside(directory);
    store_ = std::make_unique<CampaignStore>(directory, CampaignStore::Open::write);
    store_->begin(identity, bugs);
}

void KeptCampaign::keep(const Finding& finding) {
    Batch batch;
    batch.progress = store_->progress();
    batch.bugs = {{finding, 0, 1}};
    store_->commit(batch);
    observer_ = observe_();
}

void KeptCampaign::leave_no_trace() {
    const fs::path directory = store_->directory();
    observer_.reset();
    store_.reset();
    std::error_code ignored;
    fs::remove_all(directory, ignored);
    if (directory.parent_path() != home) return;
    if (!latest_before_.empty())
        point_latest_to(latest_before_);
    else
        fs::remove(fs::path(home) / "latest", ignored);
    fs::remove(home, ignored);  // if nothing else is in there
}

bool KeptCampaign::has_bug() const {
    const std::vector<FindingGroup> bugs = groups_of(store_->bugs(), true);
    return std::any_of(bugs.begin(), bugs.end(), [](const FindingGroup& group) { return group.first.verdict != Verdict::race; });
}

void KeptCampaign::complete(CampaignResult& result) const {
    if (failure()) return;  // what is on disk is older than what is known
    const std::vector<StoredBug> bugs = store_->bugs();
    const StoredProgress progress = store_->progress();
    result.bugs = groups_of(bugs, true);
    result.disagreements = groups_of(bugs, false);
    result.verdicts = progress.endings;
    result.cuts.clear();
    for (const StoredCut& cut : store_->cuts()) result.cuts.push_back({cut.first, cut.times});
    result.seconds = static_cast<double>(progress.milliseconds) / 1000;
    result.complete = result.complete && result.disagreements.empty() && result.cuts.empty();
}

void KeptCampaign::note_end(const CampaignResult& result, const std::vector<StoredProof>& proofs) {
    if (failure()) return;
    try {
        store_->note_run({asked_, name_of(result.end), raddle::text_of(result.failure)});
        store_->note_proofs(proofs);
    } catch (const StoreError& error) {
        std::cerr << "raddle: " << printable(error.what()) << std::endl;  // what was explored is kept all the same
    }
}

CampaignResult KeptCampaign::as_it_stands() const {
    CampaignResult result;
    result.coverage = store_->progress().coverage;
    result.end = CampaignEnd::first_bug;
    complete(result);
    return result;
}

fs::path newest_campaign() {
    const fs::path latest = fs::path(home) / "latest";
    if (!CampaignStore::is_in(latest))
        throw StoreError("there is no campaign in " + std::string(home) + " here; name its directory (as in raddle status DIR, raddle show 1 -C DIR)");
    return where_it_leads(latest);
}

fs::path where_it_leads(const fs::path& directory) {
    std::error_code error;
    const fs::path target = fs::read_symlink(directory, error);
    return error ? directory : (directory.parent_path() / target).lexically_normal();
}

}  // namespace raddle::cli
