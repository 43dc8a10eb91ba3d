// raddle status: the progress of a kept campaign, while it runs or after. Only reads.
#include <unistd.h>

#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "cli/commands/commands.h"
#include "cli/progress.h"
#include "cli/stored_status.h"
#include "cli/terminal.h"
#include "replay/explain/explain_json.h"
#include "store/directory_lock.h"
#include "supervisor/base/text.h"
#include "supervisor/engine/kept/campaign_directory.h"
#include "supervisor/engine/kept/judging.h"
#include "supervisor/engine/kept/kept_result.h"
#include "supervisor/engine/program/interruption.h"

namespace raddle::cli {

const std::vector<Example> status_examples = {
    {"raddle status", "the campaign in raddle.out/ that was begun or gone on with last"},
    {"raddle status --watch", "the same, again and again until its run ends"},
    {"raddle status --json nightly | jq .executions", "of the campaign in the directory nightly, for other programs"},
};

namespace {

// Stable: `schema` changes when a key changes its meaning or goes away; keys may be added.
constexpr int status_schema = 1;

std::string for_people(const CampaignStore& store, const std::string& holder) {
    const StoredProgress progress = store.progress();
    const std::vector<Bug> bugs = bugs_as_written(store);
    std::string text = labelled_line("campaign", store.directory().string());
    const std::string focus = store.identity().value_of("--focus");
    text += labelled_line("program", store.identity().value_of("the command line"));
    text += labelled_line("state", holder.empty() ? "not running" : "running, " + holder);
    if (const std::optional<LastRun> run = store.last_run()) text += labelled_line("asked for", asked_text(*run));
    if (const std::optional<LastRun> run = store.last_run(); run && !run->level_because.empty())
        text += labelled_line("level", "calls (" + run->level_because + ")");
    text += labelled_line("explored", known_text(progress.coverage, !focus.empty()));
    if (!focus.empty()) text += labelled_line("focus", focus + ": choices only where a thread is inside");
    if (!progress.coverage.exhausted)
        text += labelled_line("working at", counted(progress.coverage.bound, "preemption"));
    for (const std::string& reason : progress.coverage.incomplete_because) text += labelled_line("incomplete", reason);
    for (const Bug& cut : store.cuts())
        if (cut.found.standing)
            for (const std::string& line : lines_of(*cut.found.standing)) text += labelled_line("stands", line);
    if (progress.leaves_output_open) text += labelled_line("output", output_order_not_explored);
    if (const std::string assumed = assumed_about_waits(store, progress); !assumed.empty())
        text += labelled_line("patience", assumed);
    text += labelled_line("time", duration_text(static_cast<double>(progress.milliseconds) / 1000));
    // The rest of the page says the same for a finished campaign.
    if (!holder.empty() || !progress.coverage.exhausted)
        text += labelled_line("progress", progress_line(as_told(progress, real_bugs(bugs))));
    text += labelled_line("on disk", counted(store.bytes(), "byte"));
    if (const auto environment = store.environment())
        text += labelled_line("environment", counted(environment->size(), "variable") + ", as in the first run");
    for (const StoredJudging& one : store.judging())
        if (one.is_current && !one.rules.empty()) text += labelled_line("judged by", words_of_rules(one.rules));
    for (const std::string& line : judged_otherwise(store)) text += labelled_line("incomplete", line);
    if (bugs.empty()) text += labelled_line("bugs", "none so far");
    for (const Bug& bug : bugs) {
        const std::string seen = "seen " + counted(bug.found.times, "time") +
                                 (bug.found.found_by.empty() ? "" : ", found by " + bug.found.found_by) + ": " +
                                 bug.simplest().message;
        if (!is_bug(bug.found.verdict))
            text += labelled_line("diverged", seen + (bug.filed ? " (raddle show " + bug.filed->directory + ")" : ""));
        else
            text += labelled_line(bug.is_unstable() ? "unstable" : "bug",
                                  words_of(name_of(bug.found.verdict)) + ", " +
                                      counted(bug.simplest().preemptions, "preemption") + ", " + seen);
    }
    return text;
}

nlohmann::ordered_json json_of(const std::optional<Estimate>& estimate) {
    if (!estimate) return nullptr;
    return {{"low", estimate->low}, {"likely", estimate->likely}, {"high", estimate->high}};
}

// Names only: values may be secrets, and this object ends up in logs.
nlohmann::ordered_json names_of_environment(const CampaignStore& store) {
    const auto environment = store.environment();
    if (!environment) return nullptr;
    nlohmann::ordered_json names = nlohmann::ordered_json::array();
    for (const std::string& entry : *environment) names.push_back(entry.substr(0, entry.find('=')));
    return names;
}

std::string for_machines(const CampaignStore& store, const std::string& holder) {
    const StoredProgress progress = store.progress();
    const Coverage& coverage = progress.coverage;
    nlohmann::ordered_json object;
    object["schema"] = status_schema;
    object["campaign"] = store.directory().string();
    object["program"] = store.identity().value_of("the command line");
    object["running"] = !holder.empty();
    object["focus"] = store.identity().value_of("--focus");
    object["executions"] = coverage.executions;
    object["void_executions"] = coverage.void_executions;
    object["graphs"] = coverage.graphs;
    object["abandoned"] = coverage.abandoned;
    object["frontier"] = coverage.frontier;
    object["bound"] = coverage.bound;
    object["complete_to"] = coverage.complete_to ? nlohmann::ordered_json(*coverage.complete_to) : nullptr;
    const std::optional<LastRun> run = store.last_run();
    object["level_because"] = run ? run->level_because : "";
    object["bound_asked"] = run && run->bound ? nlohmann::ordered_json(*run->bound) : nullptr;
    object["exhausted"] = coverage.exhausted;
    object["sweeping"] = coverage.is_sweeping;
    object["incomplete_because"] = coverage.incomplete_because;
    object["standing"] = nlohmann::ordered_json::array();
    for (const Bug& cut : store.cuts())
        if (cut.found.standing)
            object["standing"].push_back(
                {{"message", cut.found.message}, {"standing", json_object_of(*cut.found.standing)}});
    object["output_order"] = progress.leaves_output_open ? output_order_not_explored : "";
    object["assumed"] = assumed_about_waits(store, progress);
    object["seconds"] = static_cast<double>(progress.milliseconds) / 1000;
    object["executions_per_second"] = progress.executions_per_second;
    object["remaining"] = json_of(progress.remaining);
    object["remaining_in_all"] = json_of(progress.remaining_in_all);
    const auto left = seconds_left(as_told(progress, 0));
    object["seconds_left"] = left ? nlohmann::ordered_json(*left) : nullptr;
    object["bytes"] = store.bytes();
    object["environment"] = names_of_environment(store);
    object["judged_otherwise"] = judged_otherwise(store);
    object["bugs"] = nlohmann::ordered_json::array();
    for (const Bug& bug : bugs_as_written(store))
        object["bugs"].push_back({{"kind", name_of(bug.found.verdict)},
                                  {"unstable", bug.is_unstable()},
                                  {"message", bug.simplest().message},
                                  {"preemptions", bug.simplest().preemptions},
                                  {"times", bug.found.times},
                                  {"found_by", bug.found.found_by},
                                  {"schedule", raddle::text_of(bug.simplest().schedule)}});
    // The output of a program may be no UTF-8.
    return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

// One consistent view of the campaign: everything in it was committed together.
struct StatusPage {
    std::string page;
    std::string line;     // the same in short
    std::uint64_t state;  // differs if something happened since
    bool running;
};

StatusPage read_status(const CampaignStore& store, bool json) {
    const std::string holder = holder_of(store.directory());
    StatusPage status{{}, {}, 0, !holder.empty()};
    store.read_together([&] {
        const StoredProgress progress = store.progress();
        status.page = json ? for_machines(store, holder) : for_people(store, holder);
        status.line = json ? status.page : progress_line(as_told(progress, real_bugs(store.bugs()))) + "\n";
        status.state =
            std::hash<std::string>()(std::to_string(progress.coverage.executions_in_all()) + " " +
                                     std::to_string(store.bugs().size()) + " " + known_text(progress.coverage, false)) +
            (status.running ? 1 : 0);
    });
    return status;
}

// Draws a page over the page before.
class Page {
public:
    void draw(const std::string& text) {
        if (lines_ > 0) std::cout << "\033[" << lines_ << "A";
        std::istringstream lines(text);
        lines_ = 0;
        const std::size_t width = columns_of(STDOUT_FILENO);
        for (std::string line; std::getline(lines, line); ++lines_)
            std::cout << line.substr(0, width - 1) << "\033[K\n";
        std::cout << "\033[J" << std::flush;
    }

private:
    std::size_t lines_ = 0;
};

int watch(const CampaignStore& store, bool json) {
    const Interruption interruption;
    const bool redraws = !json && may_redraw(STDOUT_FILENO);
    Page page;
    std::optional<std::uint64_t> state;
    for (;;) {
        const StatusPage status = read_status(store, json);
        if (redraws)
            page.draw(status.page);
        else if (state != status.state)
            std::cout << status.line << std::flush;
        state = status.state;
        if (!status.running || !std::cout) return exit_ok;
        for (int tenths = 0; tenths < 10; ++tenths) {
            if (interruption.signal() != 0) return exit_signal + interruption.signal();
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
    }
}

}  // namespace

int run_status(const Arguments& arguments) {
    const std::filesystem::path directory =
        arguments.words.empty() ? newest_campaign() : std::filesystem::path(arguments.words[0]);
    const CampaignStore store(directory, CampaignStore::Open::read);
    const bool json = arguments.given("json");
    if (arguments.given("watch")) return watch(store, json);
    std::cout << read_status(store, json).page;
    return exit_ok;
}

}  // namespace raddle::cli
