#include <algorithm>

#include "supervisor/search/predict/witness.h"
#include "supervisor/search/symbolic/possible_orders.h"

namespace raddle {

namespace {

// Windows begin and end at multiples of this, so that many goals have the same window.
constexpr Position unit = 120;
// Clauses grow with the square of the events.
constexpr Position longest_window = 10 * unit;
// A step of the machine takes about as long as this much effort of the solver.
constexpr std::uint64_t solver_effort_of_a_step = 5;
constexpr std::uint64_t most_solver_effort = 1'500'000;

}  // namespace

// The events of a window, and what the solver has learned about them.
struct Solved::Window {
    Position begin, end;
    Stories stories{};
    std::unique_ptr<OrderSolver> solver = make_order_solver();
    std::unique_ptr<PossibleOrders> orders{};
};

Solved::Solved(const Recording& recording, MachineOptions options) : recording_(recording), path_(recording, options) {}
Solved::~Solved() = default;

// Makes it, unless the goal before had the same. Null if the machine does not come to its beginning.
Solved::Window* Solved::window(Position begin, Position end) {
    if (!path_.go_along_to(begin)) return nullptr;
    if (window_ != nullptr && window_->begin == begin && window_->end == end) return window_.get();
    window_ = std::make_unique<Window>(Window{.begin = begin, .end = end});
    if (window_->solver == nullptr) return nullptr;
    window_->stories.add(recording_.track(), begin, end);
    window_->stories.finish();
    window_->orders =
        std::make_unique<PossibleOrders>(window_->stories, path_.lend(), *window_->solver, PossibleOrders::Options{});
    return window_.get();
}

std::optional<Witness> Solved::find(const Goal& goal) {
    const auto [first, last] = span_of(goal, recording_);
    const Position begin = first / unit > 1 ? (first / unit - 1) * unit : 0;
    const Position end = std::min((last + unit - 1) / unit * unit, recording_.size());
    if (end - begin > longest_window) {
        was_cut_ = true;
        return std::nullopt;
    }
    Window* const window = this->window(begin, end);
    if (window == nullptr) return std::nullopt;
    PossibleOrders::Question question;
    const auto note = [&](std::vector<EventNumber>& events, ThreadSlot thread, std::uint32_t number) {
        const std::vector<EventNumber> own = window->stories.with_number(recording_.name(thread), number);
        events.insert(events.end(), own.begin(), own.end());
        return !own.empty();
    };
    for (const Goal::Stop& stop : goal.stops) {
        if (stop.least > path_.done(stop.thread) && !note(question.with, stop.thread, stop.least)) return std::nullopt;
        if (stop.most < recording_.events_of(stop.thread)) note(question.without, stop.thread, stop.most + 1);
    }
    if (!goal.then.empty()) question.goes_on = recording_.name(goal.then.front());
    const std::uint64_t effort_before = window->solver->effort(), steps_before = window->orders->steps();
    const std::optional<Schedule> schedule = window->orders->find(question, most_solver_effort);
    was_cut_ = was_cut_ || window->orders->gave_up();
    effort_ +=
        window->orders->steps() - steps_before + (window->solver->effort() - effort_before) / solver_effort_of_a_step;
    return schedule ? go(*schedule, goal) : std::nullopt;
}

// From the beginning of the window.
std::optional<Witness> Solved::go(const Schedule& schedule, const Goal& goal) {
    const Position begin = path_.size();
    std::optional<Witness> witness;
    const bool is_possible = std::all_of(schedule.begin(), schedule.end(), [&](const Step& step) {
        return path_.take(recording_.machine().find_thread(step.thread), step.value) == Path::Taken::same;
    });
    if (is_possible && is_reached(path_, goal)) witness = finish(path_, recording_, goal);
    path_.back_to(begin);
    return witness;
}

}  // namespace raddle
