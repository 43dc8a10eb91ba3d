#include "cli/kept_campaign.h"

#include <algorithm>
#include <iostream>
#include <system_error>

#include "cli/strategy_traits.h"
#include "cli/text.h"
#include "store/build_id.h"
#include "store/resume.h"
#include "supervisor/process/launch.h"

extern "C" char** environ;

namespace raddle::cli {

namespace fs = std::filesystem;

const std::vector<OptionRow> store_options = {
    {"campaign", 'C', "DIR", nullptr,
     "keep the campaign in this directory, and go on with the one that is there (default: keep nothing)", "campaign",
     &directory_form},
    {"resume", 0, "WHEN", "auto",
     "auto: go on with the campaign of this program if there is one; must: only if there is one; never: begin anew, "
     "the old one is set aside (without -C, in raddle.out/)",
     "campaign", &resume_form},
    {"no-store", 0, nullptr, nullptr, "keep nothing", "campaign", nullptr},
};

namespace {

constexpr const char* home = "raddle.out";

// The same program and arguments have the same directory, whatever the options.
fs::path default_directory(const std::string& executable, const std::vector<std::string>& program) {
    std::vector<std::string> words = program;
    words[0] = fs::absolute(executable).string();
    return fs::path(home) / (fs::path(executable).filename().string() + "-" + fingerprint(shell_line(words)).substr(0, 8));
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
    std::vector<std::string> environment;
    for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
    if (process.environment) environment = *process.environment;

    Identity identity;
    identity.add("the command line", shell_line(arguments.program));
    identity.add("--strategy", strategy);
    identity.add("--independence", process.independence == Independence::plain ? "plain" : "fine");
    identity.add("--spurious", process.spurious_wakeups ? "given" : "");
    identity.add("--max-steps", std::to_string(process.max_steps));
    identity.add("--fork-at", text_of(process.fork_at));
    identity.add("--stdin", file_text(process.input));
    if (is_among(strategy, sampling_strategies)) identity.add("--seed", std::to_string(options.seed));
    if (is_among(strategy, strategies_with_depth)) identity.add("--depth", std::to_string(options.depth));
    identity.add("the working directory",
                 process.directory.empty() ? fs::current_path().string() : fs::absolute(process.directory).string());
    identity.add_files(executable, environment);
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

// That there is no link takes nothing from the campaign.
void point_latest_to(const fs::path& directory) {
    const fs::path link = directory.parent_path() / "latest", fresh = directory.parent_path() / "latest.new";
    std::error_code error;
    fs::remove(fresh, error);
    fs::create_directory_symlink(directory.filename(), fresh, error);
    if (!error) fs::rename(fresh, link, error);
}

std::vector<FindingGroup> groups_of(const std::vector<StoredBug>& bugs, bool real) {
    std::vector<FindingGroup> groups;
    for (const StoredBug& bug : bugs)
        if (is_bug(bug.finding.verdict) == real) groups.push_back({bug.finding, bug.times});
    std::stable_sort(groups.begin(), groups.end(), [](const FindingGroup& a, const FindingGroup& b) {
        return a.first.preemptions < b.first.preemptions;
    });
    return groups;
}

}  // namespace

bool is_to_be_kept(const Arguments& arguments) {
    const bool asked = arguments.given("campaign") || arguments.given("resume");
    if (asked && arguments.given("no-store"))
        throw Usage("raddle run: --no-store does not go with -C or --resume; choose one");
    if (asked && arguments.given("schedule"))
        throw Usage("raddle run: --schedule runs one execution, of which nothing is kept; leave out -C and --resume");
    return asked;
}

KeptCampaign::KeptCampaign(const Arguments& arguments, const ProcessOptions& process, const std::string& strategy,
                           const StrategyOptions& options, unsigned jobs) {
    const bool named = arguments.given("campaign");
    const fs::path directory = named ? fs::path(arguments.text("campaign"))
                                     : default_directory(find_executable(process.argv[0]), arguments.program);
    const Identity identity = identity_of(arguments, process, strategy, options);
    const std::string when = arguments.text("resume");
    const bool exists = CampaignStore::is_in(directory);
    if (when == "must" && !exists)
        throw StoreError(directory.string() + ": there is no campaign to go on with; leave out --resume must to begin one");
    if (when == "never" && exists) set_aside(directory);

    store_ = std::make_unique<CampaignStore>(directory, CampaignStore::Open::write);
    if (store_->is_new())
        store_->begin(identity);
    else
        store_->expect(identity);
    if (!named) point_latest_to(directory);
    strategy_ = resume(*store_, strategy, options).strategy;
    executions_before_ = strategy_->coverage().executions;
    observer_ = std::make_unique<StoreObserver>(*store_, strategy, options, jobs);
}

bool KeptCampaign::has_bug() const { return !groups_of(store_->bugs(), true).empty(); }

void KeptCampaign::complete(CampaignResult& result) const {
    if (failure()) return;  // what is on disk is older than what is known
    const std::vector<StoredBug> bugs = store_->bugs();
    const StoredProgress progress = store_->progress();
    result.bugs = groups_of(bugs, true);
    result.disagreements = groups_of(bugs, false);
    result.verdicts = progress.endings;
    result.seconds = static_cast<double>(progress.milliseconds) / 1000;
    result.complete = result.complete && result.disagreements.empty();
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
        throw StoreError("there is no campaign in " + std::string(home) + " here; name its directory: raddle status DIR");
    return latest;
}

}  // namespace raddle::cli
