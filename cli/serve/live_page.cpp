#include "cli/serve/live_page.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/progress.h"
#include "cli/stored_status.h"
#include "replay/report/html_bug.h"
#include "replay/schedule/bug_directory.h"
#include "store/directory_lock.h"
#include "supervisor/base/text.h"
#include "supervisor/engine/bugs/report_header.h"
#include "supervisor/engine/kept/kept_result.h"

namespace raddle::cli {

namespace {

namespace fs = std::filesystem;

// Replaces header and content by those of a fresh copy; the place on the page and the focus stay.
const char* const live_script = R"js(
(() => {
  "use strict";
  const again = async () => {
    let wait = 1000;
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      if (!answer.ok) throw new Error(answer.statusText);
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const part of ["header", "main"]) {
        const old = document.querySelector(part), now = fresh.querySelector(part);
        if (now && old.innerHTML !== now.innerHTML) old.replaceWith(document.adoptNode(now));
      }
      document.title = fresh.title;
      if (!fresh.querySelector("[data-running]")) wait = 5000;
    } catch (error) {
      document.title = "raddle serve has ended";
      wait = 5000;
    }
    setTimeout(again, wait);
  };
  setTimeout(again, 1000);
})();
)js";

class LivePage {
public:
    LivePage(const CampaignStore& store, const std::string& base, const std::string& nonce)
        : store_(store),
          base_(base),
          nonce_(nonce),
          holder_(holder_of(store.directory())),
          progress_(store.progress()),
          bugs_(bugs_as_written(store)) {}

    std::string written() {
        const CampaignReport empty = empty_report();
        HtmlFrame frame{"raddle: " + store_.identity().value_of("the command line"), nonce_, empty.tool, empty.made_at};
        frame.script = live_script;
        frame.connects = "'self'";
        frame.remark = "raddle serve shows it to this machine only, until Ctrl-C.";
        write_html_page(
            page_, frame, [&] { write_header(); }, [&] { write_main(); });
        return page_.take();
    }

private:
    void write_header() {
        const Element header(page_, "header");
        {
            const Element what(page_, "p", {{"class", "what"}});
            page_.text("raddle on ");
            page_.leaf("code", {}, store_.identity().value_of("the command line"));
        }
        const std::size_t found = real_bugs(bugs_);
        const bool is_running = !holder_.empty();
        page_.leaf("p",
                   {{"class", found > 0                      ? "verdict bad"
                              : progress_.coverage.exhausted ? "verdict good"
                                                             : "verdict doubt"}},
                   found > 0    ? counted(found, "bug")
                   : is_running ? "no bug so far"
                                : "no bug");
        if (is_running)
            page_.leaf("h1", {{"data-running", "yes"}}, "Running");
        else
            page_.leaf("h1", {}, "Not running");
        if (is_running) page_.leaf("p", {{"class", "lead"}}, holder_);
    }

    void write_main() {
        write_progress();
        write_bounds();
        write_bugs();
    }

    void write_number(const std::string& value, const std::string& what) {
        const Element item(page_, "li");
        page_.leaf("b", {}, value);
        page_.leaf("span", {}, what);
    }

    void write_progress() {
        const Coverage& coverage = progress_.coverage;
        const CampaignProgress told = as_told(progress_, real_bugs(bugs_));
        const Element section(page_, "section");
        page_.leaf("h2", {}, "Progress");
        {
            const Element numbers(page_, "ul", {{"class", "numbers"}});
            write_number(std::to_string(coverage.executions), "executions");
            write_number(std::to_string(coverage.graphs), "different orders of events");
            if (coverage.void_executions > 0) write_number(std::to_string(coverage.void_executions), "void executions");
            write_number(std::to_string(std::lround(progress_.executions_per_second)), "executions per second");
            write_number(duration_text(static_cast<double>(progress_.milliseconds) / 1000), "of running");
        }
        if (progress_.remaining && !coverage.exhausted) {
            const double done = static_cast<double>(coverage.executions);
            const double all = done + progress_.remaining->likely;
            page_.leaf("progress",
                       {{"max", "1000"},
                        {"value", std::to_string(std::lround(all > 0 ? 1000 * done / all : 0))},
                        {"aria-label", "of this bound"}},
                       "");
        }
        page_.leaf("p", {{"class", "hint"}}, progress_line(told));
    }

    void write_bounds() {
        const Coverage& coverage = progress_.coverage;
        const Element section(page_, "section");
        page_.leaf("h2", {}, "Bounds");
        const Element list(page_, "ul", {{"class", "facts"}});
        if (const std::optional<LastRun> run = store_.last_run())
            page_.leaf("li", {}, "asked for: " + asked_text(*run));
        const std::string focus = store_.identity().value_of("--focus");
        page_.leaf("li", {}, "explored: " + known_text(coverage, !focus.empty()));
        if (!focus.empty()) page_.leaf("li", {}, "focus: " + focus);
        if (!coverage.exhausted) page_.leaf("li", {}, "working at: " + counted(coverage.bound, "preemption"));
        for (const std::string& reason : coverage.incomplete_because) page_.leaf("li", {}, "incomplete: " + reason);
    }

    void write_bugs() {
        const Element section(page_, "section");
        page_.leaf("h2", {}, "Bugs");
        if (bugs_.empty()) {
            page_.leaf("p", {{"class", "hint"}}, "none so far");
            return;
        }
        const Element nav(page_, "nav", {{"aria-label", "bugs"}});
        const Element list(page_, "ol");
        for (const Bug& bug : bugs_) {
            const Element item(page_, "li");
            const std::string text = (bug.is_unstable() ? "unstable: " : "") + sentence_of(bug) + " (" +
                                     counted(bug.simplest().preemptions, "preemption") + ", seen " +
                                     counted(bug.found.times, "time") + ")";
            const std::string name = bug.filed ? fs::path(bug.filed->directory).filename().string() : "";
            if (name.empty())
                page_.text(words_of(name_of(bug.found.verdict)) + ": " + text);
            else
                page_.leaf("a", {{"href", base_ + "/bugs/" + name}},
                           words_of(name_of(bug.found.verdict)) + ": " + text);
        }
    }

    const CampaignStore& store_;
    const std::string base_, nonce_;
    const std::string holder_;
    const StoredProgress progress_;
    const std::vector<Bug> bugs_;
    Markup page_;
};

}  // namespace

std::string live_page(const CampaignStore& store, const std::string& base, const std::string& nonce) {
    std::string page;
    store.read_together([&] { page = LivePage(store, base, nonce).written(); });
    return page;
}

}  // namespace raddle::cli
