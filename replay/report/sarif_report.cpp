#include "replay/report/sarif_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "replay/explain/wording.h"
#include "replay/schedule/bug_directory.h"

namespace raddle {

namespace {

using Json = nlohmann::ordered_json;

// A path as a URI, with special characters as %20.
std::string uri_of(const std::string& path) {
    constexpr const char* digits = "0123456789ABCDEF";
    std::string uri = path.starts_with('/') ? "file://" : "";
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (is_letter || std::string_view("-._~/+").find(c) != std::string_view::npos)
            uri += c;
        else
            uri += {'%', digits[byte >> 4], digits[byte & 15]};
    }
    return uri;
}

Json message(const std::string& text) { return {{"text", text.empty() ? "?" : text}}; }

constexpr const char* base_id = "SRCROOT";

// Below the root, a path is relative to it, so that the log means the same on another machine.
Json artifact_of(const std::string& path, const std::string& root) {
    const std::string folder = root.ends_with('/') ? root : root + "/";
    if (!root.empty() && path.size() > folder.size() && path.starts_with(folder))
        return {{"uri", uri_of(path.substr(folder.size()))}, {"uriBaseId", base_id}};
    return {{"uri", uri_of(path)}};
}

Json sarif_location_of(const Frame& frame, const std::string& root, const std::string& text = {}) {
    Json location = Json::object();
    if (!frame.file.empty() && frame.line != 0)
        location["physicalLocation"] = {{"artifactLocation", artifact_of(frame.file, root)},
                                        {"region", {{"startLine", frame.line}}}};
    else if (!frame.module.empty())
        location["physicalLocation"] = {{"artifactLocation", artifact_of(frame.module, root)},
                                        {"region", {{"byteOffset", frame.offset}}}};
    if (!frame.function.empty())
        location["logicalLocations"] = Json::array({{{"name", frame.function}, {"kind", "function"}}});
    if (!text.empty()) location["message"] = message(text);
    return location;
}

Json stack_of(const TitledStack& titled, const std::string& root) {
    Json frames = Json::array();
    for (const Frame& frame : titled.stack) {
        Json one = {{"location", sarif_location_of(frame, root)}};
        if (!frame.module.empty()) one["module"] = frame.module;
        frames.push_back(std::move(one));
    }
    return {{"message", message(titled.title)}, {"frames", std::move(frames)}};
}

std::string id_of(Verdict verdict) { return std::string("raddle/") + name_of(verdict); }

class Log {
public:
    explicit Log(std::vector<const CampaignReport*> reports) : reports_(std::move(reports)) {}

    std::string written() {
        Json invocations = Json::array();
        for (const CampaignReport* report : reports_) {
            for (const Bug& bug : report->bugs) add(bug, "error", *report);
            for (const Bug& bug : report->unstable) add(bug, "warning", *report);
            for (const Bug& bug : report->diverged) add(bug, "warning", *report);
            invocations.push_back(invocation_of(*report));
        }
        Json run;
        run["tool"]["driver"] = {{"name", "raddle"}, {"semanticVersion", version()}, {"rules", rules()}};
        run["invocations"] = std::move(invocations);
        if (const std::string& root = reports_.front()->source_root; !root.empty())
            run["originalUriBaseIds"][base_id] = {{"uri", uri_of(root.ends_with('/') ? root : root + "/")},
                                                  {"description", message("the directory of the report")}};
        run["columnKind"] = "utf16CodeUnits";
        run["results"] = std::move(results_);
        const Json log = {
            {"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs", Json::array({std::move(run)})}};
        return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    }

private:
    std::string version() const {
        const std::string& tool = reports_.front()->tool;
        return tool.substr(tool.rfind(' ') + 1);
    }

    // Only the kinds of bugs in this report.
    Json rules() const {
        Json rules = Json::array();
        for (const Verdict kind : kinds_)
            rules.push_back(
                {{"id", id_of(kind)}, {"name", name_of(kind)}, {"shortDescription", message(text_of(kind))}});
        return rules;
    }

    std::size_t index_of(Verdict kind) {
        const auto known = std::find(kinds_.begin(), kinds_.end(), kind);
        const auto index = static_cast<std::size_t>(known - kinds_.begin());
        if (known == kinds_.end()) kinds_.push_back(kind);
        return index;
    }

    static Json invocation_of(const CampaignReport& report) {
        Json notes = Json::array();
        for (const std::string& line : report.explored)
            notes.push_back({{"level", "note"}, {"message", message("explored: " + line)}});
        for (const std::string& line : report.not_explored)
            notes.push_back({{"level", "warning"}, {"message", message("not explored: " + line)}});
        Json invocation = {{"executionSuccessful", report.diverged.empty() && report.unstable.empty()},
                           {"commandLine", report.program},
                           {"toolExecutionNotifications", std::move(notes)}};
        if (!report.made_at.empty()) invocation["endTimeUtc"] = report.made_at + "Z";
        return invocation;
    }

    void add(const Bug& bug, const char* level, const CampaignReport& report) {
        const Finding& finding = bug.simplest();
        const Explanation* explanation = bug.explanation();
        const Proven proven = bug.proven.value_or(Proven{});
        Json result = {{"ruleId", id_of(finding.verdict)}, {"ruleIndex", index_of(finding.verdict)}, {"level", level}};
        std::string text = (bug.is_unstable() ? "Unstable: " : "") + sentence_of(bug);
        if (bug.is_unstable()) text += "\nNot proven: " + doubt_of(bug) + ".";
        if (explanation != nullptr && !explanation->decisive.empty()) text += "\nIt " + explanation->decisive + ".";
        // No location shows the cause of a divergence.
        if (explanation != nullptr && finding.verdict == Verdict::diverged)
            for (const std::string& fact : explanation->facts) text += "\n" + fact;
        if (const std::string again = replay_command_of(bug); !again.empty()) text += "\nShown again by: " + again;
        result["message"] = message(text);
        result["locations"] = Json::array();
        if (explanation != nullptr) describe(*explanation, report.source_root, result);
        if (bug.found.times > 0) result["occurrenceCount"] = bug.found.times;
        // The fingerprint identifies a result across runs and builds.
        const bool has_functions = bug.explained && !bug.explained->key_in_functions.empty();
        const std::string& key = has_functions ? bug.explained->key_in_functions : bug.found.key;
        result["partialFingerprints"] = {{"place/v2", key.empty() ? finding.message : key}};
        result["properties"] = {{"preemptions", finding.preemptions}, {"fewestProven", bug.has_fewest_preemptions()},
                                {"foundBy", bug.found.found_by},      {"replays", proven.runs},
                                {"reproduced", proven.reproduced},    {"schedule", text_of(finding.schedule)},
                                {"campaign", report.directory}};
        results_.push_back(std::move(result));
    }

    static void describe(const Explanation& explanation, const std::string& root, Json& result) {
        if (const Frame* frame = telling_frame(explanation))
            result["locations"].push_back(sarif_location_of(*frame, root));
        Json flows = Json::array();
        for (const ExplainedThread& thread : explanation.threads) {
            Json locations = Json::array();
            for (const ExplainedStep& step : explanation.steps) {
                if (!(step.thread == thread.id)) continue;
                const Frame* frame = own_frame(step.stack);
                locations.push_back({{"location", sarif_location_of(frame == nullptr ? Frame{} : *frame, root,
                                                                    raddle::name_of(step.thread) + " " + step.text)},
                                     {"executionOrder", step.event + 1},
                                     {"importance", step.decisive || step.pending ? "essential" : "important"}});
            }
            if (locations.empty()) continue;
            const std::string name =
                raddle::name_of(thread.id) + (thread.function.empty() ? "" : " " + thread.function);
            flows.push_back(
                {{"id", raddle::name_of(thread.id)}, {"message", message(name)}, {"locations", std::move(locations)}});
        }
        if (!flows.empty())
            result["codeFlows"] =
                Json::array({{{"message", message("the steps that matter, in the order of this schedule")},
                              {"threadFlows", std::move(flows)}}});
        Json stacks = Json::array();
        for (const TitledStack& titled : explanation.stacks)
            if (!titled.stack.empty()) stacks.push_back(stack_of(titled, root));
        if (!stacks.empty()) result["stacks"] = std::move(stacks);
    }

    const std::vector<const CampaignReport*> reports_;
    std::vector<Verdict> kinds_;
    Json results_ = Json::array();
};

}  // namespace

std::string sarif_of(const CampaignReport& report) { return Log({&report}).written(); }

std::string sarif_of(const SuiteReport& suite) {
    CampaignReport rest;  // a log has the version of its tool, even without a bug
    rest.tool = suite.tool;
    rest.made_at = suite.made_at;
    rest.program = suite.program;
    rest.directory = suite.directory;
    for (const TestResult& test : suite.tests)
        if (test.report) rest.source_root = test.report->source_root;
    for (const TestResult& test : suite.tests) {
        const bool is_gap = test.ending != TestEnding::passed && test.ending != TestEnding::failed;
        (is_gap ? rest.not_explored : rest.explored)
            .push_back(test.name + ": " + word_of(test.ending) + ", " + sentence_of(test));
    }
    std::vector<const CampaignReport*> reports = {&rest};
    for (const TestResult& test : suite.tests)
        if (test.report) reports.push_back(test.report.get());
    return Log(std::move(reports)).written();
}

}  // namespace raddle
