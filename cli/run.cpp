// raddle run: one campaign, and its result.
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>

#include "cli/bug_book.h"
#include "cli/commands.h"
#include "cli/configuration.h"
#include "cli/explained.h"
#include "cli/interruption.h"
#include "cli/kept_campaign.h"
#include "cli/level.h"
#include "cli/old_bugs.h"
#include "cli/one_schedule.h"
#include "cli/outcomes.h"
#include "cli/place_names.h"
#include "cli/progress.h"
#include "cli/races.h"
#include "cli/report.h"
#include "cli/strategy_traits.h"
#include "cli/subject.h"
#include "cli/suppressed.h"
#include "cli/target.h"
#include "cli/terminal.h"
#include "replay/explain/explain_text.h"
#include "supervisor/base/text.h"
#include "supervisor/campaign/campaign.h"
#include "supervisor/process/launch.h"
#include "supervisor/search/strategy.h"

namespace raddle::cli {

const std::vector<OptionRow> search_options = {
    {"strategy", 's', "NAME", nullptr, "how schedules are chosen (default: bounded; optimal with --bound none)",
     "search", &strategy_form},
    {"bound", 'b', "K", nullptr,
     "explore schedules with at most K preemptions; none: all at once, in no such order (default: 0, then 1, then 2 "
     "...)",
     "search", &bound_form},
    {"seed", 0, "N", "1", "what sampling draws from", "search", &any_count},
    {"samples", 0, "N", "1000", "how many executions sampling draws", "search", &positive_count},
    {"depth", 0, "N", "3", "how many ordering constraints pct expects a bug to need", "search", &positive_count},
    {"schedule", 0, "TEXT", nullptr, "run this one schedule, as a bug report gives it, and no other", "search",
     &schedule_form},
    {"max-execs", 0, "N", nullptr, "end after so many executions", "budget", &positive_count},
    {"max-time", 't', "TIME", nullptr, "end after so long: 30s, 5m, 2h", "budget", &duration_form},
    {"keep-going", 'k', nullptr, nullptr, "look for more after the first bug", "budget", nullptr},
    {"jobs", 'j', "N", nullptr, "so many executions at a time (default: one for each processor)", "budget", &job_count},
    {"no-pin", 0, nullptr, nullptr, "let workers and what they run move between processors (slower, but for a program that has much to do by itself)",
     "budget", nullptr},
};

const std::vector<OptionRow> output_options = {
    {"json", 0, nullptr, nullptr, "print one JSON object instead of text", "output", nullptr},
    {"verbose", 'v', nullptr, nullptr, "say more: how executions ended, bugs as they are found", "output", nullptr},
    {"quiet", 'q', nullptr, nullptr, "show no progress", "output", nullptr},
    {"output", 0, "WHERE", "discard", "what becomes of what the program prints", "output", &output_form},
    {"outcomes", 0, nullptr, nullptr,
     "list the different ways it ended, by exit status and what it wrote, with how often and a schedule of each",
     "output", nullptr},
};

namespace {

[[noreturn]] void refuse(const std::string& what) {
    throw Usage("raddle run: " + what);
}

// "T0*4 T1", or what stands in a file: @FILE
Schedule given_schedule(const std::string& text) {
    if (!text.starts_with('@')) return parse_schedule(text);
    std::ifstream file(text.substr(1));
    std::stringstream content;
    if (!file || !(content << file.rdbuf())) refuse("--schedule: " + text.substr(1) + " cannot be read");
    if (is_schedule_file(content.str())) return parse_schedule_file(content.str(), text.substr(1)).schedule();
    return parse_schedule(content.str());
}

std::string strategy_name(const Arguments& arguments) {
    if (arguments.given("strategy")) return arguments.text("strategy");
    const bool goes_by_value = arguments.text("independence") == name_of(Independence::values);
    return arguments.text("bound") == "none" && !goes_by_value && !arguments.given("patience") ? "optimal" : "bounded";
}

// Options that would change nothing are refused: whoever gave them expected something. In a configuration they are for
// other runs than this one.
void check_combinations(Arguments& arguments) {
    const auto does_not_go = [&](const char* option, const std::string& why) {
        if (!arguments.given(option)) return;
        if (arguments.on_command_line(option)) refuse(why);
        arguments.disregard(option);
    };
    if (arguments.given("schedule")) {
        for (const char* other : {"strategy", "bound", "seed", "samples", "depth", "max-execs", "keep-going", "jobs", "bugs",
                                  "no-minimize", "suppressions"})
            does_not_go(other, std::string("--schedule runs one execution; --") + other + " does not go with it");
        for (const char* other : {"campaign", "resume", "rebase"}) arguments.disregard(other);
    }
    const std::string strategy = strategy_name(arguments);
    if (strategy != "bounded" && arguments.text("independence") == name_of(Independence::values) && !arguments.given("schedule"))
        refuse("--independence values is for the strategy bounded, not for " + strategy);
    if (!is_among(strategy, strategies_with_patience))
        does_not_go("patience", "--patience is for the strategies " + list_of(strategies_with_patience) + ", not for " + strategy);
    if (arguments.text("bound") != "none" && !is_among(strategy, strategies_with_bound))
        does_not_go("bound", "--bound is for the strategies " + list_of(strategies_with_bound) + ", not for " + strategy);
    if (!is_among(strategy, sampling_strategies))
        does_not_go("samples", "--samples is for the strategies " + list_of(sampling_strategies) + ", not for " + strategy);
    if (!is_among(strategy, strategies_with_depth))
        does_not_go("depth", "--depth is for the strategy " + list_of(strategies_with_depth) + ", not for " + strategy);
    if (arguments.on_command_line("no-store") && arguments.given("no-store"))
        for (const char* other : {"campaign", "resume", "rebase"}) arguments.disregard(other);
    for (const char* other : {"campaign", "resume", "rebase"})
        if (arguments.on_command_line(other)) arguments.disregard("no-store");
    if (arguments.on_command_line("quiet")) arguments.disregard("verbose");
    if (arguments.on_command_line("verbose")) arguments.disregard("quiet");
    if (arguments.given("json") && arguments.text("output") == "inherit")
        refuse("--json and --output inherit would both write to standard output; choose one");
    const Judgement judgement = judgement_of(arguments);
    if (arguments.text("output") == "inherit" &&
        (arguments.given("outcomes") || judgement.same_output || judgement.reads_errors))
        refuse("--output inherit gives away what --outcomes and --fail-on have to look at; leave it out");
    if (arguments.given("quiet") && arguments.given("verbose")) refuse("--quiet and --verbose exclude each other");
}

const StrategyRow& row_of(const std::string& strategy) {
    const auto row = std::find_if(strategy_rows().begin(), strategy_rows().end(),
                                  [&](const StrategyRow& one) { return one.name == strategy; });
    CHECK(row != strategy_rows().end());
    return *row;
}

StrategyOptions strategy_options(const Arguments& arguments, const ProcessOptions& process) {
    StrategyOptions options;
    options.max_bound = bound_of(arguments.text("bound"));
    options.seed = count_of(arguments.text("seed"));
    options.samples = count_of(arguments.text("samples"));
    options.depth = static_cast<std::uint32_t>(count_of(arguments.text("depth")));
    options.max_steps = process.max_steps;
    options.machine = process.machine;
    options.visible_set = process.code;
    return options;
}

// Those that we may use, which may be fewer than there are.
unsigned usable_processors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    const int count = ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return static_cast<unsigned>(std::clamp<int>(count, 1, most_jobs));
}

CampaignOptions campaign_options(const Arguments& arguments) {
    CampaignOptions options;
    options.jobs = arguments.given("jobs")    ? static_cast<unsigned>(count_of(arguments.text("jobs")))
                   : arguments.given("schedule") ? 1
                                                 : usable_processors();
    if (arguments.given("max-execs")) options.max_executions = count_of(arguments.text("max-execs"));
    if (arguments.given("max-time")) options.max_time = duration_of(arguments.text("max-time"));
    options.one_execution = arguments.given("schedule");
    options.keep_to_cores = !arguments.given("no-pin");
    options.keep_going = arguments.given("keep-going") || options.one_execution;  // there is nothing to stop
    options.bound = bound_of(arguments.text("bound"));
    return options;
}

int exit_code_of_failure(const RunReport& report) {
    try {
        std::rethrow_exception(report.result.failure);
    } catch (const CannotRun& error) {
        if (report.verdict == CampaignVerdict::uncontrollable) return exit_code_of(error);
    } catch (const StoreError&) {
        return exit_store;
    } catch (const BadInput&) {
        if (report.verdict == CampaignVerdict::uncontrollable) return exit_usage;
    } catch (const std::logic_error&) {
        return exit_internal;
    } catch (const std::bad_alloc&) {
        return exit_internal;
    } catch (...) {
    }
    return raddle::exit_code_of(report.verdict);
}

int exit_code_of_run(const RunReport& report, const Interruption& interruption) {
    if (report.result.end == CampaignEnd::interrupted) return exit_signal + interruption.signal();
    return report.result.failure ? exit_code_of_failure(report) : raddle::exit_code_of(report.verdict);
}

// What --memory auto means here, and from now on is given.
Level settled_level(Arguments& arguments, const Interruption& interruption) {
    if (arguments.text("memory") != "auto" || reports_accesses_of_itself(find_executable(arguments.program.at(0)))) return {};
    const std::string kept = is_to_be_kept(arguments) ? level_of_kept(arguments, strategy_name(arguments)) : "";
    Level level = find_level(arguments, kept, [&] { return interruption.signal() != 0; });
    settle(arguments, level);
    return level;
}

// Read where the first message asks for it.
ProgressDisplay::InNames in_names_of(const Arguments& arguments, const ProcessOptions& process) {
    return [&, names = std::shared_ptr<PlaceNames>()](const std::string& message) mutable {
        if (!names) names = std::make_shared<PlaceNames>(subject_of(arguments, process).files);
        return names->with_lines(message);
    };
}

// What was found out by trying is said in the result, too.
void say_what_is_seen(const ProcessOptions& process, const Level& level, bool in_detail) {
    if (process.code && process.code->reports_accesses())
        std::cerr << "built with -fsanitize=thread: it tells of its accesses to memory itself (--memory "
                  << name_of(process.code->level()) << ")\n";
    else if (!in_detail)
        return;
    else if (process.code && !level.name.empty())
        std::cerr << "explored: calls and shared memory\n";
    else if (!level.why.empty())
        std::cerr << "explored: calls only, " << printable(level.why) << "\n";
}

// Where nothing ran because of what the user gave, that is said as any other such error is.
bool is_one_line_error(int exit_code) {
    return exit_code == exit_usage || exit_code == exit_not_found || exit_code == exit_not_executable ||
           exit_code == exit_store || exit_code == exit_internal;
}

// Of the bug that one schedule showed. One that cannot be shown again says nothing beyond what was seen.
void explain_bug_of_schedule(RunReport& report, const ProcessOptions& process, const Judgement& judgement, bool in_full) {
    Finding& bug = report.result.bugs.front().first;
    ToExplain what;
    what.schedule = bug.schedule;
    what.race = wanted_race(bug);
    what.with_nearest = in_full;
    try {
        const Explanation explanation = explained(process, judgement, what);
        if (explanation.verdict != bug.verdict) return;
        report.explanation = brief_text_of(explanation, "  ");
        if (!explanation.message.empty()) bug.message = explanation.message;
    } catch (const BadInput&) {
    }
}

void print(const RunReport& report, bool json) {
    if (json)
        std::cout << report_for_machines(report);
    else if (!is_one_line_error(report.exit_code) || !report.result.verdicts.empty())
        std::cout << report_for_people(report);
    std::cout.flush();
    if (is_one_line_error(report.exit_code))
        std::cerr << "raddle: " << (report.exit_code == exit_internal ? "internal error: " : "")
                  << printable(text_of(report.result.failure))
                  << (report.exit_code == exit_internal ? "; please report it with the command line" : "") << std::endl;
}

std::vector<StoredProof> proofs_in(const BugBook& book, const CampaignResult& result) {
    std::vector<StoredProof> proofs;
    for (const std::vector<FindingGroup>* groups : {&result.bugs, &result.unstable})
        for (const FindingGroup& group : *groups)
            if (const BugEntry* entry = book.about(group.first))
                proofs.push_back({group.first.verdict, group.first.place, entry->runs, entry->reproduced, entry->divergence});
    return proofs;
}

// Where, and how to go on. A campaign that came to its end as it was asked needs no word, unless it was there before.
void say_what_was_kept(KeptCampaign& kept, const CampaignResult& result) {
    const std::string where = kept.directory().string();
    const bool nothing_ran = result.coverage.executions == kept.executions_before();
    if (kept.is_fresh() && nothing_ran && result.failure) {
        if (result.left_behind == 0) kept.leave_no_trace();
    } else if (result.failure) {
        // That is what the line before was about.
    } else if (nothing_ran && !kept.is_fresh() && result.end != CampaignEnd::interrupted) {
        std::cerr << "raddle: nothing was left to run; this is what " << where << " holds (--resume never begins anew)"
                  << std::endl;
    } else if (result.end == CampaignEnd::executions || result.end == CampaignEnd::time ||
               result.end == CampaignEnd::interrupted) {
        std::cerr << "raddle: kept in " << where << "; the same command goes on" << std::endl;
    }
}

}  // namespace

const char* const run_description =
    "Runs the program under one schedule after another, fewest preemptions first, until a bug is found, everything is "
    "explored, "
    "or the budget ends. The result goes to standard output, progress to standard error. What was not explored is "
    "said, and "
    "changes the exit status. Options may also stand in raddle.toml, without their dashes; a flag that is on there is "
    "turned off by its name with no- before it. The command line goes before a profile, a profile before the rest of the file.";

const std::vector<Example> run_examples = {
    {"raddle run -- ./prog", "explore ./prog until a bug is found or every schedule is explored"},
    {"raddle run --bound 2 --max-time 5m -- ./prog --size 3",
     "schedules with at most two preemptions, for at most five minutes"},
    {"raddle run --strategy pct --samples 10000 --seed 7 -- ./prog",
     "draw schedules at random, for programs too large to exhaust"},
    {"raddle run --schedule 'T0*4 T1*2 T2' -- ./prog", "run the schedule of a bug again"},
    {"raddle run --profile ci", "with the program and the options of raddle.toml, and of its table [profile.ci]"},
    {"raddle run --json --keep-going -- ./prog | jq .bugs", "all bugs, for other programs to read"},
};

int run_run(const Arguments& given) {
    Arguments arguments = given;
    if (arguments.given("print-config")) {
        std::cout << configuration_text(*find_command("run"), arguments, arguments.given("json"));
        return exit_ok;
    }
    check_combinations(arguments);
    Interruption interruption;
    const Level level = settled_level(arguments, interruption);
    const ProcessOptions process = process_options(arguments, level.code);
    const StrategyOptions search = strategy_options(arguments, process);

    RunReport report;
    report.code = process.code;
    report.only_calls_because = level.why;
    report.races_only_explored = process.code && !arguments.is_said("races") && arguments.text("races") == "explore";
    if (arguments.given("patience")) report.patience = arguments.text("patience");
    report.one_schedule = arguments.given("schedule");
    if (report.one_schedule) report.schedule = given_schedule(arguments.text("schedule"));
    report.strategy = report.one_schedule ? "schedule" : strategy_name(arguments);
    report.seed = search.seed;
    report.bound = search.max_bound;
    report.program = arguments.program;
    report.verbose = arguments.given("verbose");

    const Suppressions suppressions = suppressions_of(arguments);
    CampaignOptions options = campaign_options(arguments);
    if (!report.one_schedule && (!arguments.given("quiet") || is_to_be_kept(arguments)))
        options.estimate = {row_of(report.strategy).counts, search.machine};
    Suppressed suppressed(suppressions, [&] { return subject_of(arguments, process); });
    options.is_suppressed = [&](const Finding& finding) { return suppressed(finding.verdict, finding.place); };
    options.races = report.races = race_watch_of(arguments, process);
    report.jobs = options.jobs;
    std::optional<KeptCampaign> kept;
    if (is_to_be_kept(arguments)) kept.emplace(arguments, process, report.strategy, search, options.jobs);
    TargetPool pool(process, judgement_of(arguments));
    if (kept) report.old_bugs = try_old_bugs(*kept, arguments, process, interruption);
    if (!arguments.given("quiet")) say_what_is_seen(process, level, report.verbose || may_redraw(STDERR_FILENO));
    ProgressDisplay progress(options.max_time, report.verbose ? in_names_of(arguments, process) : nullptr);
    std::vector<Observer*> observers = {&interruption};
    if (kept) observers.push_back(&kept->observer());
    std::optional<BugBook> book;
    if (!report.one_schedule) book.emplace(arguments, process, search, bugs_directory(arguments, kept ? kept->directory() : ""), interruption.token());
    if (book) observers.push_back(&*book);
    report.book = book ? &*book : nullptr;
    if (!arguments.given("quiet")) observers.push_back(&progress);
    OutcomeTable outcomes;
    if (arguments.given("outcomes")) observers.push_back(&outcomes);

    Campaign campaign(
        [&pool] { return pool.make(); },
        report.one_schedule ? make_one_schedule(report.schedule, search)
        : kept              ? kept->take_strategy()
                            : make_strategy(report.strategy, search),
        options);
    // A campaign with a bug goes on only for who wants more of them.
    if (kept && kept->has_bug() && !options.keep_going)
        report.result = kept->as_it_stands();
    else
        report.result = campaign.run(observers, interruption.token());
    if (kept) kept->complete(report.result);
    if (report.races) std::erase_if(report.result.bugs, [&](const FindingGroup& group) { return report.races->is_withdrawn(group.first); });
    set_suppressed_apart(report.result, suppressed);
    if (book) book->finish(report.result);
    if (kept) kept->note_end(report.result, proofs_in(*book, report.result));
    if (kept && kept->failure()) report.result.failure = kept->failure();
    if (const auto restart = pool.restart()) {
        report.restart = restart->why;
        report.threads = restart->kernel_threads ? "kernel threads: " + restart->why_threads : "fibers";
    }
    if (arguments.given("outcomes")) report.outcomes = outcomes.outcomes();
    report.restarts = pool.restarts();
    report.target_options = target_options_given(arguments, process);
    report.verdict = verdict_of(report.result);
    report.exit_code = exit_code_of_run(report, interruption);
    if (report.one_schedule && !report.result.bugs.empty() && interruption.signal() == 0) explain_bug_of_schedule(report, process, judgement_of(arguments), !arguments.given("json"));
    print(report, arguments.given("json"));
    if (kept) say_what_was_kept(*kept, report.result);
    if (report.result.left_behind > 0) {
        // The workers still use what a return would take away.
        pool.kill_all();
        std::_Exit(report.exit_code);
    }
    return report.exit_code;
}

}  // namespace raddle::cli
