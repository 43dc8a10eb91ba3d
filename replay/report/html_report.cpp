#include "replay/report/html_report.h"

#include <cmath>

#include "replay/report/html_bug.h"
#include "supervisor/base/text.h"

namespace raddle {

namespace {

const char* mood_of(const CampaignReport& report) {
    if (report.verdict == "ok") return "verdict good";
    return report.verdict == "bug" ? "verdict bad" : "verdict doubt";
}

class Page {
public:
    Page(const CampaignReport& report, const std::string& nonce) : report_(report), nonce_(nonce) {}

    std::string written() {
        const HtmlFrame frame{"raddle: " + report_.name + ": " + report_.headline, nonce_, report_.tool,
                              report_.made_at};
        write_html_page(
            page_, frame,
            [&] {
                write_verdict();
                write_contents();
            },
            [&] {
                for (std::size_t i = 0; i < report_.bugs.size(); ++i)
                    write_bug(report_.bugs[i], "bug" + std::to_string(i + 1));
                for (std::size_t i = 0; i < report_.unstable.size(); ++i)
                    write_bug(report_.unstable[i], "unstable" + std::to_string(i + 1));
                for (std::size_t i = 0; i < report_.diverged.size(); ++i)
                    write_bug(report_.diverged[i], "diverged" + std::to_string(i + 1));
                write_explored();
            });
        return page_.take();
    }

private:
    void write_verdict() {
        const Element header(page_, "header");
        {
            const Element what(page_, "p", {{"class", "what"}});
            page_.text("raddle on ");
            page_.leaf("code", {}, report_.program);
        }
        std::string word = report_.verdict == "ok" ? "no bug" : report_.verdict;
        if (report_.bugs.size() > 1) word = counted(report_.bugs.size(), "bug");
        page_.leaf("p", {{"class", mood_of(report_)}}, word);
        page_.leaf("h1", {}, report_.headline);
        if (report_.directory.empty()) return;
        const Element numbers(page_, "ul", {{"class", "numbers"}});
        const Coverage& coverage = report_.coverage;
        write_number(std::to_string(coverage.executions), "executions");
        if (coverage.void_executions > 0) write_number(std::to_string(coverage.void_executions), "void executions");
        write_number(std::to_string(coverage.graphs), "different orders of events");
        write_number(coverage.exhausted     ? "all"
                     : coverage.complete_to ? "≤ " + std::to_string(*coverage.complete_to)
                                            : "no",
                     coverage.exhausted
                         ? (report_.focus.empty() ? "schedules explored" : "schedules of the focus explored")
                     : coverage.complete_to ? "preemptions fully explored"
                                            : "bound on preemptions explored");
        write_number(seconds_text(report_.seconds), "of running");
    }

    static std::string seconds_text(double seconds) {
        if (seconds < 1) return std::to_string(std::lround(seconds * 1000)) + " ms";
        const auto tenths = static_cast<std::uint64_t>(std::lround(seconds * 10));
        if (tenths < 600) return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
        const std::uint64_t whole = tenths / 10;
        return whole < 3600 ? std::to_string(whole / 60) + " min"
                            : std::to_string(whole / 3600) + " h " + std::to_string(whole / 60 % 60) + " min";
    }

    void write_number(const std::string& value, const std::string& what) {
        const Element item(page_, "li");
        page_.leaf("b", {}, value);
        page_.leaf("span", {}, what);
    }

    void write_contents() {
        if (findings() < 2) return;
        const Element nav(page_, "nav", {{"aria-label", "bugs"}});
        const Element list(page_, "ol");
        const auto link = [&](const Bug& bug, const std::string& id) {
            const std::uint32_t preemptions = bug.simplest().preemptions;
            const Element item(page_, "li");
            const Element anchor(page_, "a", {{"href", "#" + id}});
            page_.text((bug.is_unstable() ? "unstable: " : "") + sentence_of(bug) +
                       (preemptions > 0 ? " (" + counted(preemptions, "preemption") + ")" : ""));
        };
        for (std::size_t i = 0; i < report_.bugs.size(); ++i) link(report_.bugs[i], "bug" + std::to_string(i + 1));
        for (std::size_t i = 0; i < report_.unstable.size(); ++i)
            link(report_.unstable[i], "unstable" + std::to_string(i + 1));
        for (std::size_t i = 0; i < report_.diverged.size(); ++i)
            link(report_.diverged[i], "diverged" + std::to_string(i + 1));
    }

    // The headline already shows the only bug.
    void write_bug(const Bug& bug, const std::string& id) {
        const bool is_shown = findings() == 1 && report_.headline == sentence_of(bug);
        write_html_bug(page_, bug, id, is_shown);
    }

    std::size_t findings() const { return report_.bugs.size() + report_.unstable.size() + report_.diverged.size(); }

    void write_explored() {
        if (report_.explored.empty() && report_.not_explored.empty()) return;
        const Element section(page_, "section", {{"id", "explored"}, {"aria-labelledby", "explored-title"}});
        page_.leaf("h2", {{"id", "explored-title"}}, "What was explored, and what was not");
        write_lines("Explored", report_.explored);
        write_lines("Not explored", report_.not_explored);
    }

    void write_lines(const std::string& title, const std::vector<std::string>& lines) {
        if (lines.empty()) return;
        page_.leaf("h3", {}, title);
        const Element list(page_, "ul", {{"class", "facts"}});
        for (const std::string& line : lines) page_.leaf("li", {}, line);
    }

    const CampaignReport& report_;
    const std::string nonce_;
    Markup page_;
};

}  // namespace

std::string html_of(const CampaignReport& report, const std::string& nonce) { return Page(report, nonce).written(); }

}  // namespace raddle
