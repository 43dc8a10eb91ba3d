#include "replay/report/json_report.h"

#include <nlohmann/json.hpp>

#include "replay/explain/explain_json.h"
#include "replay/schedule/bug_directory.h"

namespace raddle {

namespace {

using Json = nlohmann::ordered_json;

constexpr int schema = 1;

Json json_of(const std::vector<TakenStep>& steps) {
    Json list = Json::array();
    for (const TakenStep& step : steps)
        list.push_back({{"thread", name_of(step.thread)},
                        {"text", step.text},
                        {"place", step.location},
                        {"decisive", step.decisive}});
    return list;
}

Json json_of(const std::vector<Order>& orders) {
    Json list = Json::array();
    for (const Order& order : orders) list.push_back(Json::array({order.before + 1, order.after + 1}));
    return list;
}

// `raddle show --json` has fewer keys.
Json json_of_all(const Explanation& explanation) {
    Json object = json_object_of(explanation);
    object["taken"] = json_of(explanation.taken);
    object["orders"] = json_of(explanation.orders);
    object["locks"] = Json::array();
    for (const HeldLock& lock : explanation.held)
        object["locks"].push_back({{"thread", name_of(lock.thread)},
                                   {"name", lock.name},
                                   {"from", lock.from + 1},
                                   {"to", lock.to ? Json(*lock.to + 1) : Json()},
                                   {"shared", lock.shared}});
    object["nearest_passing"] = Json();
    if (!explanation.passing.empty())
        object["nearest_passing"] = {{"steps_shared", explanation.shared}, {"taken", json_of(explanation.passing)}};
    return object;
}

Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json json_of(const Bug& bug) {
    const Finding& finding = bug.simplest();
    const Proven proven = bug.proven.value_or(Proven{});
    const Filed filed = bug.filed.value_or(Filed{});
    const Explanation* explanation = bug.explanation();
    return {{"name", directory_name_of(bug)},
            {"kind", name_of(finding.verdict)},
            {"preemptions", finding.preemptions},
            {"fewest_proven", bug.has_fewest_preemptions()},
            {"message", finding.message},
            {"place", bug.found.key},
            {"times", bug.found.times},
            {"found_by", or_null(bug.found.found_by)},
            {"replays", proven.runs},
            {"reproduced", proven.reproduced},
            {"divergence", or_null(proven.divergence)},
            {"schedule", text_of(finding.schedule)},
            {"directory", or_null(filed.directory)},
            {"run_again", replay_command_of(bug)},
            {"stdout", filed.output},
            {"stderr", filed.errors},
            {"not_explained_because", bug.explained ? or_null(bug.explained->why_not) : Json()},
            {"explanation", explanation == nullptr ? Json() : json_of_all(*explanation)}};
}

Json json_of(const std::vector<Bug>& bugs) {
    Json list = Json::array();
    for (const Bug& bug : bugs) list.push_back(json_of(bug));
    return list;
}

}  // namespace

std::string json_of(const CampaignReport& report) {
    const Coverage& coverage = report.coverage;
    Json object;
    object["schema"] = schema;
    object["tool"] = report.tool;
    object["made_at"] = report.made_at;
    object["program"] = report.program;
    object["focus"] = report.focus;
    object["campaign"] = report.directory;
    object["verdict"] = report.verdict;
    object["headline"] = report.headline;
    object["executions"] = coverage.executions;
    object["void_executions"] = coverage.void_executions;
    object["graphs"] = coverage.graphs;
    object["abandoned"] = coverage.abandoned;
    object["exhausted"] = coverage.exhausted;
    object["bound_complete"] = coverage.complete_to ? Json(*coverage.complete_to) : Json();
    object["bound_asked"] = report.bound_asked ? Json(*report.bound_asked) : Json();
    object["complete"] = report.complete;
    object["seconds"] = report.seconds;
    object["memory"] = report.memory;
    object["explored"] = report.explored;
    object["not_explored"] = report.not_explored;
    object["bugs"] = json_of(report.bugs);
    object["unstable"] = json_of(report.unstable);
    object["diverged"] = json_of(report.diverged);
    return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace raddle
