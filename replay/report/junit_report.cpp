#include "replay/report/junit_report.h"

#include <cstdio>

#include "replay/explain/explain_text.h"
#include "replay/report/markup.h"
#include "replay/schedule/bug_directory.h"
#include "supervisor/base/text.h"

namespace raddle {

std::string junit_seconds(double seconds) {
    char text[40];
    std::snprintf(text, sizeof text, "%.3f", seconds < 0 ? 0.0 : seconds);
    return text;
}

namespace {

class Suite {
public:
    explicit Suite(const CampaignReport& report) : report_(report) {}

    std::string written() {
        page_.literal("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        {
            const Element suites(page_, "testsuites");
            page_.line();
            const Element suite(page_, "testsuite", attributes());
            page_.line();
            write_properties();
            for (const Bug& bug : report_.bugs) write_case(bug, "failure");
            for (const Bug& bug : report_.unstable) write_case(bug, "error");
            for (const Bug& bug : report_.diverged) write_case(bug, "error");
            write_explored();
            page_.leaf("system-out", {}, report_.headline);
            page_.line();
            page_.leaf("system-err", {}, "");
            page_.line();
        }
        page_.line();
        return page_.take();
    }

private:
    bool has_explored() const { return report_.coverage.exhausted || report_.coverage.complete_to; }
    bool has_more() const { return !report_.coverage.exhausted; }

    Markup::Attributes attributes() const {
        const std::size_t errors = report_.unstable.size() + report_.diverged.size();
        const std::size_t tests = report_.bugs.size() + errors + (has_explored() ? 1 : 0) + (has_more() ? 1 : 0);
        return {{"name", report_.name},
                {"package", "raddle"},
                {"id", "0"},
                {"timestamp", report_.made_at},
                {"hostname", report_.host.empty() ? "localhost" : report_.host},
                {"tests", std::to_string(tests)},
                {"failures", std::to_string(report_.bugs.size())},
                {"errors", std::to_string(errors)},
                {"skipped", has_more() ? "1" : "0"},
                {"time", junit_seconds(report_.seconds)}};
    }

    void write_properties() {
        const Element properties(page_, "properties");
        const auto property = [&](const char* name, const std::string& value) {
            if (!value.empty()) page_.empty("property", {{"name", name}, {"value", value}});
        };
        property("tool", report_.tool);
        property("program", report_.program);
        property("campaign", report_.directory);
        property("verdict", report_.verdict);
        property("executions", std::to_string(report_.coverage.executions));
        if (report_.coverage.void_executions > 0)
            property("void-executions", std::to_string(report_.coverage.void_executions));
        property("graphs", std::to_string(report_.coverage.graphs));
        property("memory", report_.memory);
        property("bound-asked", report_.bound_asked ? std::to_string(*report_.bound_asked) : "");
        property("complete", report_.complete ? "yes" : "no");
    }

    Markup::Attributes named(const std::string& name, double seconds = 0) const {
        return {{"name", name}, {"classname", "raddle." + report_.name}, {"time", junit_seconds(seconds)}};
    }

    void write_case(const Bug& bug, const char* kind) {
        page_.line();
        const std::string own = directory_name_of(bug);
        const Element one(page_, "testcase",
                          named(own.empty() ? std::string(name_of(bug.found.verdict)) + " at " + bug.found.key : own));
        const Explanation* explanation = bug.explanation();
        std::string text = explanation != nullptr ? text_of(*explanation) : bug.simplest().message + "\n";
        if (explanation == nullptr && bug.explained) text += "not explained: " + bug.explained->why_not + "\n";
        if (const std::string again = replay_command_of(bug); explanation == nullptr && !again.empty())
            text += "run again: " + again + "\n";
        const std::string doubt = doubt_of(bug);
        if (!doubt.empty()) text = "unstable: " + doubt + "\n\n" + text;
        page_.leaf(kind,
                   {{"message", doubt.empty() ? sentence_of(bug) : "unstable: " + sentence_of(bug)},
                    {"type", name_of(bug.found.verdict)}},
                   text);
    }

    std::string every_schedule() const {
        return report_.focus.empty() ? "every schedule" : "every schedule of the focus";
    }

    void write_explored() {
        const Coverage& coverage = report_.coverage;
        std::string rest = every_schedule();
        if (has_explored()) {
            page_.line();
            std::string name = every_schedule();
            if (!coverage.exhausted) {
                const std::string bound = counted(*coverage.complete_to, "preemption");
                name += " with at most " + bound;
                rest = "schedules with more than " + bound;
            }
            // Everything explored passes, except for the failures above.
            page_.empty("testcase", named(name, report_.seconds));
        }
        if (has_more()) {
            page_.line();
            const Element one(page_, "testcase", named(rest));
            std::string why;
            for (const std::string& line : report_.not_explored) why += (why.empty() ? "" : "; ") + line;
            page_.leaf("skipped", {}, why);  // Jenkins' schema allows no attribute here
        }
        page_.line();
    }

    const CampaignReport& report_;
    Markup page_;
};

}  // namespace

std::string junit_of(const CampaignReport& report) { return Suite(report).written(); }

}  // namespace raddle
