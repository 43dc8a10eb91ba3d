#include "replay/report/json_report.h"

#include <nlohmann/json.hpp>

#include "replay/explain/explain_json.h"

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

Json json_of(const std::vector<ReportedBug>& bugs) {
    Json list = Json::array();
    for (const ReportedBug& bug : bugs)
        list.push_back({{"name", bug.name},
                        {"kind", name_of(bug.verdict)},
                        {"preemptions", bug.preemptions},
                        {"fewest_proven", bug.fewest_proven},
                        {"message", bug.message},
                        {"place", bug.key},
                        {"times", bug.times},
                        {"replays", bug.runs},
                        {"reproduced", bug.reproduced},
                        {"divergence", bug.divergence.empty() ? Json() : Json(bug.divergence)},
                        {"schedule", text_of(bug.schedule)},
                        {"directory", bug.directory.empty() ? Json() : Json(bug.directory)},
                        {"run_again", bug.again},
                        {"stdout", bug.output},
                        {"stderr", bug.errors},
                        {"not_explained_because", bug.unexplained.empty() ? Json() : Json(bug.unexplained)},
                        {"explanation", bug.explanation ? json_of_all(*bug.explanation) : Json()}});
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
    object["campaign"] = report.directory;
    object["verdict"] = report.verdict;
    object["headline"] = report.headline;
    object["executions"] = coverage.executions;
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
