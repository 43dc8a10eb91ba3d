#include "replay/report/html_timeline.h"

#include <algorithm>
#include <map>

#include "replay/explain/wording.h"

namespace raddle {

namespace {

// All sizes are in pixels.
constexpr int gutter = 52;  // column of step numbers
constexpr int head = 40;    // row of thread names
constexpr int bar_width = 18;
constexpr int bar_pitch = 22;
constexpr int lane_gap = 26;
constexpr int page_width = 1076;
constexpr int narrowest_lane = 176, widest_lane = 440;
constexpr int letter_width = 8;  // wider than most letters
constexpr int line_height = 18;
constexpr int card_padding = 14;  // above and below the text, in total
constexpr int row_gap = 12;
constexpr int badge_height = 22;
constexpr int fold_height = 30;
constexpr int wait_pitch = 12;  // between the lines of waiters

constexpr std::size_t most_bars = 4;  // side by side
constexpr std::size_t most_frames_of_a_step = 10;
constexpr int thread_colours = 6, lock_colours = 6;

std::string px(int value) { return std::to_string(value) + "px"; }
std::string box(int left, int top, int width, int height) {
    return "left:" + px(left) + ";top:" + px(top) + ";width:" + px(width) + ";height:" + px(height);
}

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

class Timeline {
public:
    Timeline(Markup& page, const Explanation& explanation, const std::string& name)
        : page_(page), explanation_(explanation), name_(name) {
        for (const ExplainedThread& thread : explanation.threads) {
            const auto is_of = [&](const ExplainedStep& step) { return step.thread == thread.id; };
            const bool ends_here = explanation.end && explanation.end->thread == thread.id;
            if (ends_here || std::any_of(explanation.steps.begin(), explanation.steps.end(), is_of))
                lanes_.push_back({&thread, 0, 0, {}});
        }
        for (const ExplainedStep& step : explanation.steps) steps_.push_back(&step);
        if (explanation.end) steps_.push_back(&*explanation.end);
        lay_out_rows();
        lay_out_bars();
        lay_out_lanes();
        // The width of the cards is known now, so their height follows.
        lay_out_rows();
        lay_out_bars();
    }

    void draw() {
        if (lanes_.empty()) return;
        const Element frame(
            page_, "div",
            {{"class", width_ > page_width + lane_gap ? "timeline-frame wide" : "timeline-frame"}, {"tabindex", "-1"}});
        const Element area(page_, "div",
                           {{"class", "timeline"}, {"style", "width:" + px(width_) + ";height:" + px(height_)}});
        draw_heads();
        draw_folds();
        draw_bars();
        draw_arrows();
        draw_steps();
    }

private:
    struct Bar {
        const HeldLock* lock;
        int top, bottom;
        std::size_t slot;
    };
    struct Lane {
        const ExplainedThread* thread;
        int left;   // of its lock bars
        int cards;  // left edge of its cards
        std::vector<Bar> bars;
    };
    struct Row {
        int top = 0, height = 0;  // of the card
        bool badge = false;
    };
    struct Fold {
        int top;
        std::string text;
    };

    int height_of(const ExplainedStep& step) const {
        const Lane& lane = lane_of(step.thread);
        const int room = right_of(lane) - lane.cards - 24;
        const bool is_long = room > 0 && static_cast<int>(step.text.size()) * letter_width > room;
        return card_padding +
               line_height * ((is_long ? 2 : 1) + (step.location.empty() ? 0 : 1) + (step.source.empty() ? 0 : 1));
    }

    // ---- layout

    void lay_out_rows() {
        int y = head + row_gap;
        std::size_t next = 0;
        folds_.clear();
        waits_ = 0;
        rows_.resize(steps_.size());
        std::size_t i = 0;
        for (; i < steps_.size() && !steps_[i]->pending; ++i) {
            const ExplainedStep& step = *steps_[i];
            y = fold(next, step.event, y);
            next = step.event + 1;
            const bool badge = step.preempts || step.decisive;
            if (badge) y += badge_height;
            rows_[i] = {y, height_of(step), badge};
            y += rows_[i].height + row_gap;
            row_of_[step.event] = i;
        }
        y = fold(next, explanation_.steps_to_end, y);
        // All threads that wait at the end wait at the same time.
        end_ = y;
        int tallest = 0;
        for (; i < steps_.size(); ++i) {
            rows_[i] = {y, height_of(*steps_[i]), false};
            tallest = std::max(tallest, rows_[i].height);
            waits_ += steps_[i]->held_by.empty() ? 0 : 1;
        }
        bottom_ = y + tallest;
        height_ = bottom_ + row_gap + (waits_ > 0 ? waits_ * wait_pitch + row_gap : 0);
    }

    int fold(std::size_t begin, std::size_t end, int y) {
        if (begin >= end) return y;
        std::map<ThreadId, std::size_t> left_out;
        for (std::size_t i = begin; i < end && i < explanation_.taken.size(); ++i)
            ++left_out[explanation_.taken[i].thread];
        std::string text;
        for (const auto& [thread, count] : left_out)
            text += (text.empty() ? "… " : ", ") + std::to_string(count) + (count == 1 ? " step of " : " steps of ") +
                    raddle::name_of(thread);
        folds_.push_back({y, text});
        return y + fold_height;
    }

    // The top of the first shown step from `event` on.
    int y_from(std::size_t event) const {
        const auto row = row_of_.lower_bound(event);
        return row == row_of_.end() ? end_ : rows_[row->second].top;
    }

    void lay_out_bars() {
        for (Lane& lane : lanes_) lane.bars.clear();
        for (const HeldLock& lock : explanation_.held) {
            const auto lane = std::find_if(lanes_.begin(), lanes_.end(),
                                           [&](const Lane& one) { return one.thread->id == lock.thread; });
            if (lane == lanes_.end()) continue;
            const auto first = row_of_.lower_bound(lock.from);
            const bool is_seen = lock.to ? first != row_of_.end() && first->first <= *lock.to : true;
            if (!is_seen) continue;
            int bottom = lock.to ? y_from(*lock.to) + line_height : bottom_ + row_gap;
            const int top = y_from(lock.from);
            bottom = std::max(bottom, top + line_height);
            std::size_t slot = 0;
            while (std::any_of(lane->bars.begin(), lane->bars.end(),
                               [&](const Bar& bar) { return bar.slot == slot && bar.bottom > top; }))
                ++slot;
            if (slot >= most_bars) continue;
            lane->bars.push_back({&lock, top, bottom, slot});
            lock_colour_.try_emplace(lock.name, static_cast<int>(lock_colour_.size()) % lock_colours);
        }
    }

    void lay_out_lanes() {
        const int count = static_cast<int>(std::max<std::size_t>(lanes_.size(), 1));
        lane_width_ = std::clamp((page_width - gutter) / count - lane_gap, narrowest_lane, widest_lane);
        int x = gutter;
        for (Lane& lane : lanes_) {
            std::size_t slots = 0;
            for (const Bar& bar : lane.bars) slots = std::max(slots, bar.slot + 1);
            lane.left = x;
            lane.cards = x + static_cast<int>(slots) * bar_pitch;
            x += lane_width_ + lane_gap;
        }
        width_ = x - lane_gap + 4;
    }

    const Lane& lane_of(ThreadId thread) const {
        return *std::find_if(lanes_.begin(), lanes_.end(), [&](const Lane& one) { return one.thread->id == thread; });
    }
    int right_of(const Lane& lane) const { return lane.left + lane_width_; }
    int middle(std::size_t row) const { return rows_[row].top + rows_[row].height / 2; }

    // ---- drawing

    void draw_heads() {
        for (const Lane& lane : lanes_) {
            page_.leaf("div",
                       {{"class", "lane " + colour_of(explanation_, lane.thread->id)},
                        {"style", box(lane.left, 0, lane_width_, height_)},
                        {"aria-hidden", "true"}},
                       "");
            const Element title(page_, "div",
                                {{"class", "lane-head " + colour_of(explanation_, lane.thread->id)},
                                 {"style", box(lane.left, 0, lane_width_, head - 6)}});
            page_.leaf("b", {}, raddle::name_of(lane.thread->id));
            page_.text(" " + lane.thread->function);
        }
    }

    void draw_folds() {
        for (const Fold& fold : folds_)
            page_.leaf("div", {{"class", "fold"}, {"style", box(gutter, fold.top, width_ - gutter, fold_height - 10)}},
                       fold.text);
    }

    void draw_bars() {
        for (const Lane& lane : lanes_)
            for (const Bar& bar : lane.bars) {
                const int x = lane.left + static_cast<int>(bar.slot) * bar_pitch;
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
                     {"style", box(x, bar.top, bar_width, bar.bottom - bar.top)}});
                page_.leaf("span", {}, bar.lock->name);
            }
    }

    void draw_arrows() {
        const Element picture(page_, "svg",
                              {{"class", "arrows"},
                               {"aria-hidden", "true"},
                               {"width", std::to_string(width_)},
                               {"height", std::to_string(height_)}});
        for (const Order& order : explanation_.shown_orders) {
            const auto from = row_of_.find(order.before), to = row_of_.find(order.after);
            if (from != row_of_.end() && to != row_of_.end()) draw_order(from->second, to->second);
        }
        int below = 0;
        for (std::size_t i = 0; i < rows_.size(); ++i)
            if (steps_[i]->pending && !steps_[i]->held_by.empty()) draw_wait(i, ++below);
    }

    void draw_order(std::size_t from, std::size_t to) {
        const Lane& one = lane_of(steps_[from]->thread);
        const Lane& other = lane_of(steps_[to]->thread);
        const bool to_the_right = other.left > one.left;
        const int x1 = to_the_right ? right_of(one) : one.cards, x2 = to_the_right ? other.cards : right_of(other);
        const int y1 = middle(from), y2 = middle(to);
        const int pull = (to_the_right ? 1 : -1) * std::clamp((std::abs(x2 - x1) + y2 - y1) / 4, 16, 90);
        const std::string path = "M" + std::to_string(x1) + " " + std::to_string(y1) + "C" + std::to_string(x1 + pull) +
                                 " " + std::to_string(y1) + " " + std::to_string(x2 - pull) + " " + std::to_string(y2) +
                                 " " + std::to_string(x2 + (to_the_right ? -7 : 7)) + " " + std::to_string(y2);
        const Element group(page_, "g", {{"class", "order"}, {"data-from", step_id(from)}, {"data-to", step_id(to)}});
        page_.empty("path", {{"d", path}});
        draw_tip(x2, y2, to_the_right ? -8 : 8, 0);
    }

    // A line from below the waiter to the bar of the lock.
    void draw_wait(std::size_t row, int below) {
        const ExplainedStep& step = *steps_[row];
        const Lane& own = lane_of(step.thread);
        const int x1 = own.cards + (right_of(own) - own.cards) * 3 / 5, y1 = rows_[row].top + rows_[row].height;
        const int y2 = bottom_ + row_gap + below * wait_pitch;
        for (const std::size_t event : step.held_by)
            for (const Lane& lane : lanes_)
                for (const Bar& bar : lane.bars) {
                    if (bar.lock->from != event || bar.lock->to) continue;
                    const int x2 = lane.left + static_cast<int>(bar.slot) * bar_pitch + bar_width / 2;
                    const Element group(page_, "g",
                                        {{"class", "wait"}, {"data-from", step_id(row)}, {"data-to", step_id(row)}});
                    page_.empty("path",
                                {{"d", "M" + std::to_string(x1) + " " + std::to_string(y1) + "V" + std::to_string(y2) +
                                           "H" + std::to_string(x2) + "V" + std::to_string(bar.bottom + 7)}});
                    draw_tip(x2, bar.bottom + 1, 0, 8);
                }
    }

    // The head of an arrow with direction (dx, dy).
    void draw_tip(int x, int y, int dx, int dy) {
        const int across_x = dy / 2, across_y = dx / 2;
        page_.empty("path", {{"class", "tip"},
                             {"d", "M" + std::to_string(x) + " " + std::to_string(y) + "l" +
                                       std::to_string(dx + across_x) + " " + std::to_string(dy + across_y) + "l" +
                                       std::to_string(-2 * across_x) + " " + std::to_string(-2 * across_y) + "z"}});
    }

    std::string step_id(std::size_t row) const { return name_ + "-" + std::to_string(row + 1); }

    void draw_steps() {
        const Element list(
            page_, "ol",
            {{"class", "steps"}, {"aria-label", "the steps that matter, in order; arrow keys move between them"}});
        for (std::size_t i = 0; i < rows_.size(); ++i) draw_step(i);
    }

    void draw_step(std::size_t i) {
        const ExplainedStep& step = *steps_[i];
        const Lane& lane = lane_of(step.thread);
        const std::string number = step.pending ? "end" : std::to_string(step.event + 1);
        const std::string label =
            (step.pending ? "at the end, " : "step " + number + ", ") + raddle::name_of(step.thread) + ": " +
            step.text + (step.location.empty() ? "" : " at " + step.location) +
            (step.preempts ? "; a preemption" : "") + (step.decisive ? std::string("; ") + decision() : "");
        const bool is_last = &lane == &lanes_.back() && lanes_.size() > 1;
        std::string classes = "step " + colour_of(explanation_, step.thread);
        if (step.pending) classes += " pending";
        if (step.decisive) classes += " decisive";
        if (is_last) classes += " last-lane";
        const bool first_of_end = step.pending && (i == 0 || !steps_[i - 1]->pending);
        const Element item(page_, "li",
                           {{"class", classes},
                            {"id", step_id(i)},
                            {"tabindex", "0"},
                            {"data-lane", std::to_string(&lane - lanes_.data())},
                            {"aria-label", label},
                            {"style", box(lane.cards, rows_[i].top, right_of(lane) - lane.cards, rows_[i].height)}});
        if (!step.pending || first_of_end)
            page_.leaf("span",
                       {{"class", "number"}, {"style", "left:" + px(-lane.cards - 1) + ";width:" + px(gutter - 16)}},
                       number);
        draw_badges(i);
        page_.leaf("span", {{"class", "deed"}}, step.text);
        if (!step.location.empty()) draw_location(step.location);
        if (!step.source.empty()) page_.leaf("code", {{"class", "source"}}, step.source);
        draw_more(step);
    }

    // A narrow card keeps the line number.
    void draw_location(const std::string& location) {
        const Element whole(page_, "span", {{"class", "place"}});
        const std::size_t colon = std::min(location.rfind(':'), location.size());
        page_.leaf("span", {}, location.substr(0, colon));
        page_.text(location.substr(colon));
    }

    const char* decision() const { return explanation_.verdict == Verdict::race ? "races" : "decisive"; }

    void draw_badges(std::size_t i) {
        const ExplainedStep& step = *steps_[i];
        if (!rows_[i].badge) return;
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
    std::vector<Row> rows_;                      // by step
    std::map<std::size_t, std::size_t> row_of_;  // by event
    std::vector<Fold> folds_;
    std::map<std::string, int> lock_colour_;
    int lane_width_ = 0, width_ = 0, height_ = 0;
    int end_ = 0, bottom_ = 0;  // of the waits at the end
    int waits_ = 0;
};

}  // namespace

void draw_timeline(Markup& page, const Explanation& explanation, const std::string& name) {
    Timeline(page, explanation, name).draw();
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
