#include "cli/report.h"

#include <unistd.h>

#include <algorithm>

#include "cli/terminal.h"
#include "supervisor/base/text.h"

namespace raddle::cli {

namespace {

// The kernel takes no longer word on a command line.
constexpr std::size_t longest_token = 400;
constexpr std::size_t longest_word = 128 * 1024 - 1;

std::string kind_of(const Finding& finding) {
    const std::string kind = words_of(name_of(finding.verdict));
    return is_bug(finding.verdict) ? kind + ", " + counted(finding.preemptions, "preemption") : kind;
}

// "with at most 2 preemptions"
std::string within(std::uint32_t bound) {
    return bound == 0 ? "without preemptions" : "with at most " + counted(bound, "preemption");
}

// "every schedule", with the restriction that holds for all claims.
std::string every_schedule(const RunReport& report) {
    return report.focus.empty() ? "every schedule" : "every schedule of the focus";
}

std::string first_reason(const RunReport& report) {
    const std::vector<std::string> reasons = report.result.incomplete_because();
    return reasons.empty() ? "" : printable(reasons.front());
}

std::string bug_headline(const RunReport& report) {
    const std::vector<Bug>& bugs = report.result.bugs;
    const Finding& first = bugs.front().simplest();
    const std::string what = kind_of(first) + ": " + printable(first.message);
    return bugs.size() == 1 ? "bug: " + what : std::to_string(bugs.size()) + " bugs: first " + what;
}

std::string incomplete_headline(const RunReport& report) {
    const Coverage& coverage = report.result.coverage;
    std::string text = "no bug so far (" + counts_of(coverage) + "): " + first_reason(report);
    if (coverage.complete_to) text += "; " + every_schedule(report) + " " + within(*coverage.complete_to) + " explored";
    return text;
}

std::string ok_headline(const RunReport& report) {
    const Coverage& coverage = report.result.coverage;
    if (report.one_schedule) return "no bug in this schedule";
    if (coverage.exhausted) return "no bug: " + every_schedule(report) + " explored (" + counts_of(coverage) + ")";
    const std::string where = report.focus.empty() ? "" : "in the focus ";
    return "no bug " + where + within(coverage.complete_to.value_or(0)) + " (" + counts_of(coverage) +
           "); not explored beyond";
}

std::string diverged_headline(const RunReport& report) {
    if (report.result.disagreements.empty())
        return "diverged: a bug did not show again under its schedule: " +
               printable(report.result.unstable.front().found.message);
    const Finding& first = report.result.disagreements.front().found;
    const std::size_t step = first.schedule.size();
    std::string where;
    if (step < report.schedule.size())
        where = "at step " + std::to_string(step + 1) + " of " + std::to_string(report.schedule.size()) + ", " +
                name_of(report.schedule[step].thread) + ": ";
    return "diverged: " + where + printable(report.result.disagreements.front().simplest().message);
}

Colour colour_of(CampaignVerdict verdict) {
    switch (verdict) {
        case CampaignVerdict::ok: return Colour::good;
        case CampaignVerdict::bug: return Colour::bad;
        case CampaignVerdict::incomplete:
        case CampaignVerdict::diverged:
        case CampaignVerdict::uncontrollable: return Colour::doubtful;
    }
    return Colour::doubtful;
}

std::string line(const std::string& label, const std::string& text) {
    return label + std::string(label.size() < 12 ? 12 - label.size() : 1, ' ') + text + "\n";
}

// Long text continues on the next lines, indented.
std::string hanging(const std::string& label, const std::string& text) {
    constexpr std::size_t width = 88;  // beside the label
    std::string lines;
    for (const std::string& one : wrapped(text, width)) lines += line(lines.empty() ? label : "", one);
    return lines.empty() ? line(label, text) : lines;
}

std::string level_of(const RunReport& report) {
    if (!report.code)
        return "calls; the order of plain and atomic memory accesses between them is not explored" +
               (report.only_calls_because.empty() ? "" : " (" + printable(report.only_calls_because) + ")");
    const InstrumentedCode& code = *report.code;
    std::string text = "calls and memory (" + std::string(name_of(code.level())) +
                       (report.races_only_explored ? ": explored, not reported" : "") + "): ";
    if (code.reports_accesses())
        text += counted(code.visible(), "place") +
                " with accesses to shared memory, as the program reports (-fsanitize=thread)";
    else
        text +=
            std::to_string(code.visible()) + " of " + counted(code.candidates(), "instruction") + " that touch memory";
    if (!code.skipped().empty())
        text += "; " + counted(code.skipped().size(), "place") + " not looked at (raddle doctor)";
    return text;
}

// The memory orders that the program may have and the search does not explore.
std::string order_of(const RunReport& report) {
    const auto is_race = [](const Bug& bug) { return bug.found.verdict == Verdict::race; };
    const std::vector<Bug>& bugs = report.result.bugs;
    const bool weaker =
        (report.races && report.races->saw_weaker_orders()) || std::any_of(bugs.begin(), bugs.end(), is_race);
    return weaker
               ? line("order",
                      "sequentially consistent; the weaker orders that races and atomic stores allow are not explored")
               : "";
}

std::string patience_of(const RunReport& report) {
    return report.assumed.empty() ? "" : line("patience", report.assumed);
}

std::string unchecked_of(const RunReport& report) {
    return report.unchecked.empty() ? "" : line("sanitizer", report.unchecked);
}

std::string focus_of(const RunReport& report) {
    if (report.focus.empty()) return {};
    return hanging("focus", printable(report.focus) + ": choices only where a thread is inside (" +
                                printable(report.outside_focus) + ")");
}

std::string naps_of(const RunReport& report) {
    return report.naps
               ? line("naps", "threads that work without waiting sleep now and then, so that time passes (--naps)")
               : "";
}

std::string explored(const RunReport& report) {
    const Coverage& coverage = report.result.coverage;
    std::string text = counts_of(coverage);
    if (coverage.abandoned > 0) text += ", " + std::to_string(coverage.abandoned) + " abandoned";
    if (coverage.postponed > 0)
        text +=
            ", " + counted(coverage.postponed, "execution") + " cut at a first limit of steps, to be run again later";
    // A search that found a bug with its last execution has seen all, but it stopped there.
    if (coverage.exhausted && report.result.end != CampaignEnd::first_bug)
        text += "; " + every_schedule(report);
    else if (coverage.complete_to)
        text += "; " + every_schedule(report) + " " + within(*coverage.complete_to);
    if (coverage.is_sweeping && !coverage.exhausted) text += std::string("; ") + sweeping_text;
    return line("explored", text) + focus_of(report) + line("level", level_of(report)) + order_of(report) +
           patience_of(report) + unchecked_of(report) + naps_of(report);
}

// Of a divergence raddle advises only what it tried. Unseen memory is the usual cause of endless loops at the level of
// calls.
std::string advice_on(const RunReport& report) {
    const CampaignResult& result = report.result;
    for (const Bug& divergence : result.disagreements)
        if (divergence.explained && !divergence.explained->advice.empty())
            return hanging("try", printable(divergence.explained->advice));
    if (report.code || report.one_schedule || !result.disagreements.empty()) return {};
    const auto is_endless = [](const Bug& cut) { return cut.found.verdict == Verdict::step_limit; };
    if (std::any_of(result.cuts.begin(), result.cuts.end(), is_endless))
        return line("try", "--memory races: a thread may spin on shared memory, unseen at this level");
    return {};
}

std::string spent(const CampaignResult& result) {
    std::string text = duration_text(result.seconds) + ", " + duration_text(result.cpu_seconds) + " of processor time";
    if (result.executed > 1 && result.seconds > 0)
        text += ", " + counted(static_cast<std::uint64_t>(result.executions_per_second()), "execution") + " per second";
    return line("time", text);
}

std::string how_to_run_again(const RunReport& report, const Finding& finding) {
    const std::string schedule = text_of(finding.schedule);
    if (schedule.empty()) return {};
    std::vector<std::string> words = {"raddle", "run"};
    words.insert(words.end(), report.target_options.begin(), report.target_options.end());
    std::string text = shell_line(words) + " --schedule ";
    // Too long for a command line: a file holds it then.
    text += schedule.size() < longest_word ? shell_word(schedule) : "@FILE-WITH-THE-SCHEDULE";
    return text + " -- " + shell_line(report.program);
}

// Its beginning, up to a whole step. A program that went on until its last step allowed has a schedule of megabytes.
std::string shortened(const Schedule& schedule, bool verbosely) {
    const std::size_t longest = verbosely ? 4'000 : 200;
    const std::string text = text_of(schedule);
    if (text.size() <= longest) return text;
    return text.substr(0, text.rfind(' ', longest)) + " ... (" + counted(schedule.size(), "step") + " in all; " +
           (verbosely ? "--json prints them)" : "--json or --verbose prints them)");
}

// A short command line. The lines "replay" and "token" serve where there is none.
std::string short_way_to_run_again(const RunReport& report, const Bug& bug) {
    constexpr std::size_t longest = 160;
    const std::string again = how_to_run_again(report, bug.simplest());
    if (report.verbose || again.size() <= longest) return again;
    if (!bug.filed || !bug.filed->directory.empty() || bug.filed->token.empty()) return {};
    return "raddle replay " + bug.filed->token + " -- " + shell_line(report.program);
}

// Where the threads stood that did nothing visible any more.
std::string standing_of(const Finding& finding) {
    std::string text;
    if (!finding.standing) return text;
    for (const std::string& one : lines_of(*finding.standing))
        text += hanging(text.empty() ? "  stands" : "", printable(one));
    return text;
}

// The lines of one bug, without those that nobody reads: raddle show has them all.
std::string first_lines(const std::string& text, bool in_full) {
    constexpr std::size_t most = 40;
    std::size_t end = 0, lines = 0, cut = std::string::npos;
    for (; (end = text.find('\n', end)) != std::string::npos; ++end)
        if (++lines == most - 1) cut = end + 1;
    if (in_full || lines <= most) return text;
    return text.substr(0, cut) + "  ... " + counted(lines - most + 1, "more line") + " (--verbose prints them)\n";
}

std::string place_of(const Filed& filed) {
    std::string text;
    if (!filed.not_written.empty()) text += line("  not kept", printable(filed.not_written));
    if (!filed.directory.empty())
        text += line("  kept in", filed.directory) + line("  replay", "raddle replay " + shell_word(filed.directory)) +
                line("  explain", "raddle show " + shell_word(filed.directory));
    return text;
}

// Different outputs are no bugs, but the user may want to know.
std::string outputs_of(const RunReport& report) {
    if (!report.outputs || report.outcomes) return {};
    const std::string summary = summary_of(*report.outputs);
    if (summary.empty()) return {};
    std::string text = line("outputs", summary + "; no bugs (--fail-on stdout-differs makes them bugs)");
    for (const std::string& one : lines_of(*report.outputs, true)) text += line("", one);
    if (report.result.leaves_output_open) text += line("", "there may be more: see \"output\" above");
    return text;
}

// The result of the proof, and the command to see the bug again.
std::string proof_of(const RunReport& report, const Bug& bug) {
    if (!is_bug(bug.found.verdict)) return bug.filed ? place_of(*bug.filed) : "";
    if (!bug.proven) {
        const bool is_wanted = report.recorder != nullptr && is_bug(bug.found.verdict);
        const std::string why = is_wanted ? report.recorder->failure() : "";
        return why.empty() ? "" : line("  proof", "not replayed: " + printable(why));
    }
    const Proven& proven = *bug.proven;
    const Filed& filed = *bug.filed;
    std::string text = std::to_string(proven.reproduced) + "/" + std::to_string(proven.runs) + " replays showed it";
    if (bug.has_fewest_preemptions() && bug.simplest().preemptions > 0)
        text += "; no schedule with fewer preemptions does";
    text = line("  proof", text);
    if (!proven.divergence.empty()) text += line("  diverged", printable(proven.divergence));
    text += place_of(filed);
    if (filed.directory.empty() && filed.token.size() <= longest_token) text += line("  token", filed.token);
    return text;
}

std::string details(const RunReport& report, const std::vector<Bug>& bugs) {
    std::string all;
    for (const Bug& bug : bugs) {
        const Finding& finding = bug.simplest();
        std::string text = kind_of(finding) + "\n";
        text += hanging("  what", printable(finding.message)) + standing_of(finding);
        if (!bug.found.found_by.empty()) text += line("  found by", bug.found.found_by);
        if (bug.explained) text += bug.explained->brief;
        if (bug.found.times > 1) text += line("  seen", counted(bug.found.times, "time"));
        text += proof_of(report, bug);
        if (!finding.schedule.empty()) text += line("  schedule", shortened(finding.schedule, report.verbose));
        const std::string again = short_way_to_run_again(report, bug);
        if (!again.empty()) text += line("  run again", again);
        all += "\n" + first_lines(text, report.verbose);
    }
    return all;
}

// One divergence is explained; the others are likely to have the same cause.
std::string divergences(const RunReport& report) {
    const std::vector<Bug>& all = report.result.disagreements;
    if (all.empty() || report.verbose || report.one_schedule) return details(report, all);
    std::string text = details(report, {all.front()});
    if (all.size() > 1) text += "\n" + counted(all.size() - 1, "more divergence") + " (--verbose lists all)\n";
    return text;
}

std::string predictions_of(const Coverage& coverage) {
    if (coverage.predictions == 0) return {};
    return line("predicted", counted(coverage.predictions, "execution") + " that should show a bug; " +
                                 std::to_string(coverage.came_true) + " came true, " +
                                 std::to_string(coverage.predictions - coverage.came_true) + " did not");
}

std::string more_details(const RunReport& report) {
    const CampaignResult& result = report.result;
    std::string text =
        line("strategy", report.strategy + (report.bound ? ", " + within(*report.bound) : "") + ", seed " +
                             std::to_string(report.seed) + ", " + counted(report.jobs, "worker"));
    if (!report.restart.empty()) {
        text += line("restart", report.restart) + line("processes", text_of(report.restarts)) +
                line("threads", report.threads);
    }
    std::string endings;
    for (const auto& [verdict, times] : result.verdicts)
        endings += (endings.empty() ? "" : ", ") + words_of(name_of(verdict)) + " " + std::to_string(times);
    text += line("ended", endings.empty() ? "nothing ran" : endings);
    text += predictions_of(result.coverage);
    if (result.checks > 0) text += line("checked", counted(result.checks, "execution") + " done again");
    if (result.replaced > 0) text += line("replaced", counted(result.replaced, "worker"));
    return text;
}

// The first divergence stands for the others, which have lines of their own only with --verbose.
std::string incomplete(const RunReport& report) {
    std::string text;
    bool said_nondeterminism = false;
    for (const std::string& reason : report.result.incomplete_because()) {
        const bool is_nondeterminism = reason.starts_with(nondeterminism);
        if (is_nondeterminism && said_nondeterminism && !report.verbose) continue;
        said_nondeterminism |= is_nondeterminism;
        text += line(text.empty() ? "incomplete" : "", printable(reason));
    }
    return text;
}

}  // namespace

std::string headline(const RunReport& report) {
    switch (report.verdict) {
        case CampaignVerdict::ok: return ok_headline(report);
        case CampaignVerdict::bug: return bug_headline(report);
        case CampaignVerdict::incomplete: return incomplete_headline(report);
        case CampaignVerdict::diverged: return diverged_headline(report);
        case CampaignVerdict::uncontrollable: return "not controllable: " + first_reason(report);
    }
    return {};
}

std::string report_for_people(const RunReport& report) {
    const CampaignResult& result = report.result;
    std::string text = coloured(headline(report), colour_of(report.verdict), STDOUT_FILENO) + "\n";
    if (result.verdicts.empty() && report.verdict == CampaignVerdict::uncontrollable) return text;
    text += explored(report);
    text += incomplete(report);
    if (result.leaves_output_open) text += hanging("output", output_order_not_explored);
    if (const char* const addresses = text_of(report.addresses)) text += hanging("addresses", addresses);
    if (report.native) text += hanging("native", printable(report.native->text));
    text += advice_on(report) + spent(result);
    text += outputs_of(report);
    if (report.verbose) text += more_details(report);
    if (report.outcomes) text += outcomes_for_people(*report.outcomes);
    for (const Bug& group : result.suppressed)
        text += line("suppressed", kind_of(group.found) + ": " + printable(group.found.message) + " (" +
                                       counted(group.found.times, "time") + ")");
    text += details(report, result.bugs);
    if (!result.unstable.empty()) text += "\nunstable, seen but not shown again:\n" + details(report, result.unstable);
    text += divergences(report) + details(report, result.cuts);
    if (result.dropped > 0) text += "\n" + counted(result.dropped, "more that are", "more that are") + " not listed\n";
    if (result.end == CampaignEnd::first_bug) text += "\n--keep-going looks for more.\n";
    return text;
}

}  // namespace raddle::cli
