#include "supervisor/engine/divergence/divergence_recorder.h"

#include <algorithm>

#include "replay/explain/diverged.h"
#include "replay/explain/explain_text.h"
#include "replay/report/html_report.h"
#include "replay/schedule/bug_directory.h"
#include "supervisor/base/text.h"
#include "supervisor/engine/bugs/report_header.h"
#include "supervisor/engine/divergence/advice.h"
#include "supervisor/engine/divergence/cause.h"
#include "supervisor/engine/divergence/kept_divergence.h"
#include "supervisor/engine/program/program_identity.h"
#include "supervisor/engine/program/unexplored_memory.h"

namespace raddle {

namespace fs = std::filesystem;

namespace {

constexpr unsigned tries = 4;  // in each way

std::string own_path() {
    std::error_code error;
    const fs::path path = fs::read_symlink("/proc/self/exe", error);
    return error ? "raddle" : path.string();
}

class Examination {
public:
    Examination(Bug& bug, const CampaignResult& result, const DivergenceInput& input)
        : bug_(bug),
          result_(result),
          input_(input),
          process_(quiet(input.process)),
          schedule_(bug.found.repeated.empty() ? bug.found.schedule : bug.found.repeated),
          subject_(subject_of(input.settings, input.process)),
          names_(subject_.files) {}

    void run() {
        const Repetitions repetitions = repeated_both_ways();
        DivergenceRecord record = record_of(repetitions, names_);
        if (!repetitions.other) record.runs = runs_;
        std::vector<std::string> variables;
        if (repetitions.other) {
            const MemoryDivergence memory =
                first_memory_difference(process_, schedule_, record.step, record.across, input_.is_over);
            variables = find_cause(record, memory, repetitions, process_, schedule_);
        } else {
            record.cause = unseen_memory();
        }
        const AdviceInput advice{input_.settings,
                                 process_,
                                 input_.strategy,
                                 input_.search,
                                 schedule_,
                                 result_.coverage.executions,
                                 libraries_not_looked_at(repetitions.first),
                                 variables,
                                 input_.is_over};
        record.tried = try_settings(advice, record);
        keep(record, repetitions);
    }

private:
    Repetitions repeated_both_ways() {
        Repetitions found;
        for (const Across across : {Across::executions, Across::launches}) {
            found = repeated(process_, verdict_rules_of(input_.settings), schedule_, across, tries, input_.is_over);
            runs_ += found.runs;
            if (found.differed > 0) break;
        }
        return found;
    }

    // The schedule repeats, but the search saw a thread go two ways after one past: something it does not see decides.
    std::string unseen_memory() const {
        for (const Bug& cut : result_.cuts)
            if (cut.found.verdict == Verdict::not_looked_at) return cut.found.message;
        if (process_.code && process_.code->level() >= MemoryLevel::races) return {};
        std::uint64_t executed = 0;  // these show the cause; they repeat nothing
        return unexplored_memory(input_.settings, process_, input_.is_over, executed);
    }

    std::vector<std::string> libraries_not_looked_at(const Execution& execution) const {
        std::vector<std::string> libraries;
        if (!execution.modules) return libraries;
        for (const Module& module : *execution.modules)
            for (const Bug& cut : result_.cuts)
                if (cut.found.verdict == Verdict::not_looked_at && module.path.starts_with("/") &&
                    cut.found.message.find(module.path + " (") != std::string::npos)
                    libraries.push_back(module.path);
        return libraries;
    }

    ScheduleFile file_of(const Execution& execution, const std::string& message) {
        ScheduleFile file;
        file.subject = subject_;
        file.verdict = Verdict::diverged;
        file.message = message;
        file.key = bug_.found.key;
        file.steps = recorded(execution);
        file.names = names_.of_objects(file.steps);
        return file;
    }

    void keep(const DivergenceRecord& record, const Repetitions& repetitions) {
        const std::string message = record.step > 0 ? sentence_of(record, repetitions.first.events.size())
                                                    : names_.with_lines(bug_.found.message);
        DivergenceFiles files;
        files.first = file_of(repetitions.first, message);
        if (repetitions.other) files.then = file_of(*repetitions.other, message);
        files.record = record;
        files.raddle = own_path();
        bug_.minimised = {bug_.found, false};
        bug_.minimised->message = message;
        bug_.minimised->schedule = schedule_;
        if (input_.directory.empty()) return explain(bug_, record, files.first);
        unsigned number = 1;
        for (const Bug& known : bugs_in(input_.directory)) number = std::max(number, known.filed->number + 1);
        const fs::path directory = input_.directory / bug_name(number, Verdict::diverged);
        bug_.filed = Filed{.number = number, .directory = directory.string()};
        explain(bug_, record, files.first);
        files.report = text_of(*bug_.explanation());
        files.page = page();
        try {
            write_divergence(directory, files);
        } catch (const BadInput& error) {
            bug_.filed->directory.clear();
            bug_.filed->not_written = error.what();
        }
    }

    std::string page() const {
        CampaignReport report = empty_report();
        report.program = shell_line(input_.settings.program);
        report.name = fs::path(input_.settings.program[0]).filename().string();
        report.verdict = name_of(CampaignVerdict::diverged);
        report.headline = sentence_of(bug_);
        report.diverged.push_back(bug_);
        return html_of(report, fresh_nonce());
    }

    Bug& bug_;
    const CampaignResult& result_;
    const DivergenceInput& input_;
    const ProcessOptions process_;
    const Schedule schedule_;
    const Subject subject_;
    Symbolizer names_;
    unsigned runs_ = 0;
};

}  // namespace

void look_into_divergence(CampaignResult& result, const DivergenceInput& input) {
    // The schedule of an unstable bug went another way, too.
    if (result.disagreements.empty() && !result.unstable.empty()) {
        Bug& divergence = result.disagreements.emplace_back();
        divergence.found = result.unstable.front().found;
        divergence.found.verdict = Verdict::diverged;
        divergence.found.message = "a bug did not show again under its schedule: " + divergence.found.message;
    }
    if (result.disagreements.empty()) return;
    if (!input.directory.empty()) add_kept_divergences(result.disagreements, bugs_in(input.directory));
    const auto is_known = [](const Bug& bug) { return bug.filed.has_value(); };
    if (std::any_of(result.disagreements.begin(), result.disagreements.end(), is_known)) return;
    // A repeated schedule tells more than two schedules with one past.
    const auto is_repeated = [](const Bug& bug) {
        return bug.found.message.find("executed again") != std::string::npos;
    };
    const auto best = std::find_if(result.disagreements.begin(), result.disagreements.end(), is_repeated);
    if (best != result.disagreements.end()) std::rotate(result.disagreements.begin(), best, best + 1);
    try {
        Examination(result.disagreements.front(), result, input).run();
    } catch (const BadInput&) {}  // the divergence stands without an explanation
}

}  // namespace raddle
