#include "supervisor/engine/divergence/advice.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "supervisor/base/text.h"
#include "supervisor/campaign/campaign.h"
#include "supervisor/campaign/repetition.h"
#include "supervisor/engine/divergence/repetitions.h"
#include "supervisor/engine/program/process_settings.h"

namespace raddle {

namespace fs = std::filesystem;

namespace {

// So many repetitions that a setting without effect would do the same in all of them once in a thousand times.
unsigned runs_for(const DivergenceRecord& record) {
    if (record.differed == record.runs) return 5;
    return 2 * record.differed >= record.runs ? 10 : 24;
}

constexpr std::uint64_t least_executions = 50, most_executions = 400;

// A row of settings.def with a value; empty for a flag.
struct Candidate {
    SettingName name;
    std::string value;
    bool keeps_steps;  // the same schedule means the same under it

    std::string option() const { return name.option() + (value.empty() ? "" : " " + shell_word(value)); }
};

class Trials {
public:
    Trials(const AdviceInput& input, const DivergenceRecord& record)
        : input_(input), record_(record), runs_(runs_for(record)) {}

    // Nothing if the setting cannot be tried.
    std::optional<TriedSetting> tried(const Candidate& candidate) {
        Settings settings = input_.settings;
        const SettingRow& row = *find_setting(candidate.name.text(), command::run);
        // The choice of raddle goes with the level that it chose.
        if (candidate.name == SettingName("memory")) settings.disregard("races");
        settings.give(row, candidate.value);
        try {
            return candidate.keeps_steps ? by_schedule(candidate, settings) : by_search(candidate, settings);
        } catch (const BadInput&) {
            return std::nullopt;  // it does not go with the other settings, or the program cannot run under it
        }
    }

private:
    std::optional<TriedSetting> by_schedule(const Candidate& candidate, const Settings& settings) const {
        const ProcessOptions process = quiet(process_options(settings, input_.process.code));
        const Repetitions again =
            repeated(process, verdict_rules_of(settings), input_.schedule, record_.across, runs_, input_.is_over);
        const Verdict verdict = again.first.verdict;
        if (again.runs < runs_ || verdict == Verdict::uncontrolled) return std::nullopt;
        const unsigned same = again.runs - again.differed;
        return TriedSetting{
            candidate.option(),
            "with it, the schedule did the same " + std::to_string(same) + " times of " + std::to_string(again.runs),
            again.is_same()};
    }

    // Ends the search at the first divergence.
    class Watch final : public Observer {
    public:
        explicit Watch(const std::function<bool()>& is_over) : is_over_(is_over) {}
        void executed(const Plan&, const Execution& execution, Strategy&) override {
            if (is_repeatable(execution.verdict)) last_ = execution.schedule();
        }
        const Schedule& last() const { return last_; }
        void tick(const CampaignProgress&) override {
            if (is_over_()) source_.request_stop();
        }
        void finding(const Finding& finding) override {
            if (finding.verdict == Verdict::diverged) source_.request_stop();
        }
        std::stop_token token() const { return source_.get_token(); }

    private:
        const std::function<bool()>& is_over_;
        Schedule last_;
        std::stop_source source_;
    };

    std::optional<TriedSetting> by_search(const Candidate& candidate, const Settings& settings) const {
        const ProcessOptions process = quiet(process_options(settings));
        StrategyOptions search = input_.search;
        search.visible_set = process.code;
        // A worker that hangs is left behind, and still uses its pool.
        const auto pool = std::make_shared<TargetPool>(process, verdict_rules_of(settings));
        CampaignOptions options;
        options.max_executions = std::clamp(2 * input_.executions, least_executions, most_executions);
        options.keep_going = true;
        Watch watch(input_.is_over);
        Campaign campaign([pool] { return pool->make(); }, make_strategy(input_.strategy, search), options);
        const CampaignResult result = campaign.run({&watch}, watch.token());
        if (result.left_behind > 0) pool->kill_all();
        if (input_.is_over() || result.failure || result.left_behind > 0 ||
            result.verdicts.contains(Verdict::uncontrolled))
            return std::nullopt;
        bool is_same = result.disagreements.empty() && result.checks > 0;
        std::uint64_t checks = result.checks;
        // The search repeats few schedules. Where repeating shows the divergence, that has to be done as often as for
        // the other settings.
        if (is_same && record_.differed > 0) {
            const Repetitions again =
                repeated(process, verdict_rules_of(settings), watch.last(), record_.across, runs_, input_.is_over);
            is_same = again.runs == runs_ && again.is_same();
            checks += again.runs;
        }
        const std::string ran = counted(result.coverage.executions, "execution");
        return TriedSetting{candidate.option(),
                            is_same
                                ? "with it, " + ran + " and " + counted(checks, "repetition") + " showed no divergence"
                                : "with it, the program diverged, too",
                            is_same};
    }

    const AdviceInput& input_;
    const DivergenceRecord& record_;
    const unsigned runs_;
};

// A copy of the working directory costs little.
bool is_small(const std::string& directory) {
    constexpr std::size_t most_files = 1000;
    constexpr std::uintmax_t most_bytes = 16 << 20;
    std::size_t files = 0;
    std::uintmax_t bytes = 0;
    std::error_code error;
    const fs::path place = directory.empty() ? fs::path(".") : fs::path(directory);
    for (fs::recursive_directory_iterator entry(place, error), end; !error && entry != end; entry.increment(error)) {
        if (entry->is_regular_file(error)) bytes += entry->file_size(error);
        if (++files > most_files || bytes > most_bytes) return false;
    }
    return !error;
}

// The likeliest first.
std::vector<Candidate> candidates(const AdviceInput& input, const DivergenceRecord& record) {
    std::vector<Candidate> all;
    const Settings& settings = input.settings;
    // Repeating helps only if repeating shows it.
    const bool repeats = record.differed > 0;
    for (const std::string& library : input.libraries) all.push_back({"instrument", library, false});
    if (!input.process.code || input.process.code->level() < MemoryLevel::races)
        all.push_back({"memory", "races", false});
    if (repeats && !settings.given("workdir-copy") && is_small(input.process.directory))
        all.push_back({"workdir-copy", "", true});
    if (repeats && record.across == Across::executions && settings.text("restart") == "auto") {
        all.push_back({"restart", "fork", true});
        all.push_back({"restart", "exec", true});
    }
    if (repeats && settings.text("threads") == "auto") all.push_back({"threads", "kernel", true});
    if (input.process.code && !settings.is_said("memory")) all.push_back({"memory", "sync", false});
    for (const std::string& variable : input.variables)
        if (repeats) all.push_back({"env", variable + "=0", true});
    return all;
}

}  // namespace

std::vector<TriedSetting> try_settings(const AdviceInput& input, const DivergenceRecord& record) {
    std::vector<TriedSetting> all;
    Trials trials(input, record);
    for (const Candidate& candidate : candidates(input, record)) {
        if (input.is_over()) break;
        std::optional<TriedSetting> tried = trials.tried(candidate);
        if (!tried) continue;
        all.push_back(std::move(*tried));
        if (all.back().helped) break;
    }
    return all;
}

}  // namespace raddle
