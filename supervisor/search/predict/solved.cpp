#include <algorithm>

#include "supervisor/search/predict/witness.h"
#include "supervisor/search/symbolic/possible_orders.h"

namespace raddle {

namespace {

// Clauses grow with the square of the events.
constexpr Position window_before = 240;
// One step in the machine takes about as long as so much of the solver's effort.
constexpr std::uint64_t solver_effort_of_a_step = 40;
constexpr std::uint64_t most_solver_effort = 1'500'000;

}  // namespace

std::optional<Witness> Solved::find(const Goal& goal) {
    const std::unique_ptr<OrderSolver> solver = make_order_solver();
    if (solver == nullptr) return std::nullopt;
    const auto [first, end] = span_of(goal, recording_);
    const Position begin = first > window_before ? first - window_before : 0;
    if (!path_.go_along_to(begin)) return std::nullopt;
    std::vector<std::uint32_t> most(recording_.threads(), ~0u);
    for (const Goal::Stop& stop : goal.stops) most[stop.thread] = stop.most;
    Stories stories;
    stories.add(recording_.track(), begin, end, most);
    stories.finish();
    PossibleOrders::Options options;
    if (!goal.then.empty()) options.goes_on = recording_.name(goal.then.front());
    PossibleOrders orders(stories, path_.lend(), *solver, options);
    for (const Goal::Stop& stop : goal.stops)
        if (stop.least > path_.done(stop.thread))
            orders.require(stories.with_number(recording_.name(stop.thread), stop.least));
    const std::optional<Schedule> schedule = orders.next(most_solver_effort);
    was_cut_ = was_cut_ || orders.gave_up();
    effort_ += stories.size() + orders.steps() + solver->effort() / solver_effort_of_a_step;
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
