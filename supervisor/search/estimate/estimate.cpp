#include "supervisor/search/estimate/estimate.h"

#include <algorithm>
#include <cmath>

namespace raddle {

namespace {

constexpr std::size_t most_descents = 3000;
// The limit for the exact probability of one graph; beyond it, descents within the graph estimate it.
constexpr std::uint64_t most_steps_of_a_graph = 2000;
constexpr int descents_within_a_graph = 8;
// There is no estimate with fewer descents, or if a larger share of them was given up.
constexpr double least_descents = 12, most_given_up = 0.9;
// The share of wrong predictions in the error band, found by experiment.
constexpr double error_of_guessing = 0.3;

}  // namespace

Estimator::Estimator(SearchUnit unit, MachineOptions options)
    : unit_(unit), predictor_(options), path_(options, predictor_) {}

void Estimator::draw(std::uint32_t bound, std::uint64_t steps) {
    if (bound_ != bound) {
        descents_.clear();
        bound_ = bound;
    }
    if (unit_ == SearchUnit::samples || !path_.begin()) return;
    for (steps_ = 0; steps_ < steps;) descend();
}

// A thread that may run next without loss, because the graph is the same whenever it runs; no_slot if there is none.
ThreadSlot Estimator::without_choice() const {
    if (of_schedules()) return no_slot;
    const Machine& machine = path_.machine();
    const ThreadSlot last = path_.track().last_thread();
    const auto goes_quietly = [&](ThreadSlot thread) {
        const Alternatives ways = machine.alternatives(thread);
        return ways.readiness == Readiness::ready && ways.count == 1 && path_.is_quiet(thread);
    };
    if (last != no_slot && machine.is_ready(last)) {
        if (goes_quietly(last)) return last;
        if (is_bounded()) return no_slot;
    }
    for (ThreadSlot thread = 0; thread < machine.thread_count(); ++thread) {
        const bool costs_nothing =
            !is_bounded() || traits(machine.thread(thread).pending.operation).waits == Wait::thread_end;
        if (costs_nothing && goes_quietly(thread)) return thread;
    }
    return no_slot;
}

// The possible steps within the bound, with their probabilities, which depend on the state only. Preemptions are spread
// over the length of the path.
void Estimator::ways_from_here(std::uint32_t spent, Ways& ways) const {
    ways.clear();
    if (const ThreadSlot only = without_choice(); only != no_slot) {
        ways.push_back({only, 0, 0, 1});
        return;
    }
    const Machine& machine = path_.machine();
    const ThreadSlot last = path_.track().last_thread();
    std::size_t free = 0, dear = 0;
    for (ThreadSlot thread = 0; thread < machine.thread_count(); ++thread) {
        if (machine.exceeds_patience(thread)) continue;
        const std::uint32_t count = machine.alternatives(thread).count;
        for (std::uint32_t value = 0; value < count; ++value) {
            if (leaves_focus(machine, last, thread, value)) continue;
            const std::uint32_t cost = is_bounded() ? machine.cost(last, thread, value) : 0;
            if (is_bounded() && spent + cost > *bound_) continue;
            ways.push_back({thread, value, cost, 1});
            ++(cost > 0 ? dear : free);
        }
    }
    if (ways.empty()) return;
    const double left = *bound_ - spent, ahead = std::max(1.0, loud_ - path_.loud());
    const double of_dear = dear == 0 ? 0 : free == 0 ? 1 : std::min(0.6, left / (1 + ahead));
    for (Way& way : ways)
        way.probability =
            way.cost > 0 ? of_dear / static_cast<double>(dear) : (1 - of_dear) / static_cast<double>(free);
}

void Estimator::descend() {
    path_.pop_to(0);
    std::uint32_t spent = 0;
    double probability = 1;
    Hasher schedule;
    Ways ways;
    const auto too_long = static_cast<Position>(predictor_.longest() + predictor_.longest() / 4 + 8);
    bool known = true;
    for (;;) {
        ways_from_here(spent, ways);
        if (ways.empty()) break;
        double drawn = std::uniform_real_distribution<double>()(random_);
        std::size_t chosen = 0;
        while (chosen + 1 < ways.size() && drawn >= ways[chosen].probability) drawn -= ways[chosen++].probability;
        probability *= ways[chosen].probability;
        spent += ways[chosen].cost;
        schedule.add(std::uint64_t{ways[chosen].thread} << 32 | ways[chosen].value);
        ++steps_;
        known = path_.push(ways[chosen].thread, ways[chosen].value);
        if (!known || path_.track().size() > too_long) break;
    }
    if (!known || !ways.empty()) return keep({{}, 0, true});
    const Hash128 graph = of_schedules() ? schedule.finish() : path_.track().graph();
    const double loud = path_.loud();
    const double of_graph = of_schedules() ? probability : probability_of_graph(path_.track().size(), probability);
    keep({graph, std::min(of_graph, 1.0), false});
    // Fixed after the first descents: another spread of preemptions would change the probabilities of known graphs.
    if (descents_.size() < 20) loud_ = std::max(loud_, loud);
}

// Drops the oldest descents: they were drawn with less knowledge.
void Estimator::keep(const Descent& descent) {
    if (descents_.size() >= most_descents) descents_.pop_front();
    descents_.push_back(descent);
}

// ---- the probability of the graph on the path

double Estimator::probability_of_graph(Position end, double drawn) {
    const Track& track = path_.track();
    goal_.assign(track.machine().thread_count(), {});
    for (Position i = 0; i < end; ++i) goal_[track[i].thread].push_back({track[i].value, track[i].past});
    goal_size_ = end;
    path_.pop_to(0);
    beyond_.clear();
    steps_left_ = most_steps_of_a_graph;
    double probability = probability_beyond(0);
    path_.pop_to(0);
    if (steps_left_ == 0) probability = sampled_probability();
    return std::max(probability, drawn);
}

// True if the last event belongs to the graph.
bool Estimator::is_of_graph(const Way& way) const {
    if (way.thread >= goal_.size()) return false;
    const TrackEvent& event = path_.track()[path_.track().size() - 1];
    const std::vector<Goal>& goals = goal_[way.thread];
    return event.number <= goals.size() && goals[event.number - 1].past == event.past;
}

// Takes the step and all forced steps after it. False if a step leaves the graph.
bool Estimator::take_within_graph(const Way& way, std::uint32_t& spent, Ways& next) {
    Way one = way;
    for (;;) {
        ++steps_;
        if (steps_left_ > 0) --steps_left_;
        path_.push(one.thread, one.value);
        spent += one.cost;
        if (!is_of_graph(one)) return false;
        ways_from_here(spent, next);
        if (next.size() != 1) return !next.empty() || path_.track().size() == goal_size_;
        one = next[0];
    }
}

double Estimator::probability_beyond(std::uint32_t spent) {
    const Track& track = path_.track();
    if (track.size() == goal_size_) return 1;
    Hash128 state = track.graph();
    state.low += mix64((std::uint64_t{spent} << 32 | track.last_thread()) + 1);
    if (const auto known = beyond_.find(state); known != beyond_.end()) return known->second;
    const Position here = track.size();
    Ways ways, next;
    ways_from_here(spent, ways);
    double probability = 0;
    for (const Way& way : ways) {
        if (steps_left_ == 0) return 0;
        std::uint32_t spent_there = spent;
        if (take_within_graph(way, spent_there, next)) probability += way.probability * probability_beyond(spent_there);
        path_.pop_to(here);
    }
    beyond_[state] = probability;
    return probability;
}

// The mean over descents within the graph of the product of the probabilities to stay in it.
double Estimator::sampled_probability() {
    double sum = 0;
    Ways ways, next;
    for (int i = 0; i < descents_within_a_graph; ++i) {
        path_.pop_to(0);
        std::uint32_t spent = 0;
        double probability = 1;
        while (path_.track().size() < goal_size_) {
            const Position here = path_.track().size();
            ways_from_here(spent, ways);
            double all = 0;
            std::erase_if(ways, [&](const Way& way) {
                std::uint32_t spent_there = spent;
                const bool possible = take_within_graph(way, spent_there, next);
                path_.pop_to(here);
                return !possible;
            });
            for (const Way& way : ways) all += way.probability;
            probability *= all;
            if (ways.empty()) break;
            double drawn = std::uniform_real_distribution<double>(0, all)(random_);
            std::size_t chosen = 0;
            while (chosen + 1 < ways.size() && drawn >= ways[chosen].probability) drawn -= ways[chosen++].probability;
            take_within_graph(ways[chosen], spent, next);
        }
        sum += probability;
    }
    path_.pop_to(0);
    return sum / descents_within_a_graph;
}

// ---- the estimate

// Horvitz and Thompson, 1952: a graph that n descents reach with probability q stands for 1/q graphs.
std::optional<Estimate> Estimator::remaining(const Coverage& coverage, const HasSeen& has_seen) const {
    std::unordered_map<Hash128, double, HashOfHash> met;
    double given_up = 0;
    for (const Descent& descent : descents_) {
        if (descent.given_up)
            ++given_up;
        else
            met[descent.graph] = descent.probability;
    }
    const auto drawn = static_cast<double>(descents_.size());
    if (drawn < least_descents || given_up > drawn * most_given_up) return std::nullopt;

    double all = 0, unseen = 0, variance = 0;
    bool can_tell = true;
    for (const auto& [graph, probability] : met) {
        const double meets = -std::expm1(drawn * std::log1p(-std::min(probability, 1 - 1e-12)));
        const std::optional<bool> seen = has_seen ? has_seen(graph) : std::nullopt;
        can_tell = can_tell && seen;
        all += 1 / meets;
        if (seen && *seen) continue;
        unseen += 1 / meets;
        variance += (1 - meets) / (meets * meets);
    }
    const auto found = static_cast<double>(of_schedules() ? coverage.executions - coverage.abandoned : coverage.graphs);
    const double likely = can_tell ? unseen : std::max(0.0, all - found);
    const double doubt = can_tell ? likely : all;  // the errors are a share of this
    const double spread =
        2 * std::sqrt(variance) + doubt * (error_of_guessing + given_up / drawn) + (met.empty() ? 0 : 3 * all / drawn);
    // Some graphs need no execution, and some executions end in no graph.
    const double executions = coverage.graphs == 0 || of_schedules()
                                  ? 1
                                  : static_cast<double>(coverage.executions) / static_cast<double>(coverage.graphs);
    const double high = likely + spread;
    const double low = high > 0 ? likely * likely / high : 0;  // low : likely = likely : high
    return Estimate{low * executions, likely * executions, high * executions};
}

}  // namespace raddle
