#include "replay/explain/explain_json.h"

#include <nlohmann/json.hpp>

namespace raddle {

namespace {

using Json = nlohmann::ordered_json;

constexpr int schema = 1;

Json json_of(const Stack& stack) {
    Json frames = Json::array();
    for (const Frame& frame : stack) {
        Json one = {{"function", frame.function}, {"module", frame.module}, {"offset", frame.offset}};
        if (!frame.file.empty()) {
            one["file"] = frame.file;
            one["line"] = frame.line;
        }
        if (frame.inlined) one["inlined"] = true;
        frames.push_back(std::move(one));
    }
    return frames;
}

Json json_of(const std::vector<TitledStack>& stacks) {
    Json all = Json::array();
    for (const TitledStack& stack : stacks) all.push_back({{"title", stack.title}, {"frames", json_of(stack.stack)}});
    return all;
}

// Names in a program may not be valid UTF-8.
std::string written(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace

Json json_object_of(const Standing& standing) {
    Json threads = Json::array();
    for (const StandingThread& thread : standing.threads)
        threads.push_back({{"thread", thread.name}, {"state", thread.state}, {"frames", json_of(thread.stack)}});
    return {{"threads", std::move(threads)}, {"gap", standing.gap}};
}

Json json_object_of(const Explanation& explanation) {
    Json json;
    json["verdict"] = name_of(explanation.verdict);
    json["sentence"] = explanation.sentence;
    json["preemptions"] = explanation.preemptions;
    json["fewest_proven"] = explanation.fewest_proven;
    json["threads"] = Json::array();
    for (const ExplainedThread& thread : explanation.threads)
        json["threads"].push_back(
            {{"name", name_of(thread.id)}, {"function", thread.function}, {"steps", thread.steps}});
    json["all_steps"] = explanation.all_steps;
    json["steps"] = Json::array();
    for (const ExplainedStep& step : explanation.steps)
        json["steps"].push_back({{"number", step.event + 1},
                                 {"pending", step.pending},
                                 {"thread", name_of(step.thread)},
                                 {"text", step.text},
                                 {"place", step.location},
                                 {"source", step.source},
                                 {"preempts", step.preempts},
                                 {"decisive", step.decisive},
                                 {"stack", json_of(step.stack)}});
    json["facts"] = explanation.facts;
    json["stacks"] = json_of(explanation.stacks);
    json["decisive"] = explanation.decisive;
    json["explored"] = explanation.explored;
    json["run_again"] = explanation.again;
    return json;
}

std::string json_of(const Explanation& explanation) {
    Json json = {{"schema", schema}};
    json.update(json_object_of(explanation));
    return written(json);
}

std::string stacks_json_of(const Explanation& explanation) {
    Json json;
    json["schema"] = schema;
    json["stacks"] = json_of(explanation.stacks);
    json["steps"] = Json::array();
    for (const ExplainedStep& step : explanation.steps)
        json["steps"].push_back({{"number", step.event + 1},
                                 {"thread", name_of(step.thread)},
                                 {"text", step.text},
                                 {"frames", json_of(step.stack)}});
    return written(json);
}

}  // namespace raddle
