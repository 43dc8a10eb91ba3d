// raddle status: how far a kept campaign is, while it runs or after. Only reads.
#include <unistd.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/kept_campaign.h"
#include "cli/text.h"

namespace raddle::cli {

const std::vector<OptionRow> status_options = {
    {"json", 0, nullptr, nullptr, "print one JSON object instead of text", "output", nullptr},
};

const std::vector<Example> status_examples = {
    {"raddle status", "the campaign in raddle.out/ that was begun or gone on with last"},
    {"raddle status --json nightly | jq .executions", "of the campaign in the directory nightly, for other programs"},
};

namespace {

// Stable: `schema` changes when a key changes its meaning or goes away; keys may be added.
constexpr int status_schema = 1;

std::string row(const std::string& label, const std::string& text) {
    return label + std::string(12 - std::min<std::size_t>(label.size(), 11), ' ') + printable(text) + "\n";
}

std::string known_text(const Coverage& coverage) {
    std::string text = counted(coverage.executions, "execution") + ", " + counted(coverage.graphs, "graph");
    if (coverage.exhausted) return text + "; every schedule";
    if (coverage.complete_to) text += "; every schedule with at most " + counted(*coverage.complete_to, "preemption");
    return text;
}

std::string for_people(const CampaignStore& store, const std::string& holder) {
    const StoredProgress progress = store.progress();
    std::string text = row("campaign", store.directory().string());
    text += row("program", store.identity().value_of("the command line"));
    text += row("state", holder.empty() ? "not running" : "running, " + holder);
    text += row("explored", known_text(progress.coverage));
    if (!progress.coverage.exhausted) text += row("working at", counted(progress.coverage.bound, "preemption"));
    for (const std::string& reason : progress.coverage.incomplete_because) text += row("incomplete", reason);
    text += row("time", duration_text(static_cast<double>(progress.milliseconds) / 1000));
    text += row("on disk", counted(store.bytes(), "byte"));
    const std::vector<StoredBug> bugs = store.bugs();
    if (bugs.empty()) text += row("bugs", "none so far");
    for (const StoredBug& bug : bugs)
        text += row("bug", std::string(name_of(bug.finding.verdict)) + ", " +
                               counted(bug.finding.preemptions, "preemption") + ", " + counted(bug.times, "time") + ": " +
                               bug.finding.message);
    return text;
}

std::string for_machines(const CampaignStore& store, const std::string& holder) {
    const StoredProgress progress = store.progress();
    const Coverage& coverage = progress.coverage;
    nlohmann::ordered_json object;
    object["schema"] = status_schema;
    object["campaign"] = store.directory().string();
    object["program"] = store.identity().value_of("the command line");
    object["running"] = !holder.empty();
    object["executions"] = coverage.executions;
    object["graphs"] = coverage.graphs;
    object["abandoned"] = coverage.abandoned;
    object["frontier"] = coverage.frontier;
    object["bound"] = coverage.bound;
    object["complete_to"] = coverage.complete_to ? nlohmann::ordered_json(*coverage.complete_to) : nullptr;
    object["exhausted"] = coverage.exhausted;
    object["incomplete_because"] = coverage.incomplete_because;
    object["seconds"] = static_cast<double>(progress.milliseconds) / 1000;
    object["bytes"] = store.bytes();
    object["bugs"] = nlohmann::ordered_json::array();
    for (const StoredBug& bug : store.bugs())
        object["bugs"].push_back({{"kind", name_of(bug.finding.verdict)},
                                  {"message", bug.finding.message},
                                  {"preemptions", bug.finding.preemptions},
                                  {"times", bug.times},
                                  {"schedule", raddle::text_of(bug.finding.schedule)}});
    // What a program says need not be UTF-8.
    return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

int run_status(const Arguments& arguments) {
    const std::filesystem::path directory =
        arguments.words.empty() ? newest_campaign() : std::filesystem::path(arguments.words[0]);
    const CampaignStore store(directory, CampaignStore::Open::read);
    const std::string holder = holder_of(directory);
    std::cout << (arguments.given("json") ? for_machines(store, holder) : for_people(store, holder));
    return exit_ok;
}

}  // namespace raddle::cli
