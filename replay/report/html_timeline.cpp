#include "replay/report/html_timeline.h"

#include <algorithm>
#include <map>

#include "replay/explain/wording.h"
#include "supervisor/base/text.h"

namespace raddle {

namespace {

// Sizes in pixels that the style sheet knows too.
constexpr int bar_pitch = 22, bar_middle = 9;
constexpr int wait_pitch = 12;  // between the lines of waiters
constexpr int row_gap = 16;
constexpr int wait_from = 40;   // where the line of a waiter leaves its card
constexpr int track_pitch = 5;  // between arrows beside each other
constexpr std::size_t tracks_in_gap = 4;

constexpr std::size_t most_bars = 4;  // side by side
constexpr std::size_t most_frames_of_a_step = 10;
constexpr std::size_t most_steps_of_fold = 300;
constexpr int thread_colours = 6, lock_colours = 6;

int index_of(const Explanation& explanation, ThreadId thread) {
    int at = 0;
    for (const ExplainedThread& one : explanation.threads) {
        if (one.id == thread) return at;
        ++at;
    }
    return at;
}
std::string colour_of(const Explanation& explanation, ThreadId thread) {
    return "t" + std::to_string(index_of(explanation, thread) % thread_colours);
}

std::string px(int value) { return std::to_string(value) + "px"; }

// Lines of the grid: the item lies between them.
struct Lines {
    int from, to;
};
std::string area(Lines rows, Lines columns, const std::string& more = {}) {
    return "grid-area:" + std::to_string(rows.from) + "/" + std::to_string(columns.from) + "/" +
           std::to_string(rows.to) + "/" + std::to_string(columns.to) + (more.empty() ? "" : ";" + more);
}
Lines only(int line) { return {line, line + 1}; }

// A grid: the numbers of the steps, then for each thread a column of lock bars, one of cards, and a gap for arrows.
class Timeline {
public:
    Timeline(Markup& page, const Explanation& explanation, const std::string& name)
        : page_(page), explanation_(explanation), name_(name) {
        for (const ExplainedThread& thread : explanation.threads) {
            const auto is_of = [&](const ExplainedStep& step) { return step.thread == thread.id; };
            const bool ends_here = explanation.end && explanation.end->thread == thread.id;
            if (ends_here || std::any_of(explanation.steps.begin(), explanation.steps.end(), is_of)) {
                const int column = 2 + 3 * static_cast<int>(lanes_.size());
                lanes_.push_back({&thread, column, {}, 0});
            }
        }
        for (const ExplainedStep& step : explanation.steps) steps_.push_back(&step);
        if (explanation.end) steps_.push_back(&*explanation.end);
        lay_out_rows();
        lay_out_bars();
    }

    void draw() {
        if (lanes_.empty()) return;
        const Element frame(page_, "div",
                            {{"class", "timeline-frame"}, {"role", "group"}, {"aria-label", "the execution"}});
        const Element grid(page_, "div", {{"class", "timeline"}, {"style", "grid-template-columns:" + columns()}});
        draw_heads();
        draw_bars();
        draw_arrows();
        draw_steps();
    }

private:
    struct Bar {
        const HeldLock* lock;
        Lines rows;
        std::size_t slot;
    };
    struct Lane {
        const ExplainedThread* thread;
        int bars_column;
        std::vector<Bar> bars;
        std::size_t slots;

        int cards() const { return bars_column + 1; }
        int gap() const { return bars_column + 2; }
    };
    struct Fold {
        int row;
        std::size_t begin, end;
    };

    // ---- layout

    void lay_out_rows() {
        int row = 2;
        std::size_t next = 0, i = 0;
        const auto fold = [&](std::size_t begin, std::size_t end) {
            if (begin < end) folds_.push_back({row++, begin, end});
        };
        for (; i < steps_.size() && !steps_[i]->pending; ++i) {
            fold(next, steps_[i]->event);
            next = steps_[i]->event + 1;
            row_of_[steps_[i]->event] = row;
            step_at_[steps_[i]->event] = i;
            rows_.push_back(row++);
        }
        fold(next, explanation_.steps_to_end);
        // All threads that wait at the end wait at the same time.
        end_ = row;
        for (; i < steps_.size(); ++i) rows_.push_back(end_);
    }

    // The row of the first shown step from `event` on.
    int row_from(std::size_t event) const {
        const auto row = row_of_.lower_bound(event);
        return row == row_of_.end() ? end_ : row->second;
    }

    void lay_out_bars() {
        for (const HeldLock& lock : explanation_.held) {
            const auto lane = std::find_if(lanes_.begin(), lanes_.end(),
                                           [&](const Lane& one) { return one.thread->id == lock.thread; });
            if (lane == lanes_.end()) continue;
            const auto first = row_of_.lower_bound(lock.from);
            const bool is_seen = lock.to ? first != row_of_.end() && first->first <= *lock.to : true;
            if (!is_seen) continue;
            Lines rows{row_from(lock.from), end_ + 1};
            if (lock.to) rows.to = std::max(rows.from, row_from(*lock.to)) + (row_of_.contains(*lock.to) ? 1 : 0);
            rows.to = std::max(rows.to, rows.from + 1);
            std::size_t slot = 0;
            while (std::any_of(lane->bars.begin(), lane->bars.end(),
                               [&](const Bar& bar) { return bar.slot == slot && bar.rows.to > rows.from; }))
                ++slot;
            if (slot >= most_bars) continue;
            lane->bars.push_back({&lock, rows, slot});
            lane->slots = std::max(lane->slots, slot + 1);
            lock_colour_.try_emplace(lock.name, static_cast<int>(lock_colour_.size()) % lock_colours);
        }
    }

    std::string columns() const {
        std::string text = "var(--gutter)";
        for (const Lane& lane : lanes_)
            text += " " + px(static_cast<int>(lane.slots) * bar_pitch) + " minmax(var(--lane),1fr) var(--gap)";
        return text;
    }

    const Lane& lane_of(ThreadId thread) const {
        return *std::find_if(lanes_.begin(), lanes_.end(), [&](const Lane& one) { return one.thread->id == thread; });
    }

    // ---- drawing

    void draw_heads() {
        for (const Lane& lane : lanes_) {
            const Lines columns{lane.bars_column, lane.gap()};
            page_.leaf("div",
                       {{"class", "lane " + colour_of(explanation_, lane.thread->id)},
                        {"style", area({1, end_ + 1}, columns)},
                        {"aria-hidden", "true"}},
                       "");
            const Element title(page_, "div",
                                {{"class", "lane-head " + colour_of(explanation_, lane.thread->id)},
                                 {"style", area(only(1), columns)}});
            page_.leaf("b", {}, raddle::name_of(lane.thread->id));
            page_.text(" " + lane.thread->function);
        }
    }

    void draw_bars() {
        for (const Lane& lane : lanes_)
            for (const Bar& bar : lane.bars) {
                const std::string what =
                    raddle::name_of(lane.thread->id) + " holds " + bar.lock->name +
                    (bar.lock->shared ? " for reading" : "") + " from step " + std::to_string(bar.lock->from + 1) +
                    (bar.lock->to ? " to step " + std::to_string(*bar.lock->to + 1) : " on, and still at the end");
                const Element element(
                    page_, "div",
                    {{"class", "bar l" + std::to_string(lock_colour_.at(bar.lock->name)) +
                                   (bar.lock->to ? "" : " kept") + (bar.lock->shared ? " shared" : "")},
                     {"role", "img"},
                     {"aria-label", what},
                     {"title", what},
                     {"style", area(bar.rows, only(lane.bars_column),
                                    "margin-left:" + px(static_cast<int>(bar.slot) * bar_pitch))}});
                page_.leaf("span", {}, bar.lock->name);
            }
    }

    void draw_arrows() {
        for (const Order& order : explanation_.shown_orders) {
            const auto from = step_at_.find(order.before), to = step_at_.find(order.after);
            if (from != step_at_.end() && to != step_at_.end()) draw_order(from->second, to->second);
        }
        int below = 0;
        for (std::size_t i = 0; i < steps_.size(); ++i)
            if (steps_[i]->pending && !steps_[i]->held_by.empty()) draw_wait(i, ++below);
    }

    void line(const char* kind, const std::string& style) { page_.leaf("i", {{"class", kind}, {"style", style}}, ""); }

    // From the side of a card into the gap beside it, down to the gap above the other card, and across to it: no arrow
    // runs over a card.
    void draw_order(std::size_t from, std::size_t to) {
        const Lane& one = lane_of(steps_[from]->thread);
        const Lane& other = lane_of(steps_[to]->thread);
        const bool to_the_right = other.bars_column > one.bars_column;
        const int gap = to_the_right ? one.gap() : one.bars_column - 1;
        const int track = track_pitch * (1 + static_cast<int>(used_[gap]++ % tracks_in_gap));
        const Element group(page_, "div",
                            {{"class", to_the_right ? "order right" : "order left"},
                             {"aria-hidden", "true"},
                             {"data-from", step_id(from)},
                             {"data-to", step_id(to)}});
        if (to_the_right)
            line("out", area(only(rows_[from]), only(gap), "width:" + px(track)));
        else
            line("out", area(only(rows_[from]), {gap, one.cards()}, "margin-left:" + px(track)));
        line("down", area({rows_[from], rows_[to]}, only(gap), "margin-left:" + px(track)));
        if (to_the_right)
            line("across", area(only(rows_[to]), {gap, other.cards()}, "margin-left:" + px(track)));
        else
            line("across",
                 area(only(rows_[to]), {other.gap(), gap + 1}, "margin-right:calc(var(--gap) - " + px(track) + ")"));
        line("tip", area(only(rows_[to]), only(other.cards())));
    }

    // A line from below the waiter to the bar of the lock.
    void draw_wait(std::size_t at, int below) {
        const Lane& own = lane_of(steps_[at]->thread);
        const int from = wait_from + 6 * below;
        for (const std::size_t event : steps_[at]->held_by)
            for (const Lane& lane : lanes_)
                for (const Bar& bar : lane.bars) {
                    if (bar.lock->from != event || bar.lock->to) continue;
                    const bool to_the_right = lane.bars_column > own.bars_column;
                    const int middle = static_cast<int>(bar.slot) * bar_pitch + bar_middle;
                    const Lines columns =
                        to_the_right ? Lines{own.cards(), lane.cards()} : Lines{lane.bars_column, own.cards()};
                    const std::string margins =
                        to_the_right ? "margin-left:" + px(from) +
                                           ";margin-right:" + px(static_cast<int>(lane.slots) * bar_pitch - middle)
                                     : "margin-left:" + px(middle) + ";margin-right:" + px(-from);
                    page_.leaf("div",
                               {{"class", to_the_right ? "wait right" : "wait left"},
                                {"aria-hidden", "true"},
                                {"data-from", step_id(at)},
                                {"data-to", step_id(at)},
                                {"style", area(only(end_ + 1), columns,
                                               margins + ";height:" + px(row_gap + wait_pitch * below))}},
                               "");
                }
    }

    std::string step_id(std::size_t at) const { return name_ + "-" + std::to_string(at + 1); }

    void draw_steps() {
        const Element list(
            page_, "ol",
            {{"class", "steps"}, {"aria-label", "the steps that matter, in order; arrow keys move between them"}});
        std::size_t fold = 0;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            for (; fold < folds_.size() && folds_[fold].row < rows_[i]; ++fold) draw_fold(folds_[fold]);
            draw_step(i);
        }
        for (; fold < folds_.size(); ++fold) draw_fold(folds_[fold]);
    }

    void draw_fold(const Fold& fold) {
        std::map<ThreadId, std::size_t> left_out;
        const std::size_t end = std::min(fold.end, explanation_.taken.size());
        for (std::size_t i = fold.begin; i < end; ++i) ++left_out[explanation_.taken[i].thread];
        std::string text;
        for (const auto& [thread, count] : left_out)
            text += (text.empty() ? "… " : ", ") + counted(count, "step") + " of " + raddle::name_of(thread);
        const Element item(page_, "li", {{"class", "fold"}, {"style", area(only(fold.row), {2, last_column() + 1})}});
        const Element details(page_, "details");
        page_.leaf("summary", {}, text);
        const Element table(page_, "table", {{"class", "list"}});
        const std::size_t begin = end - std::min(end - fold.begin, most_steps_of_fold);
        for (std::size_t i = begin; i < end; ++i) write_taken_row(page_, explanation_, explanation_.taken[i], i);
    }

    int last_column() const { return lanes_.back().gap(); }

    void draw_step(std::size_t i) {
        const ExplainedStep& step = *steps_[i];
        const Lane& lane = lane_of(step.thread);
        const std::string number = step.pending ? "end" : std::to_string(step.event + 1);
        const std::string label =
            (step.pending ? "at the end, " : "step " + number + ", ") + raddle::name_of(step.thread) + ": " +
            step.text + (step.location.empty() ? "" : " at " + step.location) +
            (step.preempts ? "; a preemption" : "") + (step.decisive ? std::string("; ") + decision() : "");
        std::string classes = "step " + colour_of(explanation_, step.thread);
        if (step.pending) classes += " pending";
        if (step.decisive) classes += " decisive";
        if (&lane == &lanes_.back() && lanes_.size() > 1) classes += " last-lane";
        const Element item(page_, "li",
                           {{"class", classes},
                            {"id", step_id(i)},
                            {"tabindex", "0"},
                            {"data-lane", std::to_string(&lane - lanes_.data())},
                            {"data-step", number},
                            {"aria-label", label},
                            {"style", area(only(rows_[i]), only(lane.cards()))}});
        draw_badges(i);
        page_.leaf("span", {{"class", "step-number"}}, number);
        page_.leaf("span", {{"class", "deed"}}, step.text + value_of(step));
        if (!step.location.empty()) page_.leaf("span", {{"class", "place"}}, step.location);
        if (!step.source.empty()) page_.leaf("code", {{"class", "source"}}, step.source);
        draw_more(step);
    }

    std::string value_of(const ExplainedStep& step) const {
        if (step.pending || step.event >= explanation_.taken.size()) return {};
        const std::string& value = explanation_.taken[step.event].value;
        return value.empty() ? "" : " (" + value + ")";
    }

    const char* decision() const { return explanation_.verdict == Verdict::race ? "races" : "decisive"; }

    void draw_badges(std::size_t i) {
        const ExplainedStep& step = *steps_[i];
        if (!step.preempts && !step.decisive) return;
        const Element badges(page_, "span", {{"class", "badges"}});
        const ThreadId before = i > 0 ? steps_[i - 1]->thread : step.thread;
        if (step.preempts)
            page_.leaf("span", {{"class", "badge preempts"}},
                       before == step.thread ? "ahead of its time" : "preempts " + raddle::name_of(before));
        if (step.decisive) page_.leaf("span", {{"class", "badge decides"}}, decision());
    }

    // The details that appear when a person points at a step.
    void draw_more(const ExplainedStep& step) {
        if (step.stack.empty()) return;
        const Element more(page_, "div", {{"class", "more"}, {"role", "note"}});
        write_frames(page_, step.stack, most_frames_of_a_step);
        write_snippet(page_, step.snippet);
    }

    Markup& page_;
    const Explanation& explanation_;
    const std::string name_;
    std::vector<Lane> lanes_;
    std::vector<const ExplainedStep*> steps_;
    std::vector<int> rows_;                       // by step
    std::map<std::size_t, int> row_of_;           // by event
    std::map<std::size_t, std::size_t> step_at_;  // by event
    std::vector<Fold> folds_;
    std::map<std::string, int> lock_colour_;
    std::map<int, std::size_t> used_;  // arrows in each gap
    int end_ = 0;                      // the row of the waits at the end
};

}  // namespace

void draw_timeline(Markup& page, const Explanation& explanation, const std::string& name) {
    Timeline(page, explanation, name).draw();
}

void write_taken_row(Markup& page, const Explanation& explanation, const TakenStep& step, std::size_t at) {
    const Element row(page, "tr", {{"class", "step-row"}});
    page.leaf("td", {}, std::to_string(at + 1));
    {
        const Element cell(page, "td");
        write_thread(page, explanation, step.thread);
    }
    const Element cell(page, "td");
    page.text(text_with_value(step) + " ");
    page.leaf("span", {{"class", "place"}}, step.location);
}

void write_thread(Markup& page, const Explanation& explanation, ThreadId thread) {
    page.leaf("span", {{"class", "thread " + colour_of(explanation, thread)}}, raddle::name_of(thread));
}

void write_snippet(Markup& page, const Snippet& snippet) {
    if (snippet.lines.empty()) return;
    const Element code(page, "pre", {{"class", "snippet"}, {"title", snippet.file}});
    for (std::size_t i = 0; i < snippet.lines.size(); ++i) {
        const unsigned number = snippet.first + static_cast<unsigned>(i);
        const Element line(page, "span", {{"class", number == snippet.marked ? "marked" : "near"}});
        page.leaf("i", {}, std::to_string(number));
        page.text(snippet.lines[i] + "\n");
    }
}

void write_frames(Markup& page, const Stack& stack, std::size_t most) {
    const Element frames(page, "ol", {{"class", "frames"}, {"start", "0"}});
    for (std::size_t i = 0; i < stack.size() && i < most; ++i) {
        const Element frame(page, "li");
        page.leaf("b", {}, stack[i].function.empty() ? raddle::location_of(stack[i]) : stack[i].function);
        if (!stack[i].function.empty()) {
            const bool has_line = !stack[i].file.empty() && stack[i].line != 0;
            page.leaf("span", {{"title", has_line ? stack[i].file : stack[i].module}},
                      has_line ? " " + raddle::location_of(stack[i]) : " " + stack[i].module);
        }
        if (stack[i].inlined) page.literal(" <em>inlined</em>");
    }
    if (stack.size() > most) page.leaf("li", {{"class", "rest"}}, "… " + std::to_string(stack.size() - most) + " more");
}

}  // namespace raddle
