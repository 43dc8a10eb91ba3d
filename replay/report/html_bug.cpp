#include "replay/report/html_bug.h"

#include <algorithm>
#include <cctype>

#include "replay/report/campaign_report.h"
#include "replay/report/html_assets.h"
#include "replay/report/html_compare.h"
#include "replay/report/html_timeline.h"
#include "replay/schedule/bug_directory.h"
#include "supervisor/base/text.h"

namespace raddle {

namespace {

constexpr std::size_t most_frames = 16;
constexpr std::size_t most_steps_listed = 2000;
constexpr std::size_t most_output = 64 << 10;
constexpr std::size_t longest_schedule = 4000;

class BugSection {
public:
    explicit BugSection(Markup& page) : page_(page) {}

    void write(const Bug& bug, const std::string& id, bool is_shown) {
        const Element section(page_, "section", {{"id", id}, {"aria-labelledby", id + "-title"}});
        const bool is_certain = is_bug(bug.found.verdict) && !bug.is_unstable();
        const std::string own = directory_name_of(bug), name = own.empty() ? words_of(name_of(bug.found.verdict)) : own;
        page_.leaf("p", {{"class", is_certain ? "kind" : "kind doubtful"}},
                   bug.is_unstable() ? name + ", unstable" : name);
        page_.leaf("h2", {{"id", id + "-title"}, {"class", is_shown ? "sr" : "sentence"}}, sentence_of(bug));
        page_.leaf("p", {{"class", "lead"}}, lead_of(bug));
        if (bug.is_unstable()) write_doubt(bug);
        if (const Explanation* explanation = bug.explanation())
            write_explanation(*explanation, id);
        else if (bug.explained)
            page_.leaf("p", {{"class", "hint"}}, "Not explained: " + bug.explained->why_not);
        if (bug.filed) {
            write_output("standard output", bug.filed->output);
            write_output("standard error", bug.filed->errors);
        }
        write_again(bug);
    }

private:
    void write_doubt(const Bug& bug) {
        const Element box(page_, "div", {{"class", "not-proven"}});
        page_.leaf("b", {}, "not proven");
        std::string text = doubt_of(bug) + ".";
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
        page_.text(text);
    }

    static std::string lead_of(const Bug& bug) {
        if (!is_bug(bug.found.verdict))
            return "The program did not do again what it did before; nothing follows from such an execution." +
                   (bug.proven ? " Explanation: " + bug.proven->divergence + "." : std::string());
        const std::uint32_t preemptions = bug.simplest().preemptions;
        std::string text = counted(preemptions, "preemption");
        if (preemptions == 0)
            text += ": the threads need not be interrupted for it";
        else
            text += bug.has_fewest_preemptions() ? "; no schedule with fewer shows it"
                                                 : "; whether fewer would do was not proven";
        if (!bug.found.found_by.empty()) text += ". Found by " + bug.found.found_by;
        if (bug.found.times > 0) text += ". Seen in " + counted(bug.found.times, "execution");
        if (bug.proven && !bug.is_unstable())
            text += ", and in " + std::to_string(bug.proven->reproduced) + " of " + std::to_string(bug.proven->runs) +
                    " replays";
        return text + ".";
    }

    void write_explanation(const Explanation& explanation, const std::string& id) {
        if (!explanation.decisive.empty()) {
            const Element box(page_, "div", {{"class", "decisive-switch"}});
            page_.leaf("b", {}, "the decisive switch");
            page_.text("It " + explanation.decisive + ".");
        }
        page_.leaf("h3", {}, "What happened");
        page_.literal(
            "<p class=\"hint\">Point at a step, or go there with <kbd>Tab</kbd> and the arrow keys, to see its stack and its source.</p>");
        write_legend(explanation);
        draw_timeline(page_, explanation, id);
        write_values(page_, explanation);
        write_facts(explanation);
        write_stacks(explanation);
        write_comparison(page_, explanation);
        write_all_steps(explanation);
    }

    void write_legend(const Explanation& explanation) {
        const Element legend(page_, "ul", {{"class", "legend"}});
        if (!explanation.held.empty()) page_.literal("<li><i class=\"a-bar\"></i>a lock is held</li>");
        if (!explanation.shown_orders.empty()) page_.literal("<li><i class=\"an-arrow\"></i>happens before</li>");
        const auto waits = [](const ExplainedStep& step) { return !step.held_by.empty(); };
        if (std::any_of(explanation.steps.begin(), explanation.steps.end(), waits))
            page_.literal("<li><i class=\"a-wait\"></i>waits for who holds it</li>");
    }

    void write_facts(const Explanation& explanation) {
        if (explanation.facts.empty()) return;
        page_.leaf("h3", {}, explanation.verdict == Verdict::deadlock ? "Who waits for whom" : "What is known");
        const Element list(page_, "ul", {{"class", "facts"}});
        for (const std::string& fact : explanation.facts) {
            const bool inner = fact.starts_with("  ");
            page_.leaf("li", {{"class", inner ? "inner" : "outer"}}, inner ? fact.substr(2) : fact);
        }
    }

    void write_stacks(const Explanation& explanation) {
        if (explanation.stacks.empty()) return;
        page_.leaf("h3", {}, "Stacks");
        const Element stacks(page_, "div", {{"class", "stacks"}});
        for (const TitledStack& titled : explanation.stacks) {
            const Element one(page_, "div");
            page_.leaf("h4", {}, titled.title);
            write_frames(page_, titled.stack, most_frames);
            write_snippet(page_, titled.snippet);
        }
    }

    void write_all_steps(const Explanation& explanation) {
        if (explanation.taken.empty()) return;
        const Element details(page_, "details");
        page_.leaf("summary", {},
                   explanation.taken.size() == 1 ? "the one step"
                                                 : "all " + std::to_string(explanation.taken.size()) + " steps");
        const Element table(page_, "table", {{"class", "list"}});
        const std::size_t count = explanation.taken.size();
        const std::size_t left_out = count > most_steps_listed ? count - most_steps_listed : 0;
        if (left_out > 0) {
            const Element row(page_, "tr");
            page_.leaf("td", {}, "…");
            page_.leaf("td", {}, "");
            page_.leaf("td", {},
                       "the first " + counted(left_out, "step") + " left out; raddle report --json has them all");
        }
        for (std::size_t i = left_out; i < count; ++i) write_taken_row(page_, explanation, explanation.taken[i], i);
    }

    void write_output(const std::string& what, const std::string& text) {
        if (text.empty()) return;
        const Element details(page_, "details", {{"open", ""}});
        page_.leaf("summary", {}, what + (text.size() > most_output ? ", its last 64 KiB" : ""));
        page_.leaf("pre", {{"class", "text"}},
                   text.size() > most_output ? text.substr(text.size() - most_output) : text);
    }

    void write_again(const Bug& bug) {
        page_.leaf("h3", {}, "See it again");
        if (const std::string again = replay_command_of(bug); !again.empty())
            page_.leaf("pre", {{"class", "text"}, {"tabindex", "0"}, {"aria-label", "the command line"}}, again);
        const std::string schedule = text_of(bug.simplest().schedule);
        if (schedule.empty() || schedule.size() > longest_schedule) return;
        const Element details(page_, "details");
        page_.leaf("summary", {}, "its schedule");
        page_.leaf("pre", {{"class", "text"}}, schedule);
    }

    Markup& page_;
};

}  // namespace

void write_html_bug(Markup& page, const Bug& bug, const std::string& id, bool is_shown) {
    BugSection(page).write(bug, id, is_shown);
}

namespace {

void write_head(Markup& page, const HtmlFrame& frame) {
    const Element head(page, "head");
    page.literal(
        "<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.empty("meta", {{"http-equiv", "Content-Security-Policy"},
                        {"content", "default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-" + frame.nonce +
                                        "'; connect-src " + std::string(frame.connects) +
                                        "; base-uri 'none'; form-action 'none'"}});
    page.literal("\n<meta name=\"referrer\" content=\"no-referrer\">\n");
    page.leaf("title", {}, frame.title);
    page.line();
    const Element style(page, "style");
    page.literal(html_style);
}

}  // namespace

void write_html_page(Markup& page, const HtmlFrame& frame, const std::function<void()>& write_header,
                     const std::function<void()>& write_main) {
    page.literal("<!DOCTYPE html>\n");
    {
        const Element html(page, "html", {{"lang", "en"}});
        write_head(page, frame);
        const Element body(page, "body");
        page.leaf("a", {{"class", "skip"}, {"href", "#content"}}, "skip to the content");
        write_header();
        {
            const Element main(page, "main", {{"id", "content"}});
            write_main();
        }
        page.leaf("footer", {}, "Made by " + frame.tool + " on " + frame.made_at + " UTC. " + frame.remark);
        page.line();
        const Element script(page, "script", {{"nonce", frame.nonce}});
        page.literal(frame.script == nullptr ? html_script : frame.script);
    }
    page.line();
}

}  // namespace raddle
