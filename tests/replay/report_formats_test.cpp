// Reports for other programs: the requirements of their formats.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "replay/report/json_report.h"
#include "replay/report/junit_report.h"
#include "replay/report/perfetto_report.h"
#include "replay/report/sarif_report.h"
#include "tests/command_line.h"
#include "tests/elements.h"
#include "tests/replay/reports.h"

namespace raddle::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

const char* const evil = "<b>\"'&]]>\033\xff\n</testsuite>";

// ---- JUnit

std::vector<MarkupElement> named(const std::vector<MarkupElement>& all, const std::string& tag) {
    std::vector<MarkupElement> found;
    std::copy_if(all.begin(), all.end(), std::back_inserter(found),
                 [&](const MarkupElement& one) { return one.tag == tag; });
    return found;
}

class JUnit : public ::testing::TestWithParam<const char*> {
protected:
    static std::string written() {
        const std::string which = GetParam();
        return junit_of(which == "clean"  ? clean_report()
                        : which == "evil" ? deadlock_report(evil)
                                          : deadlock_report());
    }
};

// The common part of the schemas of Ant and Jenkins.
TEST_P(JUnit, IsWithinTheSchemas) {
    const std::vector<MarkupElement> all = elements_of(written());
    ASSERT_EQ(all[0].tag, "testsuites");
    const MarkupElement& suite = all.at(1);
    ASSERT_EQ(suite.tag, "testsuite");
    for (const char* needed : {"name", "package", "id", "hostname", "timestamp", "tests", "failures", "errors", "time"})
        EXPECT_FALSE(suite.at(needed).empty()) << needed;
    EXPECT_TRUE(std::regex_match(suite.at("timestamp"), std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)")));
    // properties, test cases, then the two streams, in this order
    std::vector<std::string> children = suite.children;
    ASSERT_GE(children.size(), 3u);
    EXPECT_EQ(children.front(), "properties");
    EXPECT_EQ(children[children.size() - 2], "system-out");
    EXPECT_EQ(children.back(), "system-err");
    EXPECT_TRUE(std::all_of(children.begin() + 1, children.end() - 2,
                            [](const std::string& tag) { return tag == "testcase"; }));
    EXPECT_EQ(suite.at("tests"), std::to_string(children.size() - 3));
    EXPECT_EQ(suite.at("failures"), std::to_string(named(all, "failure").size()));
    EXPECT_EQ(suite.at("errors"), std::to_string(named(all, "error").size()));
    EXPECT_EQ(suite.at("skipped"), std::to_string(named(all, "skipped").size()));
    for (const MarkupElement& one : named(all, "testcase")) {
        EXPECT_FALSE(one.at("name").empty());
        EXPECT_FALSE(one.at("classname").empty());
        EXPECT_TRUE(std::regex_match(one.at("time"), std::regex(R"(\d+\.\d+)")));
        EXPECT_LE(one.children.size(), 1u);
    }
    for (const MarkupElement& one : named(all, "skipped"))
        EXPECT_TRUE(one.attributes.empty()) << "it is a plain string for Jenkins";
    for (const char* tag : {"failure", "error"})
        for (const MarkupElement& one : named(all, tag)) {
            EXPECT_EQ(one.parent, "testcase");
            EXPECT_FALSE(one.at("type").empty());
            EXPECT_FALSE(one.at("message").empty());
        }
}

TEST_P(JUnit, IsWellFormed) {
    if (!is_installed("xmllint")) GTEST_SKIP() << "there is no xmllint";
    const Ended checked = execute({"xmllint", "--noout", "-"}, {.input = written(), .environment = {}});
    EXPECT_EQ(checked.status, 0) << checked.errors;
}

INSTANTIATE_TEST_SUITE_P(Reports, JUnit, ::testing::Values("bug", "evil", "clean"));

TEST(JUnitReport, PassesExploredBoundsAndSkipsTheRest) {
    const std::vector<MarkupElement> cases = named(elements_of(junit_of(clean_report())), "testcase");
    ASSERT_EQ(cases.size(), 2u);
    EXPECT_EQ(cases[0].at("name"), "every schedule with at most 1 preemption");
    EXPECT_TRUE(cases[0].children.empty());
    EXPECT_EQ(cases[1].at("name"), "schedules with more than 1 preemption");
    EXPECT_EQ(cases[1].children, std::vector<std::string>{"skipped"});
}

TEST(JUnitReport, PassesNothingIfNothingWasExplored) {
    CampaignReport report = clean_report();
    report.coverage = {};
    const std::vector<MarkupElement> cases = named(elements_of(junit_of(report)), "testcase");
    ASSERT_EQ(cases.size(), 1u);
    EXPECT_EQ(cases[0].children, std::vector<std::string>{"skipped"});
}

TEST(JUnitReport, AnUnstableBugIsAnErrorWithItsDivergence) {
    CampaignReport report = deadlock_report();
    report.unstable[0].proven->divergence = "step 4 is another";
    const std::string text = junit_of(report);
    const std::vector<MarkupElement> errors = named(elements_of(text), "error");
    ASSERT_EQ(errors.size(), 2u) << "and the divergence";
    EXPECT_THAT(errors[0].at("message"), HasSubstr("unstable: "));
    EXPECT_THAT(text, HasSubstr("unstable: its schedule showed it in 1 of 3 replays: step 4 is another"));
}

// ---- SARIF

// The properties of SARIF 2.1.0 objects that raddle uses, and the required ones among them. An object must not have any
// other property, except in a property bag.
struct Shape {
    std::map<std::string, std::string> properties;  // property and its shape: "" for a plain value, "[x]" for a list
    std::vector<std::string> required{};
};
const std::map<std::string, Shape> shapes = {
    {"log", {{{"$schema", ""}, {"version", ""}, {"runs", "[run]"}}, {"version", "runs"}}},
    {"run",
     {{{"tool", "tool"},
       {"invocations", "[invocation]"},
       {"columnKind", ""},
       {"originalUriBaseIds", "bag"},
       {"results", "[result]"}},
      {"tool"}}},
    {"tool", {{{"driver", "component"}}, {"driver"}}},
    {"component", {{{"name", ""}, {"semanticVersion", ""}, {"rules", "[rule]"}}, {"name"}}},
    {"rule", {{{"id", ""}, {"name", ""}, {"shortDescription", "message"}}, {"id"}}},
    {"message", {{{"text", ""}}, {"text"}}},
    {"invocation",
     {{{"executionSuccessful", ""},
       {"commandLine", ""},
       {"endTimeUtc", ""},
       {"toolExecutionNotifications", "[notification]"}},
      {"executionSuccessful"}}},
    {"notification", {{{"level", ""}, {"message", "message"}}, {"message"}}},
    {"result",
     {{{"ruleId", ""},
       {"ruleIndex", ""},
       {"level", ""},
       {"message", "message"},
       {"locations", "[location]"},
       {"occurrenceCount", ""},
       {"partialFingerprints", "bag"},
       {"codeFlows", "[flow]"},
       {"stacks", "[stack]"},
       {"properties", "bag"}},
      {"message"}}},
    {"location", {{{"physicalLocation", "physical"}, {"logicalLocations", "[logical]"}, {"message", "message"}}}},
    {"physical", {{{"artifactLocation", "artifact"}, {"region", "region"}}, {"artifactLocation"}}},
    {"artifact", {{{"uri", ""}, {"uriBaseId", ""}}, {"uri"}}},
    {"region", {{{"startLine", ""}, {"byteOffset", ""}}}},
    {"logical", {{{"name", ""}, {"kind", ""}}}},
    {"flow", {{{"message", "message"}, {"threadFlows", "[thread]"}}, {"threadFlows"}}},
    {"thread", {{{"id", ""}, {"message", "message"}, {"locations", "[step]"}}, {"locations"}}},
    {"step", {{{"location", "location"}, {"executionOrder", ""}, {"importance", ""}}}},
    {"stack", {{{"message", "message"}, {"frames", "[frame]"}}, {"frames"}}},
    {"frame", {{{"location", "location"}, {"module", ""}}}},
};

void expect_shape(const json& value, const std::string& name, const std::string& path) {
    if (name.empty() || name == "bag") return;
    if (name[0] == '[') {
        ASSERT_TRUE(value.is_array()) << path;
        for (const json& one : value) expect_shape(one, name.substr(1, name.size() - 2), path + "[]");
        return;
    }
    const Shape& shape = shapes.at(name);
    ASSERT_TRUE(value.is_object()) << path;
    for (const std::string& needed : shape.required)
        EXPECT_TRUE(value.contains(needed)) << path << " has no " << needed;
    for (const auto& [key, part] : value.items()) {
        ASSERT_TRUE(shape.properties.contains(key)) << path << "." << key;
        expect_shape(part, shape.properties.at(key), path + "." + key);
    }
}

TEST(SarifReport, HasTheShapeOfVersion2_1_0) {
    for (const CampaignReport& report : {deadlock_report(), deadlock_report(evil), clean_report()}) {
        const json log = json::parse(sarif_of(report));
        expect_shape(log, "log", "");
        EXPECT_EQ(log["version"], "2.1.0");
        const json& run = log["runs"][0];
        EXPECT_EQ(run["results"].size(), report.bugs.size() + report.unstable.size() + report.diverged.size());
        for (const json& result : run["results"]) {
            EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()]["id"], result["ruleId"]);
            EXPECT_TRUE(std::set<std::string>({"none", "note", "warning", "error"})
                            .contains(result["level"].get<std::string>()));
            EXPECT_FALSE(result["message"]["text"].get<std::string>().empty());
        }
    }
}

TEST(SarifReport, PointsAtTheSourceAndOrdersStepsAcrossThreads) {
    const json result = json::parse(sarif_of(deadlock_report("a b%")))["runs"][0]["results"][0];
    EXPECT_EQ(result["level"], "error");
    const json& place = result["locations"][0]["physicalLocation"];
    EXPECT_EQ(place["artifactLocation"]["uri"], "a%20b%25.c");
    EXPECT_EQ(place["artifactLocation"]["uriBaseId"], "SRCROOT");
    EXPECT_GT(place["region"]["startLine"], 0);
    const json& flows = result["codeFlows"][0]["threadFlows"];
    ASSERT_EQ(flows.size(), 3u);
    std::multiset<int> orders;
    for (const json& flow : flows) {
        int last = 0;
        for (const json& step : flow["locations"]) {
            EXPECT_GT(step["executionOrder"].get<int>(), last) << "in order within a thread";
            last = step["executionOrder"].get<int>();
            orders.insert(last);
            EXPECT_TRUE(std::set<std::string>({"important", "essential", "unimportant"})
                            .contains(step["importance"].get<std::string>()));
        }
    }
    EXPECT_EQ(orders, (std::multiset<int>{1, 2, 3, 4, 5, 6, 7, 7, 7})) << "and, at the end, all wait at once";
    EXPECT_FALSE(result["stacks"].empty());
}

TEST(SarifReport, PathsBelowTheDirectoryOfTheReportAreRelativeToIt) {
    CampaignReport report = deadlock_report("a");
    const auto uri_in = [](const CampaignReport& of) {
        return json::parse(
            sarif_of(of))["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    };
    const json run = json::parse(sarif_of(report))["runs"][0];
    EXPECT_EQ(run["originalUriBaseIds"]["SRCROOT"]["uri"], "file:///src/");
    EXPECT_EQ(uri_in(report), (json{{"uri", "a.c"}, {"uriBaseId", "SRCROOT"}}));
    report.source_root = "/sr";
    EXPECT_EQ(uri_in(report), (json{{"uri", "file:///src/a.c"}})) << "a name with the same beginning";
    report.source_root = "/";
    EXPECT_EQ(uri_in(report), (json{{"uri", "src/a.c"}, {"uriBaseId", "SRCROOT"}}));
}

TEST(SarifReport, ShowsAnUnstableBugAsAWarning) {
    CampaignReport report = deadlock_report();
    report.unstable[0].proven->divergence = "step 4 is another";
    const json log = json::parse(sarif_of(report));
    const json& result = log["runs"][0]["results"][2];
    EXPECT_EQ(result["level"], "warning");
    EXPECT_THAT(result["message"]["text"].get<std::string>(),
                HasSubstr("Not proven: its schedule showed it in 1 of 3 replays: step 4 is another."));
    EXPECT_EQ(log["runs"][0]["invocations"][0]["executionSuccessful"], false);
}

// ---- trace events

TEST(PerfettoReport, NamesEveryTrackAndNestsSlices) {
    const json trace = json::parse(perfetto_of(deadlock_report()));
    std::set<std::pair<int, int>> names;
    std::map<std::pair<int, int>, std::vector<std::pair<int, int>>> slices;
    for (const json& event : trace["traceEvents"]) {
        for (const char* needed : {"ph", "pid", "tid", "name"}) ASSERT_TRUE(event.contains(needed)) << event;
        const std::pair<int, int> track(event["pid"].get<int>(), event["tid"].get<int>());
        const bool is_name = event["ph"] == "M" && event["name"] == "thread_name";
        EXPECT_TRUE(!is_name || names.insert(track).second);
        if (event["ph"] == "X")
            slices[track].emplace_back(event["ts"].get<int>(), event["ts"].get<int>() + event["dur"].get<int>());
    }
    for (const auto& [track, all] : slices) {
        EXPECT_TRUE(names.contains(track)) << track.second;
        for (const auto& one : all)
            for (const auto& other : all) {
                const bool apart = one.second <= other.first || other.second <= one.first;
                const bool nested = (one.first >= other.first && one.second <= other.second) ||
                                    (other.first >= one.first && other.second <= one.second);
                EXPECT_TRUE(apart || nested);
            }
    }
    EXPECT_EQ(slices.size(), 3u + 2u + 3u) << "threads and locks, then the threads of the one that passes";
}

TEST(PerfettoReport, EveryArrowLeadsFromASliceToALaterOne) {
    const json trace = json::parse(perfetto_of(deadlock_report()));
    const auto is_in_slice = [&](const json& flow) {
        return std::any_of(trace["traceEvents"].begin(), trace["traceEvents"].end(), [&](const json& event) {
            return event["ph"] == "X" && event["pid"] == flow["pid"] && event["tid"] == flow["tid"] &&
                   event["ts"] <= flow["ts"] &&
                   event["ts"].get<int>() + event["dur"].get<int>() >= flow["ts"].get<int>();
        });
    };
    std::map<int, std::pair<json, json>> arrows;
    for (const json& event : trace["traceEvents"]) {
        if (event["ph"] == "s") arrows[event["id"].get<int>()].first = event;
        if (event["ph"] == "f") arrows[event["id"].get<int>()].second = event;
    }
    ASSERT_EQ(arrows.size(), 2u) << "creations before starts";
    for (const auto& [id, arrow] : arrows) {
        EXPECT_TRUE(is_in_slice(arrow.first));
        EXPECT_TRUE(is_in_slice(arrow.second));
        EXPECT_LT(arrow.first["ts"], arrow.second["ts"]);
        EXPECT_EQ(arrow.second["bp"], "e");
    }
}

TEST(PerfettoReport, IsAnEmptyTraceWithoutBugs) {
    EXPECT_TRUE(json::parse(perfetto_of(clean_report()))["traceEvents"].empty());
}

TEST(PerfettoReport, NamesAnUnstableBug) {
    CampaignReport report = deadlock_report();
    report.unstable[0].explained = report.bugs[0].explained;
    EXPECT_THAT(perfetto_of(report), HasSubstr("\"name\":\"unstable, deadlock: "));
}

// ---- JSON

void collect_keys(const json& value, const std::string& path, std::set<std::string>& keys) {
    if (value.is_array())
        for (const json& one : value) collect_keys(one, path + "[]", keys);
    if (!value.is_object()) return;
    for (const auto& [key, part] : value.items()) {
        const std::string name = path.empty() ? key : path + "." + key;
        keys.insert(name);
        collect_keys(part, name, keys);
    }
}

// docs/report.md has a table row for each key: | `bugs[].kind` | … |
TEST(JsonReport, HasExactlyTheDocumentedKeys) {
    std::set<std::string> written, documented;
    collect_keys(json::parse(json_of(deadlock_report())), "", written);
    // Uncertain findings have the same keys as bugs.
    std::erase_if(
        written, [](const std::string& key) { return key.starts_with("diverged[]") || key.starts_with("unstable[]"); });
    std::ifstream page(std::string(RADDLE_SOURCE_DIR) + "/docs/report.md");
    ASSERT_TRUE(page) << "docs/report.md";
    const std::string prefix = "| `";
    for (std::string line; std::getline(page, line) && line != "## The list of bugs";)
        if (line.starts_with(prefix) && line[prefix.size()] != '-')
            documented.insert(line.substr(prefix.size(), line.find('`', prefix.size()) - prefix.size()));
    EXPECT_EQ(written, documented);
}

TEST(JsonReport, IsValidForAnyTextOfTheProgram) {
    const json object = json::parse(json_of(deadlock_report(evil)));
    EXPECT_EQ(object["schema"], 1);
    EXPECT_THAT(object["bugs"][0]["stdout"].get<std::string>(), HasSubstr("</testsuite>"));
}

}  // namespace
}  // namespace raddle::testing
