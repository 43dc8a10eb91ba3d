#include <nlohmann/json.hpp>

#include "cli/report.h"
#include "replay/explain/explain_json.h"

namespace raddle::cli {

namespace {

constexpr int report_schema = 1;

using Json = nlohmann::ordered_json;

// The facts about a bug beyond its finding.
void add_proof(Json& one, const Bug& bug) {
    one["reproduced"] = std::to_string(bug.proven->reproduced) + "/" + std::to_string(bug.proven->runs);
    one["fewest_preemptions_proven"] = bug.has_fewest_preemptions();
    one["token"] = bug.filed->token;
    one["directory"] = bug.filed->directory.empty() ? Json() : Json(bug.filed->directory);
    if (!bug.proven->divergence.empty()) one["divergence"] = bug.proven->divergence;
}

// The divergence as raddle explained it.
void add_divergence(Json& one, const Bug& bug) {
    one["directory"] = bug.filed && !bug.filed->directory.empty() ? Json(bug.filed->directory) : Json();
    one["advice"] = bug.explained->advice;
    one["facts"] = bug.explanation() == nullptr ? std::vector<std::string>() : bug.explanation()->facts;
}

Json json_of(const std::vector<Bug>& bugs) {
    Json list = Json::array();
    for (const Bug& bug : bugs) {
        const Finding& finding = bug.simplest();
        Json one;
        one["kind"] = name_of(finding.verdict);
        // Counted for bugs only.
        one["preemptions"] = is_bug(finding.verdict) ? Json(finding.preemptions) : Json();
        one["message"] = finding.message;
        one["schedule"] = text_of(finding.schedule);
        one["times"] = bug.found.times;
        if (is_bug(finding.verdict)) one["executions_before"] = bug.found.first_seen;
        if (is_bug(finding.verdict)) one["place"] = finding.key;
        if (!bug.found.found_by.empty()) one["found_by"] = bug.found.found_by;
        if (bug.proven) add_proof(one, bug);
        if (finding.verdict == Verdict::diverged && bug.explained) add_divergence(one, bug);
        if (finding.standing) one["standing"] = json_object_of(*finding.standing);
        list.push_back(std::move(one));
    }
    return list;
}

// The bugs of the program before it changed, and their state now.
Json json_of(const std::vector<TriedBug>& old_bugs) {
    Json list = Json::array();
    for (const TriedBug& bug : old_bugs)
        list.push_back({{"kind", name_of(bug.before.found.verdict)},
                        {"message", bug.before.found.message},
                        {"outcome", bug.outcome},
                        {"text", bug.text}});
    return list;
}

Json json_of(const Restarts& restarts) {
    Json one;
    one["launched"] = restarts.launched;
    one["forked"] = restarts.forked;
    one["restored"] = restarts.restored;
    one["discarded"] = restarts.discarded;
    one["discarded_because"] = restarts.discarded_because;
    one["given_up"] = restarts.given_up;
    one["checked"] = restarts.checked;
    one["differed"] = restarts.differed;
    return one;
}

Json json_of(const ProgramOutcomes& outcomes) {
    Json all = Json::array();
    for (const ProgramOutcome& outcome : outcomes.rows)
        all.push_back({{"kind", name_of(outcome.verdict)},
                       {"exit_status", outcome.exit_status},
                       {"times", outcome.times},
                       {"stdout", outcome.output},
                       {"stderr", outcome.errors},
                       {"schedule", text_of(outcome.schedule)}});
    return all;
}

Json json_of(const SeenOutputs& outputs, bool leaves_order_open) {
    Json rows = Json::array();
    for (const SeenOutput& one : outputs.rows)
        rows.push_back({{"times", one.times},
                        {"exit_status", one.exit_status},
                        {"bytes", one.bytes},
                        {"begins", one.begins},
                        {"schedule", one.schedule.empty() ? Json() : Json(text_of(one.schedule))}});
    return {{"different", outputs.rows.size()},     {"executions", outputs.executions()},
            {"not_listed", outputs.others},         {"only_beginnings_compared", outputs.is_cut},
            {"order_explored", !leaves_order_open}, {"rows", std::move(rows)}};
}

void add_memory(Json& object, const RunReport& report) {
    object["memory_instructions"] = report.code->candidates();
    object["memory_visible"] = report.code->visible();
    object["memory_not_followed"] = report.code->skipped().size();
    object["races_reported"] = report.races != nullptr;
    object["weaker_orders_not_explored"] = report.races && report.races->saw_weaker_orders();
}

void add_counts(Json& object, const CampaignResult& result) {
    const Coverage& coverage = result.coverage;
    object["executions"] = coverage.executions;
    object["void_executions"] = coverage.void_executions;
    object["executions_of_this_run"] = result.executed;
    object["graphs"] = coverage.graphs;
    object["abandoned"] = coverage.abandoned;
    object["postponed"] = coverage.postponed;
    object["predictions"] = {{"executed", coverage.predictions}, {"came_true", coverage.came_true}};
}

}  // namespace

std::string report_for_machines(const RunReport& report) {
    const CampaignResult& result = report.result;
    const Coverage& coverage = result.coverage;
    Json object;
    object["schema"] = report_schema;
    object["level"] = report.code ? name_of(report.code->level()) : name_of(MemoryLevel::sync);
    object["naps"] = report.naps;
    object["focus"] = report.focus;
    object["outside_focus"] = report.outside_focus;
    if (!report.only_calls_because.empty()) object["level_because"] = report.only_calls_because;
    object["target_options"] = report.target_options;
    if (report.code) add_memory(object, report);
    object["verdict"] = name_of(report.verdict);
    object["exit_code"] = report.exit_code;
    object["exhausted"] = coverage.exhausted;
    object["sweeping"] = coverage.is_sweeping;
    object["bound_complete"] = coverage.complete_to ? Json(*coverage.complete_to) : Json();
    add_counts(object, result);
    object["seconds"] = result.seconds;
    object["cpu_seconds"] = result.cpu_seconds;
    object["executions_per_second"] = result.executions_per_second();
    object["incomplete_because"] = result.incomplete_because();
    object["output_order"] = result.leaves_output_open ? output_order_not_explored : "";
    object["assumed"] = report.assumed;
    object["unchecked"] = report.unchecked;
    object["bugs"] = json_of(result.bugs);
    object["unstable"] = json_of(result.unstable);
    object["suppressed"] = json_of(result.suppressed);
    object["old_bugs"] = json_of(report.old_bugs);
    object["trial_executions"] = report.trial_executions;
    object["race_executions"] = report.races == nullptr ? 0 : report.races->executions();
    object["proof_executions"] = report.recorder == nullptr ? 0 : report.recorder->executions();
    object["disagreements"] = json_of(result.disagreements);
    object["cut"] = json_of(result.cuts);
    object["not_listed"] = result.dropped;
    object["checks"] = result.checks;
    object["replaced_workers"] = result.replaced;
    object["restart"] = report.restart;
    object["threads"] = report.threads;
    object["addresses_differ"] = report.addresses == Addresses::of_each_launch;
    object["addresses_of_this_run"] = report.addresses == Addresses::of_this_run;
    object["restarts"] = json_of(report.restarts);
    object["native_runs"] =
        report.native
            ? Json{{"runs", report.native->runs}, {"failed", report.native->failed}, {"text", report.native->text}}
            : Json();
    object["outputs"] = report.outputs ? json_of(*report.outputs, result.leaves_output_open) : Json();
    if (report.outcomes) object["outcomes"] = json_of(*report.outcomes);
    object["strategy"] = report.strategy;
    object["bound"] = report.bound ? Json(*report.bound) : Json();
    object["seed"] = report.seed;
    object["jobs"] = report.jobs;
    object["program"] = report.program;
    // The output of a program may be no UTF-8.
    return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace raddle::cli
